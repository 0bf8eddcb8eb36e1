package kernel

import (
	"slices"
	"sync"

	"arcv2dsp"
)

// agus says of core templates and boards that were asked about whether they have the large AGU.
var agus sync.Map

// HasAGU reports whether a core template or board has the address generation units that kernels with ports are
// written for, the large ones; not one that is not simulated.
func HasAGU(core string) bool {
	known, ok := agus.Load(core)
	if !ok && slices.Contains(presets(), core) {
		b, err := NewBoard(core)
		known = err == nil && b.AGU
		agus.Store(core, known)
	}
	return known == true
}

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
