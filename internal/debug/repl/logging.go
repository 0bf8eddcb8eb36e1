// A log of what the session prints: set logging and show logging, in gdb's forms.

package repl

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// logName is the file of the log until another is named.
const logName = "arcsim.txt"

// logging is the log of a session. It is the way of everything printed.
type logging struct {
	path      string
	overwrite bool // the file is made anew when logging begins, else added to
	redirect  bool // nothing appears on the screen
	file      *os.File
	plain     colorless
}

// through is the writer for output that otherwise goes to w.
func (l *logging) through(w io.Writer) io.Writer { return logged{l, w} }

type logged struct {
	log *logging
	to  io.Writer
}

func (w logged) Write(text []byte) (int, error) {
	if w.log.file != nil {
		if _, err := w.log.file.Write(w.log.plain.strip(text)); err != nil {
			return 0, err
		}
		if w.log.redirect {
			return len(text), nil
		}
	}
	return w.to.Write(text)
}

// close ends the log with the session.
func (l *logging) close() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// colorless takes escape sequences of colours out of a text that comes in pieces.
type colorless struct{ inside bool }

func (c *colorless) strip(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, b := range text {
		switch {
		case c.inside:
			c.inside = b == '[' || b == ';' || b >= '0' && b <= '9'
		case b == '\x1b':
			c.inside = true
		default:
			out = append(out, b)
		}
	}
	return out
}

// setLogging executes set logging.
func (s *Session) setLogging(f []string) {
	l := &s.log
	steps.Refuse(len(f) == 0, "set logging enabled|overwrite|redirect on|off, or set logging file FILE")
	what, value := f[0], ""
	if what == "on" || what == "off" { // as gdb had it before version 12
		what, f = "enabled", append([]string{"enabled"}, f...)
	}
	if len(f) > 1 {
		value = f[1]
	}
	if l.file != nil && what != "enabled" {
		steps.Check(fmt.Errorf("the log is being written to %s: set logging enabled off first", l.path))
	}
	if what == "file" {
		steps.Refuse(len(f) != 2, "set logging file FILE")
		l.path = value
		return
	}
	set := map[string]func(on bool){
		"enabled":   s.enableLogging,
		"overwrite": func(on bool) { l.overwrite = on },
		"redirect":  func(on bool) { l.redirect = on },
	}[what]
	on := value != "off"
	switch {
	case set == nil:
		steps.Check(fmt.Errorf("set logging %s: there are enabled, file, overwrite, redirect", what))
	case len(f) > 2, value != "" && value != "on" && value != "off":
		steps.Check(fmt.Errorf("set logging %s on, or off", what))
	}
	set(on)
}

func (s *Session) enableLogging(on bool) {
	l := &s.log
	steps.Check(s.out.Flush())
	switch {
	case on && l.file != nil:
		steps.Check(fmt.Errorf("the log is being written to %s already", l.path))
	case !on && l.file == nil:
		return
	case !on:
		err := l.close()
		s.print("Done logging to %s.\n", l.path)
		steps.Check(err)
		return
	}
	open := hostfile.Append
	if l.overwrite {
		open = hostfile.Log
	}
	file := steps.Must(open(l.path))
	word := "Copying"
	if l.redirect {
		word = "Redirecting"
	}
	s.print("%s output to %s.\n", word, l.path)
	if err := s.out.Flush(); err != nil {
		steps.Check(errors.Join(err, file.Close()))
		return
	}
	l.file = file
}

// showLogging describes what set logging has set.
func (s *Session) showLogging() {
	l := &s.log
	onOff := func(on bool) string {
		if on {
			return "on"
		}
		return "off"
	}
	s.print("enabled %s, file %s, overwrite %s, redirect %s\n", onOff(l.file != nil), l.path, onOff(l.overwrite), onOff(l.redirect))
}

// completeLogging completes what follows set logging.
func completeLogging(s *Session, word string) []string {
	switch f := strings.Fields(s.before); {
	case len(f) == 0:
		return starting([]string{"enabled", "file", "overwrite", "redirect", "on", "off"}, word)
	case f[0] == "file":
		return completeFile(s, word)
	}
	return starting([]string{"on", "off"}, word)
}
