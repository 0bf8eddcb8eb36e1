package tflite

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/window"
)

// windowAxis places a window.
func windowAxis(padding string, in, kernel, stride, dilation int) window.Axis {
	a, err := window.New(padding, in, kernel, stride, dilation)
	if err != nil {
		panic(violation("window", "%v", err))
	}
	return a
}

// plane is the two dimensions of a window over an image.
type plane struct{ h, w window.Axis }

// imagePlane places the window of a call over a tensor of batch, height, width and channels, and
// compares the output with it.
func imagePlane(c *nn.Call, in *nn.Tensor, kernelH, kernelW, channels int) plane {
	dilation := func(name string) int {
		if _, ok := c.Op.Attr(name); ok {
			return c.Attrs.Int(name)
		}
		return 1
	}
	padding := c.Attrs.String("padding")
	h := windowAxis(padding, in.Dim(1), kernelH, c.Attrs.Int("stride_h"), dilation("dilation_h_factor"))
	w := windowAxis(padding, in.Dim(2), kernelW, c.Attrs.Int("stride_w"), dilation("dilation_w_factor"))
	sameShape("out", c.Out[0], []int{in.Dim(0), h.Out, w.Out, channels})
	return plane{h, w}
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
