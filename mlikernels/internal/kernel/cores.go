package kernel

import (
	"slices"
	"sync"

	"arcv2dsp"
)

// boards are the memories and options of each core template and board by all its names; empty where it is not simulated.
var boards = sync.OnceValue(func() map[string]*Board {
	all := map[string]*Board{}
	for _, c := range slices.Concat(arcv2dsp.Cores(), arcv2dsp.Boards()) {
		if b, err := NewBoard(c.Name); err == nil {
			for _, name := range append(c.Also, c.Name) {
				all[name] = b
			}
		}
	}
	return all
})

// HasAGU reports whether a core template or board has the address generation units that kernels with ports are
// written for, the large ones.
func HasAGU(core string) bool { return boards()[core] != nil && boards()[core].AGU }

// Cores are the core templates that run kernels: those with DSP instructions.
func Cores() []string { return withDSP(arcv2dsp.Cores()) }

// Boards are the public boards that run kernels: those whose core has DSP instructions.
func Boards() []string { return withDSP(arcv2dsp.Boards()) }

func withDSP(presets []arcv2dsp.Preset) []string {
	var names []string
	for _, c := range presets {
		if c.DSP {
			names = append(names, c.Name)
		}
	}
	return names
}
