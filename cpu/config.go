package cpu

import (
	"errors"
	"fmt"

	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// Config says what a core is built of. It does not change while the core exists.
type Config struct {
	Features isa.Feature // instruction options
	Timing   string      // core whose cycle table applies, see timing.Cores; empty: by family

	ARCVer    uint8 // IDENTITY.ARCVER
	ARCNum    uint8 // IDENTITY.ARCNUM
	ChipID    uint16
	PCSize    uint8 // bits of the program counter as ISA_CONFIG tells them, 0 for 32
	AddrSize  uint8 // bits of an address as ISA_CONFIG tells them, 0 for 32
	LPCSize   uint8 // bits of LP_COUNT, 0 for 32
	NoLoops   bool  // no zero-overhead loops
	Regs16    bool  // only r0-r3, r10-r15 and r26-r31 exist
	Banks     uint8 // register banks, at least 1
	BankRegs  uint8 // registers in each further bank: 4, 8, 16 or 32
	Ports     uint8 // write ports of the register file, as RF_BUILD tells them
	DualIssue bool  // as ISA_CONFIG tells it
	Unaligned bool  // STATUS32.AD can allow misaligned accesses

	AGU       dspunit.AGUSize
	DivOption uint8 // 1 radix-2, 2 radix-4
	MPYOption uint8 // 0 none, 1 mpyw, 2-6 wlh1-wlh5, 7 dmpy, 8 macd, 9 qmacw
	MPYCycles uint8 // MULTIPLY_BUILD.cycles of options 7 to 9: 2 makes products of the DSP unit late
	Turbo     bool  // turbo_boost: one more cycle per taken branch

	DSPDivSqrt, DSPAccShift uint8
	DSPWide                 bool
	AGUWriteBuffer          uint8
	AGUAccordion            bool
	XYConfig                uint8 // XY_BUILD.config: 1 DCCM and Y, 2 DCCM, X and Y; 0 no XY memory
	XYSize                  uint32
	XYInterleaved           bool

	FPUFastMul, FPUFastDiv bool // multiplier and divider of the floating-point unit
	FPUPipe                bool // nsim_isa_fpu_pipe_impl
	FPXFast                bool // the fast kind of FPX, not the compact one

	Interrupts       uint16 // interrupt lines, timers included: vectors 16 upwards
	External         uint16 // of them from outside the core
	Levels           uint8  // priority levels
	FastIRQ          bool
	VectorBase       uint32
	SecureVectorBase uint32 // of the secure world
	Timer0, Timer1   bool
	Timer0Level      uint8
	Timer1Level      uint8
	RTC              bool
	StackCheck       bool
	SecureTimer0     bool
	SecureLevel      uint8
	MPUVersion       uint8 // 2 and 3 have a register pair per region, 4 selects regions by an index
	MPURegions       uint8 // 0 no MPU
	MPUSecureID      bool  // as MPU_BUILD tells it
	Secure           bool  // SecureShield
	ActionPoints     uint8
	SmaRT            uint8 // entries of the trace buffer
	Counters         uint8 // performance counters
	FullPoints       bool  // action points match whole conditions, as AP_BUILD tells it

	ICache, DCache  timing.CacheGeometry // modelled caches; Size 0 models none
	ICacheFeatures  uint8                // maintenance operations, as the build registers tell them
	DCacheFeatures  uint8
	DCacheCycles    uint8
	DCacheUncached  bool
	DCacheHolds     bool // the data cache holds data: memory can differ from what the core sees
	ICCM, ICCM1     CCM  // ICCM1: the second instruction memory
	DCCM            CCM
	DCCMCycles      uint8
	DCCMInterleaved bool
	Peripherals     bool // a bus of its own for peripherals

	DMA DMA

	Predictor  Predictor
	FetchQueue uint8 // entries, as IFQUEUE_BUILD tells them
	LoopBuffer uint8 // as LPB_BUILD tells it
	Volatile   Volatile
}

// Predictor is the branch predictor as BPU_BUILD describes it; no entries means none.
type Predictor struct {
	Branches, Patterns, Returns uint32 // entries
	FullTag                     bool
	TagSize                     uint32 // bits
	TopQueue, FetchSize         uint32 // entries
}

// Volatile is the region that a data cache leaves out, in units of 256 MB.
type Volatile struct {
	Present         bool
	Base, Limit     uint32
	Disable, Strict bool
}

// CCM is a closely coupled memory as the BUILD registers report it; Size 0 means none.
type CCM struct {
	Base, Size uint32
}

// Has reports whether the instruction options include f.
func (c *Config) Has(f isa.Feature) bool { return c.Features.Has(f) }

// timing returns the options that the cycle model depends on.
func (c *Config) timing() timing.Options {
	return timing.Options{
		MPY: c.MPYOption, MPYCycles: c.MPYCycles, Divide: c.DivOption, Sqrt: c.DSPDivSqrt,
		Complex: c.Has(isa.DSPComplex), TurboBoost: c.Turbo,
		Interleaved: c.XYInterleaved, DCCMInterleaved: c.DCCMInterleaved, WriteBuffer: c.AGUWriteBuffer,
		FastFPUMul: c.FPUFastMul, FastFPUDiv: c.FPUFastDiv, FastFPX: c.FPXFast,
	}
}

func (c *Config) check() error {
	switch {
	case !c.Has(isa.EM) && !c.Has(isa.HS):
		return errors.New("core family missing: neither EM nor HS")
	case c.Banks > 8:
		return fmt.Errorf("%d register banks: at most 8", c.Banks)
	case c.Interrupts > 240:
		return fmt.Errorf("%d interrupts: at most 240", c.Interrupts)
	case c.Levels > 16:
		return fmt.Errorf("%d interrupt levels: at most 16", c.Levels)
	case c.MPURegions > mpuMaxRegions:
		return fmt.Errorf("%d MPU regions: at most %d", c.MPURegions, mpuMaxRegions)
	case c.ActionPoints > maxActionPoints:
		return fmt.Errorf("%d action points: at most %d", c.ActionPoints, maxActionPoints)
	case hasFPU(c) && hasFPX(c):
		return errors.New("a floating-point unit and FPX: a core has one of them")
	case c.SmaRT > maxSmaRT:
		return fmt.Errorf("SmaRT of %d entries: at most %d", c.SmaRT, maxSmaRT)
	case c.Counters > maxCounters:
		return fmt.Errorf("%d performance counters: at most %d", c.Counters, maxCounters)
	case c.VectorBase&0x3ff != 0:
		return fmt.Errorf("vector base 0x%08x is not a multiple of 1024", c.VectorBase)
	}
	if c.SecureVectorBase&0x3ff != 0 {
		return fmt.Errorf("secure vector base 0x%08x is not a multiple of 1024", c.SecureVectorBase)
	}
	if name, size := c.badSize(); name != "" {
		return fmt.Errorf("%s of %d bits: a multiple of 4 up to 32", name, size)
	}
	for _, g := range []timing.CacheGeometry{c.ICache, c.DCache} {
		if err := g.Check(); err != nil {
			return err
		}
	}
	if err := c.checkDMA(); err != nil {
		return err
	}
	switch c.BankRegs {
	case 0, 4, 8, 16, 32:
	default:
		return fmt.Errorf("%d banked registers: 4, 8, 16 or 32", c.BankRegs)
	}
	return nil
}

// New returns a core in its reset state on the given memory.
func New(cfg Config, mem *memory.Space) (*CPU, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	core := cfg.Timing
	if core == "" {
		core = "em4"
		if cfg.Has(isa.HS) {
			core = "hs38"
		}
	}
	model, err := timing.New(core, cfg.timing())
	if err != nil {
		return nil, err
	}
	cfg.Banks = max(cfg.Banks, 1)
	c := &CPU{Config: cfg, Timing: model, Mem: mem, ref: NewRef(), InstLimit: NoLimit,
		decoder: isa.NewDecoder(cfg.Features), protection: protection{layout: &unprotected}}
	c.icache, c.dcache = model.NewCache(cfg.ICache), model.NewCache(cfg.DCache)
	if cfg.DCacheHolds && c.dcache != nil {
		c.data = newDataCache(cfg.DCache)
	}
	c.engine = c.ref
	c.buildAuxIndex()
	mem.OnCodeWrite(func(page uint32) {
		c.ref.InvalidateCode(page)
		if c.engine != Engine(c.ref) {
			c.engine.InvalidateCode(page)
		}
	})
	mem.OnWatch(c.watchHit)
	c.Reset()
	c.openCaches()
	return c, nil
}
