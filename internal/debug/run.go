package debug

import (
	"context"
	"time"

	"arcv2dsp"
	"arcv2dsp/isa"
)

// Limits bound a run; zero means no limit.
type Limits = arcv2dsp.Limits

// place is an address at which a run ends, if the stack is not deeper than it was.
type place struct {
	addr  uint32
	above uint32 // sp must be at least this; 0 is always true
}

// Continue runs until something stops the program.
func (d *Debugger) Continue(ctx context.Context, lim Limits) Stop {
	d.begin()
	return d.end(d.run(ctx, nil, lim))
}

// Launch is Continue for a program that has just been started: a breakpoint at its first instruction
// stops it.
func (d *Debugger) Launch(ctx context.Context) Stop {
	d.begin()
	if hits, text := d.stopsAt(d.m.PC(), true); hits != nil {
		return d.end(struck(hits, text))
	}
	return d.end(d.run(ctx, nil, Limits{}))
}

// begin and end frame what the user sees as one run.
func (d *Debugger) begin() {
	d.since = d.m.Stats()
	d.history.diverge(d)
	d.history.ran = time.Time{}
	d.remember(false)
	d.armExceptions(true)
	d.running = true
}

// PassBrk moves PC behind the brk instruction that stopped the program, and tells whether it did. The
// core leaves PC at it, and whoever resumes the core moves it.
func (d *Debugger) PassBrk() bool {
	pc := d.m.PC()
	if d.last.Reason != GuestBreak || d.last.PC != pc {
		return false
	}
	in, err := d.m.Decode(pc)
	if err != nil || in.Op != isa.BRK && in.Op != isa.BRK_S {
		return false
	}
	d.m.SetPC(pc + uint32(in.Len))
	d.changed()
	return true
}

func (d *Debugger) end(s Stop) Stop {
	d.armExceptions(false)
	d.running = false
	d.moved()
	d.hidden = s.hidden
	d.ran = d.m.Stats().Sub(d.since)
	d.drop(s.Points)
	s.PC = d.m.PC()
	d.last = s
	return s
}

// run executes with all breakpoints in place. It ends at one of the given places, too, with Stepped.
func (d *Debugger) run(ctx context.Context, until []place, lim Limits) Stop {
	d.stack = nil
	if d.compared() {
		return d.runComparing(ctx, until, lim)
	}
	var extra []uint32
	for _, p := range until {
		extra = append(extra, p.addr)
	}
	for _, p := range d.points {
		if p.scoped && !p.Disabled && p.leave.addr != 0 {
			extra = append(extra, p.leave.addr)
		}
	}
	d.insert(extra)
	m := d.m
	start := m.Stats()
	for {
		step := lim
		if lim.Insts > 0 {
			done := m.Stats().Insts - start.Insts
			if done >= lim.Insts {
				return because(arcv2dsp.StopInstLimit)
			}
			step.Insts = lim.Insts - done
		}
		due := d.history.due(d)
		if due > 0 && (step.Insts == 0 || due < step.Insts) {
			step.Insts = due
		}
		if lim.Cycles > 0 {
			done := m.Stats().Cycles - start.Cycles
			if done >= lim.Cycles {
				return because(arcv2dsp.StopCycleLimit)
			}
			step.Cycles = lim.Cycles - done
		}
		s, over := d.runOn(ctx, step, until)
		if over {
			return s
		}
		if due > 0 {
			d.history.take(d)
		}
		// The machine does not stop at the instruction at which it starts again: a breakpoint there stops now.
		if pc := m.PC(); d.inserted[pc] && (lim.Insts == 0 || m.Stats().Insts-start.Insts < lim.Insts) {
			if s, over := d.atBreak(arcv2dsp.Stop{PC: pc}, until); over {
				return s
			}
		}
	}
}

// runOn runs until a stop that counts, or the limit. Breakpoints whose condition does not hold are passed here,
// which is the hottest loop of the debugger.
func (d *Debugger) runOn(ctx context.Context, lim Limits, until []place) (Stop, bool) {
	m := d.m
	end := uint64(0)
	if lim.Insts > 0 {
		end = m.Stats().Insts + lim.Insts
	}
	for {
		s, err := m.Run(ctx, lim)
		if err != nil {
			return Stop{Stop: arcv2dsp.Stop{Reason: arcv2dsp.StopFault}, Text: err.Error()}, true
		}
		switch s.Reason {
		case arcv2dsp.StopBreakpoint:
			if stop, over := d.atBreak(s, until); over {
				return stop, true
			}
		case arcv2dsp.StopWatchpoint:
			if stop, over := d.accessed(s.Access, true); over {
				return stop, true
			}
			// The instruction after the access may have a breakpoint of its own.
			if stop, over := d.atBreak(s, until); over && stop.Reason != GuestBreak {
				return stop, true
			}
		case arcv2dsp.StopInstLimit:
			return Stop{}, false
		case arcv2dsp.StopHandler:
			if stop, over := d.raised(s.Exception); over {
				return stop, true
			}
			if stop, over := d.atBreak(s, until); over && stop.Reason != GuestBreak {
				return stop, true
			}
		default:
			return d.foreign(s), true
		}
		if end > 0 {
			now := m.Stats().Insts
			if now >= end {
				return Stop{}, false
			}
			lim.Insts = end - now
		}
	}
}

// atBreak decides about a stop before the instruction at PC.
func (d *Debugger) atBreak(s arcv2dsp.Stop, until []place) (Stop, bool) {
	if stop, over := d.expired(); over {
		return stop, true
	}
	for _, p := range until {
		if p.addr == s.PC && (p.above == 0 || d.m.Reg(regSP) >= p.above) {
			stop := because(arcv2dsp.StopStepped)
			if hits, text := d.stopsAt(s.PC, true); hits != nil {
				stop = struck(hits, text)
			}
			return stop, true
		}
	}
	if !d.inserted[s.PC] {
		return because(GuestBreak), true
	}
	if len(d.byAddr[s.PC]) == 0 {
		return Stop{}, false
	}
	d.stack = nil
	if hits, text := d.stopsAt(s.PC, true); hits != nil {
		return struck(hits, text), true
	}
	return Stop{}, false
}

// runComparing runs by single steps, for watchpoints on what is not memory.
func (d *Debugger) runComparing(ctx context.Context, until []place, lim Limits) Stop {
	d.insert(nil)
	start := d.m.Stats()
	for {
		if s := d.stepOne(ctx); s.Reason != arcv2dsp.StopStepped {
			return s
		}
		pc := d.m.PC()
		if stop, over := d.expired(); over {
			return stop
		}
		for _, p := range until {
			if p.addr == pc && (p.above == 0 || d.m.Reg(regSP) >= p.above) {
				return because(arcv2dsp.StopStepped)
			}
		}
		if hits, text := d.stopsAt(pc, true); hits != nil {
			return struck(hits, text)
		}
		now := d.m.Stats()
		if lim.Insts > 0 && now.Insts-start.Insts >= lim.Insts || lim.Cycles > 0 && now.Cycles-start.Cycles >= lim.Cycles {
			return because(arcv2dsp.StopInstLimit)
		}
	}
}

// stepOne executes one instruction and looks at the watchpoints.
func (d *Debugger) stepOne(ctx context.Context) Stop {
	if d.history.due(d) == 1 {
		d.history.take(d)
	}
	s, err := d.m.Step(ctx)
	d.stack = nil
	switch {
	case err != nil:
		return Stop{Stop: arcv2dsp.Stop{Reason: arcv2dsp.StopFault}, Text: err.Error()}
	case s.Reason == arcv2dsp.StopHandler:
		if stop, over := d.raised(s.Exception); over {
			return stop
		}
	case s.Reason == arcv2dsp.StopWatchpoint:
		stop, over := d.accessed(s.Access, true)
		// The same access may have changed what is compared.
		if more, differ := d.differs(true); differ {
			stop, over = stop.and(more), true
		}
		if over {
			return stop
		}
	case s.Reason != arcv2dsp.StopStepped:
		return d.foreign(s)
	}
	if stop, over := d.differs(true); over {
		return stop
	}
	return because(arcv2dsp.StopStepped)
}

// Registers by number.
const (
	regFP    = 27
	regSP    = 28
	regBlink = 31
)
