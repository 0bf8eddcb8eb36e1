package mli

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// Notation is how the shapes of some operators are written.
type Notation struct {
	Form    string // for people
	Pattern func() *regexp.Regexp
	// Words are texts of a shape that stand for their index.
	Words []string
}

// absent stands for a number that a shape leaves out.
const absent = -1

// Numbers are the numbers of a shape, -1 where one is left out. Errors name the operator.
func (n *Notation) Numbers(operator, shape string) ([]int, error) {
	match := n.Pattern().FindStringSubmatch(shape)
	if match == nil {
		return nil, fmt.Errorf("shape %q: %s takes %s", shape, operator, n.Form)
	}
	numbers := make([]int, len(match)-1)
	for i, text := range match[1:] {
		if text == "" {
			numbers[i] = absent
			continue
		}
		if k := slices.Index(n.Words, text); k >= 0 {
			numbers[i] = k
			continue
		}
		v, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("shape %q: %w", shape, err)
		}
		numbers[i] = v
	}
	return numbers, nil
}

// The parts of patterns and forms that operators with a window share. A number alone stands for both directions or all
// four sides.
const (
	strides   = `(?: s(\d{1,2})(?:x(\d{1,2}))?)?`
	dilations = `(?: d(\d{1,2})(?:x(\d{1,2}))?)?`
	sides     = `(?: (nopad)| pad(\d{1,2})(?:\.(\d{1,2})\.(\d{1,2})\.(\d{1,2}))?)?`

	windowForm = " [sSTRIDE|sSHxSW] "
	padForm    = " [nopad|padN|padL.R.T.B]"
	noPad      = "nopad"
)

// The notations that the versions share.
var (
	Convolution = Notation{Form: "KHxKW IN-OUT [N groups]" + windowForm + "[dN|dHxW] HxW" + padForm, Words: []string{noPad},
		Pattern: kernel.Compiled(`^(\d{1,5})x(\d{1,5}) (\d{1,5})-(\d{1,5})(?: (\d{1,4}) groups)?` + strides + dilations + ` (\d{1,5})x(\d{1,5})` + sides + `$`)}
	Depthwise = Notation{Form: "KHxKW CHANNELS" + windowForm + "[dN|dHxW] HxW" + padForm, Words: []string{noPad},
		Pattern: kernel.Compiled(`^(\d{1,5})x(\d{1,5}) (\d{1,5})` + strides + dilations + ` (\d{1,5})x(\d{1,5})` + sides + `$`)}
	Pooling = Notation{Form: "KHxKW" + windowForm + "HxWxCHANNELS" + padForm, Words: []string{noPad},
		Pattern: kernel.Compiled(`^(\d{1,5})x(\d{1,5})` + strides + ` (\d{1,5})x(\d{1,5})x(\d{1,5})` + sides + `$`)}
	Dense = Notation{Form: "IN-OUT", Pattern: kernel.Compiled(`^(\d{1,6})-(\d{1,6})$`)}
	Flat  = Notation{Form: "ELEMENTS", Pattern: kernel.Compiled(`^(\d{1,6})$`)}
	Cells = Notation{Form: "IN-OUT [N steps] [none|tanh|sigm]", Words: []string{"none", "tanh", "sigm"},
		Pattern: kernel.Compiled(`^(\d{1,4})-(\d{1,4})(?: (\d{1,3}) steps)?(?: (none|tanh|sigm))?$`)}
)

// Cell is a recurrent cell as its notation gives it: one step, and the hyperbolic tangent, unless it says otherwise.
type Cell struct{ In, Out, Steps, Act int }

// NewCell takes the numbers of the notation.
func NewCell(n []int) (Cell, error) {
	const tanh, gates = 1, 4
	c := Cell{In: n[0], Out: n[1], Steps: given(n[2], 1), Act: given(n[3], tanh)}
	return c, checkWork(c.Steps, gates, c.In+c.Out, c.Out)
}

// given is a number of a shape, or the default of a number that is left out.
func given(n, otherwise int) int {
	if n == absent {
		return otherwise
	}
	return n
}

// Side is one direction of a window that slides over a map.
type Side struct {
	Size, K, Stride, Dilation int
	Before, After             int // padding
}

// Out is the number of positions.
func (s Side) Out() int { return (s.Size+s.Before+s.After-s.span())/s.Stride + 1 }

// span is how far a window reaches.
func (s Side) span() int { return (s.K-1)*s.Dilation + 1 }

// Window slides over a map.
type Window struct {
	H, W                      Side
	Channels, Outputs, Groups int
	Padded                    bool // the notation gives the padding, or says that there is none
}

// NewConvolution takes the numbers of its notation.
func NewConvolution(n []int) (Window, error) {
	w := Window{Channels: n[2], Outputs: n[3], Groups: given(n[4], 1)}
	if w.Groups == 0 || n[2]%w.Groups != 0 || n[3]%w.Groups != 0 {
		return w, fmt.Errorf("%d groups of %d channels and %d outputs", w.Groups, n[2], n[3])
	}
	return w.slide(n[:2], n[5:7], n[7:9], n[9:11], n[11:])
}

// NewDepthwise takes the numbers of its notation.
func NewDepthwise(n []int) (Window, error) {
	return Window{Channels: n[2], Outputs: n[2], Groups: max(1, n[2])}.slide(n[:2], n[3:5], n[5:7], n[7:9], n[9:])
}

// NewPooling takes the numbers of its notation.
func NewPooling(n []int) (Window, error) {
	return Window{Channels: n[6], Groups: 1}.slide(n[:2], n[2:4], []int{1, 1}, n[4:6], n[7:])
}

// slide fills in both sides and checks them.
func (w Window) slide(k, stride, dilation, size, pad []int) (Window, error) {
	sh, dh := given(stride[0], 1), given(dilation[0], 1)
	sw, dw := given(stride[1], sh), given(dilation[1], dh)
	w.Padded = pad[0] != absent || pad[1] != absent
	left := given(pad[1], 0)
	right, top, bottom := given(pad[2], left), given(pad[3], left), given(pad[4], left)
	w.H = Side{Size: size[0], K: k[0], Stride: sh, Dilation: dh, Before: top, After: bottom}
	w.W = Side{Size: size[1], K: k[1], Stride: sw, Dilation: dw, Before: left, After: right}
	for _, s := range []Side{w.H, w.W} {
		switch {
		case s.K < 1 || s.Stride < 1 || s.Dilation < 1:
			return w, fmt.Errorf("a window of %d with stride %d and dilation %d", s.K, s.Stride, s.Dilation)
		case s.span() > s.Size+s.Before+s.After:
			return w, fmt.Errorf("the window is larger than the map")
		case s.Before >= s.span() || s.After >= s.span():
			return w, fmt.Errorf("the window does not reach beyond the padding")
		}
	}
	return w, checkWork(w.H.Out(), w.W.Out(), w.H.K, w.W.K, w.Channels/w.Groups, max(1, w.Outputs))
}

// maxWork bounds the work of a shape, so that a mistyped one does not run for hours.
const maxWork = 1 << 30

func checkWork(factors ...int) error {
	work := 1
	for _, n := range factors {
		if n > 0 && work > maxWork/n {
			return fmt.Errorf("of work there is more than %d, the most that a shape may have", maxWork)
		}
		work *= n
	}
	return nil
}

// CheckTensors fails for a shape whose tensors do not fit into the memories.
func CheckTensors(shape string, tensors map[string][]int) error {
	const widest = 2 // bytes of an element of data or weights
	for _, role := range slices.Sorted(maps.Keys(tensors)) {
		if err := nn.CheckShape(tensors[role]); err != nil || nn.Count(tensors[role]) > kernel.MaxBuffer/widest {
			return fmt.Errorf("shape %q: tensor %q is %v, it must have 1 to %d elements", shape, role, tensors[role], kernel.MaxBuffer/widest)
		}
	}
	return nil
}
