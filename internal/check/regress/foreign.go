package regress

import (
	"slices"

	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// planLibrary plans what a foreign library can be asked: the grids of its functions and what is recorded of them, in the
// rounding it was built for.
func (s *Suite) planLibrary() error {
	of, err := mlikernels.ForeignCollection(s.Library, mlikernels.Collections())
	if err != nil {
		return err
	}
	round := s.Library.Conventions.Round
	s.Rounds = []nn.Rounding{round}
	s.libs = libraries{}
	for _, core := range s.Cores {
		key := s.keyOf(of, core, round)
		if s.libs[key] == nil {
			lib, err := of.Link(s.Library, key.variant)
			if err != nil {
				return err
			}
			s.libs[key] = func() (*mlikernels.Library, error) { return lib, nil }
		}
	}
	if len(s.Vectors) > 0 {
		return s.planPaths(s.Vectors)
	}
	for _, k := range of.Kernels {
		if slices.Contains(k.Roundings(), round) {
			s.planGrid(k)
		}
	}
	for _, f := range recorded() {
		s.planFile(f, true)
	}
	return nil
}
