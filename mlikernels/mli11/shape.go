package mli11

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
)

// maxWork bounds the work of a shape, so that a mistyped one does not run for hours.
const maxWork = 1 << 30

// notation is how the shapes of some operators are written.
type notation struct {
	form    string // for people
	pattern *regexp.Regexp
	// shapes makes a call of the numbers of the pattern, 0 where one is left out, and counts its work.
	shapes func(f *function, n []int) (shapes, int, error)
	unit   string
}

// The notations: the calls of referenceTable are of these forms.
var (
	convNotation = &notation{
		form:    "KxK IN-OUT [sSTRIDE] SIZExSIZE [padN]",
		pattern: regexp.MustCompile(`^(\d{1,5})x(\d{1,5}) (\d{1,5})-(\d{1,5})(?: s(\d{1,2}))? (\d{1,5})x(\d{1,5})(?: nopad| pad(\d{1,2}))?$`),
		shapes: func(_ *function, n []int) (shapes, int, error) {
			w, err := newWindow(n[0], n[1], n[4], n[5], n[6], n[7])
			return convShape(w.size, n[2], n[3], w.k, w.stride, w.pad), w.out * w.out * n[2] * n[3] * w.k * w.k, err
		},
		unit: kernel.MAC,
	}
	depthwiseNotation = &notation{
		form:    "KxK CHANNELS [sSTRIDE] SIZExSIZE [padN]",
		pattern: regexp.MustCompile(`^(\d{1,5})x(\d{1,5}) (\d{1,5})(?: s(\d{1,2}))? (\d{1,5})x(\d{1,5})(?: nopad| pad(\d{1,2}))?$`),
		shapes: func(_ *function, n []int) (shapes, int, error) {
			w, err := newWindow(n[0], n[1], n[3], n[4], n[5], n[6])
			return convShape(w.size, n[2], n[2], w.k, w.stride, w.pad), w.out * w.out * n[2] * w.k * w.k, err
		},
		unit: kernel.MAC,
	}
	denseNotation = &notation{
		form:    "IN-OUT",
		pattern: regexp.MustCompile(`^(\d{1,6})-(\d{1,6})$`),
		shapes: func(_ *function, n []int) (shapes, int, error) {
			return denseShape(n[0], n[1]), n[0] * n[1], nil
		},
		unit: kernel.MAC,
	}
	poolNotation = &notation{
		form:    "KxK [sSTRIDE] SIZExSIZExCHANNELS",
		pattern: regexp.MustCompile(`^(\d{1,5})x(\d{1,5})(?: s(\d{1,2}))? (\d{1,5})x(\d{1,5})x(\d{1,5})$`),
		shapes: func(_ *function, n []int) (shapes, int, error) {
			w, err := newWindow(n[0], n[1], n[2], n[3], n[4], 0)
			out := (w.size + w.stride - 1) / w.stride
			return poolShape(w.size, n[5], w.k, w.stride), out * out * n[5], err
		},
		unit: kernel.Output,
	}
	flatNotation = &notation{
		form:    "ELEMENTS",
		pattern: regexp.MustCompile(`^(\d{1,6})$`),
		shapes:  func(_ *function, n []int) (shapes, int, error) { return flatShape(n[0]), n[0], nil },
		unit:    kernel.Element,
	}
	cellNotation = &notation{
		form:    "IN-OUT tanh",
		pattern: regexp.MustCompile(`^(\d{1,4})-(\d{1,4}) tanh$`),
		shapes: func(f *function, n []int) (shapes, int, error) {
			return cellShape(n[0], n[1]), f.gates * n[1] * (n[0] + n[1]), nil
		},
		unit: kernel.MAC,
	}
)

// window is a square window that slides over a square map.
type window struct{ size, k, stride, pad, out int }

// newWindow checks the window as its notation gives it. A stride that is left out is 1.
func newWindow(kh, kw, stride, height, width, pad int) (window, error) {
	w := window{size: height, k: kh, stride: max(1, stride), pad: pad}
	switch {
	case kh != kw || height != width:
		return w, fmt.Errorf("windows and maps are square")
	case kh > height+2*pad:
		return w, fmt.Errorf("the window is larger than the map")
	case pad >= kh:
		return w, fmt.Errorf("the window does not reach beyond the padding")
	}
	w.out = (w.size+2*pad-w.k)/w.stride + 1
	return w, nil
}

// parse makes a call of a shape: a known one, or one of which nobody has counted the cost.
func (f *function) parse(_ *kernel.Kernel, shape string) (kernel.Reference, error) {
	n := f.notation
	match := n.pattern.FindStringSubmatch(shape)
	if match == nil {
		return kernel.Reference{}, fmt.Errorf("shape %q: %s takes %s", shape, f.Family, n.form)
	}
	numbers := make([]int, len(match)-1)
	for i, text := range match[1:] {
		if text == "" {
			continue
		}
		v, err := strconv.Atoi(text)
		if err != nil {
			return kernel.Reference{}, fmt.Errorf("shape %q: %w", shape, err)
		}
		numbers[i] = v
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
	r.Work, r.Unit = work, n.unit
	return r, nil
}
