package mli

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// Notation is how the shapes of some operators are written.
type Notation struct {
	Form    string // for people
	Pattern *regexp.Regexp
	Unit    string // of its work
	// Words are texts of a shape that stand for their index.
	Words []string
}

// Numbers are the numbers of a shape, 0 where one is left out. Errors name the operator.
func (n *Notation) Numbers(operator, shape string) ([]int, error) {
	match := n.Pattern.FindStringSubmatch(shape)
	if match == nil {
		return nil, fmt.Errorf("shape %q: %s takes %s", shape, operator, n.Form)
	}
	numbers := make([]int, len(match)-1)
	for i, text := range match[1:] {
		if text == "" {
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

// Window is a square window that slides over a square map.
type Window struct{ Size, K, Stride, Pad, Out int }

// NewWindow checks the window as its notation gives it. A stride that is left out is 1.
func NewWindow(kh, kw, stride, height, width, pad int) (Window, error) {
	w := Window{Size: height, K: kh, Stride: max(1, stride), Pad: pad}
	switch {
	case kh != kw || height != width:
		return w, fmt.Errorf("windows and maps are square")
	case kh > height+2*pad:
		return w, fmt.Errorf("the window is larger than the map")
	case pad >= kh:
		return w, fmt.Errorf("the window does not reach beyond the padding")
	}
	w.Out = (w.Size+2*pad-w.K)/w.Stride + 1
	return w, nil
}
