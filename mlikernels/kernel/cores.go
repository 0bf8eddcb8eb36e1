package kernel

import (
	"sync"

	"arcv2dsp"
	"arcv2dsp/isa"
)

// features are those of each core template.
var features = sync.OnceValue(func() map[string]isa.Feature {
	all := map[string]isa.Feature{}
	for _, c := range arcv2dsp.Cores() {
		m, err := arcv2dsp.New(arcv2dsp.Config{Core: c.Name, HostIO: arcv2dsp.NoHostIO})
		if err != nil {
			continue // a family that is not simulated runs no kernels
		}
		all[c.Name] = m.Features()
		_ = m.Close() // nothing is left to lose
	}
	return all
})

// HasAGU reports whether a core template has address generation units.
func HasAGU(core string) bool { return features()[core].Has(isa.AGU) }

// Cores are the core templates that run kernels: those with DSP instructions.
func Cores() []string {
	var names []string
	for _, c := range arcv2dsp.Cores() {
		if features()[c.Name].Has(isa.DSP) {
			names = append(names, c.Name)
		}
	}
	return names
}
