package arcv2dsp

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/timing"
	"arcv2dsp/dspunit"
	"arcv2dsp/internal/config"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// Config says what to simulate and what the program may see of its host. The zero value is an EM9D
// with no input, no files and its output discarded.
type Config struct {
	// Core is a core template, such as em9d, or a board, such as emsk23-em9d. Empty leaves the choice to
	// a file of the settings that names the family of the core, which describes the core completely, and
	// else to the program: em9d for EM, hs38 for HS.
	Core string
	// Settings change options of the core, in this order.
	Settings []Setting
	// Lenient makes unknown properties a warning instead of an error.
	Lenient bool

	Engine EngineKind
	HostIO HostIO

	Stdin          io.Reader
	Stdout, Stderr io.Writer
	FileRoot       string   // directory the program sees as "/"; empty: no file access
	Args           []string // argv; empty: the program's name

	// Memory is how many bytes the program may write to; 0 is memory.DefaultLimit.
	Memory uint64
	// Notice is told what a user should know but no run fails for. Nil drops it.
	Notice func(text string)
}

// Setting changes options of the core: either one property or a file of them.
type Setting struct {
	Property string // name=value, names as nSIM has them, the prefix nsim_isa_ optional
	File     string // a .props file
	TCF      string // a tool configuration file
	Origin   string // where the setting stands, for messages; empty: "-p"
}

// EngineKind chooses what executes instructions.
type EngineKind uint8

const (
	Fast      EngineKind = iota // decoded blocks
	Reference                   // one instruction at a time; chosen anyway while hooks are set
)

func (k EngineKind) String() string {
	if k == Reference {
		return "ref"
	}
	return "fast"
}

// HostIO chooses the convention by which a program asks its host for something.
type HostIO uint8

const (
	Auto     HostIO = iota // whatever the program turns out to use
	GNU                    // swi with the number of a call in r8
	MetaWare               // hostlink, found by symbols
	QEMU                   // console and power-off addresses
	NoHostIO               // none: a swi is an exception
)

var hostIONames = [...]string{Auto: "auto", GNU: "gnu", MetaWare: "metaware", QEMU: "qemu", NoHostIO: "none"}

func (h HostIO) String() string {
	if int(h) < len(hostIONames) {
		return hostIONames[h]
	}
	return fmt.Sprintf("hostio(%d)", uint8(h))
}

// ParseHostIO is the inverse of HostIO.String.
func ParseHostIO(name string) (HostIO, error) {
	for i, n := range hostIONames {
		if n == name {
			return HostIO(i), nil
		}
	}
	return 0, fmt.Errorf("unknown host I/O %q, there is %s", name, strings.Join(hostIONames[:], ", "))
}

// allows reports whether convention c may be served.
func (h HostIO) allows(c HostIO) bool { return h == Auto || h == c }

// Cores lists the core templates, each with what it is.
func Cores() []config.TemplateInfo { return config.Templates() }

// Boards lists the board presets, each with what it is.
func Boards() []config.TemplateInfo { return config.Boards() }

// chosenByDefault is the origin of a core that nothing has chosen.
const chosenByDefault = "default"

// options resolves core and settings. family is the one of the program, "" when there is no program
// yet. It reports whether the program's family had a say.
func (m *Machine) options(family config.Family) (o *config.Config, byProgram bool, err error) {
	c := &m.cfg
	list := make([]config.Settings, len(c.Settings))
	complete := "" // the file that describes the whole core
	for i, s := range c.Settings {
		if list[i], err = s.read(); err != nil {
			return nil, false, err
		}
		f := list[i].Family()
		switch file := s.TCF + s.File; {
		case f == "":
		case file == "" && c.Core == "" && complete == "":
			o, err = config.New(config.Plain(f), "nsim_isa_family by "+s.origin())
		case file != "" && c.Core != "":
			err = fmt.Errorf("core %s and %s each describe a whole core: leave one of them out", c.Core, file)
		case file != "" && complete == "":
			complete = file
			o = config.NewComplete(f, file)
		}
		if err != nil {
			return nil, false, err
		}
	}
	if o == nil {
		name, origin := c.Core, "--core"
		if byProgram = name == ""; byProgram {
			name, origin = config.Default, chosenByDefault
			if family != "" {
				origin = "e_flags of the program"
			}
			if family == config.HS {
				name = config.DefaultHS
			}
		}
		if o, err = config.New(name, origin); err != nil {
			return nil, false, err
		}
	}
	var errs []error
	for i := range list {
		errs = append(errs, o.Apply(list[i])...)
	}
	if c.Lenient {
		errs = m.tolerate(errs)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, false, err
	}
	return o, byProgram, o.Check()
}

// origin says where a single property stands.
func (s Setting) origin() string { return cmp.Or(s.Origin, "-p") }

// read returns the properties of the setting.
func (s Setting) read() (config.Settings, error) {
	switch {
	case s.TCF != "":
		data, err := readSmall(s.TCF, maxTCF, "tool configuration file")
		if err != nil {
			return nil, err
		}
		return config.ParseTCF(data, s.TCF)
	case s.File != "":
		data, err := readSmall(s.File, maxProps, "property file")
		if err != nil {
			return nil, err
		}
		return config.ParseProps(data, s.File)
	}
	return config.OneSetting(s.Property, s.origin()), nil
}

// tolerate turns unknown properties into one notice and returns the other errors.
func (m *Machine) tolerate(errs []error) []error {
	var hard []error
	var ignored []string
	for _, err := range errs {
		var unknown *config.UnknownError
		if errors.As(err, &unknown) {
			ignored = append(ignored, unknown.Name)
		} else {
			hard = append(hard, err)
		}
	}
	if len(ignored) > 0 {
		m.notice("unknown properties ignored: " + strings.Join(ignored, ", "))
	}
	return hard
}

// notice tells the user something, once.
func (m *Machine) notice(text string) {
	if m.cfg.Notice == nil || slices.Contains(m.told, text) {
		return
	}
	m.told = append(m.told, text)
	m.cfg.Notice(text)
}

// Largest files of settings.
const (
	maxProps = 1 << 20
	maxTCF   = 4 << 20
)

func readSmall(path string, limit int64, kind string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s: more than %d bytes, this is no %s", path, limit, kind)
	}
	return data, err
}

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

// coreConfig translates the options for the processor.
func coreConfig(k *config.Core) cpu.Config {
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

// newSpace makes the address space of a core: closely coupled memories over RAM, or over nothing.
func newSpace(k *config.Core, limit uint64) (*memory.Space, error) {
	background := memory.None
	if k.RAMEverywhere() {
		background = memory.RAM
	}
	s := memory.New(background, limit)
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
	for _, r := range regions {
		if r.Size == 0 {
			continue
		}
		if err := s.Map(r); err != nil {
			return nil, err
		}
	}
	return s, nil
}
