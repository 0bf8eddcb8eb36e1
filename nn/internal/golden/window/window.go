// Package window places the windows that convolutions and pools of TensorFlow Lite move over an image, whatever its
// elements are.
package window

import (
	"fmt"

	"arcv2dsp/nn"
)

// Axis is one dimension of an image under a sliding window. Cells of the window outside the image are left out.
type Axis struct {
	In, Out          int
	Kernel           int
	Stride, Dilation int
	Before, After    int // cells of padding
}

// New places a window. "SAME" gives one output per stride, with the odd cell of padding at the end; "VALID" keeps
// windows inside the image.
func New(padding string, in, kernel, stride, dilation int) (Axis, error) {
	a := Axis{In: in, Kernel: kernel, Stride: stride, Dilation: dilation}
	if stride < 1 || dilation < 1 || kernel < 1 {
		return a, fmt.Errorf("kernel %d, stride %d, dilation %d: they must be positive", kernel, stride, dilation)
	}
	if max(kernel, stride, dilation) > nn.MaxElements {
		return a, fmt.Errorf("kernel %d, stride %d, dilation %d: too large", kernel, stride, dilation)
	}
	reach := (kernel-1)*dilation + 1
	if padding == "SAME" {
		a.Out = (in + stride - 1) / stride
		pad := max(0, (a.Out-1)*stride+reach-in)
		a.Before, a.After = pad/2, pad-pad/2
		return a, nil
	}
	if reach > in {
		return a, fmt.Errorf("a window of %d cells does not fit into %d", reach, in)
	}
	a.Out = (in-reach)/stride + 1
	return a, nil
}

// First is the cell of the image under cell 0 of window o; it may lie outside.
func (a Axis) First(o int) int { return o*a.Stride - a.Before }

// Inside is the range of cells of window o that lie inside the image.
func (a Axis) Inside(o int) (from, to int) {
	at := a.First(o)
	if at < 0 {
		from = min((-at+a.Dilation-1)/a.Dilation, a.Kernel)
	}
	if at < a.In {
		to = min((a.In-1-at)/a.Dilation+1, a.Kernel)
	}
	return from, max(from, to)
}

// Cells counts the cells inside the image over all windows.
func (a Axis) Cells() int64 {
	var n int64
	for o := range a.Out {
		from, to := a.Inside(o)
		n += int64(to - from)
	}
	return n
}
