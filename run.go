package arcv2dsp

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
// exactly: no instruction beyond them is executed. The error is nil unless there is no program;
// whatever happens to the program is in the Stop.
func (m *Machine) Run(ctx context.Context, lim Limits) (Stop, error) {
	if m.image == nil {
		return Stop{}, errNoProgram
	}
	if lim.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, lim.Timeout)
		defer cancel()
	}
	c := m.cpu
	until, insts := bound(c.Cycles, lim.Cycles), bound(c.Insts, lim.Insts)
	m.host.Interrupt(ctx.Done())
	defer m.host.Interrupt(nil)
	from, executed := c.PC, c.Insts
	for {
		if s, over := m.before(ctx); over {
			return s, nil
		}
		c.InstLimit = insts
		var s cpu.Stop
		if c.PC == from && c.Insts == executed {
			s = c.Run(min(until, m.nextTick)) // passes a breakpoint where the run started
		} else {
			s = c.Continue(min(until, m.nextTick))
		}
		if st, over := m.after(ctx, s, until); over {
			return st, nil
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
func (m *Machine) before(ctx context.Context) (Stop, bool) {
	if m.exited {
		return m.exit(), true
	}
	if m.unserved && !m.serveAgain() || ctx.Err() != nil {
		return m.cancelled(ctx), true
	}
	if m.exited {
		return m.exit(), true
	}
	return Stop{}, false
}

// serveAgain serves the call of a swi that was interrupted while it waited for input. It reports
// whether that is done.
func (m *Machine) serveAgain() bool {
	if m.cpu.PC == m.pendingPC { // else a debugger sent the program elsewhere
		out := m.host.ServeGNU(guest{m})
		if out.Again {
			return false
		}
		m.finish(out)
	}
	m.unserved = false
	return true
}

func (m *Machine) cancelled(ctx context.Context) Stop {
	s := Stop{Reason: StopInterrupted, PC: m.cpu.PC}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		s.Reason = StopTimeLimit
	}
	return s
}

// after turns what the processor stopped for into a Stop, or lets the run go on.
func (m *Machine) after(ctx context.Context, s cpu.Stop, until uint64) (Stop, bool) {
	c := m.cpu
	stop := Stop{PC: c.PC, Exception: s.Exception}
	if s.Kind == cpu.StopDoubleFault || s.Kind == cpu.StopException {
		stop.Handling = c.Handling()
	}
	switch s.Kind {
	case cpu.StopNone:
		return Stop{}, false
	case cpu.StopCycles:
		if m.tick() && m.stuck() {
			return m.emptyMemory(), true
		}
		if c.Cycles < until {
			return Stop{}, false
		}
		stop.Reason = StopCycleLimit
	case cpu.StopInsts:
		if m.off {
			m.exited, m.exitCode = true, m.host.PowerOffStatus()
			return m.exit(), true
		}
		stop.Reason = StopInstLimit
	case cpu.StopHalt:
		return m.halted(), true
	case cpu.StopBreakpoint:
		stop.Reason = StopBreakpoint
	case cpu.StopWatch:
		stop.Reason, stop.Access = StopWatchpoint, s.Watch
	case cpu.StopHook:
		stop.Reason = StopHook
	case cpu.StopMemory:
		stop.Reason = StopMemoryLimit
	case cpu.StopDoubleFault, cpu.StopException:
		stop.Reason = StopFault
	case cpu.StopEntered:
		stop.Reason = StopHandler
	case cpu.StopHost:
		if m.unserved {
			m.pendingPC = c.PC
			return m.cancelled(ctx), true
		}
		return m.exit(), true
	case cpu.StopSleep:
		if m.board.AwaitInput(ctx.Done()) {
			return Stop{}, false
		}
		if ctx.Err() != nil {
			return m.cancelled(ctx), true
		}
		stop.Reason = StopAsleep
	}
	return stop, true
}

// tick lets devices look for input when it is time to, and reports whether it was.
func (m *Machine) tick() bool {
	if m.cpu.Cycles < m.nextTick {
		return false
	}
	m.nextTick = m.cpu.Cycles&^(tickCycles-1) + tickCycles
	m.board.Tick()
	return true
}

func (m *Machine) exit() Stop { return Stop{Reason: StopExited, PC: m.cpu.PC, Status: m.exitCode} }

// halted tells a program that ended from one that gave up in the handler of an exception. The status
// is the one given to hostlink, else r0.
func (m *Machine) halted() Stop {
	status, told := m.host.ExitStatus()
	if !told {
		status = m.cpu.Reg(0)
	}
	m.exited, m.exitCode = true, status
	s := m.exit()
	if e := m.handled(); !told && fatal(e.Vector) {
		s.Reason, s.Exception = StopFault, e
		if h := m.cpu.Handling(); len(h) > 0 {
			s.Handling = h[:len(h)-1] // the last is e
		}
	}
	return s
}

// handled is the exception whose handler is running; its vector is 0 when there is none.
func (m *Machine) handled() Exception {
	if m.cpu.Status&cpu.StatusAE == 0 {
		return Exception{}
	}
	e := m.cpu.LastException()
	ecr, _ := m.cpu.Aux(auxECR)
	if e.ECR() != ecr { // taken before a snapshot, which does not keep the reason
		at, _ := m.cpu.Aux(auxERET)
		addr, _ := m.cpu.Aux(auxEFA)
		e = Exception{
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
func (m *Machine) stuck() bool {
	c := m.cpu
	if c.Status&cpu.StatusIE != 0 || c.Status&cpu.StatusDE != 0 || c.Breakpoint(c.PC) {
		return false
	}
	for at := c.PC; at-c.PC < 4; at += 2 { // where execution is forbidden, an exception is the way out
		if code, f := m.mem.Fetch(at); f != nil || code != 0 {
			return false
		}
	}
	return true
}

func (m *Machine) emptyMemory() Stop {
	pc := m.cpu.PC
	return Stop{Reason: StopFault, PC: pc, Handling: m.cpu.Handling(), Exception: Exception{
		Vector: cpu.VecMemoryError, PC: pc, Addr: pc, Return: pc,
		Why: "executing memory that holds only zeros",
	}}
}

// Step executes one instruction, or takes one pending interrupt.
func (m *Machine) Step(ctx context.Context) (Stop, error) {
	if m.image == nil {
		return Stop{}, errNoProgram
	}
	m.host.Interrupt(ctx.Done())
	defer m.host.Interrupt(nil)
	if s, over := m.before(ctx); over {
		return s, nil
	}
	m.cpu.InstLimit = cpu.NoLimit
	s := m.cpu.Step()
	if s.Kind == cpu.StopNone && m.off {
		s.Kind = cpu.StopInsts
	}
	ticked := m.tick()
	if st, over := m.after(ctx, s, cpu.NoLimit); over {
		return st, nil
	}
	if ticked && m.stuck() {
		return m.emptyMemory(), nil
	}
	return Stop{Reason: StopStepped, PC: m.cpu.PC}, nil
}
