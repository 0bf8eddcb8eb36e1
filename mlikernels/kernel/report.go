package kernel

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
)

// Report is what one run of a kernel did.
type Report struct {
	R0      uint32 // what it returned
	Status  string // the same by name
	Results map[string]*nn.Tensor
	Cycles  uint64
	Insts   uint64
	Stalls  map[string]uint64 // lost cycles by reason
}

// OK reports whether the function returned success.
func (r *Report) OK() bool { return r.R0 == 0 }

// Difference says how two results differ in shape, format or elements, or returns nil.
func Difference(got, want *nn.Tensor) error {
	if !slices.Equal(got.Shape, want.Shape) {
		return fmt.Errorf("shape is %v, want %v", got.Shape, want.Shape)
	}
	g, w := got.Format, want.Format
	switch {
	case g.Kind != w.Kind:
		return fmt.Errorf("the format is of another kind")
	case g.Kind == nn.Fixed && g.Frac != w.Frac:
		return fmt.Errorf("fractional bits are %d, want %d", g.Frac, w.Frac)
	case g.Kind == nn.Mantissa && (g.ScaleFrac != w.ScaleFrac || g.Zero(0) != w.Zero(0) || g.Mantissas[0] != w.Mantissas[0]):
		return fmt.Errorf("scale %d/2^%d and zero point %d, want %d/2^%d and %d", g.Mantissas[0], g.ScaleFrac,
			g.Zero(0), w.Mantissas[0], w.ScaleFrac, w.Zero(0))
	}
	return nn.Difference(got, want)
}
