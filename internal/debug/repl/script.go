package repl

import (
	"errors"
	"io"
	"strings"

	"arcv2dsp/internal/term/steps"
)

// listed are lines at hand: of a breakpoint, a defined command, a loop.
type listed []string

func (l *listed) Line(string) (string, error) {
	if len(*l) == 0 {
		return "", io.EOF
	}
	line := (*l)[0]
	*l = (*l)[1:]
	return line, nil
}

func (l *listed) Close() error { return nil }

// deeper counts commands inside commands; without a bound one that executes itself would not end.
func (s *Session) deeper() error {
	if s.depth >= 16 {
		return errors.New("commands nested too deeply")
	}
	s.depth++
	return nil
}

// perform executes lines, up to the first that fails.
func (s *Session) perform(lines reader) error {
	if err := s.deeper(); err != nil {
		return err
	}
	saved := s.lines
	s.lines = lines
	defer func() { s.lines = saved; s.depth-- }()
	for !s.quit {
		line, err := lines.Line("")
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = s.Execute(line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// block reads the lines up to end, with the blocks inside them.
func (s *Session) block() ([]string, error) {
	if s.lines == nil {
		return nil, errors.New("lines cannot be given here")
	}
	_ = s.out.Flush() // before the prompt; Run reports a broken output
	var list []string
	for depth := 0; ; {
		line, err := s.lines.Line(">")
		line = strings.TrimSpace(line)
		if errors.Is(err, io.EOF) || err == nil && line == "end" && depth == 0 {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		if line == "end" {
			depth--
		} else if s.opens(line) {
			depth++
		}
		list = append(list, line)
	}
}

// opens reports whether a line is a command with a block.
func (s *Session) opens(line string) bool {
	c, _, err := parse(s.commands, line)
	return err == nil && c.block
}

// when executes one of the two parts of a block.
func (s *Session) when(a args) {
	lines := steps.Must(s.block())
	v := steps.Must(s.d.Eval(a.text))
	yes, no := s.parts(lines)
	if !v.Truth() {
		yes = no
	}
	steps.Check(s.perform(&yes))
}

// parts divides the lines of an if at its else.
func (s *Session) parts(lines []string) (yes, no listed) {
	depth := 0
	for i, line := range lines {
		switch {
		case line == "else" && depth == 0:
			return lines[:i], lines[i+1:]
		case line == "end":
			depth--
		case s.opens(line):
			depth++
		}
	}
	return lines, nil
}

// while executes a block again and again; Ctrl-C ends it.
func (s *Session) while(a args) {
	lines := steps.Must(s.block())
	ctx, cancel := s.cfg.Interrupt(s.ctx)
	defer cancel()
	for !s.quit {
		v, err := s.d.Eval(a.text)
		if err != nil || !v.Truth() {
			steps.Check(err)
			return
		}
		if ctx.Err() != nil {
			steps.Check(errors.New("interrupted"))
		}
		own := listed(lines)
		switch err := s.perform(&own); {
		case errors.Is(err, errBreak):
			return
		case err != nil && !errors.Is(err, errContinue):
			steps.Check(err)
		}
	}
}

// Errors by which loop_break and loop_continue leave the lines of the loop around them.
var (
	errBreak    = errors.New("loop_break stands in no loop")
	errContinue = errors.New("loop_continue stands in no loop")
)
