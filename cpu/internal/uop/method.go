package uop

import "arcv2dsp/cpu"

// Issued holds the changes that an instruction makes for the time of its method.
type Issued struct {
	k             int
	cycles, insts uint64
	deadline      uint64
}

// PC is the address of the instruction that a micro-operation belongs to.
func (b *Block) PC(u *Uop) uint32 { return b.Src.Insts[u.k].PC }

// InSlot reports whether that instruction stands in a delay slot.
func (b *Block) InSlot(u *Uop) bool { return b.Src.Insts[u.k].Slot }

// Issue puts the processor where the method of the instruction of micro-operation u finds it.
func (code *Code) Issue(c *cpu.CPU, b *Block, u *Uop) Issued {
	k := int(u.k)
	in := &b.Src.Insts[k]
	acct := code.Acct + uint64(k)<<32 + uint64(in.Before) + uint64(in.Lost[0].Cycles) + 1
	cycles := int64(int32(uint32(acct)))
	is := Issued{k: k, cycles: uint64(cycles), insts: uint64((int64(acct) - cycles) >> 32), deadline: c.Deadline}
	c.PC = in.PC
	c.Cycles += is.cycles
	c.Insts += is.insts
	b.count(k, 1) // before the method, which may write over the block
	return is
}

// IssueAt is Issue for TIMEDLR and TIMEDSR, but for what only Quit needs.
func (code *Code) IssueAt(c *cpu.CPU, u *Uop) Issued {
	acct := code.Acct + uint64(u.k)<<32 + uint64(u.A) + uint64(u.B)<<8
	cycles := int64(int32(uint32(acct)))
	is := Issued{k: int(u.k), cycles: uint64(cycles), insts: uint64((int64(acct) - cycles) >> 32), deadline: c.Deadline}
	c.Cycles += is.cycles
	c.Insts += is.insts
	return is
}

// ContinueAt is Continue behind IssueAt: only registers of the MPU change the mode. When it does not go on, LeaveAt or StopAt must follow.
func (code *Code) ContinueAt(c *cpu.CPU, b *Block, u *Uop, is *Issued) bool {
	if c.Deadline != is.deadline && !code.closer(c, b, is) || u.X >= auxMPUEnable && c.BlockMode() != b.Key.Mode ||
		b.Key.Mode&cpu.ModeFetch != 0 && (is.k+1 == len(b.Src.Insts) || !b.fetched(c, is.k+1)) {
		return false
	}
	c.Cycles -= is.cycles
	c.Insts -= is.insts
	return true
}

// LeaveAt leaves the block behind micro-operation u, if it is the last before the end and no loop may end there.
func (code *Code) LeaveAt(c *cpu.CPU, b *Block, u *Uop, is *Issued) bool {
	ex := &b.Exits[0]
	if u.Next().Op != END || ex.Loop {
		return false
	}
	c.Cycles -= is.cycles
	c.Insts -= is.insts
	code.Leave(c, ex)
	c.PC, c.Pipe = ex.PC, ex.Pipe
	return true
}

// StopAt makes the processor what it is behind Issue.
func (b *Block) StopAt(c *cpu.CPU, is *Issued) {
	c.PC = b.Src.Insts[is.k].PC
	b.count(is.k, 1)
}

// Continue goes on in the block behind a method that has done nothing but change state, if the block can. It reports
// whether it does.
func (code *Code) Continue(c *cpu.CPU, b *Block, is *Issued) bool {
	code.NoteLoop(c)
	if b.Dead || c.Deadline != is.deadline && !code.closer(c, b, is) || !c.Simple() || c.BlockMode() != b.Key.Mode {
		return false
	}
	if b.Key.Mode&cpu.ModeFetch != 0 && (is.k+1 == len(b.Src.Insts) || !b.fetched(c, is.k+1)) {
		return false
	}
	b.count(is.k, -1)
	c.Cycles -= is.cycles
	c.Insts -= is.insts
	code.bounds(c)
	return true
}

// closer brings the limit of the executor closer when an event has come closer. It reports whether there is time for the rest of
// the block.
func (code *Code) closer(c *cpu.CPU, b *Block, is *Issued) bool {
	begun := int64(int32(uint32(code.Acct))) // before this when the block was entered inside
	room := int64(c.Deadline - (c.Cycles - is.cycles))
	if c.Deadline <= c.Cycles || room < begun+int64(b.Real) {
		return false
	}
	code.Limit = uint32(min(int64(code.Limit), room))
	return true
}

// Quit leaves the block behind a method.
func (code *Code) Quit(c *cpu.CPU, b *Block, is *Issued) (next int) {
	lost := b.Src.Insts[is.k].Lost[0]
	c.Stalls.Add(lost.Reason, uint32(lost.Cycles))
	if next = is.k + 1; next < len(b.Src.Insts) {
		c.Pipe = b.Src.Insts[next].Pipe
	} else {
		c.Pipe = b.Src.Exits[0].Pipe
	}
	code.Acct, code.Base = 0, c.Cycles
	return next
}
