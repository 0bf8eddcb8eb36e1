package repl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/term/steps"
)

func breakpointCommands() []*command {
	return []*command{
		{name: "break", min: 1, aliases: []string{"b", "br", "brk"}, args: "[PLACE] [if CONDITION]", complete: completePlace,
			short: "stop before a place",
			long:  `A PLACE is FUNCTION (after its prologue), LINE, FILE:LINE, +N or -N lines from here, *ADDRESS, or nothing for here.`,
			run:   func(s *Session, a args) { s.breakAt(a.text, false) }},
		{name: "tbreak", min: 2, args: "[PLACE] [if CONDITION]", short: "stop before a place, once", complete: completePlace,
			run: func(s *Session, a args) { s.breakAt(a.text, true) }},
		{name: "dprintf", min: 2, args: `PLACE,"FORMAT",VALUE...`, required: placeRequired, complete: completePlace,
			short: "print values whenever the program comes to a place, and let it run on",
			long:  "FORMAT and VALUE are those of printf. condition, ignore, enable, disable and delete work as with breakpoints. arcsim run takes it as --dprintf.",
			run: func(s *Session, a args) {
				p := steps.Must(s.d.Dprintf(a.text, func(text string) { s.print("%s", text) }))
				s.print("Dprintf %d at %s\n", p.Number, s.places(p))
			}},
		watcher("watch", 2, debug.WriteWatch, "stop after an instruction that changed a value",
			"A value in memory is watched there, at full speed, together with the pointers and indices that lead to it: for p->x also p. With -location before EXPRESSION only the present place of p->x is watched. Any other expression is compared after each instruction: a register, an accumulator ($acclo), a value that a register points to (p->x with p in r13)."),
		watcher("rwatch", 2, debug.ReadWatch, "stop after an instruction that read a value in memory", ""),
		watcher("awatch", 2, debug.AccessWatch, "stop after an instruction that read or wrote a value in memory", ""),
		{name: "delete", min: 1, args: "[NUMBER...]", short: "delete breakpoints and watchpoints: all, or those with the numbers or ranges such as 2-4; also: delete display, delete checkpoint",
			run: (*Session).deletePoints},
		{name: "clear", min: 2, args: "[PLACE]", short: "delete the breakpoints at a place", complete: completePlace,
			run: (*Session).clearPlace},
		{name: "enable", min: 2, args: "[NUMBER...]", short: "enable breakpoints, watchpoints or displays",
			run: func(s *Session, a args) { s.enable(a.fields(), true) }},
		{name: "disable", min: 4, args: "[NUMBER...]", short: "disable breakpoints, watchpoints or displays",
			run: func(s *Session, a args) { s.enable(a.fields(), false) }},
		{name: "condition", min: 4, args: "NUMBER [CONDITION]", short: "stop at a breakpoint only if a condition holds",
			run: (*Session).condition},
		{name: "ignore", min: 2, args: "NUMBER COUNT", short: "pass a breakpoint a number of times",
			run: (*Session).ignore},
		{name: "commands", min: 5, block: true, args: "[NUMBER]", short: "execute the lines up to end whenever a breakpoint stops the program",
			run: (*Session).pointCommands},
		{info: true, name: "breakpoints", min: 1, aliases: []string{"watchpoints"}, short: "list breakpoints and watchpoints",
			run: (*Session).pointsInfo},
	}
}

func (s *Session) deletePoints(a args) {
	f := a.fields()
	switch {
	case len(f) > 0 && strings.HasPrefix("display", f[0]):
		s.undisplay(f[1:])
		return
	case len(f) > 0 && len(f[0]) > 1 && strings.HasPrefix("checkpoint", f[0]):
		s.deleteCheckpoints(f[1:])
		return
	case len(f) > 0 && strings.HasPrefix("breakpoints", f[0]):
		f = f[1:]
	}
	if len(f) == 0 {
		s.d.DeleteAll()
		return
	}
	s.eachPoint(f, s.d.Delete)
}

func (s *Session) clearPlace(a args) {
	addrs := steps.Must(s.d.Resolve(a.text))
	n := 0
	for _, p := range slices.Clone(s.d.Points()) {
		if p.Kind == debug.CodePoint && slices.ContainsFunc(p.Addrs, func(at uint32) bool { return slices.Contains(addrs, at) }) {
			s.print("Deleted breakpoint %d\n", p.Number)
			s.d.Delete(p)
			n++
		}
	}
	if n == 0 {
		steps.Check(fmt.Errorf("no breakpoint at %s", s.d.Locate(addrs[0])))
	}
}

func (s *Session) condition(a args) {
	n, text, _ := strings.Cut(a.text, " ")
	s.eachPoint([]string{n}, func(p *debug.Point) {
		if text = strings.TrimSpace(text); text == "" {
			s.print("Breakpoint %d now unconditional.\n", p.Number)
		}
		if err := s.d.SetCondition(p, text); err != nil {
			s.report(err)
			s.failed = true
		}
	})
}

func (s *Session) ignore(a args) {
	f := a.fields()
	steps.Refuse(len(f) != 2, "ignore NUMBER COUNT")
	n := s.number(f[1])
	s.eachPoint(f[:1], func(p *debug.Point) {
		p.Ignore = max(n, 0)
		s.print("Will ignore next %d crossings of breakpoint %d.\n", p.Ignore, p.Number)
	})
}

func (s *Session) pointCommands(a args) {
	points := s.d.Points()
	steps.Refuse(len(points) == 0, "no breakpoints")
	p := points[len(points)-1]
	if a.text != "" {
		n, err := strconv.Atoi(a.text)
		if err != nil {
			steps.Check(fmt.Errorf("%q is not a breakpoint number", a.text))
		}
		p = steps.Must(s.d.Point(n))
	}
	lines := steps.Must(s.block())
	p.Commands = lines
}

func watcher(name string, minimum int, kind debug.PointKind, short, long string) *command {
	return &command{
		name: name, min: minimum, args: "EXPRESSION [if CONDITION]", short: short, long: long, complete: completeExpr,
		run: func(s *Session, a args) {
			text, condition := splitIf(a.text)
			steps.Refuse(text == "", "an expression is expected")
			p := steps.Must(s.d.Watch(kind, text, condition))
			s.print("%s %d: %s\n", strings.ToUpper(p.KindName()[:1])+p.KindName()[1:], p.Number, p.Spec)
		},
	}
}

// splitIf separates a condition.
func splitIf(text string) (string, string) {
	if strings.HasPrefix(text, "if ") {
		return "", strings.TrimSpace(text[3:])
	}
	if i := strings.Index(text, " if "); i >= 0 {
		return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+4:])
	}
	return text, ""
}

func (s *Session) breakAt(text string, temporary bool) {
	spec, condition := splitIf(text)
	p := steps.Must(s.d.Break(spec, condition, temporary))
	word := "Breakpoint"
	if temporary {
		word = "Temporary breakpoint"
	}
	s.print("%s %d at %s\n", word, p.Number, s.places(p))
}

// places writes where a breakpoint is.
func (s *Session) places(p *debug.Point) string {
	text := fmt.Sprintf("0x%x", p.Addrs[0])
	if line, ok := s.d.LineAt(p.Addrs[0]); ok {
		text += fmt.Sprintf(": file %s, line %d.", line.File, line.Line)
	}
	if len(p.Addrs) > 1 {
		text += fmt.Sprintf(" (%d locations)", len(p.Addrs))
	}
	return text
}

func (s *Session) eachPoint(numbers []string, do func(*debug.Point)) {
	steps.Refuse(len(numbers) == 0, "a breakpoint number is expected")
	for _, text := range numbers {
		a, b, isRange := strings.Cut(text, "-")
		first, err := strconv.Atoi(a)
		last := first
		if isRange && err == nil {
			last, err = strconv.Atoi(b)
		}
		if err != nil || last < first {
			steps.Check(fmt.Errorf("%q is not a breakpoint number", text))
		}
		if !isRange {
			p := steps.Must(s.d.Point(first))
			do(p)
			continue
		}
		for _, p := range slices.Clone(s.d.Points()) {
			if p.Number >= first && p.Number <= last {
				do(p)
			}
		}
	}
}

func (s *Session) enable(f []string, on bool) {
	if len(f) > 0 && strings.HasPrefix("display", f[0]) {
		s.eachDisplay(f[1:], func(d *display) { d.off = !on })
		return
	}
	if len(f) > 0 && strings.HasPrefix("breakpoints", f[0]) {
		f = f[1:]
	}
	change := s.d.Disable
	if on {
		change = s.d.Enable
	}
	if len(f) == 0 {
		for _, p := range s.d.Points() {
			change(p)
		}
		return
	}
	s.eachPoint(f, change)
}

func (s *Session) pointsInfo(_ args) {
	points := s.d.Points()
	if len(points) == 0 {
		s.print("No breakpoints or watchpoints.\n")
		return
	}
	s.print("%-7s %-17s %-4s %-3s %-10s %s\n", "Num", "Type", "Disp", "Enb", "Address", "What")
	for _, p := range points {
		disp, enb := "keep", "y"
		if p.Temporary {
			disp = "del"
		}
		if p.Disabled {
			enb = "n"
		}
		at, what := "", p.Spec
		if p.Kind == debug.CodePoint {
			at = fmt.Sprintf("0x%08x", p.Addrs[0])
			what = s.code(p.Addrs[0])
		}
		s.print("%-7d %-17s %-4s %-3s %-10s %s\n", p.Number, p.KindName(), disp, enb, at, what)
		for i, addr := range p.Addrs {
			if len(p.Addrs) > 1 {
				s.print("%-7s %-17s %-4s %-3s 0x%08x %s\n", fmt.Sprintf("%d.%d", p.Number, i+1), "", "", enb, addr, s.code(addr))
			}
		}
		if p.Condition != "" {
			s.print("\tstop only if %s\n", p.Condition)
		}
		if p.Hits > 0 {
			s.print("\tbreakpoint already hit %d time%s\n", p.Hits, plural(p.Hits))
		}
		if p.Ignore > 0 {
			s.print("\tignore next %d hits\n", p.Ignore)
		}
		if p.Prints != nil {
			s.print("        printf %s\n", p.Prints)
		}
		for _, line := range p.Commands {
			s.print("        %s\n", line)
		}
	}
}

// code names an address as info breakpoints does.
func (s *Session) code(addr uint32) string {
	text := s.d.Locate(addr)
	if _, name, ok := strings.Cut(text, " "); ok {
		text = name
	}
	if line, ok := s.d.LineAt(addr); ok {
		text = fmt.Sprintf("in %s at %s:%d", text, line.File, line.Line)
	}
	return text
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
