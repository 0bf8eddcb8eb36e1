package kernel

import (
	"context"

	"arcv2dsp"
	"arcv2dsp/isa"
)

// Cost is the cycles of the instruction at one address in a call.
type Cost struct {
	Insts  uint64
	Stalls map[arcv2dsp.StallReason]uint64
}

// Cycles are the instructions and the cycles lost at them.
func (c *Cost) Cycles() uint64 {
	n := c.Insts
	for _, lost := range c.Stalls {
		n += lost
	}
	return n
}

// Profile runs a call as Run does, by the reference engine, and counts what every instruction cost.
func (k *Machine) Profile(ctx context.Context, entry uint32, kernel *Kernel, job *Job) (*Report, map[uint32]*Cost, error) {
	costs := map[uint32]*Cost{}
	at := func(pc uint32) *Cost {
		c := costs[pc]
		if c == nil {
			c = &Cost{Stalls: map[arcv2dsp.StallReason]uint64{}}
			costs[pc] = c
		}
		return c
	}
	end := k.m.Observe(arcv2dsp.Hooks{
		After: func(pc uint32, _ *isa.Inst) { at(pc).Insts++ },
		Stall: func(pc uint32, reason arcv2dsp.StallReason, cycles uint32) {
			at(pc).Stalls[reason] += uint64(cycles)
		},
	})
	defer end()
	counted := *job
	counted.WatchLoads = false // the hooks are ours
	rep, err := k.RunAt(ctx, entry, kernel, &counted)
	return rep, costs, err
}
