package kernel

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"arcv2dsp"
	"arcv2dsp/isa"
	"arcv2dsp/nn"
)

// Board is the memories and options that a core or board offers to kernels.
type Board struct {
	Name     string // of the template or board, or of the file that describes the whole core
	Whole    bool   // a file describes the whole core
	DSP      bool   // the instructions that kernels are written with
	FPU      bool   // single precision with everything that kernels in floating point use
	AGU      AGU    // its address generation unit
	Even     bool   // the core rounds to even, for which it needs all shifts of accumulators
	DMA      DMA    // its micro-DMA controller
	Channels int    // of the controller
	MHz      int    // its clock
	Flat     bool   // RAM answers at all addresses outside its memories, as on a core without a board
	Memories []BoardMemory
}

// BoardMemory is a memory of a core or of its board.
type BoardMemory struct {
	Name string // xccm, yccm, dccm, iccm, iccm1, or as the board calls it; ram is the flat one
	Base uint32
	Size int  // 0 for any number of bytes
	Code bool // code can lie there
	Data bool // programs write there

	// Wait and Next are the wait states of a word and of each following one of a burst, Waits says where they are from.
	Wait, Next int
	Waits      string
}

// Coupled reports whether the memory is one of the core: no access waits for it.
func (m *BoardMemory) Coupled() bool { return m.Waits == "" && m.Name != FlatRAM }

// FlatRAM is the name of the memory at all other addresses of a core without a board.
const FlatRAM = "ram"

// NewBoard describes a core template or board with further settings, or the core that settings describe when the name is empty.
func NewBoard(core string, settings ...arcv2dsp.Setting) (*Board, error) {
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: core, Settings: settings, HostIO: arcv2dsp.HostNone})
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // nothing is left to lose
	features := m.Core().Features
	b := &Board{Name: m.Core().Name, DSP: features.Has(isa.DSP), FPU: features.Has(isa.FPUSingle | isa.FPUSingleMAC | isa.FPUSingleDiv),
		MHz: int(m.Core().ClockHz / 1_000_000), Flat: m.Core().FlatMemory}
	if b.Whole = core == "" && !slices.Contains(presets(), b.Name); b.Whole {
		b.Name = describing(settings)
	}
	for _, s := range m.Core().Options() {
		if s.Name == "nsim_isa_agu_size" {
			b.AGU = aguSizes[s.Value]
		}
		b.Even = b.Even || s.Name == "nsim_isa_dsp_accshift_option" && s.Value == "2"
	}
	build, _ := m.Aux(dmacBuild)
	b.DMA, b.Channels = dmaOf(build)
	b.memories(m.Regions())
	return b, nil
}

// DMA is a micro-DMA controller by the way in which kernels tell it what to move.
type DMA uint8

// The ways: descriptors in memory that the first channel finds by a table, and registers of all channels.
const (
	NoDMA DMA = iota
	DMATable
	DMARegisters
)

// dmacBuild is the register that tells of a controller: its version, the first that has a table of descriptors, in bits 7:0;
// channels less one, and from bit 12 those whose descriptor is in registers, the last ones.
const (
	dmacBuild  = 0xcd
	dmacTables = 2
)

func dmaOf(build uint32) (kind DMA, channels int) {
	channels = int(build>>8&0xf) + 1
	registers := int(build >> 12 & 0x1f)
	switch version := build & 0xff; {
	case version >= dmacTables && registers < channels:
		return DMATable, channels
	case version != 0 && version < dmacTables && registers == channels:
		return DMARegisters, channels
	}
	return NoDMA, 0
}

// coupled lists the closely coupled memories of a core, memories for data first.
var coupled = []string{"xccm", "yccm", "dccm", "iccm", "iccm1"}

// memories lists the memories of the core, then the memories of its board, then the flat memory. Code of a flat core without instruction
// memory lies where Machine puts it.
func (b *Board) memories(regions []arcv2dsp.Region) {
	code := false
	for _, name := range coupled {
		for _, r := range regions {
			if r.Name == name {
				own := strings.HasPrefix(name, "iccm")
				code = code || own
				b.Memories = append(b.Memories, BoardMemory{Name: name, Base: r.Base, Size: int(r.Size), Code: own, Data: !own})
			}
		}
	}
	for _, r := range regions {
		if !r.Device && !slices.Contains(coupled, r.Name) {
			b.Memories = append(b.Memories, BoardMemory{Name: r.Name, Base: r.Base, Size: int(r.Size), Code: true, Data: !r.ROM,
				Wait: int(r.Wait), Next: int(r.Next), Waits: r.Waits})
		}
	}
	if b.Flat {
		if !code {
			b.Memories = append(b.Memories, BoardMemory{Name: "iccm", Code: true})
		}
		b.Memories = append(b.Memories, BoardMemory{Name: FlatRAM, Base: flatBase(regions), Data: true})
	}
}

// flatBase is where flat RAM is used from: RAM, or the end of a region that lies in the way.
func flatBase(regions []arcv2dsp.Region) uint32 {
	base := uint32(RAM)
	for _, r := range regions {
		if r.Contains(base) && !r.Device {
			base = r.Base + uint32(r.Size)
		}
	}
	return base
}

// OwnCode reports whether the core has its own memory for code, so that kernels need none beside it.
func (b *Board) OwnCode() bool {
	return slices.ContainsFunc(b.Memories, func(m BoardMemory) bool { return m.Code && m.Size != 0 })
}

// presets are all names of core templates and boards.
func presets() []string {
	var names []string
	for _, c := range slices.Concat(arcv2dsp.Cores(), arcv2dsp.Boards()) {
		names = append(append(names, c.Name), c.Also...)
	}
	return names
}

// describing is the name of the file that describes the core, without folder and ending.
func describing(settings []arcv2dsp.Setting) string {
	file := ""
	for _, s := range settings {
		switch {
		case s.TCF != "":
			file = s.TCF
		case s.File != "" && file == "":
			file = s.File
		}
	}
	base := path.Base(strings.ReplaceAll(file, "\\", "/"))
	return strings.TrimSuffix(base, path.Ext(base))
}

// Runs says why the core does not run kernels, nil when it does.
func (b *Board) Runs() error {
	if b.DSP {
		return nil
	}
	return fmt.Errorf("core %q does not run the kernels, these do: %s", b.Name, strings.Join(Cores(), ", "))
}

// RunsVariant says why the core does not run a variant of a collection, nil when it does.
//
// DEVIATION(340): a core with dsp_accshift_option 1 shifts accumulators as far as one with option 2; it lacks rounding to
// even alone.
func (b *Board) RunsVariant(c *Collection, v Variant) error {
	if c.Floats {
		if !b.FPU {
			return fmt.Errorf("core %q has no floating-point unit for %s (fpus_option, fpu_mac_option, fpus_div_option)", b.Name, c.Title)
		}
		return nil
	}
	if err := b.Runs(); err != nil {
		return err
	}
	if c.BuildRounds && v.Round == nn.Convergent && !b.Even {
		return fmt.Errorf("core %q does not round to even (its dsp_accshift_option is not 2): of %s it runs the variant that rounds up", b.Name, c.Title)
	}
	return nil
}

// Check finds a core by its name, with further settings, and says why it does not run kernels.
func Check(core string, settings ...arcv2dsp.Setting) (*Board, error) {
	b, err := NewBoard(core, settings...)
	if err != nil {
		return nil, err
	}
	return b, b.Runs()
}

// Fits says why the buffers of a call do not fit into the memories of the board: inputs into X and weights into Y where
// kernels run that use the ports of a unit, all else into DCCM.
func (b *Board) Fits(l *Layout, agu AGU) error {
	need := map[string]int{}
	for m, a := range l.arenas {
		memory := "dccm"
		for _, own := range b.Memories {
			if agu != NoAGU && (own.Name == "xccm" && Memory(m) == Data || own.Name == "yccm" && Memory(m) == Weights) {
				memory = own.Name
			}
		}
		for _, buffer := range a.buffers {
			need[memory] += buffer.size
		}
	}
	var errs []error
	for _, own := range b.Memories {
		if n := need[own.Name]; n > own.Size {
			errs = append(errs, fmt.Errorf("does not fit: %d bytes, %s has %d", n, own.Name, own.Size))
		}
	}
	return errors.Join(errs...)
}
