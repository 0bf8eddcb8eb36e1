package tflite

import (
	"slices"

	"arcv2dsp/nn"
)

var fullyConnected = &nn.Operator{
	Library: nn.TFLite, Name: "FULLY_CONNECTED",
	Doc:     "multiplies rows of the input by a matrix of weights",
	Inputs:  filterPorts,
	Outputs: outPort,
	Types:   append(slices.Clone(weighted), narrowSums),
	Attrs: []nn.AttrSpec{
		activation,
		{Name: "weights_format", Default: "DEFAULT", Values: []string{"DEFAULT", "SHUFFLED4x16INT8"}, Doc: "order of the weights"},
		{Name: "keep_num_dims", Default: false, Doc: "the output has as many dimensions as the input"},
		biasAttr,
	},
	Check:  checked(prepareFullyConnected),
	Golden: computed(prepareFullyConnected, func(c *nn.Call, s sums) { s.multiply(c.In[0], c.In[1], c.Input("bias"), c.Out[0]) }),
	MACs:   func(c *nn.Call) int64 { return int64(c.Out[0].Len()) * int64(c.In[1].Dim(1)) },
}

func prepareFullyConnected(c *nn.Call) sums {
	in, weights, bias, out := c.In[0], c.In[1], c.Input("bias"), c.Out[0]
	rank("weights", weights, 2)
	if f := c.Attrs.String("weights_format"); f != "DEFAULT" {
		panic(violation("layout", "weights in the order %s", f))
	}
	channels, depth := weights.Dim(0), weights.Dim(1)
	rows := in.Len() / depth
	if rows*depth != in.Len() || out.Len() != rows*channels || len(out.Shape) == 0 || out.Dim(-1) != channels {
		panic(violation("shape", "in %v, weights %v, out %v", in.Shape, weights.Shape, out.Shape))
	}
	s := prepareProduct(c, in, weights, bias, out, channels)
	s.narrow(c, bias)
	return s
}

// prepareProduct is prepareSums with two differences when the weights have one scale: it is multiplied by that
// of the input in single precision, and the weights may have a zero point.
func prepareProduct(c *nn.Call, in, weights, bias, out *nn.Tensor, channels int) sums {
	if weights.Format.Steps() > 1 {
		refuse(in.Type == nn.I16, "scale", "a scale per channel and 16-bit activations")
		return prepareSums(c, in, weights, bias, out, 0, channels)
	}
	symmetricWeights := *weights
	symmetricWeights.Format.Zeros = nil
	s := prepareSums(c, in, &symmetricWeights, bias, out, 0, channels)
	s.weightZero = weights.Format.Zero(0)
	product := in.Format.Scales[0] * weights.Format.Scales[0]
	r := requantize(c, float64(product)/out.Format.Scale(0))
	s.channels = slices.Repeat([]requantizer{r}, channels)
	return s
}

// multiply: weights are written output, input.
func (s *sums) multiply(in, weights, bias, out *nn.Tensor) {
	channels, depth := weights.Dim(0), weights.Dim(1)
	for row := range in.Len() / depth {
		for ch := range channels {
			sum := dot(in.Ints[row*depth:(row+1)*depth], weights.Ints[ch*depth:(ch+1)*depth], s.inZero, s.weightZero)
			out.Ints[row*channels+ch] = s.output(sum, bias, ch)
		}
	}
}
