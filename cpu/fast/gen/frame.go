package main

// leafHead and leafTail are the frame of the leaf. The dispatch must stay free of calls and of
// stores to the stack: a test reads the compiled code.
//
// A case ends by falling out of the switch (next micro-operation), goto next (leave the block
// through edge ex to block nb) or goto slow (the reference engine executes the instruction).
const leafHead = `package fast

import (
	"math/bits"
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
	"arcv2dsp/memory"
)

var _ = bits.Len // not every version of the semantics needs it

// leaf executes micro-operations from u in blk until something needs the driver. It makes no calls.
// It returns why, the block it leaves or, by an edge, the one ahead, and the micro-operation it
// stopped at.
func leaf(e *state, c *cpu.CPU, blk *block, u *uop) (why exit, b *block, at *uop, out *edge) {
	var ex *edge
	var nb *block
	var a uint64
	for {
		switch u.op {
`

const leafTail = `default:
			return exitSlow, blk, u, nil
		}
		u = (*uop)(unsafe.Add(unsafe.Pointer(u), uopSize))
		continue
	next:
		ex.n++
		a = e.acct + ex.acct
		e.acct = a
		if uint32(a)+nb.need > e.limit {
			return exitEdge, nb, u, ex
		}
		blk = nb
		u = nb.first
		continue
	slow:
		return exitSlow, blk, u, nil
	}
}
`
