package main

// The frame of the leaf. The dispatch must stay free of calls and of stores to the stack: a test reads the
// compiled code.
//
// A case ends by falling out of its text (next micro-operation), goto next (leave the block through edge ex
// to block nb), goto skip (jump over imm bytes of micro-operations) or goto slow (the reference engine executes
// the instruction).
//
// Three things keep the dispatch short; most micro-operations cost little besides. Each case goes back to the
// switch itself, not by way of a common end. The switch has a case for every number that fits its mask, so it
// compares nothing. And the third parameter is the limit, as shifts by a variable need the register it comes in:
// whatever lives on in there would be moved away and back in each of them.
//
// leafRead is a copy of a pointer that every load needs.
const (
	leafHead = `package fast

import (
	"math/bits"
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/uop"
	"arcv2dsp/dspunit"
	"arcv2dsp/memory"
)

var _ = bits.Len // not every version of the semantics needs it

// leaf executes micro-operations from u in blk until something needs the driver. It makes no calls.
// It returns why, the block it leaves or, by an edge, the one ahead, and the micro-operation it
// stopped at.
func leaf(e *uop.State, c *cpu.CPU, limit uint32, blk *uop.Block, u *uop.Uop) (why uop.Exit, b *uop.Block, at *uop.Uop, out *uop.Edge) {
	e.Limit = limit
	var ex *uop.Edge
	var nb *uop.Block
	var a uint64
`
	leafRead   = "read := c.Mem.Read\n"
	leafSwitch = "for {\nswitch u.Op & uop.LastOp {\n"
	leafLast   = "case uop.LastOp:\ngoto slow\n"

	leafTail = `default:
			goto slow
		}
` + leafAdvance + `
	next:
		ex.N++
		a = e.Acct + ex.Acct
		e.Acct = a
		if uint32(a)+nb.Need > e.Limit {
			return uop.ExitEdge, nb, u, ex
		}
		blk = nb
		u = nb.First
		continue
	skip:
		u = (*uop.Uop)(unsafe.Add(unsafe.Pointer(u), u.Imm+uint32(uop.Size)))
		continue
	slow:
		return uop.ExitSlow, blk, u, nil
	}
}
`
	leafAdvance = "u = (*uop.Uop)(unsafe.Add(unsafe.Pointer(u), uop.Size))\ncontinue\n"
)

// A case so large that it needs all registers would make the compiler save the position, block and
// micro-operation, before every dispatch. It leaves numbers in the state instead by which the position is found
// again: the block's in the list of blocks, and the distance in the block. They are stored first, or the
// compiler would put off reading them and keep the position. Such a case ends behind the others: leafParked.
// Cases that access ports leave the numbers, too: for profiles.
const (
	parkAbove  = 64         // lines
	unparkHere = "//unpark" // before the destination is stored, which needs the position
	unparkCall = "unpark()" // the same while the body is pruned
	park       = "e.Number, e.Distance = blk.Number, uint32(uintptr(unsafe.Pointer(u))-uintptr(unsafe.Pointer(blk.First)))\n"
	parkedAt   = "*(**uop.Block)(unsafe.Add(e.Numbered, uintptr(e.Number)*unsafe.Sizeof(blk)))"
	unpark     = "u := (*uop.Uop)(unsafe.Add(unsafe.Pointer((" + parkedAt + ").First), e.Distance))\n"

	leafParked = `parked:
		blk = ` + parkedAt + `
		u = (*uop.Uop)(unsafe.Add(unsafe.Pointer(blk.First), e.Distance+uint32(uop.Size)))
		continue
	parkedSlow:
		blk = ` + parkedAt + `
		u = (*uop.Uop)(unsafe.Add(unsafe.Pointer(blk.First), e.Distance))
	`
)
