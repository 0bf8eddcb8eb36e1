package kernel

import (
	"errors"
	"fmt"

	"arcv2dsp"
	"arcv2dsp/isa"
)

// Board is the memories and options that a core or board offers to kernels.
type Board struct {
	DSP      bool // the instructions that kernels are written with
	AGU      bool // the large AGU, which kernels with ports are written for
	Shifts   bool // all shifts of accumulators and all roundings, which kernels need
	Memories []BoardMemory
}

// BoardMemory is a closely coupled memory for data.
type BoardMemory struct {
	Name string // xccm, yccm or dccm
	Base uint32
	Size int
}

// NewBoard describes a core template or board with further settings.
func NewBoard(core string, settings ...arcv2dsp.Setting) (*Board, error) {
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: core, Settings: settings, HostIO: arcv2dsp.HostNone})
	if err != nil {
		return nil, err
	}
	defer func() { _ = m.Close() }() // nothing is left to lose
	b := &Board{DSP: m.Features().Has(isa.DSP)}
	for _, s := range m.Effective() {
		b.AGU = b.AGU || s.Name == "nsim_isa_agu_size" && s.Value == "large"
		b.Shifts = b.Shifts || s.Name == "nsim_isa_dsp_accshift_option" && s.Value == "2"
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
