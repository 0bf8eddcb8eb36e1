package fast

import (
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/jit/exec"
	"arcv2dsp/cpu/internal/uop"
)

// Engine executes blocks of micro-operations and hands over to a reference engine what it cannot
// do. It serves one processor.
type Engine struct {
	code uop.Code
	ref  *cpu.Ref

	native  *native    // nil unless it compiles
	begun   *uop.Block // executed by instructions since a limit was too near
	passed  int        // how many of them before the last
	cutting bool       // a block is executed in part, see cut
	cold    uint64     // cycles until it shall compile, 0 when they are over or it never shall
	refused func(error)

	work Work
}

var _ cpu.Engine = (*Engine)(nil)

// New returns an engine without decoded code.
func New() *Engine {
	e := &Engine{ref: cpu.NewRef()}
	e.code.Init(func() {
		e.ref.Flush()
		if exec.Generates && e.native != nil {
			e.native.forget()
		}
	})
	return e
}

// Flush forgets all decoded code.
func (e *Engine) Flush() { e.code.Flush() }

// InvalidateCode forgets the code of a page.
func (e *Engine) InvalidateCode(page uint32) {
	e.ref.InvalidateCode(page)
	e.code.Invalidate(page)
}

// Settle brings the lost cycles of the processor up to date.
func (e *Engine) Settle(c *cpu.CPU) { e.code.Settle(c) }

// maxQuantum bounds the cycles of one stay in the leaf, so that they fit 32 bits with room.
const maxQuantum = 1 << 28

// Run executes until the deadline.
func (e *Engine) Run(c *cpu.CPU, until uint64) cpu.Stop {
	e.code.Begin(c)
	e.unsure()
	s := e.run(c, until)
	e.code.Done(c)
	return s
}

func (e *Engine) run(c *cpu.CPU, until uint64) cpu.Stop {
	var next place // where to continue, when it is known
	for {
		deadline := min(until, c.Deadline)
		if c.Cycles >= deadline || c.Insts >= c.InstLimit {
			if e.code.Profiling() {
				return cpu.Stop{}
			}
			if on, calm := c.Serve(until); !on {
				return c.Ended()
			} else if !calm {
				return cpu.Stop{}
			}
			next = place{}
			continue
		}
		quantum := min(deadline-c.Cycles, c.InstLimit-c.Insts, maxQuantum)
		at := next
		next = place{}
		if at.b == nil && c.Simple() {
			at = e.place(c, quantum)
		}
		on := true
		before, insts := c.Cycles, c.Insts
		if at.b == nil || uint64(at.b.Real) > quantum {
			if at.b != nil {
				e.begun, e.passed = at.b, at.k
			}
			if cut, ok := e.cut(at, quantum); ok {
				next, on = e.enter(c, at)
				e.cutting = false
				cut.Mend()
			} else {
				on = e.step(c)
				e.work.Apart += c.Insts - insts
			}
		} else {
			n := e.native
			if exec.Generates && n != nil && !e.code.Profiling() {
				if at.b.Entry == 0 && at.k == 0 {
					e.warm(c, at.b)
				}
				quantum = min(quantum, stay)
			}
			if e.cold > 0 {
				quantum = min(quantum, max(e.cold, uint64(at.b.Real)))
			}
			e.code.Limit = uint32(quantum)
			next, on = e.enter(c, at)
			if n != nil && !e.code.Profiling() {
				n.left -= min(n.left, driverCost)
				n.leafEnds(c)
			}
		}
		e.work.all += c.Insts - insts
		if e.cold > 0 {
			e.work.Before += c.Insts - insts
			e.warmed(c.Cycles - before)
		}
		if !on {
			return c.Ended()
		}
	}
}

// place is an instruction of a block.
type place struct {
	b *uop.Block
	k int
}

// cut has a block left where the limit is that keeps it from being executed as a whole.
func (e *Engine) cut(at place, quantum uint64) (x uop.Cut, ok bool) {
	if at.b == nil || e.code.Profiling() {
		return uop.Cut{}, false
	}
	x, e.cutting = at.b.Cut(at.k, quantum)
	e.code.Limit = at.b.Real
	return x, e.cutting
}

// place is where the processor is. There is none while it goes through a block that a limit keeps from being entered: blocks
// made in the middle of that one, and those that follow them where code is straight, would be met once, as each limit is
// elsewhere.
func (e *Engine) place(c *cpu.CPU, quantum uint64) place {
	if b := e.begun; b != nil {
		k, on := b.Passes(c.PC, e.passed)
		if on && uint64(b.Real) > quantum {
			e.passed = k
			return place{}
		}
		e.begun = nil
		if on && b.Resumes(c, k) {
			return place{b: b, k: k}
		}
	}
	return place{b: e.code.At(c)}
}

// step lets the reference engine execute one instruction. It reports whether the run goes on.
func (e *Engine) step(c *cpu.CPU) (on bool) {
	e.unsure()
	return e.code.Step(e.ref, c)
}

// unsure notes that the DSP mode and the settings of ports may change now.
func (e *Engine) unsure() {
	if e.native != nil {
		e.native.unsure = true
	}
}
