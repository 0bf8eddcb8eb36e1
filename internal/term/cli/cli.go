// Package cli is the part that the commands arcsim and arcasm share: the streams they use, exit
// statuses and the errors that carry one, and the version of the build.
//
// Start with Streams.Run.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp/syntax"
	"runtime/debug"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// Exit statuses that both commands use.
const (
	Failed = 1 // the input has errors, or a test failed
	Usage  = 2 // the command line or the configuration is wrong
	Host   = 3 // a file cannot be read or written, or is not what it should be

	Interrupted = 130 // by Ctrl-C, kill or the end of the terminal
)

// Streams are the files a command reads and writes.
type Streams struct {
	Name     string // of the command, before its messages
	In       io.Reader
	Out, Err io.Writer
}

// Warn tells the user something that is no result. What it quotes of files and arguments does not control the terminal, and does
// not fill it.
func (s Streams) Warn(format string, args ...any) {
	lines := strings.Split(printable(fmt.Sprintf(format, args...)), "\n")
	for i, line := range lines {
		lines[i] = shortened(line)
	}
	fmt.Fprintf(s.Err, "%s: %s\n", s.Name, strings.Join(lines, "\n"))
}

// longest is how many bytes a line of a message has at most.
const longest = 4096

// shortened leaves out the middle of a long line: the place stands at its beginning, the cause at its end.
func shortened(line string) string {
	if len(line) <= longest {
		return line
	}
	left := line[:longest/2]
	right := line[len(line)-longest/2:]
	return fmt.Sprintf("%s ...(%d bytes left out)... %s", strings.ToValidUTF8(left, ""), len(line)-longest, strings.ToValidUTF8(right, ""))
}

// Line is a text as a part of one line: an argument may have several.
func Line(text string) string { return strings.ReplaceAll(printable(text), "\n", `\n`) }

// printable replaces what is no text by its number.
func printable(text string) string {
	var b strings.Builder
	for i, c := range text {
		switch {
		case c == utf8.RuneError && text[i] >= utf8.RuneSelf && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, "\\x%02x", text[i])
		case c != '\n' && c != '\t' && unicode.IsControl(c):
			fmt.Fprintf(&b, "\\x%02x", c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// output remembers that something could not be written: not all that print look at the error.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.Writer.Write(b)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// Run executes a command with the streams that it gets, tells the user what went wrong and returns the
// exit status: that of an ExitError, Host when output is lost, Usage for other errors.
func (s Streams) Run(command func(s Streams) error) (status int) {
	defer func() {
		if r := recover(); r != nil {
			s.Warn("internal error in version %s, please report it: %v\n%s", Version(), r, debug.Stack())
			status = Host
		}
	}()
	out := &output{Writer: s.Out}
	streams := s
	if f, ok := s.Out.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) { // a terminal takes all, and is asked for its size
		streams.Out = out
	}
	err := command(streams)
	var e *ExitError
	switch {
	case err == nil && out.err == nil:
		return 0
	case err == nil || errors.Is(err, out.err) && out.err != nil:
		s.Warn("%v", out.err)
		return Host
	case errors.Is(err, hostfile.ErrInterrupted):
		s.Warn("%v", err)
		return Interrupted
	case errors.Is(err, context.Canceled): // work that a signal has ended
		s.Warn("interrupted")
		return Interrupted
	case errors.As(err, &e):
		if e.Err != nil {
			s.Warn("%s", message(e.Err))
		}
		return e.Status
	}
	s.Warn("%s", message(err))
	return Usage
}

// message is the text of an error: a path and a regular expression of several lines are quoted on one.
func message(err error) string {
	text := err.Error()
	var expr *syntax.Error
	var path *fs.PathError
	if errors.As(err, &expr) {
		text = strings.ReplaceAll(text, expr.Expr, Line(expr.Expr))
	}
	if errors.As(err, &path) {
		text = strings.ReplaceAll(text, path.Path, Line(path.Path))
	}
	return text
}

// ExitError ends a command with a status; Err, if any, is told to the user.
type ExitError struct {
	Status int
	Err    error
}

func (e *ExitError) Error() string {
	if e.Err == nil {
		return "exit"
	}
	return e.Err.Error()
}

func (e *ExitError) Unwrap() error { return e.Err }

// withStatus gives an error a status; no error stays none.
func withStatus(status int, err error) error {
	if err == nil {
		return nil
	}
	return &ExitError{Status: status, Err: err}
}

// FailedError gives an error the status Failed.
func FailedError(err error) error { return withStatus(Failed, err) }

// UsageError gives an error the status Usage.
func UsageError(err error) error { return withStatus(Usage, err) }

// HostError gives an error the status Host, unless it has one.
func HostError(err error) error {
	if errors.As(err, new(*ExitError)) {
		return err
	}
	return withStatus(Host, err)
}

// Valid is steps.Must for a value that the command line gives.
func Valid[T any](v T, err error) T {
	steps.Check(UsageError(err))
	return v
}

// Parse reads the value of a flag. What is wrong with it is told with the flag.
func Parse[V, T any](flag string, value V, read func(V) (T, error)) T {
	v, err := read(value)
	return Valid(v, steps.In(flag, err))
}

// Refuse ends a command where something holds that makes its command line wrong.
func Refuse(when bool, format string, args ...any) {
	if when {
		steps.Check(UsageError(fmt.Errorf(format, args...)))
	}
}

// Version is the version that the build recorded.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			v += " " + setting.Value[:min(12, len(setting.Value))]
		}
	}
	return v + " " + info.GoVersion
}
