package uop

import (
	"math/bits"

	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
)

// HandOver puts the processor in front of the instruction that micro-operation u of a block belongs to, for the
// reference engine to execute it: an executor leaves before an instruction has changed anything. It returns the number
// of the instruction.
func (code *Code) HandOver(c *cpu.CPU, b *Block, u *Uop) int {
	k := int(u.k)
	in := &b.Src.Insts[k]
	if code.prof != nil {
		code.ChargePorts()
	}
	code.Acct += uint64(k)<<32 + uint64(in.Before)
	code.Account(c)
	b.count(k, 1)
	code.relax(c, b, in)
	c.PC, c.Pipe = in.PC, in.Pipe
	if in.Slot {
		code.openSlot(c, b, k)
	}
	return k
}

// bounds notes the bounds of the current stack, which blocks check.
func (code *Code) bounds(c *cpu.CPU) { code.StackTop, code.StackBase = c.StackChecks() }

// Step lets the reference engine execute one instruction. It reports whether the run goes on.
func (code *Code) Step(ref *cpu.Ref, c *cpu.CPU) (on bool) {
	if code.prof != nil {
		on = code.prof.step(ref, c)
	} else {
		on = ref.Step(c)
	}
	code.NoteLoop(c)
	return on
}

// Enter makes the state that of an executor that begins at instruction k of a block, and returns the first
// micro-operation of it.
func (code *Code) Enter(c *cpu.CPU, b *Block, k int) *Uop {
	code.Acct, code.Base = 0, c.Cycles
	code.bounds(c)
	if k == 0 {
		return b.First
	}
	// the edge it leaves by counts the whole block
	code.Acct = -(uint64(k)<<32 + uint64(b.Src.Insts[k].Before))
	b.count(k, -1)
	return &b.Uops[b.start[k]]
}

// Resumes reports whether a block can go on at instruction k behind one that the reference engine
// executed: if execution came there, the pipeline and the mode are those of the block, and the instruction is in a
// cache line that is still in front or that the block asks for. It cannot in a delay slot, which needs what the branch
// before it has worked out.
func (b *Block) Resumes(c *cpu.CPU, k int) bool {
	if b.Dead || k >= len(b.Src.Insts) {
		return false
	}
	in := &b.Src.Insts[k]
	if c.PC != in.PC || in.Slot || !c.Pipe.Settles(&in.Pipe) || !c.Simple() || c.BlockMode() != b.Key.Mode {
		return false
	}
	return b.fetched(c, k)
}

// fetched reports whether instruction k needs no more of the instruction cache than the block asks for.
func (b *Block) fetched(c *cpu.CPU, k int) bool {
	pc := b.Src.Insts[k].PC
	switch {
	case b.Key.Mode&cpu.ModeFetch == 0 || !c.CachesAt(pc):
		return true
	case b.Key.warm:
		return b.Steady(c)
	}
	tags, shift, mask := c.FetchCache().Front()
	tag := pc>>shift + 1
	u := &b.Uops[b.start[k]]
	return tags[pc>>shift&mask] == tag || u.Op == FETCH && u.Imm == tag
}

// openSlot makes the state that of a delay slot about to execute, when the branch before it is
// taken.
func (code *Code) openSlot(c *cpu.CPU, b *Block, k int) {
	branch := &b.Src.Insts[k-1]
	if branch.Straight {
		c.BTA = b.Src.Exits[0].PC
		if k+1 < len(b.Src.Insts) {
			c.BTA = b.Src.Insts[k+1].PC
		}
		c.Status |= cpu.StatusDE
		if code.prof != nil {
			code.prof.pend(&branch.Inst, branch.PC)
		}
		return
	}
	if c.R[TmpCond] == 0 {
		return
	}
	x := &b.Src.Exits[1]
	c.BTA = x.PC
	if b.Src.End == cpu.EndJump {
		c.BTA = c.R[tmpTarget] &^ 1
	}
	c.Status |= cpu.StatusDE
	c.Pipe = x.Behind
	c.Cycles += uint64(x.Taken.Cycles)
	c.Stalls.Add(x.Taken.Reason, uint32(x.Taken.Cycles))
	if code.prof != nil {
		code.prof.cost(branch.PC).Stalls.Add(x.Taken.Reason, uint32(x.Taken.Cycles))
		code.prof.stalls.Add(x.Taken.Reason, uint32(x.Taken.Cycles))
		code.prof.pend(&branch.Inst, branch.PC)
	}
}

// relax has a block made again whose ports move in ways that only separate micro-operations know.
func (code *Code) relax(c *cpu.CPU, b *Block, in *cpu.BlockInst) {
	for ports := cpu.Ports(&in.Inst); ports != 0 && !code.relaxed[b.Key]; ports &= ports - 1 {
		reg := in.Args[bits.TrailingZeros8(ports)].Reg
		p := &c.AGU.Port[reg-dspunit.FirstPort]
		if p.Accessible() && !p.Rev && p.Update != dspunit.Linear {
			code.relaxed[b.Key] = true
			code.kill(b)
		}
	}
}
