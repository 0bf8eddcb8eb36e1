package repl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"arcv2dsp/internal/term/steps"
)

func stackCommands() []*command {
	return []*command{
		{name: "backtrace", min: 4, aliases: []string{"bt", "where"}, args: "[N] [full]", short: "show the calls that led here, the innermost first",
			run: (*Session).backtrace},
		{name: "frame", min: 1, args: "[N]", short: "select a frame by its number, or show the selected one",
			run: (*Session).frame},
		{name: "up", args: "[N]", short: "select the frame that called this one", repeat: true,
			run: (*Session).up},
		{name: "down", min: 3, args: "[N]", short: "select the frame that this one called", repeat: true,
			run: (*Session).down},
		{name: "return", args: "[VALUE]", complete: completeExpr, short: "leave the selected frame's function without executing the rest of it",
			run: (*Session).leaveFunction},
		{info: true, name: "frame", min: 1, short: "show the selected frame",
			run: (*Session).frameInfo},
		{info: true, name: "locals", min: 3, short: "show the local variables of the selected frame",
			run: func(s *Session, _ args) { s.locals(false, "") }},
		{info: true, name: "args", min: 2, short: "show the arguments of the selected frame",
			run: func(s *Session, _ args) { s.locals(true, "") }},
	}
}

func (s *Session) backtrace(a args) {
	n, full := 0, false
	for _, f := range a.fields() {
		if f == "full" || f == "-full" {
			full = true
			continue
		}
		k, err := strconv.Atoi(f)
		if err != nil || k < 1 {
			steps.Check(fmt.Errorf("%q is not a number of frames", f))
		}
		n = k
	}
	frames, more := s.d.Backtrace(n)
	selected := s.d.Selected()
	for _, f := range frames {
		s.print("#%-3d%s\n", f.Level, s.frameText(f))
		if full {
			steps.Must(s.d.Select(f.Level))
			s.locals(false, "        ")
		}
	}
	if more {
		s.print("(More stack frames follow...)\n")
	}
	_, err := s.d.Select(selected)
	steps.Check(err)
}

func (s *Session) frame(a args) {
	n := s.d.Selected()
	if a.text != "" {
		k := s.number(a.text)
		n = k
	}
	s.selectFrame(n)
}

func (s *Session) up(a args) {
	n := s.count(a.text)
	if _, err := s.d.Frame(s.d.Selected() + n); err != nil {
		steps.Check(errors.New("initial frame selected; you cannot go up"))
	}
	s.selectFrame(s.d.Selected() + n)
}

func (s *Session) down(a args) {
	n := s.count(a.text)
	steps.Refuse(s.d.Selected() == 0, "bottom (innermost) frame selected; you cannot go down")
	s.selectFrame(max(s.d.Selected()-n, 0))
}

func (s *Session) selectFrame(n int) {
	f := steps.Must(s.d.Select(n))
	s.print("#%-3d%s\n", f.Level, s.frameText(f))
	s.sourceLine(f)
}

func (s *Session) leaveFunction(a args) {
	steps.Check(s.d.Return(a.text))
	s.selectFrame(0)
}

// locals prints variables of the selected frame.
func (s *Session) locals(params bool, indent string) {
	list := steps.Must(s.d.Locals(params))
	if len(list) == 0 {
		what := "locals"
		if params {
			what = "arguments"
		}
		s.print("%sNo %s.\n", indent, what)
	}
	for _, l := range list {
		if l.Err != nil {
			text := l.Err.Error()
			if strings.Contains(text, "optimized out") {
				text = "optimized out"
			}
			s.print("%s%s = <%s>\n", indent, l.Name, text)
			continue
		}
		s.print("%s%s = %s\n", indent, l.Name, s.d.Brief(l.Value))
	}
}

func (s *Session) frameInfo(_ args) {
	f := steps.Must(s.d.Frame(s.d.Selected()))
	s.print("Stack level %d, frame at 0x%x:\n pc = 0x%x in %s", f.Level, f.CFA, f.PC, f.Function)
	if f.At.Line != 0 {
		s.print(" (%s:%d)", f.At.File, f.At.Line)
	}
	s.print("\n")
	if f.Inlined {
		s.print(" inlined into frame %d\n", f.Level+1)
	}
	if outer, err := s.d.Frame(f.Level + 1); err == nil && !f.Inlined {
		s.print(" called by frame at 0x%x, return to %s\n", outer.CFA, s.d.Locate(outer.PC))
	}
	s.print(" sp = 0x%x, fp = 0x%x, blink = 0x%x\n", f.Reg32(28), f.Reg32(27), f.Reg32(31))
}
