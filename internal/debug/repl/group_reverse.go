package repl

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"arcv2dsp/internal/debug"
	"arcv2dsp/internal/term/steps"
)

func reverseCommands() []*command {
	return []*command{
		back("reverse-continue", "rc", "go back to the last breakpoint or watchpoint that stopped the program", (*debug.Debugger).ReverseContinue),
		backStep("reverse-step", "rs", "go back to the start of the source line before, into functions; N times", (*debug.Debugger).ReverseStep, false),
		backStep("reverse-next", "rn", "go back to the start of the source line before, over calls; N times", (*debug.Debugger).ReverseStep, true),
		backStep("reverse-stepi", "rsi", "go back by one instruction; N times", (*debug.Debugger).ReverseStepInst, false),
		backStep("reverse-nexti", "rni", "go back by one instruction, over calls; N times", (*debug.Debugger).ReverseStepInst, true),
		back("reverse-finish", "rf", "go back to the call of the selected frame's function", (*debug.Debugger).ReverseFinish),
		{name: "last-write", aliases: []string{"lw"}, args: "EXPRESSION [, SIZE]", complete: completeExpr,
			short: "go back to the instruction that last wrote to a variable or address",
			long: `A variable, or a value in memory (checksum, a[3], *p), stands for its own bytes; a number is the address of four bytes.
Of an accumulator ($acclo, $acchi, $acc0) it is the instruction that last changed it.
The program stops before the instruction; stepi executes it.`,
			run: (*Session).lastWrite},
		{name: "goto", args: "N", short: "go to the moment after N instructions, back or forward",
			run: (*Session).goTo},
		{name: "record", args: "[on|off]", short: "start or end the recording of the run, which going back needs", complete: oneOf("on", "off"),
			run: (*Session).record},
		{info: true, name: "record", short: "show how far back the program can be taken",
			run: (*Session).recordInfo},
	}
}

// backStep is a command that goes back a number of steps.
func backStep(name, alias, short string, step func(d *debug.Debugger, ctx context.Context, n int, over bool) (debug.Stop, error), over bool) *command {
	return &command{
		name: name, aliases: []string{alias}, args: "[N]", short: short, repeat: true,
		run: func(s *Session, a args) {
			n := s.count(a.text)
			s.running(func(ctx context.Context) (debug.Stop, error) { return step(s.d, ctx, n, over) })
		},
	}
}

// back is a command that goes back to one place.
func back(name, alias, short string, run func(d *debug.Debugger, ctx context.Context) (debug.Stop, error)) *command {
	return &command{
		name: name, aliases: []string{alias}, short: short, repeat: true,
		run: func(s *Session, _ args) {
			s.running(func(ctx context.Context) (debug.Stop, error) { return run(s.d, ctx) })
		},
	}
}

func (s *Session) lastWrite(a args) {
	does, did, what := "changes", "changed", a.text
	search := func(ctx context.Context) (debug.Stop, bool, error) { return s.d.LastChange(ctx, a.text) }
	if !strings.HasPrefix(strings.ToLower(a.text), "$acc") {
		addr, size := s.span(a.text)
		does, did, what = "writes to", "written to", fmt.Sprintf("0x%x", addr)
		search = func(ctx context.Context) (debug.Stop, bool, error) { return s.d.LastWrite(ctx, addr, size) }
	}
	found := false
	s.running(func(ctx context.Context) (debug.Stop, error) {
		stop, ok, err := search(ctx)
		found = ok
		if err == nil && !ok {
			err = fmt.Errorf("nothing has %s %s since the start of the recording", did, what)
		}
		return stop, err
	})
	if found {
		s.print("The next instruction %s %s.\n", does, what)
	}
}

func (s *Session) goTo(a args) {
	n, err := strconv.ParseUint(a.text, 0, 63)
	if err != nil {
		steps.Check(fmt.Errorf("%q is not a number of instructions", a.text))
	}
	s.running(func(ctx context.Context) (debug.Stop, error) { return s.d.GoTo(ctx, n) })
}

func (s *Session) record(a args) {
	switch a.text {
	case "", "on", "full":
		s.d.StartHistory()
	case "off", "stop":
		s.d.EndHistory()
	default:
		steps.Check(fmt.Errorf("record on, or record off"))
	}
}

// span evaluates an expression to the memory it stands for.
func (s *Session) span(text string) (addr, size uint32) {
	expr, n, sized := text, "", false
	if i := strings.LastIndexByte(text, ','); i > 0 {
		expr, n, sized = text[:i], text[i+1:], true
	}
	v := steps.Must(s.d.Eval(expr))
	addr, ok := v.Addr()
	size = v.Type.Size
	if !ok {
		addr, size = uint32(v.Num), 4
		steps.Refuse(!v.Type.Scalar(), "%s is not in memory", expr)
	}
	if sized {
		k := s.count(strings.TrimSpace(n))
		size = uint32(k)
	}
	return addr, max(size, 1)
}

func (s *Session) recordInfo(_ args) {
	h := s.d.HistoryInfo()
	if !h.On {
		s.print("The run is not recorded.\n")
		return
	}
	s.print("Recorded from instruction %d to %d: %d snapshot%s, one every %d instructions, %.1f MB.\n",
		h.First.Insts, h.Last.Insts, h.Snapshots, plural(h.Snapshots), h.Interval, float64(h.Bytes)/(1<<20))
}
