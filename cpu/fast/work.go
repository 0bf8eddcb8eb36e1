package fast

import "arcv2dsp/isa"

// Work says who executed how many instructions, and why not machine code.
type Work struct {
	Compiled uint64            // machine code of the host
	Blocks   uint64            // blocks
	Before   uint64            // of all: before compilation began
	Handed   map[isa.Op]uint64 // the reference engine, for what blocks leave to it or end at, with its delay slot
	Apart    uint64            // the reference engine, between blocks: in a mode that they do not have, before an event or a limit, at breakpoints

	all    uint64
	handed [isa.NumOps]uint64 // Invalid: a block ended where it has no instruction to name
}

// Work returns what the engine has done since it was made.
func (e *Engine) Work() Work {
	w := e.work
	w.Apart += w.handed[isa.Invalid]
	w.handed[isa.Invalid] = 0
	w.Blocks, w.Handed = w.all-w.Compiled-w.Apart, map[isa.Op]uint64{}
	for op, n := range w.handed {
		if n != 0 {
			w.Handed[isa.Op(op)] = n
			w.Blocks -= n
		}
	}
	return w
}
