package fast

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/uop"
)

// StartProfile begins to count. All code is decoded again.
func (e *Engine) StartProfile(c *cpu.CPU) { e.code.StartProfile(c) }

// Restored begins to count from the counters of the processor as they are now. Which calls led there is not known.
func (e *Engine) Restored(c *cpu.CPU) { e.code.Restored(c) }

// Context is a chain of calls with the costs of the instructions executed at its end.
type Context = uop.Context

// Cost counts the executions of an instruction and the cycles lost there.
type Cost = uop.Cost

// StopProfile ends the count and returns the contexts, callers before callees.
func (e *Engine) StopProfile(c *cpu.CPU) []*Context { return e.code.StopProfile(c) }

// Careful is the engine as one that gives every instruction to the reference engine, and profiles.
type Careful struct{ *Engine }

// Run executes until the deadline.
func (e Careful) Run(c *cpu.CPU, until uint64) cpu.Stop {
	e.code.Begin(c)
	defer e.code.Done(c)
	for c.Cycles < until && c.Cycles < c.Deadline && c.Insts < c.InstLimit {
		if !e.step(c) {
			return c.Ended()
		}
	}
	return cpu.Stop{}
}
