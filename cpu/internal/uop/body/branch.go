package body

import (
	"unsafe"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/internal/uop"
)

// exitD is the exit that d names, as an offset in bytes.
func exitD(blk *uop.Block, u *uop.Uop) (ex *uop.Edge) {
	return (*uop.Edge)(unsafe.Add(unsafe.Pointer(&blk.Exits), uintptr(u.D)))
}

// Choose leaves the block through exit 1 when taken, else 0.
func Choose(blk *uop.Block, taken bool) (ex *uop.Edge, nb *uop.Block) {
	if taken {
		ex = &blk.Exits[1]
	} else {
		ex = &blk.Exits[0]
	}
	return ex, ex.To
}

// Test leaves in a whether a comparison holds.
func Test(c *cpu.CPU, u *uop.Uop, taken bool) {
	v := uint32(0)
	if taken {
		v = 1
	}
	c.R[u.A] = v
}

// target finds the block that a jump leads to.
func target(e *uop.State, u *uop.Uop, ex *uop.Edge, target uint32) (nb *uop.Block) {
	j := &e.Jumps[uop.JumpIndex(target, u.X)&e.JumpMask]
	if j.At != uint64(u.X)<<32|uint64(target) {
		exitBy(uop.ExitJump, ex)
	}
	return j.To
}

// END: leave through exit d
func END(blk *uop.Block, u *uop.Uop) (ex *uop.Edge, nb *uop.Block) {
	ex = exitD(blk, u)
	return ex, ex.To
}

// SKIP: skip imm bytes of micro-operations unless the condition holds
func SKIP(c *cpu.CPU, u *uop.Uop) {
	if u.X>>(c.F&31)&1 == 0 {
		skip()
	}
}

// SKIPZ: skip imm bytes of micro-operations when b is 0
func SKIPZ(c *cpu.CPU, u *uop.Uop) {
	if c.R[u.B] == 0 {
		skip()
	}
}

// BCC: leave through exit 1 when the condition holds, else 0
func BCC(c *cpu.CPU, blk *uop.Block, u *uop.Uop) (ex *uop.Edge, nb *uop.Block) {
	return Choose(blk, u.X>>(c.F&31)&1 != 0)
}

// DBNZ: decrement a, branch unless zero
func DBNZ(c *cpu.CPU, blk *uop.Block, u *uop.Uop) (ex *uop.Edge, nb *uop.Block) {
	v := c.R[u.A] - 1
	c.R[u.A] = v
	return Choose(blk, v != 0)
}

// JUMP: leave through exit d to the address b+imm, in manner x
func JUMP(c *cpu.CPU, e *uop.State, blk *uop.Block, u *uop.Uop) (ex *uop.Edge, nb *uop.Block) {
	ex = exitD(blk, u)
	to := (c.R[u.B] + u.Imm) &^ 1
	nb = target(e, u, ex, to)
	return ex, nb
}

// SLOT: the delay slot of a branch to imm follows
func SLOT(c *cpu.CPU, u *uop.Uop) {
	c.BTA = u.Imm
}

// BRSLOT: behind the delay slot: leave through exit 1 to imm when b is not 0, else 0
func BRSLOT(c *cpu.CPU, blk *uop.Block, u *uop.Uop) (ex *uop.Edge, nb *uop.Block) {
	if c.R[u.B] != 0 {
		c.BTA = u.Imm
		ex = &blk.Exits[1]
	} else {
		ex = &blk.Exits[0]
	}
	return ex, ex.To
}

// JUMPSLOT: behind the delay slot: as jump
func JUMPSLOT(c *cpu.CPU, e *uop.State, blk *uop.Block, u *uop.Uop) (ex *uop.Edge, nb *uop.Block) {
	ex = exitD(blk, u)
	to := c.R[u.B] &^ 1
	c.BTA = to
	nb = target(e, u, ex, to)
	return ex, nb
}
