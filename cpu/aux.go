package cpu

import (
	"fmt"
	"slices"
	"unsafe"

	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
)

// auxSpace is the number of auxiliary register addresses that can name a register.
const auxSpace = 0x1000

// auxState holds the auxiliary registers that no other part holds.
type auxState struct {
	eret, erbta, erstatus, ecr, efa uint32

	vectorBase               uint32
	userSP                   uint32
	jliBase, ldiBase, eiBase uint32
	debug                    uint32
	stack                    [4]uint32 // USTACK_TOP, USTACK_BASE, KSTACK_TOP, KSTACK_BASE
	icCtrl, dcCtrl           uint32
	bfly, fftCtrl            uint32
	dspBit4                  uint32
	xccmBase, yccmBase       uint32
	iccmBase, iccm1Base      uint32
	dccmBase                 uint32
	peripherals, volatile    uint32
}

// auxReg is one auxiliary register.
type auxReg struct {
	Addr   uint32
	Name   string
	Has    func(*Config) bool // nil: every core has it
	User   bool               // user mode may access it
	Secure secureAccess       // what normal mode may not do, on a core with SecureShield
	Read   func(*CPU) uint32  // nil: write only
	Write  func(*CPU, uint32) // nil: read only

	word  func(*CPU) *uint32 // where a register is that reads as a word of the processor; nil for others
	plain bool               // a write changes that word and nothing else
	low   uint8              // how many of its lowest bits are always 0 then
}

// word completes a register that is a word of the processor with nothing behind it, but for its lowest bits.
func word(r auxReg, low uint8, at func(*CPU) *uint32) auxReg {
	r.word, r.plain, r.low = at, true, low
	r.Read = func(c *CPU) uint32 { return *at(c) }
	r.Write = func(c *CPU, v uint32) { *at(c) = v >> low << low }
	return r
}

// AuxWord is how a program accesses an auxiliary register that reads as a word of the processor.
type AuxWord struct {
	Offset uintptr // in the processor
	Plain  bool    // a write changes that word and nothing else
	Low    uint8   // how many of its lowest bits are always 0 then
	User   bool    // user mode may access it
}

// AuxWord finds such a register, for engines that access it themselves. Where there are two worlds, they leave that to the reference engine.
func (c *CPU) AuxWord(addr uint32) (w AuxWord, ok bool) {
	if addr >= auxSpace || c.Config.Secure || c.auxIndex[addr] == nil || c.auxIndex[addr].word == nil {
		return AuxWord{}, false
	}
	r := c.auxIndex[addr]
	return AuxWord{Offset: uintptr(unsafe.Pointer(r.word(c))) - uintptr(unsafe.Pointer(c)), Plain: r.plain, Low: r.low, User: r.User}, true
}

// buildAuxIndex finds the registers that the core has.
func (c *CPU) buildAuxIndex() {
	for _, table := range [][]auxReg{auxCore, auxMemory, auxTimers, auxInterrupts, auxDSP,
		auxFloat, auxMPU, auxMPU4, auxSecure, auxPoints, auxSmaRT, auxCounters, auxBuild} {
		for i := range table {
			r := &table[i]
			if r.Has == nil || r.Has(&c.Config) {
				c.auxIndex[r.Addr] = r
			}
		}
	}
	for _, r := range slices.Concat(auxAGU(&c.Config), auxDMA(&c.Config)) {
		c.auxIndex[r.Addr] = &r
	}
	c.shield()
}

// IsBuild reports whether addr is in the range of the build configuration registers, which all
// read as zero when the core lacks what they describe.
func IsBuild(addr uint32) bool { return addr >= 0x60 && addr <= 0x7f || addr >= 0xc0 && addr <= 0xff }

// loadAux is the read access of lr and aex; it raises an exception when that is not allowed.
func (c *CPU) loadAux(addr uint32) uint32 {
	if IsBuild(addr) {
		if c.User() {
			c.raise(VecPrivilege, 0, 0, "build register read in user mode")
			return 0
		}
		if r := c.auxIndex[addr]; r != nil {
			return r.Read(c)
		}
		return 0
	}
	if v, ok := c.loadDevice(addr); ok {
		return v
	}
	r := c.auxReg(addr)
	switch {
	case r == nil || c.secret(r, false):
		return 0
	case r.Read == nil:
		c.raise(VecInstruction, causeIllegal, 0, fmt.Sprintf("aux register %s is write-only", r.Name))
		return 0
	}
	v := r.Read(c)
	c.pointAccess(pointAuxAddr, pointRead, addr, uint64(v))
	return v
}

// storeAux is the write access of sr and aex.
func (c *CPU) storeAux(addr, v uint32) {
	if IsBuild(addr) {
		c.raise(VecInstruction, causeIllegal, 0,
			fmt.Sprintf("build register 0x%02x is read-only", addr))
		return
	}
	if c.storeDevice(addr, v) {
		return
	}
	r := c.auxReg(addr)
	switch {
	case r == nil || c.secret(r, true):
	case r.Write == nil:
		c.raise(VecInstruction, causeIllegal, 0, fmt.Sprintf("aux register %s is read-only", r.Name))
	default:
		r.Write(c, v)
		c.pointAccess(pointAuxAddr, pointWrite, addr, uint64(v))
	}
}

// optional are the registers that options of the core bring, with these options.
var optional = []struct {
	first, last uint32
	option      string
}{
	{first: 0x300, last: 0x305, option: "the floating-point options bring it: nsim_isa_fpus_option and others"},
	{first: isa.AuxAcc0Lo, last: isa.AuxDSPCtrl, option: "nsim_isa_dsp_option brings it"},
	{first: isa.AuxAGUAP0, last: isa.AuxAGUOS0 - 1, option: "nsim_isa_agu_size=small brings 4 pointers, medium 8, large 12"},
	{first: isa.AuxAGUOS0, last: isa.AuxAGUMod0 - 1, option: "nsim_isa_agu_size=small brings 2 offsets, medium 4, large 8"},
	{first: isa.AuxAGUMod0, last: isa.AuxXCCMBase - 1, option: "nsim_isa_agu_size=small brings 4 modifiers, medium 12, large 24"},
	{first: isa.AuxXCCMBase, last: isa.AuxYCCMBase, option: "nsim_isa_xy brings it"},
	{first: 0x680, last: 0x6bf, option: "nsim_isa_dmac_option, channels, registers and arcver choose those of the DMA controller"},
}

// missing is the message for a register that the core does not have, with its name and the option that brings it.
func missing(addr uint32) string {
	why := fmt.Sprintf("no aux register 0x%03x on this core", addr)
	if r, ok := isa.AuxByAddr(addr, isa.EM|isa.HS, false); ok {
		why = fmt.Sprintf("no aux register 0x%03x (%s) on this core", addr, r.Name)
	}
	for _, o := range optional {
		if addr >= o.first && addr <= o.last {
			why += "; " + o.option
		}
	}
	return why
}

// auxReg finds a register and checks the privilege.
func (c *CPU) auxReg(addr uint32) *auxReg {
	var r *auxReg
	if addr < auxSpace {
		r = c.auxIndex[addr]
	}
	switch {
	case r == nil:
		c.raise(VecInstruction, causeIllegal, 0, missing(addr))
	case c.User() && !r.User:
		c.raise(VecPrivilege, 0, 0, fmt.Sprintf("aux register %s in user mode", r.Name))
		return nil
	}
	return r
}

// Aux reads an auxiliary register for a debugger: any register that lr could read in kernel mode.
func (c *CPU) Aux(addr uint32) (v uint32, ok bool) {
	if addr >= auxSpace {
		return 0, false
	}
	r := c.auxIndex[addr]
	switch {
	case r == nil:
		return 0, IsBuild(addr)
	case r.Read == nil:
		return 0, false
	}
	return r.Read(c), true
}

// SetAux writes an auxiliary register for a debugger.
func (c *CPU) SetAux(addr, v uint32) (ok bool) {
	if addr >= auxSpace || IsBuild(addr) {
		return false
	}
	r := c.auxIndex[addr]
	if r == nil || r.Write == nil {
		return false
	}
	r.Write(c, v)
	return true
}

// HasAux reports whether kernel mode may read an auxiliary register of the core, and write it.
func (c *CPU) HasAux(addr uint32) (read, write bool) {
	if addr >= auxSpace || IsBuild(addr) || c.auxIndex[addr] == nil {
		return false, false
	}
	return c.auxIndex[addr].Read != nil, c.auxIndex[addr].Write != nil
}

// AuxRegister is an auxiliary register of this core, for debuggers.
type AuxRegister struct {
	Addr uint32
	Name string
}

// AuxRegisters lists the auxiliary registers of the core in address order.
func (c *CPU) AuxRegisters() []AuxRegister {
	var regs []AuxRegister
	for _, r := range c.auxIndex {
		if r != nil {
			regs = append(regs, AuxRegister{Addr: r.Addr, Name: r.Name})
		}
	}
	return regs
}

// DSPCtrl returns DSP_CTRL.
func (c *CPU) DSPCtrl() uint32 {
	v := c.Mode.Ctrl() | c.aux.dspBit4
	if c.Sticky&dspunit.StickySAT != 0 {
		v |= dspunit.CtrlSAT
	}
	return v
}

// SetDSPCtrl writes DSP_CTRL.
//
// DEVIATION(121): PA does not exist without dsp_itu, nor bit 0 of RM without full accumulator
// shifts, on which convergent rounding depends.
func (c *CPU) SetDSPCtrl(v uint32) {
	const full = 2 // dsp_accshift_option
	if c.Config.DSPAccShift < full {
		v &^= dspunit.CtrlRM & 1
	}
	if !c.Config.Has(isa.DSPITU) {
		v &^= dspunit.CtrlPA
	}
	c.Mode = dspunit.DecodeMode(v)
	c.aux.dspBit4 = v & dspunit.CtrlBit4
	c.Sticky = c.Sticky&^dspunit.StickySAT | v>>16&1*dspunit.StickySAT
}
