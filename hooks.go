package arcv2dsp

import (
	"arcv2dsp/cpu"
	"arcv2dsp/internal/board/machine"
	"arcv2dsp/isa"
)

// Hooks observe a run. While there are any, the reference engine executes; results and cycles stay the same.
// Members may be nil.
type Hooks struct {
	// Before sees each instruction before it executes; if it returns true the run stops there.
	Before func(pc uint32, in *isa.Inst) (stop bool)
	// After sees each instruction that completed.
	After func(pc uint32, in *isa.Inst)
	// Memory sees each load and store.
	Memory func(a Access)
	// Branch sees every change of the flow of control.
	Branch func(from, to uint32)
	// Exception sees every exception and interrupt as its handler is entered.
	Exception func(e Exception)
	// Syscall sees every host call before it is served.
	Syscall func(s Syscall)
	// Stall sees the cycles lost at an instruction; those of a sleep at the sleep instruction.
	Stall func(pc uint32, reason StallReason, cycles uint32)
}

// Syscall is a host call.
type Syscall struct {
	Name   string    // "write"; "hostlink" for a packet of that convention
	Number uint32    // r8; the address of a hostlink packet
	Args   [5]uint32 // r0 to r4
}

// Observe calls hooks from now on, after those of earlier observers, until the returned function is
// called.
func (m *Machine) Observe(h Hooks) (end func()) {
	all := machine.Hooks{
		Hooks:  cpu.Hooks{Before: h.Before, After: h.After, Branch: h.Branch, Exception: h.Exception, Stall: h.Stall},
		Memory: h.Memory,
	}
	if h.Syscall != nil {
		all.Syscall = func(s machine.Syscall) { h.Syscall(Syscall(s)) }
	}
	return m.sys.Observe(all)
}
