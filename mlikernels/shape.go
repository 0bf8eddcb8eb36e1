package mlikernels

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxWork bounds the work of a shape, so that a mistyped one does not run for hours.
const maxWork = 1 << 30

// notation is how the shapes of some families are written.
type notation struct {
	families []string
	form     string // for people
	pattern  *regexp.Regexp
	// layout makes a call of the numbers of the pattern, 0 where one is left out.
	layout func(n []int) (layout, int, error)
	unit   string
}

// layout says what a family's parameters and tensors are.
type layout func(family string) (params map[string]int, shapes map[string][]int)

// notations lists how shapes are written: those of referenceTable are of these forms.
func notations() []notation {
	form := regexp.MustCompile
	return []notation{
		{
			families: []string{"conv2d_chw", "conv2d_hwc", "conv2d_nhwc"},
			form:     "KxK IN-OUT [sSTRIDE] SIZExSIZE [padN]",
			pattern:  form(`^(\d{1,5})x(\d{1,5}) (\d{1,5})-(\d{1,5})(?: s(\d{1,2}))? (\d{1,5})x(\d{1,5})(?: nopad| pad(\d{1,2}))?$`),
			layout: func(n []int) (layout, int, error) {
				w, err := newWindow(n[0], n[1], n[4], n[5], n[6], n[7])
				return convShape(w.size, n[2], n[3], w.k, w.stride, w.pad), w.out * w.out * n[2] * n[3] * w.k * w.k, err
			},
			unit: macs,
		}, {
			families: []string{"depthwise_conv2d_chw", "depthwise_conv2d_hwcn"},
			form:     "KxK CHANNELS [sSTRIDE] SIZExSIZE [padN]",
			pattern:  form(`^(\d{1,5})x(\d{1,5}) (\d{1,5})(?: s(\d{1,2}))? (\d{1,5})x(\d{1,5})(?: nopad| pad(\d{1,2}))?$`),
			layout: func(n []int) (layout, int, error) {
				w, err := newWindow(n[0], n[1], n[3], n[4], n[5], n[6])
				return convShape(w.size, n[2], n[2], w.k, w.stride, w.pad), w.out * w.out * n[2] * w.k * w.k, err
			},
			unit: macs,
		}, {
			families: []string{"fully_connected"},
			form:     "IN-OUT",
			pattern:  form(`^(\d{1,6})-(\d{1,6})$`),
			layout:   func(n []int) (layout, int, error) { return denseShape(n[0], n[1]), n[0] * n[1], nil },
			unit:     macs,
		}, {
			families: []string{"avepool_chw", "avepool_hwc", "maxpool_chw", "maxpool_hwc"},
			form:     "KxK [sSTRIDE] SIZExSIZExCHANNELS",
			pattern:  form(`^(\d{1,5})x(\d{1,5})(?: s(\d{1,2}))? (\d{1,5})x(\d{1,5})x(\d{1,5})$`),
			layout: func(n []int) (layout, int, error) {
				w, err := newWindow(n[0], n[1], n[2], n[3], n[4], 0)
				out := (w.size + w.stride - 1) / w.stride
				return poolShape(w.size, n[5], w.k, w.stride), out * out * n[5], err
			},
			unit: outputs,
		}, {
			families: []string{"softmax", "sigm", "tanh", "relu", "leaky_relu", "eltwise_add", "eltwise_sub", "eltwise_mul",
				"eltwise_min", "eltwise_max"},
			form:    "ELEMENTS",
			pattern: form(`^(\d{1,6})$`),
			layout:  func(n []int) (layout, int, error) { return flatShape(n[0]), n[0], nil },
			unit:    elems,
		}, {
			families: []string{"lstm_cell"},
			form:     "IN-OUT tanh",
			pattern:  form(`^(\d{1,4})-(\d{1,4}) tanh$`),
			layout:   func(n []int) (layout, int, error) { return cellShape(n[0], n[1], 4), 4 * n[1] * (n[0] + n[1]), nil },
			unit:     macs,
		}, {
			families: []string{"basic_rnn_cell"},
			form:     "IN-OUT tanh",
			pattern:  form(`^(\d{1,4})-(\d{1,4}) tanh$`),
			layout:   func(n []int) (layout, int, error) { return cellShape(n[0], n[1], 1), n[1] * (n[0] + n[1]), nil },
			unit:     macs,
		},
	}
}

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

// ShapeForm says how shapes of a family are written, "" for a family without a notation.
func ShapeForm(family string) string {
	n, _ := notationOf(family)
	return n.form
}

// ShapeFamilies lists the families whose shapes can be written.
func ShapeFamilies() []string {
	var all []string
	for _, n := range notations() {
		all = append(all, n.families...)
	}
	return all
}

func notationOf(family string) (notation, bool) {
	for _, n := range notations() {
		if slices.Contains(n.families, family) {
			return n, true
		}
	}
	return notation{}, false
}

// CheckShape reports what is wrong with a shape for a family.
func CheckShape(family, shape string) error {
	_, err := parseShape(family, shape)
	return err
}

// NewReference describes a call of a kernel on a shape. The vendor's count is 0 when it is not known.
func NewReference(symbol, shape string) (Reference, error) {
	k, err := Lookup(symbol)
	if err != nil {
		return Reference{}, err
	}
	r, err := parseShape(k.Family, shape)
	r.Symbol = symbol
	for _, known := range References() {
		if known.Name() == r.Name() {
			return known, err
		}
	}
	return r, err
}

func parseShape(family, shape string) (Reference, error) {
	r := Reference{Shape: shape}
	form, ok := notationOf(family)
	if !ok {
		return r, fmt.Errorf("%s has no shapes, those that have are %s", family, strings.Join(ShapeFamilies(), ", "))
	}
	match := form.pattern.FindStringSubmatch(shape)
	if match == nil {
		return r, fmt.Errorf("shape %q: %s takes %s", shape, family, form.form)
	}
	numbers := make([]int, len(match)-1)
	for i, text := range match[1:] {
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return r, fmt.Errorf("shape %q: %w", shape, err)
		}
		numbers[i] = n
	}
	build, work, err := form.layout(numbers)
	if err != nil {
		return r, fmt.Errorf("shape %q: %w", shape, err)
	}
	r.Work, r.Unit = work, form.unit
	r.params, r.shapes = build(family)
	if work > maxWork {
		return r, fmt.Errorf("shape %q: %d of work, at most %d", shape, work, maxWork)
	}
	const widest = 2 // bytes of an element of data or weights
	for _, role := range slices.Sorted(maps.Keys(r.shapes)) {
		n := 1
		for _, d := range r.shapes[role] {
			if n *= d; n == 0 || n > MaxBuffer/widest {
				return r, fmt.Errorf("shape %q: tensor %q is %v, it must have 1 to %d elements", shape, role, r.shapes[role],
					MaxBuffer/widest)
			}
		}
	}
	return r, nil
}
