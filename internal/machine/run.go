package machine

import (
	"context"
	"errors"
	"time"

	"arcv2dsp/cpu"
)

// Limits bound a run. Zero means no limit; counts are from where the run starts.
type Limits struct {
	Insts   uint64
	Cycles  uint64
	Timeout time.Duration // by the clock of the host
}

// tickCycles is how often devices look for input. Runs are cut at multiples of it whatever else
// cuts them, so that input arrives at the same instruction however the program is run.
const tickCycles = 1 << 16

// Run executes the program until it ends, something stops it, or a limit is reached. Limits are met
// exactly: no instruction beyond them is executed. The error is nil unless there is no program
// or no context; whatever happens to the program is in the Stop.
func (s *System) Run(ctx context.Context, lim Limits) (Stop, error) {
	if s.Image == nil {
		return Stop{}, errNoProgram
	}
	if ctx == nil {
		return Stop{}, errNoContext
	}
	if lim.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, lim.Timeout)
		defer cancel()
	}
	c := s.CPU
	until, insts := bound(c.Cycles, lim.Cycles), bound(c.Insts, lim.Insts)
	s.host.Interrupt(ctx.Done())
	defer s.host.Interrupt(nil)
	from, executed := c.PC, c.Insts
	for {
		if stop, over := s.before(ctx); over {
			return stop, nil
		}
		c.InstLimit = insts
		var why cpu.Stop
		if c.PC == from && c.Insts == executed {
			why = c.Run(min(until, s.nextTick)) // passes a breakpoint where the run started
		} else {
			why = c.Continue(min(until, s.nextTick))
		}
		if stop, over := s.after(ctx, why, until); over {
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
func (s *System) before(ctx context.Context) (Stop, bool) {
	if s.exited {
		return s.exit(), true
	}
	if s.unserved && !s.serveAgain() || ctx.Err() != nil {
		return s.cancelled(ctx), true
	}
	if s.exited {
		return s.exit(), true
	}
	return Stop{}, false
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

func (s *System) cancelled(ctx context.Context) Stop {
	stop := Stop{Reason: StopInterrupted, PC: s.CPU.PC}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		stop.Reason = StopTimeLimit
	}
	return stop
}

// after turns what the processor stopped for into a Stop, or lets the run go on.
func (s *System) after(ctx context.Context, why cpu.Stop, until uint64) (Stop, bool) {
	c := s.CPU
	stop := Stop{PC: c.PC, Exception: why.Exception}
	if why.Kind == cpu.StopDoubleFault || why.Kind == cpu.StopException {
		stop.Handling = c.Handling()
	}
	switch why.Kind {
	case cpu.StopNone:
		return Stop{}, false
	case cpu.StopCycles:
		if s.tick() && s.stuck() {
			return s.emptyMemory(), true
		}
		if c.Cycles < until {
			return Stop{}, false
		}
		stop.Reason = StopCycleLimit
	case cpu.StopInsts:
		if s.off {
			s.exited, s.exitCode = true, s.host.PowerOffStatus()
			return s.exit(), true
		}
		stop.Reason = StopInstLimit
	case cpu.StopHalt:
		return s.halted(), true
	case cpu.StopBreakpoint:
		stop.Reason = StopBreakpoint
	case cpu.StopWatch:
		stop.Reason, stop.Access = StopWatchpoint, why.Watch
	case cpu.StopHook:
		stop.Reason = StopHook
	case cpu.StopMemory:
		stop.Reason = StopMemoryLimit
	case cpu.StopDoubleFault, cpu.StopException:
		stop.Reason = StopFault
	case cpu.StopEntered:
		stop.Reason = StopHandler
	case cpu.StopHost:
		if s.unserved {
			s.pendingPC = c.PC
			return s.cancelled(ctx), true
		}
		return s.exit(), true
	case cpu.StopSleep:
		if s.board.AwaitInput(ctx.Done()) {
			return Stop{}, false
		}
		if ctx.Err() != nil {
			return s.cancelled(ctx), true
		}
		stop.Reason = StopAsleep
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
	return true
}

func (s *System) exit() Stop { return Stop{Reason: StopExited, PC: s.CPU.PC, Status: s.exitCode} }

// halted tells a program that ended from one that gave up in the handler of an exception. The status
// is the one given to hostlink, else r0.
func (s *System) halted() Stop {
	status, told := s.host.ExitStatus()
	if !told {
		status = s.CPU.Reg(0)
	}
	s.exited, s.exitCode = true, status
	stop := s.exit()
	if e := s.handled(); !told && fatal(e.Vector) {
		stop.Reason, stop.Exception = StopFault, e
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

func (s *System) emptyMemory() Stop {
	pc := s.CPU.PC
	return Stop{Reason: StopFault, PC: pc, Handling: s.CPU.Handling(), Exception: cpu.Exception{
		Vector: cpu.VecMemoryError, PC: pc, Addr: pc, Return: pc,
		Why: "executing memory that holds only zeros",
	}}
}

// Step executes one instruction, or takes one pending interrupt.
func (s *System) Step(ctx context.Context) (Stop, error) {
	if s.Image == nil {
		return Stop{}, errNoProgram
	}
	if ctx == nil {
		return Stop{}, errNoContext
	}
	s.host.Interrupt(ctx.Done())
	defer s.host.Interrupt(nil)
	if stop, over := s.before(ctx); over {
		return stop, nil
	}
	s.CPU.InstLimit = cpu.NoLimit
	why := s.CPU.Step()
	if why.Kind == cpu.StopNone && s.off {
		why.Kind = cpu.StopInsts
	}
	ticked := s.tick()
	if stop, over := s.after(ctx, why, cpu.NoLimit); over {
		return stop, nil
	}
	if ticked && s.stuck() {
		return s.emptyMemory(), nil
	}
	return Stop{Reason: StopStepped, PC: s.CPU.PC}, nil
}
