package arcv2dsp

import (
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/isa"
)

// StallReason names why a cycle passed in which no instruction issued.
type StallReason = timing.Reason

// Hooks observe a run. While there are any, the reference engine executes; results and cycles stay the same.
// Members may be nil.
type Hooks struct {
	// Before sees each instruction before it executes; returning true stops the run there.
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

func (m *Machine) syscall(name string, number uint32) Syscall {
	s := Syscall{Name: name, Number: number}
	for i := range s.Args {
		s.Args[i] = m.cpu.Reg(uint8(i))
	}
	return s
}

// observer is one set of hooks.
type observer struct{ hooks Hooks }

// Observe calls hooks from now on, after those of earlier observers, until the function it returns is called.
func (m *Machine) Observe(h Hooks) (end func()) {
	o := &observer{hooks: h}
	m.observers = append(m.observers, o)
	m.rehook()
	return func() {
		m.observers = slices.DeleteFunc(m.observers, func(other *observer) bool { return other == o })
		m.rehook()
	}
}

// rehook gives processor and memory one function for each event that anybody observes.
func (m *Machine) rehook() {
	var all Hooks
	for _, o := range m.observers {
		all.join(&o.hooks)
	}
	m.hooks = all
	if len(m.observers) == 0 {
		m.cpu.SetHooks(nil)
		m.mem.OnAccess(nil)
		return
	}
	m.cpu.SetHooks(&cpu.Hooks{
		Before: all.Before, After: all.After, Branch: all.Branch, Exception: all.Exception, Stall: all.Stall,
	})
	m.mem.OnAccess(all.Memory)
}

// join makes h call what it calls, then what g calls. A single observer is called directly: the common case
// pays nothing.
func (h *Hooks) join(g *Hooks) {
	if f, g := h.Before, g.Before; f != nil && g != nil {
		h.Before = func(pc uint32, in *isa.Inst) bool {
			stop := f(pc, in)
			return g(pc, in) || stop
		}
	} else if g != nil {
		h.Before = g
	}
	if f, g := h.After, g.After; f != nil && g != nil {
		h.After = func(pc uint32, in *isa.Inst) { f(pc, in); g(pc, in) }
	} else if g != nil {
		h.After = g
	}
	if f, g := h.Branch, g.Branch; f != nil && g != nil {
		h.Branch = func(from, to uint32) { f(from, to); g(from, to) }
	} else if g != nil {
		h.Branch = g
	}
	if f, g := h.Stall, g.Stall; f != nil && g != nil {
		h.Stall = func(pc uint32, reason StallReason, cycles uint32) { f(pc, reason, cycles); g(pc, reason, cycles) }
	} else if g != nil {
		h.Stall = g
	}
	h.Memory = both(h.Memory, g.Memory)
	h.Exception = both(h.Exception, g.Exception)
	h.Syscall = both(h.Syscall, g.Syscall)
}

func both[E any](f, g func(E)) func(E) {
	switch {
	case f == nil:
		return g
	case g == nil:
		return f
	}
	return func(e E) { f(e); g(e) }
}
