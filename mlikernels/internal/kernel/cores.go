package kernel

import (
	"slices"
	"sync"

	"arcv2dsp"
)

// AGU is an address generation unit as kernels tell them apart.
type AGU uint8

// The large AGU has 24 ports, which all kernels with ports are written for. The small one has four, which some collections
// have kernels for; the medium one has these too.
const (
	NoAGU AGU = iota
	SmallAGU
	LargeAGU
)

// aguSizes are the units by the values of the property agu_size.
var aguSizes = map[string]AGU{"small": SmallAGU, "medium": SmallAGU, "large": LargeAGU}

// agus are the units of core templates and boards that were asked about.
var agus sync.Map

// AGUOf is the address generation unit of a core template or board; none of one that is not simulated.
func AGUOf(core string) AGU {
	known, ok := agus.Load(core)
	if !ok && slices.Contains(presets(), core) {
		b, err := NewBoard(core)
		if err != nil {
			return NoAGU
		}
		known = b.AGU
		agus.Store(core, known)
	}
	agu, _ := known.(AGU)
	return agu
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
