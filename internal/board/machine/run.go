package machine

import (
	"context"
	"errors"

	"arcv2dsp/cpu"
)

// tickCycles is how often devices look for input. Runs are cut at multiples of it whatever else
// cuts them, so that input arrives at the same instruction however the program is run.
const tickCycles = 1 << 16

// Run executes the program until it ends, something stops it, or a limit is reached. Limits are met
// exactly: no instruction beyond them is executed. The error is nil unless there is no program
// or no context; whatever happens to the program is in the Stop.
func (s *System) Run(ctx context.Context, lim cpu.Limits) (cpu.Stop, error) {
	if s.Image == nil {
		return cpu.Stop{}, errNoProgram
	}
	if ctx == nil {
		return cpu.Stop{}, errNoContext
	}
	c := s.CPU
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer s.occupy(cancel)()
	until, insts := bound(c.Cycles, lim.Cycles), bound(c.Insts, lim.Insts)
	waits, timeUp := ctx, uint64(cpu.NoLimit)
	if lim.Timeout > 0 {
		timeUp = bound(c.Cycles, CyclesOf(lim.Timeout, s.ClockHz()))
		until = min(until, timeUp)
		var end context.CancelFunc
		waits, end = context.WithTimeout(ctx, lim.Timeout) // no cycles pass while the program waits for input
		defer end()
	}
	s.host.Interrupt(waits.Done())
	defer s.host.Interrupt(nil)
	from, executed := c.PC, c.Insts
	defer c.Settle()
	for {
		if stop, over := s.before(ctx, waits); over {
			return stop, nil
		}
		c.InstLimit = insts
		var why cpu.Stop
		if c.PC == from && c.Insts == executed {
			why = c.Run(min(until, s.nextTick)) // passes a breakpoint where the run started
		} else {
			why = c.Advance(min(until, s.nextTick))
		}
		if stop, over := s.after(waits, why, until); over {
			if stop.Reason == cpu.StopCycleLimit && c.Cycles >= timeUp {
				stop.Reason = cpu.StopTimeLimit
			}
			return stop, nil
		}
	}
}

// bound is the value of a counter at which a limit is reached.
func bound(now, limit uint64) uint64 {
	if limit == 0 || limit > cpu.NoLimit-now {
		return cpu.NoLimit
	}
	return now + limit
}

// before does what must happen before an instruction can execute.
func (s *System) before(ctx, waits context.Context) (cpu.Stop, bool) {
	if stop, ended := s.ended(); ended {
		return stop, true
	}
	if s.unserved && !s.serveAgain() {
		return s.cancelled(waits), true
	}
	if ctx.Err() != nil {
		return s.cancelled(ctx), true
	}
	return s.ended()
}

// ended reports the end that the program has asked for, or a text of its output that ends the run.
func (s *System) ended() (cpu.Stop, bool) {
	switch p := s.found; {
	case p != nil:
		s.found = nil
		return cpu.Stop{Reason: cpu.StopOutput, PC: s.CPU.PC, Status: p.Status}, true
	case s.exited:
		return s.exit(), true
	}
	return cpu.Stop{}, false
}

// serveAgain serves the call of a swi that was interrupted while it waited for input. It reports
// whether that is done.
func (s *System) serveAgain() bool {
	if s.CPU.PC == s.pendingPC { // else a debugger sent the program elsewhere
		out := s.host.ServeGNU(guest{s})
		if out.Again {
			return false
		}
		s.finish(out)
	}
	s.unserved = false
	return true
}

func (s *System) cancelled(ctx context.Context) cpu.Stop {
	stop := cpu.Stop{Reason: cpu.StopInterrupted, PC: s.CPU.PC}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		stop.Reason = cpu.StopTimeLimit
	}
	return stop
}

// after judges what the processor stopped for: the run goes on, or is over for a reason that the machine may know better.
func (s *System) after(ctx context.Context, stop cpu.Stop, until uint64) (cpu.Stop, bool) {
	stop.PC = s.CPU.PC
	if s.found != nil {
		return s.ended()
	}
	switch stop.Reason {
	case cpu.StopStepped:
		return cpu.Stop{}, false
	case cpu.StopCycleLimit:
		if s.tick() && s.stuck() {
			return s.emptyMemory(), true
		}
		return stop, s.CPU.Cycles >= until
	case cpu.StopInstLimit:
		if s.off {
			s.exited, s.exitCode = true, s.host.PowerOffStatus()
			return s.exit(), true
		}
	case cpu.StopExited:
		switch {
		case s.unserved:
			s.pendingPC = s.CPU.PC
			return s.cancelled(ctx), true
		case s.exited:
			return s.exit(), true
		}
		return s.halted(), true
	case cpu.StopAsleep:
		if s.board.AwaitInput(ctx.Done()) {
			return cpu.Stop{}, false
		}
		if ctx.Err() != nil {
			return s.cancelled(ctx), true
		}
	}
	return stop, true
}

// tick lets devices look for input when it is time to, and reports whether it was.
func (s *System) tick() bool {
	if s.CPU.Cycles < s.nextTick {
		return false
	}
	s.nextTick = s.CPU.Cycles&^(tickCycles-1) + tickCycles
	s.board.Tick()
	giveTurn()
	return true
}

func (s *System) exit() cpu.Stop {
	return cpu.Stop{Reason: cpu.StopExited, PC: s.CPU.PC, Status: s.exitCode}
}

// halted tells a program that ended from one that gave up in the handler of an exception. The status
// is the one given to hostlink, else r0.
func (s *System) halted() cpu.Stop {
	status, told := s.host.ExitStatus()
	if !told {
		status = s.CPU.Reg(0)
	}
	s.exited, s.exitCode = true, status
	stop := s.exit()
	if e := s.handled(); !told && fatal(e.Vector) {
		stop.Reason, stop.Exception = cpu.StopFault, e
		if h := s.CPU.Handling(); len(h) > 0 {
			stop.Handling = h[:len(h)-1] // the last is e
		}
	}
	return stop
}

// handled is the exception whose handler is running; its vector is 0 when there is none.
func (s *System) handled() cpu.Exception {
	if s.CPU.Status&cpu.StatusAE == 0 {
		return cpu.Exception{}
	}
	e := s.CPU.LastException()
	ecr, _ := s.CPU.Aux(auxECR)
	if e.ECR() != ecr { // taken before a snapshot, which does not keep the reason
		at, _ := s.CPU.Aux(auxERET)
		addr, _ := s.CPU.Aux(auxEFA)
		e = cpu.Exception{
			Vector: uint8(ecr >> 16), Cause: uint8(ecr >> 8), Param: uint8(ecr), PC: at, Return: at, Addr: addr,
		}
	}
	return e
}

// fatal reports whether an exception vector means that the program went wrong; the others are calls
// and interrupts, whose handlers may end a program in good order.
func fatal(vector uint8) bool {
	switch vector {
	case cpu.VecReset, cpu.VecSWI, cpu.VecTrap:
		return false
	}
	return vector < cpu.VecFirstIRQ
}

// Auxiliary registers of an exception being handled.
const (
	auxERET = 0x400
	auxECR  = 0x403
	auxEFA  = 0x404
)

// stuck reports whether the core runs through memory that holds nothing: zeros are a branch to
// themselves, in a form that no assembler emits, and without interrupts there is no way out but a
// breakpoint. It is asked at ticks only, so that a run ends at the same cycle however it is cut.
func (s *System) stuck() bool {
	c := s.CPU
	if c.Status&cpu.StatusIE != 0 || c.Status&cpu.StatusDE != 0 || c.Breakpoint(c.PC) {
		return false
	}
	for at := c.PC; at-c.PC < 4; at += 2 { // where execution is forbidden, an exception is the way out
		if code, f := s.Mem.Fetch(at); f != nil || code != 0 {
			return false
		}
	}
	return true
}

func (s *System) emptyMemory() cpu.Stop {
	pc := s.CPU.PC
	return cpu.Stop{Reason: cpu.StopFault, PC: pc, Handling: s.CPU.Handling(), Exception: cpu.Exception{
		Vector: cpu.VecMemoryError, PC: pc, Addr: pc, Return: pc,
		Why: "executing memory that holds only zeros",
	}}
}

// Step executes one instruction, or takes one pending interrupt.
func (s *System) Step(ctx context.Context) (cpu.Stop, error) {
	if s.Image == nil {
		return cpu.Stop{}, errNoProgram
	}
	if ctx == nil {
		return cpu.Stop{}, errNoContext
	}
	defer s.occupy(func() {})()
	s.host.Interrupt(ctx.Done())
	defer s.host.Interrupt(nil)
	if stop, over := s.before(ctx, ctx); over {
		return stop, nil
	}
	s.CPU.InstLimit = cpu.NoLimit
	why := s.CPU.Step()
	if why.Reason == cpu.StopStepped && s.off {
		why.Reason = cpu.StopInstLimit
	}
	ticked := s.tick()
	if stop, over := s.after(ctx, why, cpu.NoLimit); over {
		return stop, nil
	}
	if ticked && s.stuck() {
		return s.emptyMemory(), nil
	}
	return cpu.Stop{Reason: cpu.StopStepped, PC: s.CPU.PC}, nil
}
