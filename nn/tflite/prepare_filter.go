package tflite

import (
	"fmt"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Filter is a prepared convolution or matrix product.
type Filter struct {
	// Factors bring the sum of each output channel to the scale of the output; a matrix product has one.
	Factors []quant.Multiplier
	// Wide: sums have 64 bits, and the factor is reduced to 16 bits and applied with one rounding.
	Wide bool
	// Zero points: products are (x - InZero) * (w - WeightZero).
	InZero, WeightZero, OutZero int64
	Limits
}

// Filtered prepares CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV, FULLY_CONNECTED and BATCH_MATMUL.
func Filtered(c *nn.Call) (Filter, error) {
	in, weights, bias, out := c.In[0], c.In[1], c.Input("bias"), c.Out[0]
	f := Filter{OutZero: out.Format.Zero(0)}
	channels, product := 1, false
	switch c.Op.Name {
	case "CONV_2D":
		channels = weights.Dim(0)
	case "DEPTHWISE_CONV_2D":
		channels = weights.Dim(3)
	case "TRANSPOSE_CONV":
		in, channels = c.In[2], weights.Dim(0)
	case "FULLY_CONNECTED":
		channels, product = weights.Dim(0), weights.Format.Steps() == 1
	case "BATCH_MATMUL":
		product = true
	default:
		return f, fmt.Errorf("%s has no filter", c.Op.Name)
	}
	f.InZero, f.Wide = in.Format.Zero(0), in.Type == nn.I16
	product = product || in.Type == nn.U8 // of unsigned elements the weights have one scale and a zero point
	if narrow := c.Op.Name == "CONV_2D" || c.Op.Name == "FULLY_CONNECTED"; narrow {
		missing := bias == nil && c.Attrs.Type("quantized_bias_type") == nn.I32
		f.Wide = f.Wide && !missing && (bias == nil || bias.Type != nn.I32)
	}
	for ch := range channels {
		real := float64(step(in)) * weights.Format.Scale(ch) / float64(step(out))
		if product {
			real = single(step(in)*step(weights)) / float64(step(out))
		}
		m, err := factor(c, real)
		if err != nil {
			return f, err
		}
		f.Factors = append(f.Factors, m)
	}
	if product {
		f.WeightZero = weights.Format.Zero(0)
	}
	function := "NONE"
	if _, ok := c.Op.Attr(fused); ok {
		function = c.Attrs.String(fused)
	}
	var err error
	f.Limits, err = Activation(function, out)
	return f, err
}

// FoldedBias is the bias of each channel with the zero point of the input taken out of the products: the
// sum of w*x over the window plus this is the sum of w*(x-zero). That holds where every cell of the window is
// inside the image, or is padded with the zero point. Sums of 32 bits wrap. A channel is an element of
// dimension axis of the weights.
func FoldedBias(weights, bias *nn.Tensor, axis int, inZero int64, wide bool) []int64 {
	folded := make([]int64, weights.Dim(axis))
	inner := nn.Count(weights.Shape[axis+1:])
	for i, w := range weights.Ints {
		folded[i/inner%len(folded)] -= inZero * w
	}
	for ch := range folded {
		if bias != nil {
			folded[ch] += bias.Ints[ch]
		}
		if !wide {
			folded[ch] = nn.I32.Wrap(folded[ch])
		}
	}
	return folded
}

// Window is the place of a window over an image: its cells, and the padding before the first row and
// column. For TRANSPOSE_CONV the image is the output.
type Window struct {
	KernelH, KernelW     int
	StrideH, StrideW     int
	DilationH, DilationW int
	PadTop, PadLeft      int
}

// Windowed places the window of CONV_2D, DEPTHWISE_CONV_2D, TRANSPOSE_CONV, AVERAGE_POOL_2D and MAX_POOL_2D.
func Windowed(c *nn.Call) (Window, error) {
	w := Window{StrideH: c.Attrs.Int("stride_h"), StrideW: c.Attrs.Int("stride_w"), DilationH: 1, DilationW: 1}
	image, windows := c.In[0], c.Out[0]
	switch c.Op.Name {
	case "CONV_2D", "DEPTHWISE_CONV_2D":
		w.DilationH, w.DilationW = c.Attrs.Int("dilation_h_factor"), c.Attrs.Int("dilation_w_factor")
		w.KernelH, w.KernelW = c.In[1].Dim(1), c.In[1].Dim(2)
	case "TRANSPOSE_CONV":
		w.KernelH, w.KernelW = c.In[1].Dim(1), c.In[1].Dim(2)
		image, windows = c.Out[0], c.In[2]
	case "AVERAGE_POOL_2D", "MAX_POOL_2D":
		w.KernelH, w.KernelW = c.Attrs.Int("filter_height"), c.Attrs.Int("filter_width")
	default:
		return w, fmt.Errorf("%s has no window", c.Op.Name)
	}
	if c.Attrs.String("padding") == "SAME" {
		w.PadTop = leading(image.Dim(1), windows.Dim(1), w.KernelH, w.StrideH, w.DilationH)
		w.PadLeft = leading(image.Dim(2), windows.Dim(2), w.KernelW, w.StrideW, w.DilationW)
	}
	return w, nil
}

// leading is the smaller half of what the windows reach beyond the image.
func leading(image, windows, kernel, stride, dilation int) int {
	beyond := (windows-1)*stride + dilation*(kernel-1) + 1 - image
	return max(beyond, 0) >> 1
}
