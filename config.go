package arcv2dsp

import (
	"bytes"
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
	// Core is a core template: em4, em6, em5d, em7d, em9d, em11d or hs38. Empty leaves the choice to
	// the program: em9d for EM, hs38 for HS.
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

// chosenByDefault is the origin of a core that nothing has chosen.
const chosenByDefault = "default"

// options resolves core template and settings. family is the one of the program, "" when there is
// no program yet. It reports whether the program's family had a say.
func (m *Machine) options(family config.Family) (o *config.Config, byProgram bool, err error) {
	c := &m.cfg
	name, origin := c.Core, "--core"
	files := map[string][]byte{}
	for _, s := range c.Settings {
		if s.File == "" {
			continue
		}
		if files[s.File], err = readSmall(s.File); err != nil {
			return nil, false, err
		}
		if base := config.TemplateOf(bytes.NewReader(files[s.File])); base != "" && c.Core == "" {
			name, origin = base, "nsim_isa_family in "+s.File
		}
	}
	for _, s := range c.Settings {
		if base := config.TemplateOf(strings.NewReader(s.Property)); base != "" && c.Core == "" {
			name, origin = base, "nsim_isa_family by -p"
		}
	}
	if name == "" {
		byProgram = true
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
	var errs []error
	for _, s := range c.Settings {
		switch {
		case s.File != "":
			errs = append(errs, o.Load(bytes.NewReader(files[s.File]), s.File)...)
		case s.Origin != "":
			errs = append(errs, o.SetText(s.Property, s.Origin))
		default:
			errs = append(errs, o.SetText(s.Property, "-p"))
		}
	}
	if c.Lenient {
		errs = m.tolerate(errs)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, false, err
	}
	return o, byProgram, o.Check()
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

// maxProps bounds the size of a property file.
const maxProps = 1 << 20

func readSmall(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(f, maxProps+1))
	if err == nil && len(data) > maxProps {
		err = fmt.Errorf("%s: more than %d bytes, this is no property file", path, maxProps)
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
		ARCVer:    uint8(k.Version),
		PCSize:    uint8(k.PCSize),
		AddrSize:  uint8(k.AddrSize),
		LPCSize:   uint8(k.LPCSize),
		NoLoops:   k.LPCSize == 0,
		Regs16:    k.Regs == 16,
		Banks:     uint8(k.Banks),
		BankRegs:  uint8(k.BankedRegs),
		Unaligned: k.Unaligned,

		AGU:            aguSizes[k.AGU],
		DivOption:      uint8(k.Divide),
		MPYOption:      uint8(k.Multiply),
		MPYCycles:      uint8(k.MACCycles),
		Turbo:          k.TurboBoost,
		DSPDivSqrt:     uint8(k.DSPDivSqrt),
		DSPAccShift:    uint8(k.DSPAccShift),
		DSPWide:        k.DSPWide,
		AGUWriteBuffer: uint8(k.AGUWBDepth),
		AGUAccordion:   k.AGUAccord,
		XYInterleaved:  k.XYInterleave,

		Interrupts:   uint16(k.Interrupts),
		External:     uint16(k.ExternalInterrupts),
		Levels:       uint8(k.InterruptLevels),
		FastIRQ:      k.FastIRQ,
		VectorBase:   k.VectorBase,
		Timer0:       k.Timer0,
		Timer1:       k.Timer1,
		Timer0Level:  uint8(k.Timer0Level),
		Timer1Level:  uint8(k.Timer1Level),
		RTC:          k.RTC,
		StackCheck:   k.StackChecking,
		MPURegions:   uint8(k.MPURegions),
		ActionPoints: uint8(k.ActionPoints),

		ICache: cacheGeometry(k.ICache),
		DCache: cacheGeometry(k.DCache),
		ICCM:   cpu.CCM(k.ICCM),
		DCCM:   cpu.CCM(k.DCCM),
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

// newSpace makes the address space of a core: closely coupled memories over RAM, or over nothing.
func cacheGeometry(k config.Cache) timing.CacheGeometry {
	return timing.CacheGeometry{Size: k.Size, Line: k.Line, Ways: k.Ways}
}

func newSpace(k *config.Core, limit uint64) (*memory.Space, error) {
	background := memory.None
	if k.RAMEverywhere() {
		background = memory.RAM
	}
	s := memory.New(background, limit)
	regions := []memory.Region{
		{Name: "iccm", Kind: memory.ICCM, Base: k.ICCM.Base, Size: uint64(k.ICCM.Size)},
		{Name: "dccm", Kind: memory.DCCM, Base: k.DCCM.Base, Size: uint64(k.DCCM.Size)},
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
