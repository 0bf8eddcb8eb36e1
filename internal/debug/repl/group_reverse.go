package repl

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"arcv2dsp/internal/debug"
)

func reverseCommands() []*command {
	back := func(name, alias, syntax, short string, run func(ctx context.Context, d *debug.Debugger, n int) (debug.Stop, error)) *command {
		return &command{
			name: name, aliases: []string{alias}, group: "reverse", args: syntax, short: short, repeat: true,
			run: func(s *Session, a args) error {
				n, err := s.count(a.text)
				if err != nil {
					return err
				}
				return s.running(func(ctx context.Context) (debug.Stop, error) { return run(ctx, s.d, n) })
			},
		}
	}
	return []*command{
		back("reverse-continue", "rc", "", "go back to the last breakpoint or watchpoint that stopped the program", func(ctx context.Context, d *debug.Debugger, _ int) (debug.Stop, error) {
			return d.ReverseContinue(ctx)
		}),
		back("reverse-step", "rs", "[N]", "go back to the start of the source line before, into functions; N times", func(ctx context.Context, d *debug.Debugger, n int) (debug.Stop, error) {
			return d.ReverseStep(ctx, n, false)
		}),
		back("reverse-next", "rn", "[N]", "go back to the start of the source line before, over calls; N times", func(ctx context.Context, d *debug.Debugger, n int) (debug.Stop, error) {
			return d.ReverseStep(ctx, n, true)
		}),
		back("reverse-stepi", "rsi", "[N]", "go back by one instruction; N times", func(ctx context.Context, d *debug.Debugger, n int) (debug.Stop, error) {
			return d.ReverseStepInst(ctx, n, false)
		}),
		back("reverse-nexti", "rni", "[N]", "go back by one instruction, over calls; N times", func(ctx context.Context, d *debug.Debugger, n int) (debug.Stop, error) {
			return d.ReverseStepInst(ctx, n, true)
		}),
		back("reverse-finish", "rf", "", "go back to the call of the selected frame's function", func(ctx context.Context, d *debug.Debugger, _ int) (debug.Stop, error) {
			return d.ReverseFinish(ctx)
		}),
		{
			name: "last-write", aliases: []string{"lw"}, group: "reverse", args: "EXPRESSION [, SIZE]", complete: completeExpr,
			short: "go back to the instruction that last wrote to a variable or address",
			long: `A variable, or a value in memory (checksum, a[3], *p), stands for its own bytes; a number is the address of four bytes.
Of an accumulator ($acclo, $acchi, $acc0) it is the instruction that last changed it.
The program stops before the instruction; stepi executes it.`,
			run: func(s *Session, a args) error {
				does, did, what := "changes", "changed", a.text
				search := func(ctx context.Context) (debug.Stop, bool, error) { return s.d.LastChange(ctx, a.text) }
				if !strings.HasPrefix(strings.ToLower(a.text), "$acc") {
					addr, size, err := s.span(a.text)
					if err != nil {
						return err
					}
					does, did, what = "writes to", "written to", fmt.Sprintf("0x%x", addr)
					search = func(ctx context.Context) (debug.Stop, bool, error) { return s.d.LastWrite(ctx, addr, size) }
				}
				found := false
				err := s.running(func(ctx context.Context) (debug.Stop, error) {
					stop, ok, err := search(ctx)
					found = ok
					if err == nil && !ok {
						err = fmt.Errorf("nothing has %s %s since the start of the recording", did, what)
					}
					return stop, err
				})
				if err == nil && found {
					s.print("The next instruction %s %s.\n", does, what)
				}
				return err
			},
		},
		{
			name: "goto", group: "reverse", args: "N", short: "go to the moment after N instructions, back or forward",
			run: func(s *Session, a args) error {
				n, err := strconv.ParseUint(a.text, 0, 63)
				if err != nil {
					return fmt.Errorf("%q is not a number of instructions", a.text)
				}
				return s.running(func(ctx context.Context) (debug.Stop, error) { return s.d.GoTo(ctx, n) })
			},
		},
		{
			name: "record", group: "reverse", args: "[on|off]", short: "start or end the recording of the run, which going back needs", complete: oneOf("on", "off"),
			run: func(s *Session, a args) error {
				switch a.text {
				case "", "on", "full":
					s.d.StartHistory()
				case "off", "stop":
					s.d.EndHistory()
				default:
					return fmt.Errorf("record on, or record off")
				}
				return nil
			},
		},
	}
}

// span evaluates an expression to the memory it stands for.
func (s *Session) span(text string) (addr, size uint32, err error) {
	expr, n, sized := text, "", false
	if i := strings.LastIndexByte(text, ','); i > 0 {
		expr, n, sized = text[:i], text[i+1:], true
	}
	v, err := s.d.Eval(expr)
	if err != nil {
		return 0, 0, err
	}
	addr, ok := v.Addr()
	size = v.Type.Size
	if !ok {
		addr, size = uint32(v.Num), 4
		if !v.Type.Scalar() {
			return 0, 0, fmt.Errorf("%s is not in memory", expr)
		}
	}
	if sized {
		k, err := s.count(strings.TrimSpace(n))
		if err != nil {
			return 0, 0, err
		}
		size = uint32(k)
	}
	return addr, max(size, 1), nil
}

func reverseInfo() []*command {
	return []*command{
		{
			name: "record", group: "reverse", short: "show how far back the program can be taken",
			run: func(s *Session, _ args) error {
				h := s.d.HistoryInfo()
				if !h.On {
					s.print("The run is not recorded.\n")
					return nil
				}
				s.print("Recorded from instruction %d to %d: %d snapshot%s, one every %d instructions, %.1f MB.\n",
					h.First.Insts, h.Last.Insts, h.Snapshots, plural(h.Snapshots), h.Interval, float64(h.Bytes)/(1<<20))
				return nil
			},
		},
	}
}
