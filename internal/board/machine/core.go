package machine

import (
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
	"arcv2dsp/internal/board/config"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// features are the instruction options of a core.
func features(k *config.Core) isa.Feature {
	f := isa.EM
	if k.Family == config.HS {
		f = isa.HS
	}
	for _, row := range []struct {
		has bool
		f   isa.Feature
	}{
		{has: k.CodeDensity > 0, f: isa.CodeDensity},
		{has: k.Shift&2 != 0, f: isa.BarrelShift},
		{has: k.Shift&1 != 0, f: isa.ShiftAssist},
		{has: k.Bitscan, f: isa.BitScan},
		{has: k.Swap, f: isa.Swap},
		{has: k.DivOption > 0, f: isa.DivRem},
		{has: k.MPYOption >= 1, f: isa.MPY1},
		{has: k.MPYOption >= 2, f: isa.MPY6},
		{has: k.MPYOption >= 7, f: isa.MPY7},
		{has: k.MPYOption >= 8, f: isa.MPY8},
		{has: k.MPYOption >= 9, f: isa.MPY9},
		{has: k.DSP > 0, f: isa.DSP},
		{has: k.DSPComplex, f: isa.DSPComplex},
		{has: k.DSPDivSqrt > 0, f: isa.DSPDivSqrt},
		{has: k.DSPAccShift > 0, f: isa.DSPAccShift},
		{has: k.DSPITU, f: isa.DSPITU},
		{has: k.AGUKind != "none", f: isa.AGU},
		{has: k.Bitstream, f: isa.Bitstream},
		{has: k.LL64, f: isa.LL64},
		{has: k.Atomic > 0, f: isa.Atomic},
		{has: k.Secure, f: isa.Secure},
		{has: k.HasFPUSingle(), f: isa.FPUSingle},
		{has: k.FPUSingleDiv || k.FPUDoubleDiv, f: isa.FPUSingleDiv},
		{has: k.FPUMAC, f: isa.FPUSingleMAC},
		{has: k.HasFPUDouble(), f: isa.FPUDouble},
		{has: k.FPUDoubleDiv, f: isa.FPUDoubleDiv},
		{has: k.HasFPUDouble() && k.FPUMAC, f: isa.FPUDoubleMAC},
		{has: k.FPUAssist, f: isa.FPUDoubleAssist},
		{has: config.IsFPX(k.FPXSingle), f: isa.FPXSingle},
		{has: config.IsFPX(k.FPXDouble), f: isa.FPXDouble},
	} {
		if row.has {
			f |= row.f
		}
	}
	return f
}

var aguSizes = map[string]dspunit.AGUSize{
	"none": dspunit.AGUNone, "small": dspunit.AGUSmall, "medium": dspunit.AGUMedium, "large": dspunit.AGULarge,
}

// Processor is the processor of a core: its Config, completed by what follows from other options.
func Processor(k *config.Core) cpu.Config {
	c := k.Config
	c.Features, c.Timing = features(k), k.TimingCore()
	c.ARCVer, c.MPYCycles = uint8(k.ARCVer()), uint8(k.MultiplyCycles())
	c.Regs16, c.NoLoops = k.Regs == 16, k.LPCSize == 0
	c.AGU = aguSizes[k.AGUKind]
	c.FPXFast = k.FPXSingle == "fast" || k.FPXDouble == "fast"
	c.SecureTimer0 = k.Secure && k.SecureTimer0
	switch {
	case !k.XY:
	case k.XYLayout == "dccm_x_y":
		c.XYConfig = 2
	default:
		c.XYConfig = 1
	}
	if k.MPUVersion == 0 {
		c.MPURegions = 0
	}
	if !k.HasDMA {
		c.DMA = cpu.DMA{}
	}
	return c
}

// Space makes the address space of a core: closely coupled memories and those of the board, over RAM, or over nothing.
func Space(k *config.Core, limit uint64) (*memory.Space, error) {
	background := memory.None
	if k.RAMEverywhere() {
		background = memory.RAM
	}
	s := memory.New(background, limit)
	for _, r := range slices.Concat(memories(k), outside(k)) {
		if err := s.Map(r); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// outside are the memories of the board outside the core. Where all addresses are RAM there are none.
func outside(k *config.Core) []memory.Region {
	if k.RAMEverywhere() {
		return nil
	}
	var regions []memory.Region
	for _, m := range k.Memories {
		r := memory.Region{Name: m.Name, Kind: memory.RAM, Base: m.Base, Size: uint64(m.Size), Wait: m.First, Next: m.Next}
		if m.ROM {
			r.Rights = memory.Read | memory.Exec
		}
		regions = append(regions, r)
	}
	return regions
}

// memories are the closely coupled memories of a core, each where it is after power-on.
func memories(k *config.Core) []memory.Region {
	iccm, dccm := k.ICCM, k.DCCM
	if k.SharedCCM() {
		iccm.Size, dccm.Size = 0, max(iccm.Size, dccm.Size)
		dccm.Base = min(iccm.Base, dccm.Base)
	}
	regions := []memory.Region{
		{Name: "iccm", Kind: memory.ICCM, Base: iccm.Base, Size: uint64(iccm.Size)},
		{Name: "iccm1", Kind: memory.ICCM, Base: k.ICCM1.Base, Size: uint64(k.ICCM1.Size)},
		{Name: "dccm", Kind: memory.DCCM, Base: dccm.Base, Size: uint64(dccm.Size)},
	}
	if k.XY && k.XYLayout == "dccm_x_y" {
		regions = append(regions, memory.Region{Name: "xccm", Kind: memory.XCCM, Base: k.XBase, Size: uint64(k.XYSize)})
	}
	if k.XY {
		regions = append(regions, memory.Region{Name: "yccm", Kind: memory.YCCM, Base: k.YBase, Size: uint64(k.XYSize)})
	}
	return slices.DeleteFunc(regions, func(r memory.Region) bool { return r.Size == 0 })
}
