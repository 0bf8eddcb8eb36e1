package arcv2dsp

import (
	"cmp"
	"slices"

	"arcv2dsp/internal/board/machine"
)

// Profile counts the cost of each instruction, by the chain of calls that led to it. It is exact:
// its costs add up to the counts of the machine in that time. A run with a profile takes a little
// longer.
type Profile struct{ stop func() []*machine.Context }

// CallChain is a chain of calls, and the cost of the instructions executed at its end. A recursive
// chain names each call from one function to another once. Handlers of exceptions and interrupts
// have chains of their own, and so have the tasks of a kernel: a task is recognised by its stack
// pointer.
type CallChain struct {
	Calls   []uint32 // addresses of the calls, the innermost first
	Entry   uint32   // where the innermost call led to
	Handler bool     // the outermost function was entered by an exception or interrupt
	Costs   []Cost   // by address
}

// Cost is the number of executions and cycles of an instruction.
type Cost struct {
	PC     uint32
	Insts  uint64 // times it was executed
	Stalls Stalls // cycles lost
}

// Cycles is the sum of the executions and the lost cycles.
func (c *Cost) Cycles() uint64 { return c.Insts + c.Stalls.Total() }

// StartProfile begins to count. Load the program first: it may choose another core.
func (m *Machine) StartProfile() *Profile { return &Profile{stop: m.sys.Profile()} }

// Stop ends the profile and returns the counts, callers before the functions that they call.
func (p *Profile) Stop() []CallChain {
	var list []CallChain
	for _, x := range p.stop() {
		if len(x.Costs) > 0 {
			list = append(list, chainOf(x))
		}
	}
	return list
}

func chainOf(x *machine.Context) CallChain {
	c := CallChain{Entry: x.Entry}
	for pc, cost := range x.Costs {
		if *cost != (machine.Cost{}) {
			c.Costs = append(c.Costs, Cost{PC: pc, Insts: cost.Insts, Stalls: cost.Stalls})
		}
	}
	slices.SortFunc(c.Costs, func(a, b Cost) int { return cmp.Compare(a.PC, b.PC) })
	for ; x.Caller != nil; x = x.Caller {
		if x.Handler || x.Task {
			c.Handler = x.Handler
			break
		}
		c.Calls = append(c.Calls, x.Site)
	}
	return c
}
