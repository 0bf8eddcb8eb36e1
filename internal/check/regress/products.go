package regress

import (
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn/golden"
)

// planGemm plans the matrix product of gemmlowp in a line: every kernel that takes it computes it, on all cores.
func (s *Suite) planGemm(at place, text []byte) error {
	c, err := golden.ParseGEMMRecord(text, golden.Operators())
	if err != nil {
		return err
	}
	for _, k := range mlikernels.For(c.Op) {
		if k.Fits == nil || k.Fits(c.Call) == nil {
			s.planCase(at.stem(), c, k)
		}
	}
	return nil
}
