package tflite

import (
	"arcv2dsp/nn"
)

// axis is one spatial dimension of an operator that moves a window over its input. Cells of the window
// outside the input are left out.
type axis struct {
	in, out          int
	kernel           int
	stride, dilation int
	lead             int // cells of padding before the input
}

// windowAxis places a window. "SAME" gives one output per stride, with the odd cell of padding at the
// end; "VALID" keeps windows inside the input.
func windowAxis(padding string, in, kernel, stride, dilation int) (axis, error) {
	a := axis{in: in, kernel: kernel, stride: stride, dilation: dilation}
	if stride < 1 || dilation < 1 || kernel < 1 {
		return a, violation("window", "kernel %d, stride %d, dilation %d: they must be positive", kernel, stride, dilation)
	}
	if max(kernel, stride, dilation) > nn.MaxElements {
		return a, violation("window", "kernel %d, stride %d, dilation %d: too large", kernel, stride, dilation)
	}
	reach := (kernel-1)*dilation + 1
	if padding == "SAME" {
		a.out = (in + stride - 1) / stride
		a.lead = max(0, (a.out-1)*stride+reach-in) / 2
		return a, nil
	}
	if reach > in {
		return a, violation("window", "a window of %d cells does not fit into %d", reach, in)
	}
	a.out = (in-reach)/stride + 1
	return a, nil
}

// first is the input cell under cell 0 of window o; it may lie outside.
func (a axis) first(o int) int { return o*a.stride - a.lead }

// inside is the range of cells of window o that lie inside the input.
func (a axis) inside(o int) (from, to int) {
	at := a.first(o)
	if at < 0 {
		from = min((-at+a.dilation-1)/a.dilation, a.kernel)
	}
	if at < a.in {
		to = min((a.in-1-at)/a.dilation+1, a.kernel)
	}
	return from, max(from, to)
}

// cells counts the cells inside the input over all windows.
func (a axis) cells() int64 {
	var n int64
	for o := range a.out {
		from, to := a.inside(o)
		n += int64(to - from)
	}
	return n
}

// plane is the two dimensions of a window over an image.
type plane struct{ h, w axis }

// imagePlane places the window of a call over a tensor of batch, height, width and channels, and
// compares the output with it.
func imagePlane(c *nn.Call, in *nn.Tensor, kernelH, kernelW, channels int) (plane, error) {
	dilation := func(name string) int {
		if _, ok := c.Op.Attr(name); ok {
			return c.Attrs.Int(name)
		}
		return 1
	}
	padding := c.Attrs.String("padding")
	h, err := windowAxis(padding, in.Dim(1), kernelH, c.Attrs.Int("stride_h"), dilation("dilation_h_factor"))
	if err != nil {
		return plane{}, err
	}
	w, err := windowAxis(padding, in.Dim(2), kernelW, c.Attrs.Int("stride_w"), dilation("dilation_w_factor"))
	if err != nil {
		return plane{}, err
	}
	return plane{h, w}, sameShape("out", c.Out[0], []int{in.Dim(0), h.out, w.out, channels})
}

var paddingAttr = nn.AttrSpec{Name: "padding", Default: "SAME", Values: []string{"SAME", "VALID"},
	Doc: "SAME pads to one output per stride, VALID keeps windows inside"}

// strideAttrs are the attributes of every window.
var strideAttrs = []nn.AttrSpec{
	paddingAttr,
	{Name: "stride_w", Default: 0, Doc: "columns from window to window"},
	{Name: "stride_h", Default: 0, Doc: "rows from window to window"},
	activation,
}

// dilationAttrs are the attributes of windows with gaps.
var dilationAttrs = []nn.AttrSpec{
	{Name: "dilation_w_factor", Default: 1, Doc: "columns from cell to cell of the window"},
	{Name: "dilation_h_factor", Default: 1, Doc: "rows from cell to cell of the window"},
}

// biasAttr says how a bias that is absent would be written, which decides the width of sums.
var biasAttr = nn.AttrSpec{Name: "quantized_bias_type", Default: nn.F32, Doc: "element type of the bias in 16x8 networks"}
