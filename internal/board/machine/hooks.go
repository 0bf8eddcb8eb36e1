package machine

import (
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// Hooks observe a run: the processor's, and those of memory and host. Members may be nil.
type Hooks struct {
	cpu.Hooks
	Memory  func(a memory.Event)
	Syscall func(s Syscall)
}

// observer is one set of hooks.
type observer struct{ hooks Hooks }

// Observe calls hooks from now on, after those of earlier observers, until the function it returns is called.
func (s *System) Observe(h Hooks) (end func()) {
	o := &observer{hooks: h}
	s.observers = append(s.observers, o)
	s.rehook()
	return func() {
		s.observers = slices.DeleteFunc(s.observers, func(other *observer) bool { return other == o })
		s.rehook()
	}
}

// rehook gives processor and memory one function for each event that anybody observes.
func (s *System) rehook() {
	var all Hooks
	for _, o := range s.observers {
		all.join(&o.hooks)
	}
	s.hooks = all
	if len(s.observers) == 0 {
		s.CPU.SetHooks(nil)
		s.Mem.OnAccess(nil)
		return
	}
	s.CPU.SetHooks(&all.Hooks)
	s.Mem.OnAccess(all.Memory)
}

// join makes h call its own functions and then those of g. A single observer is called directly, so that the common
// case pays nothing.
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
		h.Stall = func(pc uint32, reason cpu.StallReason, cycles uint32) { f(pc, reason, cycles); g(pc, reason, cycles) }
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
