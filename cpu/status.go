package cpu

import "math/bits"

// Status32 returns STATUS32.
func (c *CPU) Status32() uint32 { return c.Status | c.F<<FlagsShift }

// SetStatus32 writes all of STATUS32, switching the register bank when RB changes. The stack
// pointers are not exchanged when U changes: entry and return do that.
func (c *CPU) SetStatus32(v uint32) {
	c.F = v & flagsMask >> FlagsShift
	old := c.Status
	v = v&^(flagsMask|StatusS) | old&StatusS
	c.Status = v
	if (old^v)&StatusRB != 0 {
		c.switchBank(old&StatusRB>>statusRBShift, v&StatusRB>>statusRBShift)
	}
	if (old^v)&StatusAD != 0 {
		c.setAlignment()
	}
	if (old^v)&StatusU != 0 {
		c.look()
	}
}

// statusBits are the STATUS32 bits that exist on this core.
func (c *CPU) statusBits() uint32 {
	bits := uint32(StatusH | StatusE | StatusAE | StatusDE | StatusU | flagsMask | StatusL | StatusDZ |
		StatusES | StatusUS | StatusIE)
	if c.Config.StackCheck {
		bits |= StatusSC
	}
	if c.Config.Unaligned {
		bits |= StatusAD
	}
	if c.Config.Banks > 1 {
		bits |= StatusRB
	}
	return bits
}

// setAlignment tells the memory whether misaligned accesses fault, and engines whether they need care.
//
// DEVIATION(102): a core without the unaligned option always faults.
func (c *CPU) setAlignment() {
	c.Mem.Aligned = c.Status&StatusAD == 0 || !c.Config.Unaligned
	c.Strict = b2u(c.Mem.Aligned || c.dcache != nil)
}

// User reports whether the core is in user mode.
func (c *CPU) User() bool { return c.Status&StatusU != 0 }

// bank holds the registers of a bank that is not in use.
type bank [32]uint32

// bankedRegs lists the registers that a bank of the given size duplicates.
//
// DEVIATION(103): 4 registers are r0-r3, 8 add r12-r15, 16 are the registers of a 16-register
// core, 32 are all of r0-r31; ILINK is shared by all banks.
func bankedRegs(size uint8) uint32 {
	const ilink = 1 << RegILINK
	switch size {
	case 4:
		return 0x0000000f
	case 8:
		return 0x0000f00f
	case 16:
		return 0xfc00fc0f &^ ilink
	}
	return 0xffffffff &^ ilink
}

// switchBank exchanges the banked registers. Bank numbers beyond the configured ones mean bank 0.
func (c *CPU) switchBank(from, to uint32) {
	n := uint32(c.Config.Banks)
	if from >= n {
		from = 0
	}
	if to >= n {
		to = 0
	}
	if from == to {
		return
	}
	regs := bankedRegs(c.Config.BankRegs)
	if regs|1<<RegILINK == 1<<32-1 { // as a whole in less time than one by one
		in, out, ilink := (*bank)(c.R[:32]), &c.banks[from&7], c.R[RegILINK]
		*out, *in = *in, c.banks[to&7]
		out[RegILINK], in[RegILINK] = 0, ilink
		return
	}
	for ; regs != 0; regs &= regs - 1 {
		r := bits.TrailingZeros32(regs)
		c.banks[from&7][r], c.R[r] = c.R[r], c.banks[to&7][r]
	}
}

// exchangeSP swaps the stack pointers of user and kernel mode.
func (c *CPU) exchangeSP() {
	other := &c.aux.userSP
	if c.Status&StatusS != 0 {
		other = &c.sec.userSP
	}
	c.R[RegSP], *other = *other, c.R[RegSP]
}
