package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/debug/cexpr"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// Config is how a session talks to its user.
type Config struct {
	In       io.Reader
	Out, Err io.Writer
	Terminal bool     // lines are edited; else they are read as they come
	Color    bool     // escape sequences for colours
	History  string   // file of the lines entered, "" for none
	Files    []string // command files executed first
	Lines    []string // command lines executed after them
	Batch    bool     // end after them
	Shell    bool     // commands of the host may be executed: the user sits at it
	// Interrupt is called while the program runs; cancel stops it. Nil runs without.
	Interrupt func(parent context.Context) (ctx context.Context, cancel func())
	Prompt    string
	Screen    Screen // the full-screen view, nil without a terminal
}

// Session is a user with a debugger.
type Session struct {
	d        *debug.Debugger
	cfg      Config
	out      *bufio.Writer
	ctx      context.Context
	commands []*command
	lines    reader
	depth    int // nested command files

	last     *command // for empty lines
	lastArgs args

	displays    []display
	nextDisplay int
	examine     examineState
	queue       listed // commands of breakpoints still to be executed
	draining    bool
	quit        bool
	failed      bool // a command of a script failed
	status      int
	log         logging
	shown       string // source position last printed
	before      string // what is in front of the word that is completed

	searched    time.Time // when the user last saw how far a search is
	searchShown bool      // that is on the screen
}

// statusInterrupted is the status of a session without a terminal that a signal ended.
const statusInterrupted = 130

// errQuit ends the session.
var errQuit = errors.New("quit")

// New returns a session.
func New(d *debug.Debugger, cfg Config) *Session {
	if cfg.Prompt == "" {
		cfg.Prompt = "(arcsim) "
	}
	if cfg.Interrupt == nil {
		cfg.Interrupt = func(ctx context.Context) (context.Context, func()) { return ctx, func() {} }
	}
	s := &Session{
		d: d, ctx: context.Background(), commands: table(), nextDisplay: 1, examine: examineState{unit: 4, letter: 'x'}, log: logging{path: logName},
	}
	cfg.Err = s.log.through(cfg.Err)
	s.cfg, s.out = cfg, bufio.NewWriter(s.log.through(cfg.Out))
	d.OnCall(func() (context.Context, func()) {
		_ = s.out.Flush() // the function writes to the same terminal; Run reports a broken output
		return s.cfg.Interrupt(s.ctx)
	}, s.stopped)
	d.OnException(func(text string) {
		s.print("Program raised an exception: %s\n", text)
		_ = s.out.Flush() // the program writes to the same terminal; Run reports a broken output
	})
	if cfg.Terminal {
		d.OnProgress(s.searching)
	}
	return s
}

// reader gives command lines.
type reader interface {
	// Line returns the next line; io.EOF ends the session, errAbandoned forgets the line.
	Line(prompt string) (string, error)
	Close() error
}

// errAbandoned is the error of a line that the user gave up.
var errAbandoned = errors.New("abandoned")

// Run executes commands until the user quits or the input ends. The status is that of quit, else 0,
// or 1 when a command of a script failed.
func (s *Session) Run(ctx context.Context) (status int, err error) {
	s.ctx = ctx
	defer func() { err = errors.Join(err, s.out.Flush(), s.log.close()) }()
	for _, f := range s.cfg.Files {
		if err := s.Source(f); err != nil && !errors.Is(err, errQuit) {
			s.report(err)
			s.failed = true
		}
		if s.quit {
			return s.end(), nil
		}
	}
	for _, line := range s.cfg.Lines {
		s.line(line)
		if s.quit {
			return s.end(), nil
		}
	}
	if s.cfg.Batch {
		return s.end(), nil
	}
	if s.cfg.Terminal {
		s.lines = &interactive{s: s}
	} else {
		s.lines = newPlain(s.cfg.In)
	}
	defer func() { _ = s.lines.Close() }() // the history file is a convenience
	for !s.quit {
		if err := s.out.Flush(); err != nil {
			return 1, err
		}
		if !s.cfg.Terminal && ctx.Err() != nil {
			return statusInterrupted, nil
		}
		line, err := s.lines.Line(s.cfg.Prompt)
		switch {
		case errors.Is(err, io.EOF):
			if s.cfg.Terminal {
				s.print("quit\n")
			}
			return s.end(), nil
		case errors.Is(err, errAbandoned):
			s.print("Quit\n")
			continue
		case err != nil:
			return 1, err
		}
		s.line(line)
	}
	return s.end(), nil
}

// Close gives the terminal back; for a process that is being ended.
func (s *Session) Close() {
	if s.cfg.Screen != nil {
		_ = s.cfg.Screen.Disable() // the process ends
	}
	if s.lines != nil {
		_ = s.lines.Close() // the process ends
	}
}

func (s *Session) end() int {
	if s.status == 0 && s.failed && !s.cfg.Terminal {
		return 1
	}
	return s.status
}

// line executes a line of the user and reports what went wrong.
func (s *Session) line(line string) {
	if err := s.Execute(line); err != nil && !errors.Is(err, errQuit) {
		s.report(err)
		s.failed = true
	}
}

// Execute executes one command line, and the commands of the breakpoints at which it stopped the
// program.
func (s *Session) Execute(line string) error {
	err := s.execute(line)
	if s.draining {
		return err
	}
	s.draining = true
	last, lastArgs := s.last, s.lastArgs
	lines := s.lines
	s.lines = &s.queue // a command that runs the program replaces the rest
	for len(s.queue) > 0 && err == nil {
		line := s.queue[0]
		s.queue = s.queue[1:]
		if err = s.execute(line); err != nil && !errors.Is(err, errQuit) {
			err = fmt.Errorf("command %q of a breakpoint: %w", line, err)
		}
	}
	s.queue, s.draining, s.lines = nil, false, lines
	s.last, s.lastArgs = last, lastArgs
	return err
}

func (s *Session) execute(line string) error {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "#") {
		return nil
	}
	if line == "" {
		if s.last == nil || !s.cfg.Terminal && s.depth > 0 {
			return nil
		}
		a := s.lastArgs
		a.repeat = true
		return steps.Run(func() { s.last.run(s, a) })
	}
	c, a, err := parse(s.commands, line)
	if err != nil {
		s.last = nil
		return err
	}
	s.last = nil
	if c.repeat {
		s.last, s.lastArgs = c, a
	}
	return steps.Run(func() { c.run(s, a) })
}

// maxScript bounds a file of commands.
const maxScript = 64 << 20

// Source executes the commands of a file. It ends at the first one that fails.
func (s *Session) Source(path string) error {
	f, err := hostfile.Open(path, maxScript)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	lines := newPlain(f)
	err = s.perform(lines)
	if err != nil && !errors.Is(err, errQuit) {
		return fmt.Errorf("%s:%d: %w", path, lines.n, err)
	}
	return err
}

// Output sends what commands print somewhere else, for a remote client, until restore is called.
func (s *Session) Output(w io.Writer) (restore func()) {
	saved := s.out
	s.out = bufio.NewWriter(s.log.through(w))
	return func() {
		_ = s.out.Flush() // the client is gone if this fails
		s.out = saved
	}
}

func (s *Session) print(format string, a ...any) { fmt.Fprintf(s.out, format, a...) }

// report tells the user an error; for an expression, with a mark below the place.
func (s *Session) report(err error) {
	_ = s.out.Flush() // keeps the order on a terminal; Run reports a broken output
	if e, ok := cexpr.AsError(err); ok && e.Text != "" {
		for _, line := range strings.Split(e.Caret(), "\n") {
			fmt.Fprintf(s.cfg.Err, "  %s\n", strings.Map(shown, line))
		}
	}
	fmt.Fprintf(s.cfg.Err, "%s\n", s.paint(red, strings.Map(shown, err.Error())))
}

// shown replaces characters of commands that would control the terminal by one of the same width.
func shown(r rune) rune {
	if r != '\n' && r != '\t' && unicode.IsControl(r) {
		return unicode.ReplacementChar
	}
	return r
}

// running executes something that runs the program, so that Ctrl-C stops that and not the tool.
func (s *Session) running(do func(ctx context.Context) (debug.Stop, error)) {
	_ = s.out.Flush() // the program writes to the same terminal; Run reports a broken output
	ctx, cancel := s.cfg.Interrupt(s.ctx)
	s.searched = time.Now()
	stop, err := do(ctx)
	cancel()
	if s.searchShown {
		fmt.Fprint(s.cfg.Err, clearLine)
		s.searchShown = false
	}
	steps.Check(err)
	s.stopped(stop)
}

// searchEvery is how often a user on a terminal is told how far a search through the past is.
const searchEvery = time.Second

// clearLine takes what was written on the last line of a terminal away.
const clearLine = "\r\x1b[K"

// searching tells the user how far a search through the past is.
func (s *Session) searching(p debug.Progress) {
	if time.Since(s.searched) < searchEvery {
		return
	}
	s.searched, s.searchShown = time.Now(), true
	fmt.Fprintf(s.cfg.Err, "%sSearched %v; Ctrl-C gives up.", clearLine, p)
}

// plain reads lines from what is no terminal.
type plain struct {
	scan *bufio.Scanner
	n    int
}

func newPlain(r io.Reader) *plain { return &plain{scan: bufio.NewScanner(r)} }

func (p *plain) Line(string) (string, error) {
	if !p.scan.Scan() {
		if err := p.scan.Err(); err != nil {
			p.n++ // it is in the line that cannot be read
			if errors.Is(err, bufio.ErrTooLong) {
				err = fmt.Errorf("the line has more than %d bytes", bufio.MaxScanTokenSize)
			}
			return "", err
		}
		return "", io.EOF
	}
	p.n++
	return p.scan.Text(), nil
}

func (p *plain) Close() error { return nil }

// Colours.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	blue   = "34"
	bold   = "1"
)

func (s *Session) paint(color, text string) string {
	if !s.cfg.Color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}
