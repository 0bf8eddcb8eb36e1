package repl

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/term/steps"
)

func runningCommands() []*command {
	return []*command{
		{name: "run", min: 1, args: "", short: "start the program again from where the debugger took over",
			long: "If the run was recorded from the start, the host gives the program the same answers as before, and its output is not repeated.",
			run:  (*Session).rerun},
		{name: "start", short: "start the program again and stop in main, or at once when there is no main",
			run: (*Session).start},
		{name: "starti", short: "start the program again and stop before its first instruction",
			run: (*Session).startAtEntry},
		{name: "continue", min: 1, aliases: []string{"c", "fg"}, args: "[COUNT]",
			short: "continue until something stops the program", repeat: true,
			long: "With COUNT, the breakpoint at which the program stands is passed COUNT-1 times.",
			run:  (*Session).continueProgram},
		stepper("step", "s", 1, "step to the next source line, into functions", (*debug.Debugger).Step, false),
		stepper("next", "n", 1, "step to the next source line, over calls", (*debug.Debugger).Step, true),
		stepper("stepi", "si", 5, "execute one instruction", (*debug.Debugger).StepInst, false),
		stepper("nexti", "ni", 5, "execute one instruction, over calls", (*debug.Debugger).StepInst, true),
		{name: "finish", min: 3, short: "run until the selected frame returns and show its result", repeat: true,
			run: (*Session).finish},
		{name: "until", min: 1, args: "[PLACE]", short: "run to a later line, or to a place in this frame", repeat: true,
			complete: completePlace,
			run:      (*Session).until},
		{name: "advance", min: 3, args: "PLACE", required: placeRequired, short: "run to a place, or until the function returns",
			complete: completePlace,
			run:      (*Session).advance},
		{name: "jump", min: 1, args: "PLACE", required: placeRequired, short: "continue at another place", complete: completePlace,
			run: (*Session).jump},
		{name: "runfor", args: "N[c]", short: "run for N instructions, or N cycles", repeat: true,
			run: (*Session).runFor},
		{info: true, name: "program", short: "show why the program stopped and where",
			run: (*Session).programInfo},
	}
}

func (s *Session) rerun(a args) {
	steps.Refuse(a.text != "", "arguments are given when the debugger starts")
	steps.Must(s.d.Rerun())
	s.forward(func(ctx context.Context) (debug.Stop, error) { return s.d.Launch(ctx), nil })
}

func (s *Session) start(_ args) {
	at := steps.Must(s.d.Rerun())
	if _, err := s.d.Break("main", "", true); err != nil {
		s.stopped(at)
		return
	}
	s.forward(func(ctx context.Context) (debug.Stop, error) { return s.d.Launch(ctx), nil })
}

func (s *Session) startAtEntry(args) {
	s.stopped(steps.Must(s.d.Rerun()))
}

func (s *Session) continueProgram(a args) {
	if a.text != "" && !a.repeat {
		n := s.number(a.text)
		for _, p := range s.d.At(s.d.PC()) {
			p.Ignore = max(n-1, 0)
			s.print("Will ignore next %d crossings of breakpoint %d.  Continuing.\n", p.Ignore, p.Number)
		}
	}
	s.forward(func(ctx context.Context) (debug.Stop, error) { return s.d.Continue(ctx, debug.Limits{}), nil })
}

func (s *Session) finish(_ args) {
	if f, err := s.d.Frame(s.d.Selected()); err == nil {
		s.print("Run till exit from #%-3d%s\n", f.Level, s.frameText(f))
	}
	s.forward(s.d.Finish)
}

func (s *Session) until(a args) {
	s.forward(func(ctx context.Context) (debug.Stop, error) {
		if a.text != "" {
			return s.d.Advance(ctx, a.text)
		}
		return s.d.Until(ctx), nil
	})
}

func (s *Session) advance(a args) {
	s.forward(func(ctx context.Context) (debug.Stop, error) { return s.d.Advance(ctx, a.text) })
}

func (s *Session) jump(a args) {
	s.forward(func(ctx context.Context) (debug.Stop, error) { return s.d.Jump(ctx, a.text) })
}

func (s *Session) runFor(a args) {
	text, cycles := strings.CutSuffix(a.text, "c")
	n, err := strconv.ParseUint(text, 0, 63)
	if err != nil || n == 0 {
		steps.Check(fmt.Errorf("%q is not a number of instructions, such as 1000, or of cycles, such as 1000c", a.text))
	}
	lim := debug.Limits{Insts: n}
	if cycles {
		lim = debug.Limits{Cycles: n}
	}
	s.forward(func(ctx context.Context) (debug.Stop, error) { return s.d.Continue(ctx, lim), nil })
}

// stepper is a command that takes a number of steps forward.
func stepper(name, alias string, minimum int, short string, step func(d *debug.Debugger, ctx context.Context, n int, over bool) debug.Stop, over bool) *command {
	return &command{
		name: name, min: minimum, aliases: []string{alias}, args: "[N]", short: short + "; N times", repeat: true,
		run: func(s *Session, a args) {
			n := s.count(a.text)
			s.forward(func(ctx context.Context) (debug.Stop, error) { return step(s.d, ctx, n, over), nil })
		},
	}
}

// forward runs the program forwards, past the brk at which it stands.
func (s *Session) forward(do func(ctx context.Context) (debug.Stop, error)) {
	s.d.PassBrk()
	s.running(do)
}

// number evaluates an expression that is a number.
func (s *Session) number(text string) int {
	v := steps.Must(s.d.Eval(text))
	steps.Refuse(!v.Type.Integer(), "%q is not a number", text)
	return int(v.Num)
}

// count evaluates an optional number of times.
func (s *Session) count(text string) int {
	if text == "" {
		return 1
	}
	n := s.number(text)
	steps.Refuse(n < 1, "%d times is not possible", n)
	return n
}

func (s *Session) programInfo(_ args) {
	last := s.d.Last()
	total, _ := s.d.Stats()
	s.print("%s on core %s.\nStopped at %s: %s.\n%d instructions, %d cycles since the start.\n",
		s.d.Program(), s.d.Core(), s.d.Locate(s.d.PC()), last.Word(), total.Insts, total.Cycles)
}
