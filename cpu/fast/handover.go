package fast

import (
	"math/bits"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/uop"
	"arcv2dsp/dspunit"
)

// handOver puts the processor in front of the instruction that micro-operation u of a block belongs to, as if nothing of
// the instruction had happened, for the reference engine to execute it. It returns the number of the instruction.
func (code *code) handOver(c *cpu.CPU, b *uop.Block, u *uop.Uop) int {
	k := int(u.K)
	in := &b.Src.Insts[k]
	code.undoPorts(c, b, k, u)
	if code.prof != nil {
		code.chargePorts()
	}
	code.Acct += uint64(k)<<32 + uint64(in.Before)
	code.account(c)
	b.Left[k]++
	b.Handed = true
	code.relax(c, b, in)
	c.PC, c.Pipe = in.PC, in.Pipe
	if in.Slot {
		code.openSlot(c, b, k)
	}
	return k
}

// enter makes the state that of an executor that begins at instruction k of a block, and returns the first
// micro-operation of it.
func (code *code) enter(c *cpu.CPU, b *uop.Block, k int) *uop.Uop {
	code.Acct, code.Base = 0, c.Cycles
	top, base := c.StackRange()
	code.StackTop, code.StackBase = top, uint64(base)
	if k == 0 {
		return b.First
	}
	// the edge it leaves by counts the whole block
	code.Acct = -(uint64(k)<<32 + uint64(b.Src.Insts[k].Before))
	b.Joined[k]++
	b.Handed = true
	return &b.Uops[b.Start[k]]
}

// undoPorts undoes the port accesses of the micro-operations of instruction k before u: pointers,
// and what the accesses have cost. Only the first access can have something behind it that leaves.
func (code *code) undoPorts(c *cpu.CPU, b *uop.Block, k int, u *uop.Uop) {
	for i := b.Start[k]; &b.Uops[i] != u; i++ {
		v := &b.Uops[i]
		if v.Op != uop.PLOAD {
			continue
		}
		addr := c.R[v.C]
		n := v.X / uop.PortOffset(dspunit.FirstPort+1)
		c.AGU.AP[c.AGU.Port[n].AP] = addr
		if kind := c.Mem.Kinds[addr>>12]; code.MissCost[kind] != 0 {
			code.Acct -= uint64(code.MissCost[kind])
			code.Missed[kind]--
		}
	}
}

// openSlot makes the state that of a delay slot about to execute, when the branch before it is
// taken.
func (code *code) openSlot(c *cpu.CPU, b *uop.Block, k int) {
	branch := &b.Src.Insts[k-1]
	if branch.Straight {
		c.BTA = b.Src.Exits[0].PC
		if k+1 < len(b.Src.Insts) {
			c.BTA = b.Src.Insts[k+1].PC
		}
		c.Status |= cpu.StatusDE
		if code.prof != nil {
			code.prof.Pend(&branch.Inst, branch.PC)
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
	if code.prof != nil {
		code.prof.Cost(branch.PC).Stalls.Add(x.Taken.Reason, uint32(x.Taken.Cycles))
		code.prof.Stalls.Add(x.Taken.Reason, uint32(x.Taken.Cycles))
		code.prof.Pend(&branch.Inst, branch.PC)
	}
}

// relax has a block made again whose ports move in ways that only separate micro-operations know.
func (code *code) relax(c *cpu.CPU, b *uop.Block, in *cpu.BlockInst) {
	for ports := cpu.Ports(&in.Inst); ports != 0 && !code.relaxed[b.Key]; ports &= ports - 1 {
		reg := in.Args[bits.TrailingZeros8(ports)].Reg
		p := &c.AGU.Port[reg-dspunit.FirstPort]
		if p.Accessible() && !p.Rev && p.Update != dspunit.Linear {
			code.relaxed[b.Key] = true
			code.kill(b)
		}
	}
}
