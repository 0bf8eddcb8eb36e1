package mli11

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/mlikernels/mli"
	"arcv2dsp/nn"
)

// maxWork bounds the work of a shape, so that a mistyped one does not run for hours.
const maxWork = 1 << 30

// notation is how the shapes of some operators are written.
type notation struct {
	mli.Notation
	// shapes makes a call of the numbers of the pattern, and counts its work.
	shapes func(f *function, n []int) (shapes, int, error)
}

// The notations: the calls of referenceTable are of these forms.
var (
	convNotation = &notation{
		Notation: mli.Notation{Form: "KxK IN-OUT [sSTRIDE] SIZExSIZE [padN]", Unit: kernel.MAC,
			Pattern: regexp.MustCompile(`^(\d{1,5})x(\d{1,5}) (\d{1,5})-(\d{1,5})(?: s(\d{1,2}))? (\d{1,5})x(\d{1,5})(?: nopad| pad(\d{1,2}))?$`)},
		shapes: func(_ *function, n []int) (shapes, int, error) {
			w, err := mli.NewWindow(n[0], n[1], n[4], n[5], n[6], n[7])
			return convShape(w.Size, n[2], n[3], w.K, w.Stride, w.Pad), w.Out * w.Out * n[2] * n[3] * w.K * w.K, err
		},
	}
	depthwiseNotation = &notation{
		Notation: mli.Notation{Form: "KxK CHANNELS [sSTRIDE] SIZExSIZE [padN]", Unit: kernel.MAC,
			Pattern: regexp.MustCompile(`^(\d{1,5})x(\d{1,5}) (\d{1,5})(?: s(\d{1,2}))? (\d{1,5})x(\d{1,5})(?: nopad| pad(\d{1,2}))?$`)},
		shapes: func(_ *function, n []int) (shapes, int, error) {
			w, err := mli.NewWindow(n[0], n[1], n[3], n[4], n[5], n[6])
			return convShape(w.Size, n[2], n[2], w.K, w.Stride, w.Pad), w.Out * w.Out * n[2] * w.K * w.K, err
		},
	}
	denseNotation = &notation{
		Notation: mli.Notation{Form: "IN-OUT", Unit: kernel.MAC,
			Pattern: regexp.MustCompile(`^(\d{1,6})-(\d{1,6})$`)},
		shapes: func(_ *function, n []int) (shapes, int, error) {
			return denseShape(n[0], n[1]), n[0] * n[1], nil
		},
	}
	poolNotation = &notation{
		Notation: mli.Notation{Form: "KxK [sSTRIDE] SIZExSIZExCHANNELS", Unit: kernel.Output,
			Pattern: regexp.MustCompile(`^(\d{1,5})x(\d{1,5})(?: s(\d{1,2}))? (\d{1,5})x(\d{1,5})x(\d{1,5})$`)},
		shapes: func(_ *function, n []int) (shapes, int, error) {
			w, err := mli.NewWindow(n[0], n[1], n[2], n[3], n[4], 0)
			out := (w.Size + w.Stride - 1) / w.Stride
			return poolShape(w.Size, n[5], w.K, w.Stride), out * out * n[5], err
		},
	}
	flatNotation = &notation{
		Notation: mli.Notation{Form: "ELEMENTS", Unit: kernel.Element,
			Pattern: regexp.MustCompile(`^(\d{1,6})$`)},
		shapes: func(_ *function, n []int) (shapes, int, error) { return flatShape(n[0]), n[0], nil },
	}
	cellNotation = &notation{
		Notation: mli.Notation{Form: "IN-OUT tanh", Unit: kernel.MAC,
			Pattern: regexp.MustCompile(`^(\d{1,4})-(\d{1,4}) tanh$`)},
		shapes: func(f *function, n []int) (shapes, int, error) {
			return cellShape(n[0], n[1]), f.gates * n[1] * (n[0] + n[1]), nil
		},
	}
)

// parse makes a call of a shape: a known one, or one of which nobody has counted the cost.
func (f *function) parse(_ *kernel.Kernel, shape string) (kernel.Reference, error) {
	n := f.notation
	numbers, err := n.Numbers(f.Family, shape)
	if err != nil {
		return kernel.Reference{}, err
	}
	s, work, err := n.shapes(f, numbers)
	if err != nil {
		return kernel.Reference{}, fmt.Errorf("shape %q: %w", shape, err)
	}
	if work > maxWork {
		return kernel.Reference{}, fmt.Errorf("shape %q: %d of work, at most %d", shape, work, maxWork)
	}
	const widest = 2 // bytes of an element of data or weights
	_, tensors := s(f)
	for _, role := range slices.Sorted(maps.Keys(tensors)) {
		if err := nn.CheckShape(tensors[role]); err != nil || nn.Count(tensors[role]) > kernel.MaxBuffer/widest {
			return kernel.Reference{}, fmt.Errorf("shape %q: tensor %q is %v, it must have 1 to %d elements", shape, role,
				tensors[role], kernel.MaxBuffer/widest)
		}
	}
	i := slices.IndexFunc(f.kernel.References, func(r kernel.Reference) bool { return r.Shape == shape })
	if i >= 0 {
		return f.kernel.References[i], nil
	}
	r := f.reference(shape, s)
	r.Work, r.Unit = work, n.Unit
	return r, nil
}
