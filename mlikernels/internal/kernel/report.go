package kernel

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
)

// Report describes one run of a kernel.
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
	case g.Kind == nn.Mantissa && g.Steps() != w.Steps():
		return fmt.Errorf("%d scales, want %d", g.Steps(), w.Steps())
	}
	for i := range w.Steps() {
		if w.Kind == nn.Mantissa && (g.Scale(i) != w.Scale(i) || g.Mantissas[i] != w.Mantissas[i] || g.Zero(i) != w.Zero(i)) {
			return fmt.Errorf("scale %d is %d, value %g, with zero point %d, want %d, %g, %d", i, g.Mantissas[i], g.Scale(i), g.Zero(i),
				w.Mantissas[i], w.Scale(i), w.Zero(i))
		}
	}
	return nn.Difference(got, want)
}
