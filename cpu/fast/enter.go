package fast

import (
	"math/bits"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/cpu/uop"
	"arcv2dsp/dspunit"
)

// enter executes from a place until the leaf needs the driver, and does what it needs. It returns
// where to continue, if that is known.
func (e *Engine) enter(c *cpu.CPU, at place) (place, cpu.Stop) {
	b, u := at.b, at.b.First
	e.Acct, e.Base = 0, c.Cycles
	top, base := c.StackRange()
	e.StackTop, e.StackBase = top, uint64(base)
	if k := at.k; k > 0 {
		// the edge it leaves by counts the whole block
		u = &b.Uops[b.Start[k]]
		e.Acct = -(uint64(k)<<32 + uint64(b.Src.Insts[k].Before))
		b.Joined[k]++
		b.Handed = true
	}
	for {
		why, in, at, ex := e.execute(c, b, u)
		if e.prof != nil && why != uop.ExitSlow && why != uop.ExitFetch && why != uop.ExitData {
			e.chargePorts()
		}
		switch why {
		case uop.ExitSlow:
			return e.slow(c, in, at)
		case uop.ExitFetch, uop.ExitData:
			if !e.touch(c, in, at, why) {
				return e.slow(c, in, at)
			}
			b, u = in, at
			continue
		case uop.ExitHand:
			e.account(c)
			c.PC, c.Pipe = in.Key.PC, in.Key.Pipe
			return place{}, e.step(c)
		case uop.ExitJump:
			used := uint32(e.Acct + ex.Acct)
			e.leave(c, ex)
			pc := (c.R[at.B] + at.Imm) &^ 1
			if e.prof != nil {
				return place{b: e.land(c, pc, in, ex)}, cpu.Stop{}
			}
			to := e.target(c, pc, ex)
			if e.Limit -= used; to.Need > e.Limit || e.native != nil { // where jumps lead may become compiled
				return place{b: to}, cpu.Stop{}
			}
			b, u = to, to.First
			continue
		case uop.ExitFuse:
			e.fuse(c, in)
			if e.prof != nil {
				e.chargeFused(in)
			}
			b, u = in, at.Next()
			continue
		case uop.ExitAuxRead:
			c.R[at.A], _ = c.Aux(at.X)
			b, u = in, at.Next()
			continue
		case uop.ExitAuxWrite:
			c.SetAux(at.X, c.R[at.C]+at.Imm)
			b, u = in, at.Next()
			continue
		case uop.ExitFunction:
			if uop.Compute(c, at) {
				b, u = in, at.Next()
				continue
			}
			return e.slow(c, in, at)
		case uop.ExitLoop:
			e.leave(c, ex)
			return place{b: e.arrive(c, c.LPStart, ex)}, cpu.Stop{}
		}
		used := uint32(e.Acct)
		e.account(c)
		if in.Key.Loop { // whether the loop ends belongs to the instruction before, see below
			e.Limit -= used
			b, u = in, in.First
			continue
		}
		if in != &e.none { // the block is known but may take too long
			c.PC, c.Pipe = in.Key.PC, in.Key.Pipe
			return place{b: in}, cpu.Stop{}
		}
		c.PC, c.Pipe = ex.PC, ex.Pipe
		to := e.follow(c, ex)
		if !ex.Loop {
			return place{b: to}, cpu.Stop{}
		}
		// whether the loop ends belongs to the instruction before: nothing may come in between
		e.Limit -= used
		b, u = to, to.First
	}
}

// account moves the cycles and instructions of the leaf to the processor.
func (e *Engine) account(c *cpu.CPU) {
	cycles := int64(int32(uint32(e.Acct))) // negative when the leaf was entered inside a block
	c.Cycles += uint64(cycles)
	c.Insts += uint64((int64(e.Acct) - cycles) >> 32)
	e.Acct = 0
	e.Base = c.Cycles
}

// leave counts an edge that the leaf has not counted.
func (e *Engine) leave(c *cpu.CPU, ex *uop.Edge) {
	ex.N++
	e.Acct += ex.Acct
	e.account(c)
}

// target returns the block that a jump leads to, and makes it known to the next one.
func (e *Engine) target(c *cpu.CPU, pc uint32, ex *uop.Edge) *uop.Block {
	if ex.Pipe.Idle() {
		to := e.arrive(c, pc, ex)
		e.Jumps[pc>>1&uop.JumpMask] = uop.Jump{At: uop.JumpAt(pc, to.Key.Mode), To: to}
		return to
	}
	to := e.arrive(c, pc, ex)
	e.Late[pc>>1&uop.JumpMask] = uop.LateJump{Jump: uop.Jump{At: uop.JumpAt(pc, to.Key.Mode), To: to}, By: ex}
	return to
}

// arrive continues at an address that the block before did not know.
func (e *Engine) arrive(c *cpu.CPU, pc uint32, ex *uop.Edge) *uop.Block {
	c.PC, c.Pipe = pc, ex.Pipe.Settled()
	return e.lookup(c, e.keyAt(c, pc, c.Pipe))
}

// follow returns the block that an edge leads to, and links them unless a profile must see each
// time the edge is taken.
func (e *Engine) follow(c *cpu.CPU, ex *uop.Edge) *uop.Block {
	if e.prof != nil && e.holds(ex) {
		return e.ahead(c, ex)
	}
	k := e.keyAt(c, ex.PC, ex.Pipe)
	k.Loop = ex.Loop
	to := e.lookup(c, k)
	if k.Mode&cpu.ModeFetch != 0 && uop.Keeps(c, ex.Out, to) {
		k.Warm = true
		to = e.lookup(c, k)
	}
	ex.To = to
	to.From = append(to.From, ex)
	return to
}

// keyAt returns the key of the block at an address that does not begin with the end of a loop.
func (e *Engine) keyAt(c *cpu.CPU, pc uint32, pipe timing.Pipe) uop.Key {
	k := uop.Key{PC: pc, Mode: c.BlockMode(), Pipe: pipe}
	if e.prof != nil {
		k.Ctx = e.prof.Now
	}
	return k
}

// slow lets the reference engine execute the instruction that micro-operation u belongs to, as if
// nothing of it had happened, and continues behind it in the same block if possible.
func (e *Engine) slow(c *cpu.CPU, b *uop.Block, u *uop.Uop) (place, cpu.Stop) {
	k := int(u.K)
	in := &b.Src.Insts[k]
	e.undoPorts(c, b, k, u)
	if e.prof != nil {
		e.chargePorts()
	}

	e.Acct += uint64(k)<<32 + uint64(in.Before)
	e.account(c)
	b.Left[k]++
	b.Handed = true
	e.relax(c, b, in)
	c.PC, c.Pipe = in.PC, in.Pipe
	if in.Slot {
		e.openSlot(c, b, k)
	}
	if s := e.step(c); s.Kind != cpu.StopNone {
		return place{}, s
	}
	k++
	if b.Dead || k >= len(b.Src.Insts) || c.PC != b.Src.Insts[k].PC ||
		c.Pipe.Settled() != b.Src.Insts[k].Pipe || !c.Simple() || !b.Resumes(c, k) {
		return place{}, cpu.Stop{}
	}
	return place{b: b, k: k}, cpu.Stop{}
}

// relax has a block made again whose ports move in ways that only separate micro-operations know.
func (e *Engine) relax(c *cpu.CPU, b *uop.Block, in *cpu.BlockInst) {
	for ports := cpu.Ports(&in.Inst); ports != 0 && !e.relaxed[b.Key]; ports &= ports - 1 {
		reg := in.Args[bits.TrailingZeros8(ports)].Reg
		p := &c.AGU.Port[reg-dspunit.FirstPort]
		if p.Accessible() && !p.Rev && p.Update != dspunit.Linear {
			e.relaxed[b.Key] = true
			e.kill(b)
		}
	}
}

// undoPorts undoes the port accesses of the micro-operations of instruction k before u: pointers,
// and what the accesses have cost. Only the first access can have something behind it that leaves.
func (e *Engine) undoPorts(c *cpu.CPU, b *uop.Block, k int, u *uop.Uop) {
	for i := b.Start[k]; &b.Uops[i] != u; i++ {
		v := &b.Uops[i]
		if v.Op != uop.PLOAD {
			continue
		}
		addr := c.R[v.C]
		n := v.X / uop.PortOffset(dspunit.FirstPort+1)
		c.AGU.AP[c.AGU.Port[n].AP] = addr
		if kind := c.Mem.Kinds[addr>>12]; e.MissCost[kind] != 0 {
			e.Acct -= uint64(e.MissCost[kind])
			e.Missed[kind]--
		}
	}
}

// openSlot makes the state that of a delay slot about to execute, when the branch before it is
// taken.
func (e *Engine) openSlot(c *cpu.CPU, b *uop.Block, k int) {
	branch := &b.Src.Insts[k-1]
	if branch.Straight {
		c.BTA = b.Src.Exits[0].PC
		if k+1 < len(b.Src.Insts) {
			c.BTA = b.Src.Insts[k+1].PC
		}
		c.Status |= cpu.StatusDE
		if e.prof != nil {
			e.prof.Pend(&branch.Inst, branch.PC)
		}
		return
	}
	if c.R[uop.TmpCond] == 0 {
		return
	}
	x := &b.Src.Exits[1]
	c.BTA = x.PC
	if b.Src.End == cpu.EndJump {
		c.BTA = c.R[uop.TmpTarget] &^ 1
	}
	c.Status |= cpu.StatusDE
	c.Pipe = x.Behind
	c.Cycles += uint64(x.Taken.Cycles)
	c.Stalls.Add(x.Taken.Reason, uint32(x.Taken.Cycles))
	if e.prof != nil {
		e.prof.Cost(branch.PC).Stalls.Add(x.Taken.Reason, uint32(x.Taken.Cycles))
		e.prof.Stalls.Add(x.Taken.Reason, uint32(x.Taken.Cycles))
		e.prof.Pend(&branch.Inst, branch.PC)
	}
}
