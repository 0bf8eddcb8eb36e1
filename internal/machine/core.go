package machine

import (
	"slices"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/dspunit"
	"arcv2dsp/internal/config"
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
		{has: k.Divide > 0, f: isa.DivRem},
		{has: k.Multiply >= 1, f: isa.MPY1},
		{has: k.Multiply >= 2, f: isa.MPY6},
		{has: k.Multiply >= 7, f: isa.MPY7},
		{has: k.Multiply >= 8, f: isa.MPY8},
		{has: k.Multiply >= 9, f: isa.MPY9},
		{has: k.DSP > 0, f: isa.DSP},
		{has: k.DSPComplex, f: isa.DSPComplex},
		{has: k.DSPDivSqrt > 0, f: isa.DSPDivSqrt},
		{has: k.DSPAccShift > 0, f: isa.DSPAccShift},
		{has: k.DSPITU, f: isa.DSPITU},
		{has: k.AGU != "none", f: isa.AGU},
		{has: k.Bitstream, f: isa.Bitstream},
		{has: k.LL64, f: isa.LL64},
		{has: k.Atomic > 0, f: isa.Atomic},
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

// Processor translates the options of a core for the processor.
func Processor(k *config.Core) cpu.Config {
	c := cpu.Config{
		Features:  features(k),
		Timing:    k.TimingCore(),
		ARCVer:    uint8(k.ARCVer()),
		ARCNum:    uint8(k.Number),
		ChipID:    uint16(k.Chip),
		PCSize:    uint8(k.PCSize),
		AddrSize:  uint8(k.AddrSize),
		LPCSize:   uint8(k.LPCSize),
		NoLoops:   k.LPCSize == 0,
		Regs16:    k.Regs == 16,
		Banks:     uint8(k.Banks),
		BankRegs:  uint8(k.BankedRegs),
		Ports:     uint8(k.WritePorts),
		Unaligned: k.Unaligned,
		DualIssue: k.DualIssue,

		AGU:            aguSizes[k.AGU],
		DivOption:      uint8(k.Divide),
		MPYOption:      uint8(k.Multiply),
		MPYCycles:      uint8(k.MultiplyCycles()),
		Turbo:          k.TurboBoost,
		DSPDivSqrt:     uint8(k.DSPDivSqrt),
		DSPAccShift:    uint8(k.DSPAccShift),
		DSPWide:        k.DSPWide,
		AGUWriteBuffer: uint8(k.AGUWBDepth),
		AGUAccordion:   k.AGUAccord,
		XYInterleaved:  k.XYInterleave,

		FPUFastMul: k.FPUFastMul,
		FPUFastDiv: k.FPUFastDiv,
		FPUPipe:    k.FPUPipe,
		FPXFast:    k.FPXSingle == "fast" || k.FPXDouble == "fast",

		Interrupts:   uint16(k.Interrupts),
		External:     uint16(k.ExternalInterrupts),
		Levels:       uint8(k.InterruptLevels),
		FastIRQ:      k.FastIRQ,
		VectorBase:   k.VectorBase,
		Timer0:       k.Timer0,
		Timer1:       k.Timer1,
		Timer0Level:  uint8(k.Timer0Level),
		Timer1Level:  uint8(k.Timer1Level),
		SecureTimer0: k.Secure && k.SecureTimer0,
		SecureLevel:  uint8(k.SecureTimer0Level),
		RTC:          k.RTC,
		StackCheck:   k.StackChecking,
		MPUVersion:   uint8(k.MPUVersion),
		MPURegions:   uint8(k.MPURegions),
		MPUSecureID:  k.MPUSecureID,
		Secure:       k.Secure,
		ActionPoints: uint8(k.ActionPoints),
		FullPoints:   k.PointFeatures > 0,
		SmaRT:        uint8(k.SmaRT),
		Counters:     uint8(k.Counters),

		ICache:         cacheGeometry(k.ICache),
		DCache:         cacheGeometry(k.DCache),
		ICacheFeatures: uint8(k.ICacheFeatures),
		DCacheFeatures: uint8(k.DCacheFeatures),
		DCacheCycles:   uint8(k.DCacheCycles),
		DCacheUncached: k.DCacheUncached,
		DCacheHolds:    k.DCacheHolds,

		ICCM:            cpu.CCM(k.ICCM),
		DCCM:            cpu.CCM(k.DCCM),
		DCCMCycles:      uint8(k.DCCMCycles),
		DCCMInterleaved: k.DCCMInterleave,
		Peripherals:     k.Peripherals,

		Predictor:  cpu.Predictor(k.Predictor),
		FetchQueue: uint8(k.FetchQueue),
		LoopBuffer: uint8(k.LoopBuffer),
		Volatile:   cpu.Volatile(k.Volatile),
	}
	if d := k.DMA; d.Present {
		c.DMA = cpu.DMA{Channels: uint8(d.Channels), Registers: uint8(d.Registers), FIFO: uint8(d.FIFO),
			Interrupts: cpu.DMAInterrupts(slices.Index(config.DMAInterrupts, d.Interrupts))}
	}
	if k.XY {
		c.XYSize = k.XYSize
		c.XYConfig = 1
		if k.XYConfig == "dccm_x_y" {
			c.XYConfig = 2
		}
	}
	if k.MPUVersion == 0 {
		c.MPURegions = 0
	}
	return c
}

func cacheGeometry(k config.Cache) timing.CacheGeometry {
	return timing.CacheGeometry{Size: k.Size, Line: k.Line, Ways: k.Ways}
}

// Space makes the address space of a core: closely coupled memories over RAM, or over nothing.
func Space(k *config.Core, limit uint64) (*memory.Space, error) {
	background := memory.None
	if k.RAMEverywhere() {
		background = memory.RAM
	}
	s := memory.New(background, limit)
	for _, r := range memories(k) {
		if err := s.Map(r); err != nil {
			return nil, err
		}
	}
	return s, nil
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
		{Name: "dccm", Kind: memory.DCCM, Base: dccm.Base, Size: uint64(dccm.Size)},
	}
	if k.XY && k.XYConfig == "dccm_x_y" {
		regions = append(regions, memory.Region{Name: "xccm", Kind: memory.XCCM, Base: k.XBase, Size: uint64(k.XYSize)})
	}
	if k.XY {
		regions = append(regions, memory.Region{Name: "yccm", Kind: memory.YCCM, Base: k.YBase, Size: uint64(k.XYSize)})
	}
	return slices.DeleteFunc(regions, func(r memory.Region) bool { return r.Size == 0 })
}
