package tflite

import (
	"slices"

	"arcv2dsp/nn"
)

// weighted are the types of operators with filters: 8-bit activations with weights of 8 or 4 bits,
// 16-bit activations with 64-bit sums. Unsigned elements are those of older networks: one scale for all weights, which have
// a zero point.
var weighted = []nn.Signature{
	{nn.I8, nn.I8, nn.I32, nn.I8},
	{nn.I8, nn.I4, nn.I32, nn.I8},
	{nn.I16, nn.I8, nn.I64, nn.I16},
	{nn.U8, nn.U8, nn.I32, nn.U8},
}

// narrowSums are 16-bit activations with 32-bit sums.
var narrowSums = nn.Signature{nn.I16, nn.I8, nn.I32, nn.I16}

var filterPorts = []nn.Port{{Role: "in"}, {Role: "weights", Weights: true}, {Role: "bias", Optional: true, Weights: true}}

var outPort = []nn.Port{{Role: "out"}}

var conv2D = &nn.Operator{
	Library: nn.TFLite, Name: "CONV_2D",
	Doc:     "convolves an image with filters over all of its channels, or over groups of them",
	Inputs:  filterPorts,
	Outputs: outPort,
	Types:   append(slices.Clone(weighted), narrowSums),
	Attrs:   slices.Concat(strideAttrs, dilationAttrs, []nn.AttrSpec{biasAttr}),
	Check:   checked(prepareConv),
	Golden:  computed(prepareConv, func(c *nn.Call, p conv) { p.convolve(c.In[0], c.In[1], c.Input("bias"), c.Out[0]) }),
	MACs: counted(prepareConv, func(c *nn.Call, p conv) int64 {
		return p.h.Cells() * p.w.Cells() * int64(c.In[0].Dim(0)*c.In[1].Dim(0)*c.In[1].Dim(3))
	}),
	Nominal: func(c *nn.Call) int64 { return int64(c.Out[0].Len()) * int64(nn.Count(c.In[1].Shape[1:])) },
}

var depthwiseConv2D = &nn.Operator{
	Library: nn.TFLite, Name: "DEPTHWISE_CONV_2D",
	Doc:     "convolves each channel of an image with filters of its own",
	Inputs:  filterPorts,
	Outputs: outPort,
	Types:   weighted,
	// The multiplier follows from the shapes; the attribute repeats it.
	Attrs:  slices.Concat(strideAttrs, dilationAttrs, []nn.AttrSpec{{Name: "depth_multiplier", Default: 0, Doc: "filters per channel"}}),
	Check:  checked(prepareDepthwise),
	Golden: computed(prepareDepthwise, func(c *nn.Call, p conv) { p.convolveDepthwise(c.In[0], c.In[1], c.Input("bias"), c.Out[0]) }),
	MACs: counted(prepareDepthwise, func(c *nn.Call, p conv) int64 {
		return p.h.Cells() * p.w.Cells() * int64(c.In[0].Dim(0)*c.In[1].Dim(3))
	}),
	Nominal: func(c *nn.Call) int64 { return int64(c.Out[0].Len()) * int64(c.In[1].Dim(1)*c.In[1].Dim(2)) },
}

// sums is the way from a sum of products to an output element.
type sums struct {
	inZero, weightZero, outZero int64
	channels                    []requantizer // one for each output channel
	wide                        bool          // sums of 64 bits
	limits
}

// prepareSums forms the factor of each channel in double precision: scale of the input times scale of the
// channel's weights by scale of the output. One scale of weights stands for all channels. Of unsigned elements the product is
// one of single precision.
func prepareSums(c *nn.Call, in, weights, bias, out *nn.Tensor, axis, channels int) sums {
	s := sums{inZero: in.Format.Zero(0), outZero: out.Format.Zero(0), wide: in.Type == nn.I16}
	if in.Type == nn.U8 {
		s.weightZero = weights.Format.Zero(0)
	}
	ends := scales(c, "in", "out")
	checkFilter(weights, bias, axis, channels)
	real := make([]float64, channels)
	for i := range real {
		if in.Type == nn.U8 {
			real[i] = float64(float32(ends[0]*weights.Format.Scales[0])) / float64(ends[1])
			continue
		}
		real[i] = float64(ends[0]) * weights.Format.Scale(i) / float64(ends[1])
	}
	s.channels = requantizeAll(c, real)
	s.limits = activated(c.Attrs.String(activation.Name), out)
	symmetric(in, out)
	return s
}

// checkFilter holds weights and bias against the number of output channels.
func checkFilter(weights, bias *nn.Tensor, axis, channels int) {
	refuse(weights.Format.Kind != nn.Scaled, "scale", "weights have no scale")
	if n := weights.Format.Steps(); n > 1 && (n != channels || weights.Format.Axis != axis) {
		panic(violation("scale", "weights have %d scales along dimension %d, there are %d output channels along %d",
			n, weights.Format.Axis, channels, axis))
	}
	if weights.Type == nn.U8 && weights.Format.Steps() > 1 {
		panic(violation("scale", "unsigned weights have %d scales, they must have one", weights.Format.Steps()))
	}
	for _, z := range weights.Format.Zeros {
		refuse(z != 0 && weights.Type != nn.U8, "zero point", "weights have a zero point of %d, it must be 0", z)
	}
	if bias != nil && bias.Len() != channels {
		panic(violation("shape", "bias has %d elements, there are %d output channels", bias.Len(), channels))
	}
}

// narrow makes the sums of 16-bit activations 32 bits wide where the bias has 32 bits, or would have.
func (s *sums) narrow(c *nn.Call, bias *nn.Tensor) {
	if bias != nil && bias.Type == nn.I32 || bias == nil && c.Attrs.Type(biasAttr.Name) == nn.I32 {
		s.wide = false
	}
}

// output makes the element of a channel from a sum of products.
func (s *sums) output(sum int64, bias *nn.Tensor, channel int) int64 {
	if bias != nil {
		sum += bias.Ints[channel]
	}
	if s.wide {
		sum = s.channels[channel].applyWide(sum)
	} else {
		sum = s.channels[channel].apply(sum)
	}
	return s.clamp(sum + s.outZero)
}

// conv is a prepared convolution.
type conv struct {
	plane
	sums
}

func prepareConv(c *nn.Call) conv {
	var p conv
	in, weights, out := c.In[0], c.In[1], c.Out[0]
	rank("in", in, 4)
	rank("weights", weights, 4)
	channels := weights.Dim(0)
	if g := in.Dim(3) / weights.Dim(3); g*weights.Dim(3) != in.Dim(3) || channels%max(g, 1) != 0 {
		panic(violation("groups", "%d input channels, filters over %d of them, %d filters", in.Dim(3), weights.Dim(3), channels))
	}
	p.plane = imagePlane(c, in, weights.Dim(1), weights.Dim(2), channels)
	p.sums = prepareSums(c, in, weights, c.Input("bias"), out, 0, channels)
	p.narrow(c, c.Input("bias"))
	return p
}

// convolve: filters are written filter, row, column, channel.
func (p *conv) convolve(in, weights, bias, out *nn.Tensor) {
	channels, depth := weights.Dim(0), weights.Dim(3)
	perGroup := channels / (in.Dim(3) / depth)
	i := 0
	for b := range in.Dim(0) {
		for y := range p.h.Out {
			ky0, ky1 := p.h.Inside(y)
			for x := range p.w.Out {
				kx0, kx1 := p.w.Inside(x)
				for ch := range channels {
					var sum int64
					for ky := ky0; ky < ky1; ky++ {
						row := (b*p.h.In + p.h.First(y) + ky*p.h.Dilation) * p.w.In
						for kx := kx0; kx < kx1; kx++ {
							cell := (row+p.w.First(x)+kx*p.w.Dilation)*in.Dim(3) + ch/perGroup*depth
							filter := ((ch*p.h.Kernel+ky)*p.w.Kernel + kx) * depth
							sum += dot(in.Ints[cell:cell+depth], weights.Ints[filter:filter+depth], p.inZero, p.weightZero)
						}
					}
					out.Ints[i] = p.output(sum, bias, ch)
					i++
				}
			}
		}
	}
}

// dot is the sum of products of two runs of elements less their zero points.
func dot(x, w []int64, xZero, wZero int64) int64 {
	var sum int64
	w = w[:len(x)]
	for i, v := range x {
		sum += (v - xZero) * (w[i] - wZero)
	}
	return sum
}

func prepareDepthwise(c *nn.Call) conv {
	var p conv
	in, weights := c.In[0], c.In[1]
	rank("in", in, 4)
	rank("weights", weights, 4)
	channels := weights.Dim(3)
	if weights.Dim(0) != 1 || channels%in.Dim(3) != 0 {
		panic(violation("shape", "weights are %v, they must be [1 height width n*%d]", weights.Shape, in.Dim(3)))
	}
	p.plane = imagePlane(c, in, weights.Dim(1), weights.Dim(2), channels)
	p.sums = prepareSums(c, in, weights, c.Input("bias"), c.Out[0], 3, channels)
	return p
}

// convolveDepthwise: output channel c*n+m comes from input channel c, n filters to a channel.
func (p *conv) convolveDepthwise(in, weights, bias, out *nn.Tensor) {
	channels := weights.Dim(3)
	multiplier := channels / in.Dim(3)
	i := 0
	for b := range in.Dim(0) {
		for y := range p.h.Out {
			ky0, ky1 := p.h.Inside(y)
			for x := range p.w.Out {
				kx0, kx1 := p.w.Inside(x)
				for ch := range channels {
					var sum int64
					for ky := ky0; ky < ky1; ky++ {
						row := (b*p.h.In + p.h.First(y) + ky*p.h.Dilation) * p.w.In
						for kx := kx0; kx < kx1; kx++ {
							cell := (row+p.w.First(x)+kx*p.w.Dilation)*in.Dim(3) + ch/multiplier
							sum += (in.Ints[cell] - p.inZero) * (weights.Ints[(ky*p.w.Kernel+kx)*channels+ch] - p.weightZero)
						}
					}
					out.Ints[i] = p.output(sum, bias, ch)
					i++
				}
			}
		}
	}
}
