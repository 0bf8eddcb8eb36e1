package cpu

import "arcv2dsp/isa"

// jump makes target the next instruction.
func (c *CPU) jump(target uint32) {
	c.npc, c.branched = target&^1, true
}

// branch goes to target, after the delay slot when there is one.
func (c *CPU) branch(d *decoded, target uint32) {
	c.branched = true
	if !d.in.Delay {
		c.npc = target &^ 1
		return
	}
	c.BTA = target &^ 1
	c.Status |= StatusDE
}

// returnAddress is the address that a call leaves in blink: the instruction after the call and its delay slot.
func (c *CPU) returnAddress(d *decoded) (uint32, bool) {
	if !d.in.Delay {
		return d.next, true
	}
	code, f := c.fetch(d.next)
	if f != nil {
		c.raiseFault(f)
		return 0, false
	}
	return d.next + c.length(code), true
}

// execBranch is b and its 16-bit forms.
func (r *Ref) execBranch(c *CPU, d *decoded) { c.branch(d, d.dst.imm) }

// execBranchLink is bl.
func (r *Ref) execBranchLink(c *CPU, d *decoded) {
	back, ok := c.returnAddress(d)
	if !ok {
		return
	}
	c.branch(d, d.dst.imm)
	c.R[RegBLINK] = back
}

// execCompareBranch is br<cc> and bbit<n>.
func (r *Ref) execCompareBranch(c *CPU, d *decoded) {
	x, y := c.source(&d.dst), c.source(&d.x)
	if c.exc.raised {
		return
	}
	if comparisons[d.in.Row().Compare](x, y) {
		c.branch(d, d.y.imm)
	}
}

// execDecrementBranch is dbnz.
func (r *Ref) execDecrementBranch(c *CPU, d *decoded) {
	v := c.source(&d.dst) - 1
	if c.exc.raised {
		return
	}
	if c.setDest(&d.dst, v); c.exc.raised {
		return
	}
	if v != 0 {
		c.branch(d, d.x.imm)
	}
}

// execJump is j.
func (r *Ref) execJump(c *CPU, d *decoded) {
	target := c.source(&d.dst)
	if !c.exc.raised {
		c.branch(d, target)
	}
}

// execJumpLink is jl. The target is read before blink is written: jl [blink] calls the old value.
func (r *Ref) execJumpLink(c *CPU, d *decoded) {
	target := c.source(&d.dst)
	back, ok := c.returnAddress(d)
	if !ok || c.exc.raised {
		return
	}
	c.branch(d, target)
	c.R[RegBLINK] = back
}

// execBranchIndexed is bi and bih: a table of instructions follows.
func (r *Ref) execBranchIndexed(c *CPU, d *decoded) {
	index := c.source(&d.dst)
	if c.exc.raised {
		return
	}
	if d.op == isa.BI {
		index <<= 1
	}
	c.branch(d, d.next+index<<1)
}

// execJumpLinkIndexed is jli_s: a call into the table of instructions at JLI_BASE.
func (r *Ref) execJumpLinkIndexed(c *CPU, d *decoded) {
	c.R[RegBLINK] = d.next
	c.jump(c.aux.jliBase + d.dst.imm<<2)
}

// execLoop is lp. Its own condition decides whether the loop is entered or skipped, so it executes
// in any case. Entering a loop enables loops, which a handler finds disabled.
func (r *Ref) execLoop(c *CPU, d *decoded) {
	if condTable[d.in.Cond]>>c.F&1 == 0 {
		c.jump(d.dst.imm)
		return
	}
	c.LPStart, c.LPEnd = d.next, d.dst.imm&^1
	c.Status &^= StatusL
}

// execIndexed is ei_s: the instruction at EI_BASE + index*4 executes here, in a slot of its own. A
// branch there counts its offset from the table; falling through goes on after the ei_s.
//
// DEVIATION(107): PCL of the instruction is its address in the table; it may not be another ei_s,
// and STATUS32.ES is never seen set, for no interrupt is taken in between.
func (r *Ref) execIndexed(c *CPU, d *decoded) {
	at := c.aux.eiBase + d.dst.imm<<2
	code, f := c.fetch(at)
	if f != nil {
		c.raiseFault(f)
		return
	}
	e := &decoded{in: c.decoder.Decode(code), pc: at}
	e.next, e.cond = d.next, 0xffff
	if e.in.Op == isa.Invalid {
		e.why = c.explain(code, &e.in)
	} else {
		c.resolve(e)
	}
	switch {
	case e.why != "":
		c.raise(VecInstruction, causeIllegal, 0, e.why)
		return
	case e.op == isa.EI_S || e.in.Delay || e.op == isa.LP:
		c.raise(VecInstruction, causeSequence, 0, isa.RowOf(e.in.Op).Name+" out of the ei_s table")
		return
	}
	if e.cond>>c.F&1 == 0 {
		return
	}
	e.exec(r, c, e)
}
