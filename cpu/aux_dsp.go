package cpu

import (
	"fmt"

	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
)

func hasDSP(c *Config) bool { return c.Has(isa.DSP) }

// hasAcc: products and fused floating-point operations accumulate.
func hasAcc(c *Config) bool {
	return c.Has(isa.DSP) || c.Has(isa.MPY7) || c.Has(isa.FPUSingleMAC)
}

func hasXY(c *Config) bool { return c.XYConfig != 0 }
func hasX(c *Config) bool  { return c.XYConfig == 2 }

// auxDSP are the registers of the DSP unit.
//
// DEVIATION(1): ACC0_GLO and ACC0_GHI hold the guard in bits 7:0 and Z N C V in bits 31:28.
// DEVIATION(2): writes to ACC0_LO and ACC0_HI leave the guards alone.
var auxDSP = []auxReg{
	{Addr: 0x580, Name: "ACC0_LO", User: true, Has: hasAcc,
		Read:  func(c *CPU) uint32 { return c.R[SlotAccLo] },
		Write: func(c *CPU, v uint32) { c.R[SlotAccLo] = v }},
	{Addr: 0x581, Name: "ACC0_GLO", User: true, Has: hasAcc,
		Read:  func(c *CPU) uint32 { return c.guardReg(0) },
		Write: func(c *CPU, v uint32) { c.setGuardReg(0, v) }},
	{Addr: 0x582, Name: "ACC0_HI", User: true, Has: hasAcc,
		Read:  func(c *CPU) uint32 { return c.R[SlotAccHi] },
		Write: func(c *CPU, v uint32) { c.R[SlotAccHi] = v }},
	{Addr: 0x583, Name: "ACC0_GHI", User: true, Has: hasAcc,
		Read:  func(c *CPU) uint32 { return c.guardReg(1) },
		Write: func(c *CPU, v uint32) { c.setGuardReg(1, v) }},
	{Addr: 0x598, Name: "DSP_BFLY0", User: true, Has: hasDSP,
		Read:  func(c *CPU) uint32 { return c.aux.bfly },
		Write: func(c *CPU, v uint32) { c.aux.bfly = v }},
	{Addr: 0x59e, Name: "DSP_FFT_CTRL", User: true, Has: hasDSP,
		Read:  func(c *CPU) uint32 { return c.aux.fftCtrl },
		Write: func(c *CPU, v uint32) { c.aux.fftCtrl = v }},
	{Addr: 0x59f, Name: "DSP_CTRL", User: true, Has: hasDSP,
		Read: (*CPU).DSPCtrl, Write: (*CPU).SetDSPCtrl},
	{Addr: 0x5f8, Name: "XCCM_BASE", Has: hasX,
		Read:  func(c *CPU) uint32 { return c.aux.xccmBase },
		Write: func(c *CPU, v uint32) { c.moveCCM("xccm", &c.aux.xccmBase, v) }},
	{Addr: 0x5f9, Name: "YCCM_BASE", Has: hasXY,
		Read:  func(c *CPU) uint32 { return c.aux.yccmBase },
		Write: func(c *CPU, v uint32) { c.moveCCM("yccm", &c.aux.yccmBase, v) }},
}

// accFlagsShift is the place of the flags in ACC0_GLO and ACC0_GHI; V is kept with the sticky events.
const accFlagsShift = 28

// guardReg reads ACC0_GLO (0) or ACC0_GHI (1).
//
// DEVIATION(13): Z and N are those of the accumulator as it stands, V is sticky, C is 0. ACC0_GHI
// shows the wide accumulator. flagacc 0x100 and flagacc 0 take the same flags.
func (c *CPU) guardReg(i int) uint32 {
	over := c.Sticky >> (1 + i) & 1
	var flags uint32
	if i == 0 {
		flags = dspunit.LaneFlags(*c.lane(SlotAccLo), over, c.Mode.SignLane, c.Mode.MaskLane)
	} else {
		w, guard := c.wide()
		flags = dspunit.WideFlags(w, guard, over, c.Mode.GeMask)
	}
	return c.R[SlotGuardLo+2*i]&0xff | flags<<accFlagsShift
}

func (c *CPU) setGuardReg(i int, v uint32) {
	c.R[SlotGuardLo+2*i] = uint32(int32(int8(v)))
	c.Sticky = c.Sticky&^(1<<(1+i)) | v>>accFlagsShift&1<<(1+i)
}

// moveCCM moves X or Y memory. An address that cannot be is ignored.
func (c *CPU) moveCCM(name string, base *uint32, v uint32) {
	v &^= 0xfff
	if c.Mem.Rebase(name, v) == nil {
		*base = v
		c.FlushCode()
	}
}

// auxAGU returns the registers of the address generation unit that the core has.
func auxAGU(cfg *Config) []auxReg {
	var regs []auxReg
	for i := range int(cfg.AGU.Pointers) {
		regs = append(regs, auxReg{Addr: 0x5c0 + uint32(i), Name: fmt.Sprintf("AGU_AP%d", i), User: true,
			Read:  func(c *CPU) uint32 { return c.AGU.AP[i] },
			Write: func(c *CPU, v uint32) { c.AGU.AP[i] = v }})
	}
	for i := range int(cfg.AGU.Offsets) {
		regs = append(regs, auxReg{Addr: 0x5d0 + uint32(i), Name: fmt.Sprintf("AGU_OS%d", i), User: true,
			Read:  func(c *CPU) uint32 { return c.AGU.OS[i] },
			Write: func(c *CPU, v uint32) { c.AGU.SetOS(i, v) }})
	}
	for i := range int(cfg.AGU.Modifiers) {
		regs = append(regs, auxReg{Addr: 0x5e0 + uint32(i), Name: fmt.Sprintf("AGU_MOD%d", i), User: true,
			Read:  func(c *CPU) uint32 { return c.AGU.MOD[i] },
			Write: func(c *CPU, v uint32) { c.AGU.SetMOD(i, v) }})
	}
	return regs
}
