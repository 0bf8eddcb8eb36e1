package cpu

import (
	"maps"
	"math"
	"slices"

	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// Engine executes instructions. Engines share the state; switching between them is legal at every
// instruction boundary.
type Engine interface {
	// Run executes until c.Cycles >= until, c.Insts >= c.InstLimit or c.Cycles >= c.Deadline, and
	// returns a Stop of kind StopStepped; or until something ends the run. It returns exactly at the
	// instruction boundary where the condition first holds. The Deadline can come closer, down to
	// 0, in any instruction that the reference engine executes. At the Deadline an engine may call Serve
	// and go on, too.
	Run(c *CPU, until uint64) Stop
	// Settle brings c.Stalls up to date, which Run may leave to it.
	Settle(c *CPU)
	// Restored says that the state of the processor, its counters included, is that of another time.
	Restored(c *CPU)
	// Flush forgets all decoded code.
	Flush()
	// InvalidateCode forgets the code decoded from a page (addr>>12), including instructions and
	// blocks that only begin or end there.
	InvalidateCode(page uint32)
}

// Host serves the calls of programs that expect an operating system or a debugger.
type Host interface {
	// SWI is offered every swi and swi_s before it becomes an exception. When it is not handled
	// the exception is taken; stop ends the run after the instruction.
	SWI(c *CPU) (handled, stop bool)
}

// Hooks observe execution. Installing them selects the reference engine; cycles and results stay
// what they are. Members may be nil.
type Hooks struct {
	// Before sees each instruction before it executes. Returning true stops the run there.
	Before func(pc uint32, in *isa.Inst) (stop bool)
	// After sees each instruction that completed.
	After func(pc uint32, in *isa.Inst)
	// Branch sees every change of the flow of control.
	Branch func(from, to uint32)
	// Exception sees every exception and interrupt as its handler is entered.
	Exception func(e Exception)
	// Stall sees the cycles lost at an instruction; those of a sleep at the sleep instruction.
	Stall func(pc uint32, reason timing.Reason, cycles uint32)
}

// NoLimit is the value of a limit that is not set.
const NoLimit = math.MaxUint64

// SetEngine replaces the engine; nil selects the reference engine.
func (c *CPU) SetEngine(e Engine) {
	if e == nil {
		e = c.ref
	}
	if c.engine != nil {
		c.engine.Settle(c)
	}
	c.engine = e
	e.Flush()
}

// SetCareful replaces the reference engine where it is asked for instead of the engine that is set:
// by one that executes as it does and observes it. Nil takes it back.
func (c *CPU) SetCareful(e Engine) { c.careful = e }

// SetHooks installs hooks, or removes them when h is nil.
func (c *CPU) SetHooks(h *Hooks) {
	c.hooks = h
	c.updateChecks()
}

// updateChecks notes whether anything must be looked at before each instruction.
func (c *CPU) updateChecks() {
	c.watched = c.data != nil || c.hooks != nil || c.armed() || c.smart.on
	c.checks = c.watched || c.mpu.enabled
	c.Attention()
}

// SetBreakpoint makes runs stop before the instruction at an address.
func (c *CPU) SetBreakpoint(pc uint32) {
	if c.breaks == nil {
		c.breaks = map[uint32]struct{}{}
	}
	c.breaks[pc] = struct{}{}
	c.invalidate(pc)
}

// ClearBreakpoint removes a breakpoint.
func (c *CPU) ClearBreakpoint(pc uint32) {
	delete(c.breaks, pc)
	c.invalidate(pc)
}

// Breakpoints lists the addresses before which a run stops.
func (c *CPU) Breakpoints() []uint32 { return slices.Sorted(maps.Keys(c.breaks)) }

// Breakpoint reports whether a run stops before executing pc.
func (c *CPU) Breakpoint(pc uint32) bool {
	_, ok := c.breaks[pc]
	return ok
}

func (c *CPU) invalidate(pc uint32) {
	c.ref.InvalidateCode(pc >> 12)
	c.engine.InvalidateCode(pc >> 12)
}

// FlushCode makes all engines forget what they decoded.
func (c *CPU) FlushCode() {
	c.ref.Flush()
	c.engine.Flush()
}

// Run executes until the cycle counter reaches until, the instruction counter reaches InstLimit,
// or something else ends the run. It does not stop at a breakpoint on the first instruction.
func (c *CPU) Run(until uint64) Stop {
	c.stop = Stop{}
	if (c.Breakpoint(c.PC) || c.armed()) && c.Cycles < until && c.Insts < c.InstLimit {
		if s := c.Step(); s.Reason != StopStepped {
			return s
		}
	}
	return c.Continue(until)
}

// Continue is Run for a run that goes on: it stops at a breakpoint on the first instruction, too.
func (c *CPU) Continue(until uint64) Stop {
	s := c.Advance(until)
	c.Settle()
	return s
}

// Settle brings Stalls up to date.
func (c *CPU) Settle() { c.engine.Settle(c) }

// Advance is Continue for a caller that goes on at once and calls Settle in the end: to settle is to look at all
// code that an engine has decoded.
func (c *CPU) Advance(until uint64) Stop {
	c.stop = Stop{}
	for {
		if on, _ := c.Serve(until); !on {
			return c.stopped()
		}
		e := c.engine
		if c.watched {
			e = c.ref
			if c.careful != nil {
				e = c.careful
			}
		}
		if s := e.Run(c, until); s.Reason != StopStepped {
			return s
		}
	}
}

// Serve does what comes between two instructions, see service, and sets the Deadline of what follows. It reports whether the run
// goes on; else Ended says why not. calm says that an engine which runs may go on itself: only time has passed, and interrupts have been taken.
func (c *CPU) Serve(until uint64) (on, calm bool) {
	c.calm = !c.watched
	on = c.service(until)
	c.Deadline = min(until, c.nextEvent())
	return on, c.calm
}

// Step executes one instruction, or takes one pending interrupt, and returns StopStepped unless that
// ended the run.
func (c *CPU) Step() Stop {
	c.stop = Stop{}
	pc, insts := c.PC, c.Insts
	if !c.service(NoLimit) {
		return c.stopped()
	}
	if c.PC != pc || c.Insts != insts {
		return Stop{}
	}
	c.Deadline = NoLimit
	return c.ref.one(c)
}

// service lets due timers raise their interrupts, takes an interrupt, and passes the time of a
// sleeping core, until the next instruction can execute or the run is over. It reports which: the run goes on.
func (c *CPU) service(until uint64) (on bool) {
	c.came = c.came[:0]
	for {
		switch {
		case c.Status&StatusH != 0:
			return c.ends(StopExited)
		case c.Cycles >= until:
			return c.ends(StopCycleLimit)
		case c.Insts >= c.InstLimit:
			return c.ends(StopInstLimit)
		}
		if c.Cycles >= c.nextEvent() {
			c.expireTimers()
			c.ring()
			c.runDMA()
		}
		sp := c.R[RegSP]
		if c.stop.Reason == StopStepped && c.takeInterrupt() && c.stop.Reason == StopStepped {
			c.came = append(c.came, Interrupted{PC: c.last.Return, SP: sp})
			continue
		}
		if c.stop.Reason != StopStepped || !c.asleep {
			return c.stop.Reason == StopStepped
		}
		next := c.nextEvent()
		if next == NoLimit {
			return c.ends(StopAsleep)
		}
		c.pass(min(next, until) - c.Cycles)
	}
}

// ends notes why a run ends.
func (c *CPU) ends(why Reason) (on bool) {
	c.stop = Stop{Reason: why}
	return false
}

// pass lets cycles go by in which the core sleeps.
func (c *CPU) pass(cycles uint64) {
	c.Cycles += cycles
	c.Stalls[timing.Sleep] += cycles
	c.Pipe.Advance(uint32(min(cycles, 255)))
	if c.hooks == nil || c.hooks.Stall == nil {
		return
	}
	for cycles > 0 { // a sleep can be longer than a hook can be told at once
		n := uint32(min(cycles, math.MaxUint32))
		c.hooks.Stall(c.slept, timing.Sleep, n)
		cycles -= uint64(n)
	}
}

// Attention makes the engine return after the current instruction, so that Run looks at interrupts
// and timers again.
func (c *CPU) Attention() { c.Deadline = 0 }

func (c *CPU) watchHit(ev memory.Event) {
	if c.stop.Reason == StopStepped {
		c.stop = Stop{Reason: StopWatchpoint, Access: ev}
	}
}
