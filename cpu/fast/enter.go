package fast

import (
	"math/bits"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/dspunit"
)

// enter executes from a place until the leaf needs the driver, and does what it needs. It returns
// where to continue, if that is known.
func (e *Engine) enter(c *cpu.CPU, at place) (place, cpu.Stop) {
	b, u := at.b, at.b.first
	e.acct, e.base = 0, c.Cycles
	top, base := c.StackRange()
	e.stackTop, e.stackBase = top, uint64(base)
	if k := at.k; k > 0 {
		// the edge it leaves by counts the whole block
		u = &b.uops[b.start[k]]
		e.acct = -(uint64(k)<<32 + uint64(b.src.Insts[k].Before))
		b.joined[k]++
		b.handed = true
	}
	for {
		why, in, at, ex := e.execute(c, b, u)
		if e.prof != nil && why != exitSlow && why != exitFetch && why != exitData {
			e.chargePorts()
		}
		switch why {
		case exitSlow:
			return e.slow(c, in, at)
		case exitFetch, exitData:
			if !e.touch(c, in, at, why) {
				return e.slow(c, in, at)
			}
			b, u = in, at
			continue
		case exitHand:
			e.account(c)
			c.PC, c.Pipe = in.key.pc, in.key.pipe
			return place{}, e.step(c)
		case exitJump:
			used := uint32(e.acct + ex.acct)
			e.leave(c, ex)
			pc := (c.R[at.b] + at.imm) &^ 1
			if e.prof != nil {
				return place{b: e.land(c, pc, in, ex)}, cpu.Stop{}
			}
			to := e.target(c, pc, ex)
			if e.limit -= used; to.need > e.limit || e.native != nil { // where jumps lead may become compiled
				return place{b: to}, cpu.Stop{}
			}
			b, u = to, to.first
			continue
		case exitFuse:
			e.fuse(c, in)
			if e.prof != nil {
				e.chargeFused(in)
			}
			b, u = in, at.next()
			continue
		case exitAuxRead:
			c.R[at.a], _ = c.Aux(at.x)
			b, u = in, at.next()
			continue
		case exitAuxWrite:
			c.SetAux(at.x, c.R[at.c]+at.imm)
			b, u = in, at.next()
			continue
		case exitFunction:
			if compute(c, at) {
				b, u = in, at.next()
				continue
			}
			return e.slow(c, in, at)
		case exitLoop:
			e.leave(c, ex)
			return place{b: e.arrive(c, c.LPStart, ex)}, cpu.Stop{}
		}
		used := uint32(e.acct)
		e.account(c)
		if in.key.loop { // whether the loop ends belongs to the instruction before, see below
			e.limit -= used
			b, u = in, in.first
			continue
		}
		if in != &e.none { // the block is known but may take too long
			c.PC, c.Pipe = in.key.pc, in.key.pipe
			return place{b: in}, cpu.Stop{}
		}
		c.PC, c.Pipe = ex.pc, ex.pipe
		to := e.follow(c, ex)
		if !ex.loop {
			return place{b: to}, cpu.Stop{}
		}
		// whether the loop ends belongs to the instruction before: nothing may come in between
		e.limit -= used
		b, u = to, to.first
	}
}

// account moves the cycles and instructions of the leaf to the processor.
func (e *Engine) account(c *cpu.CPU) {
	cycles := int64(int32(uint32(e.acct))) // negative when the leaf was entered inside a block
	c.Cycles += uint64(cycles)
	c.Insts += uint64((int64(e.acct) - cycles) >> 32)
	e.acct = 0
	e.base = c.Cycles
}

// leave counts an edge that the leaf has not counted.
func (e *Engine) leave(c *cpu.CPU, ex *edge) {
	ex.n++
	e.acct += ex.acct
	e.account(c)
}

// target returns the block that a jump leads to, and makes it known to the next one.
func (e *Engine) target(c *cpu.CPU, pc uint32, ex *edge) *block {
	if ex.pipe.Idle() {
		to := e.arrive(c, pc, ex)
		e.jumps[pc>>1&jumpMask] = jump{at: jumpAt(pc, to.key.mode), to: to}
		return to
	}
	to := e.arrive(c, pc, ex)
	e.late[pc>>1&jumpMask] = lateJump{jump: jump{at: jumpAt(pc, to.key.mode), to: to}, by: ex}
	return to
}

// arrive continues at an address that the block before did not know.
func (e *Engine) arrive(c *cpu.CPU, pc uint32, ex *edge) *block {
	c.PC, c.Pipe = pc, ex.pipe.Settled()
	return e.lookup(c, e.keyAt(c, pc, c.Pipe))
}

// follow returns the block that an edge leads to, and links them unless a profile must see each
// time the edge is taken.
func (e *Engine) follow(c *cpu.CPU, ex *edge) *block {
	if e.prof != nil && e.holds(ex) {
		return e.ahead(c, ex)
	}
	k := e.keyAt(c, ex.pc, ex.pipe)
	k.loop = ex.loop
	to := e.lookup(c, k)
	if k.mode&cpu.ModeFetch != 0 && keeps(c, ex.out, to) {
		k.warm = true
		to = e.lookup(c, k)
	}
	ex.to = to
	to.from = append(to.from, ex)
	return to
}

// keyAt returns the key of the block at an address that does not begin with the end of a loop.
func (e *Engine) keyAt(c *cpu.CPU, pc uint32, pipe timing.Pipe) key {
	k := key{pc: pc, mode: c.BlockMode(), pipe: pipe}
	if e.prof != nil {
		k.ctx = e.prof.Now
	}
	return k
}

// slow lets the reference engine execute the instruction that micro-operation u belongs to, as if
// nothing of it had happened, and continues behind it in the same block if possible.
func (e *Engine) slow(c *cpu.CPU, b *block, u *uop) (place, cpu.Stop) {
	k := int(u.k)
	in := &b.src.Insts[k]
	e.undoPorts(c, b, k, u)
	if e.prof != nil {
		e.chargePorts()
	}

	e.acct += uint64(k)<<32 + uint64(in.Before)
	e.account(c)
	b.left[k]++
	b.handed = true
	e.relax(c, b, in)
	c.PC, c.Pipe = in.PC, in.Pipe
	if in.Slot {
		e.openSlot(c, b, k)
	}
	if s := e.step(c); s.Kind != cpu.StopNone {
		return place{}, s
	}
	k++
	if b.dead || k >= len(b.src.Insts) || c.PC != b.src.Insts[k].PC ||
		c.Pipe.Settled() != b.src.Insts[k].Pipe || !c.Simple() || !b.resumes(c, k) {
		return place{}, cpu.Stop{}
	}
	return place{b: b, k: k}, cpu.Stop{}
}

// relax has a block made again whose ports move in ways that only separate micro-operations know.
func (e *Engine) relax(c *cpu.CPU, b *block, in *cpu.BlockInst) {
	for ports := cpu.Ports(&in.Inst); ports != 0 && !e.relaxed[b.key]; ports &= ports - 1 {
		reg := in.Args[bits.TrailingZeros8(ports)].Reg
		p := &c.AGU.Port[reg-dspunit.FirstPort]
		if p.Accessible() && !p.Rev && p.Update != dspunit.Linear {
			e.relaxed[b.key] = true
			e.kill(b)
		}
	}
}

// undoPorts undoes the port accesses of the micro-operations of instruction k before u: pointers,
// and what the accesses have cost. Only the first access can have something behind it that leaves.
func (e *Engine) undoPorts(c *cpu.CPU, b *block, k int, u *uop) {
	for i := b.start[k]; &b.uops[i] != u; i++ {
		v := &b.uops[i]
		if v.op != uPLOAD {
			continue
		}
		addr := c.R[v.c]
		n := v.x / portOffset(dspunit.FirstPort+1)
		c.AGU.AP[c.AGU.Port[n].AP] = addr
		if kind := c.Mem.Kinds[addr>>12]; e.missCost[kind] != 0 {
			e.acct -= uint64(e.missCost[kind])
			e.missed[kind]--
		}
	}
}

// openSlot makes the state that of a delay slot about to execute, when the branch before it is
// taken.
func (e *Engine) openSlot(c *cpu.CPU, b *block, k int) {
	branch := &b.src.Insts[k-1]
	if branch.Straight {
		c.BTA = b.src.Exits[0].PC
		if k+1 < len(b.src.Insts) {
			c.BTA = b.src.Insts[k+1].PC
		}
		c.Status |= cpu.StatusDE
		if e.prof != nil {
			e.prof.pend(&branch.Inst, branch.PC)
		}
		return
	}
	if c.R[tmpCond] == 0 {
		return
	}
	x := &b.src.Exits[1]
	c.BTA = x.PC
	if b.src.End == cpu.EndJump {
		c.BTA = c.R[tmpTarget] &^ 1
	}
	c.Status |= cpu.StatusDE
	c.Pipe = x.Behind
	c.Cycles += uint64(x.Taken.Cycles)
	c.Stalls.Add(x.Taken.Reason, uint32(x.Taken.Cycles))
	if e.prof != nil {
		e.prof.cost(branch.PC).Stalls.Add(x.Taken.Reason, uint32(x.Taken.Cycles))
		e.prof.stalls.Add(x.Taken.Reason, uint32(x.Taken.Cycles))
		e.prof.pend(&branch.Inst, branch.PC)
	}
}
