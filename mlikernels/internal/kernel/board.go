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
	AGU      bool   // the large AGU, which kernels with ports are written for
	Even     bool   // the core rounds to even, for which it needs all shifts of accumulators
	Memories []BoardMemory
}

// BoardMemory is a closely coupled memory for data.
type BoardMemory struct {
	Name string // xccm, yccm or dccm
	Base uint32
	Size int
}

// NewBoard describes a core template or board with further settings, or the core that settings describe when the name is empty.
func NewBoard(core string, settings ...arcv2dsp.Setting) (*Board, error) {
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: core, Settings: settings, HostIO: arcv2dsp.HostNone})
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // nothing is left to lose
	b := &Board{Name: m.Core().Name, DSP: m.Core().Features.Has(isa.DSP)}
	if b.Whole = core == "" && !slices.Contains(presets(), b.Name); b.Whole {
		b.Name = describing(settings)
	}
	for _, s := range m.Core().Options() {
		b.AGU = b.AGU || s.Name == "nsim_isa_agu_size" && s.Value == "large"
		b.Even = b.Even || s.Name == "nsim_isa_dsp_accshift_option" && s.Value == "2"
	}
	for _, name := range []string{"xccm", "yccm", "dccm"} {
		for _, r := range m.Regions() {
			if r.Name == name {
				b.Memories = append(b.Memories, BoardMemory{Name: name, Base: r.Base, Size: int(r.Size)})
			}
		}
	}
	return b, nil
}

// presets are the names of all core templates and boards.
func presets() []string {
	var names []string
	for _, c := range slices.Concat(arcv2dsp.Cores(), arcv2dsp.Boards()) {
		names = append(names, c.Name)
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
// kernels with ports run, all else into DCCM.
func (b *Board) Fits(l *Layout) error {
	need := map[string]int{}
	for m, a := range l.arenas {
		memory := "dccm"
		for _, own := range b.Memories {
			if b.AGU && (own.Name == "xccm" && Memory(m) == Data || own.Name == "yccm" && Memory(m) == Weights) {
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
