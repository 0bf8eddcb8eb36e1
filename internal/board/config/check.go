package config

import (
	"errors"
	"fmt"

	"arcv2dsp/cpu"
)

// Check reports what contradicts itself in the configuration as a whole.
func (c *Config) Check() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	k := &c.Core

	if k.Clock == 0 {
		fail("clock=0: a core has a clock of 1 to %d MHz", maxClock)
	}
	k.checkMemories(fail)
	for i, d := range k.Devices {
		for _, o := range k.Devices[:i] {
			if d.Base == o.Base && d.Aux == o.Aux {
				fail("devices %s and %s are both at %#x", o.Name, d.Name, d.Base)
			}
		}
		if d.IRQ != 0 && d.IRQ >= 16+uint32(k.Interrupts) {
			fail("irq %d of %s is beyond the %d interrupts of the core", d.IRQ, d.Name, k.Interrupts)
		}
	}
	if d := k.DMA; k.HasDMA && (d.Channels == 0 || d.Registers > d.Channels) {
		fail("nsim_isa_dmac_channels=%d, nsim_isa_dmac_registers=%d: 1 to 16 channels, and no more with registers than there are",
			d.Channels, d.Registers)
	}
	if k.AGUKind != "none" && k.DSP == 0 {
		fail("nsim_isa_agu_size=%s needs nsim_isa_dsp_option", k.AGUKind)
	}
	if k.Family == EM && k.MPYOption > 8 {
		fail("nsim_isa_mpy_option=%d is for av2hs, av2em has 0 to 8", k.MPYOption)
	}
	if k.Family == EM && (k.FPUDouble || k.FPUDoubleDiv) {
		fail("nsim_isa_fpud_option is for av2hs, av2em has nsim_isa_fpuda_option")
	}
	if k.Family == HS && (k.FPUAssist || k.HasFPX()) {
		fail("nsim_isa_fpuda_option, nsim_isa_spfp and nsim_isa_dpfp are for av2em")
	}
	if k.HasFPX() && k.HasFPUSingle() {
		fail("nsim_isa_spfp and nsim_isa_dpfp exclude the floating-point unit")
	}
	if k.HasFPX() && k.DSP != 0 {
		fail("nsim_isa_spfp and nsim_isa_dpfp exclude nsim_isa_dsp_option, which has the same opcodes")
	}
	if k.DSP != 0 && k.MPYOption < 8 && k.Family == EM {
		fail("nsim_isa_dsp_option=%d needs nsim_isa_mpy_option=8", k.DSP)
	}
	return errors.Join(errs...)
}

// checkMemories reports memories that are not where they can be, or where others are.
func (c *Core) checkMemories(fail func(format string, args ...any)) {
	for _, m := range c.memories() {
		if m.Size != 0 && m.Base&(m.Size-1) != 0 {
			fail("%s at %#x is not aligned to its size %#x", m.name, m.Base, m.Size)
		}
	}
	if c.ICCM1.Size != 0 && (c.ICCM.Base|c.ICCM1.Base)&0x0fffffff != 0 {
		fail("iccm0_base=%#x, iccm1_base=%#x: a core with two instruction memories has them at multiples of 256 MB", c.ICCM.Base, c.ICCM1.Base)
	}
	list := c.memories()
	for i, a := range list {
		for _, b := range list[i+1:] {
			if a.Size != 0 && b.Size != 0 && overlap(a.CCM, b.CCM) && !(a.name == "iccm0" && b.name == "dccm") {
				fail("%s at %#x and %s at %#x overlap", a.name, a.Base, b.name, b.Base)
			}
		}
	}
	for i, m := range c.Memories {
		own := cpu.CCM{Base: m.Base, Size: m.Size}
		for _, o := range c.Memories[:i] {
			if overlap(own, cpu.CCM{Base: o.Base, Size: o.Size}) {
				fail("memories %s at %#x and %s at %#x overlap", o.Name, o.Base, m.Name, m.Base)
			}
		}
		for _, o := range c.memories() {
			if o.Size != 0 && overlap(own, o.CCM) {
				fail("memory %s at %#x and %s at %#x overlap", m.Name, m.Base, o.name, o.Base)
			}
		}
	}
}

// SharedCCM reports whether instruction and data memory are at the same addresses, as on HS cores, which
// fetch from one and load and store in the other.
//
// DEVIATION(221): they are then one memory, as large as the larger of the two. Programs are linked for one
// address space, so that code and data are apart.
func (c *Core) SharedCCM() bool {
	return c.ICCM.Size != 0 && c.DCCM.Size != 0 && overlap(c.ICCM, c.DCCM)
}

type namedCCM struct {
	name string
	cpu.CCM
}

// memories lists the closely coupled memories, absent ones with size 0.
func (c *Core) memories() []namedCCM {
	list := []namedCCM{
		{name: "iccm0", CCM: c.ICCM},
		{name: "iccm1", CCM: c.ICCM1},
		{name: "dccm", CCM: c.DCCM},
	}
	if c.XY {
		if c.XYLayout == "dccm_x_y" {
			list = append(list, namedCCM{name: "X memory", CCM: cpu.CCM{Base: c.XBase, Size: c.XYSize}})
		}
		list = append(list, namedCCM{name: "Y memory", CCM: cpu.CCM{Base: c.YBase, Size: c.XYSize}})
	}
	return list
}

func overlap(a, b cpu.CCM) bool {
	return uint64(a.Base) < uint64(b.Base)+uint64(b.Size) && uint64(b.Base) < uint64(a.Base)+uint64(a.Size)
}
