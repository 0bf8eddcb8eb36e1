package floats

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"arcv2dsp/nn"
)

// Names of the operators.
const (
	Conv2D          = "CONV_2D"
	DepthwiseConv2D = "DEPTHWISE_CONV_2D"
	FullyConnected  = "FULLY_CONNECTED"
	AveragePool2D   = "AVERAGE_POOL_2D"
	MaxPool2D       = "MAX_POOL_2D"
	Relu            = "RELU"
	Relu6           = "RELU6"
	Logistic        = "LOGISTIC"
	Tanh            = "TANH"
	Softmax         = "SOFTMAX"
	Reshape         = "RESHAPE"
)

// Registry has the operators.
var Registry = sync.OnceValue(func() *nn.Registry { return nn.NewRegistry(operators()) })

var (
	onePort     = []nn.Port{{Role: "in"}}
	filterPorts = []nn.Port{{Role: "in"}, {Role: "weights", Weights: true}, {Role: "bias", Optional: true, Weights: true}}
	outPort     = []nn.Port{{Role: "out"}}

	activation = nn.AttrSpec{Name: "fused_activation_function", Default: "NONE",
		Values: []string{"NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT"}, Doc: "clamps the output"}
	windowAttrs = []nn.AttrSpec{
		{Name: "padding", Default: "SAME", Values: []string{"SAME", "VALID"}, Doc: "where windows may lie"},
		{Name: "stride_w", Default: 0, Doc: "columns between windows"},
		{Name: "stride_h", Default: 0, Doc: "rows between windows"},
		activation,
	}
	dilationAttrs = []nn.AttrSpec{
		{Name: "dilation_w_factor", Default: 1, Doc: "columns between cells of a window"},
		{Name: "dilation_h_factor", Default: 1, Doc: "rows between cells of a window"},
	}
	poolAttrs = slices.Concat(windowAttrs, []nn.AttrSpec{
		{Name: "filter_width", Default: 0, Doc: "columns of the window"},
		{Name: "filter_height", Default: 0, Doc: "rows of the window"},
	})
)

// operators lists them.
func operators() []*nn.Operator {
	return []*nn.Operator{
		filter(Conv2D, "convolves an image with filters over all of its channels",
			slices.Concat(windowAttrs, dilationAttrs), checkConv, convolve),
		filter(DepthwiseConv2D, "convolves each channel of an image with filters of its own",
			slices.Concat(windowAttrs, dilationAttrs, []nn.AttrSpec{{Name: "depth_multiplier", Default: 0, Doc: "filters per channel"}}),
			checkDepthwise, convolveDepthwise),
		filter(FullyConnected, "multiplies rows of the input by a matrix of weights",
			[]nn.AttrSpec{activation,
				{Name: "weights_format", Default: "DEFAULT", Values: []string{"DEFAULT", "SHUFFLED4x16INT8"}, Doc: "order of the weights"},
				{Name: "keep_num_dims", Default: false, Doc: "the output has as many dimensions as the input"}},
			checkDense, multiply),
		operator(AveragePool2D, "the mean of the cells of a window that lie inside the image", onePort, poolAttrs, checkPool, pool(mean)),
		operator(MaxPool2D, "the greatest cell of a window", onePort, poolAttrs, checkPool, pool(slices.Max[[]float64])),
		pointwise(Relu, "cuts off negative values", func(x float64) float64 { return max(0, x) }),
		pointwise(Relu6, "cuts off negative values and those above 6", func(x float64) float64 { return max(0, min(x, 6)) }),
		pointwise(Logistic, "1/(1+exp(-x))", func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
		pointwise(Tanh, "the hyperbolic tangent", math.Tanh),
		operator(Softmax, "normalised exponentials along the last dimension", onePort,
			[]nn.AttrSpec{{Name: "beta", Default: 1.0, Doc: "factor of the exponents"}}, sameShape, softmax),
		operator(Reshape, "the same elements in another shape",
			[]nn.Port{{Role: "in"}, {Role: "shape", Optional: true, Weights: true}},
			[]nn.AttrSpec{{Name: "new_shape", Default: []int{}, Doc: "the shape, which the output repeats"}}, checkReshape,
			func(c *nn.Call) { copy(c.Out[0].Floats, c.In[0].Floats) }),
	}
}

// operator makes a row. Tensors are floats, but for the shape of a RESHAPE.
func operator(name, doc string, inputs []nn.Port, attrs []nn.AttrSpec, check func(*nn.Call) error, compute func(*nn.Call)) *nn.Operator {
	return &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc, Inputs: inputs, Outputs: outPort, Attrs: attrs,
		Check: func(c *nn.Call) error {
			for i, t := range append(c.In[:len(c.In):len(c.In)], c.Out...) {
				if t != nil && t.Type != nn.F32 && (name != Reshape || i != 1) {
					return fmt.Errorf("elements of %s in a network of floats", t.Type)
				}
			}
			return check(c)
		},
		Golden: func(c *nn.Call) error {
			compute(c)
			return nil
		},
	}
}

// filter makes a row with weights.
func filter(name, doc string, attrs []nn.AttrSpec, check func(*nn.Call) error, compute func(*nn.Call)) *nn.Operator {
	op := operator(name, doc, filterPorts, attrs, check, compute)
	op.MACs = func(c *nn.Call) int64 {
		w := c.In[1]
		if name == DepthwiseConv2D {
			return int64(c.Out[0].Len()) * int64(w.Dim(1)*w.Dim(2))
		}
		return int64(c.Out[0].Len()) * int64(nn.Count(w.Shape[1:]))
	}
	return op
}

// pointwise makes a row of a function of one element.
func pointwise(name, doc string, f func(float64) float64) *nn.Operator {
	return operator(name, doc, onePort, nil, sameShape, func(c *nn.Call) {
		for i, x := range c.In[0].Floats {
			c.Out[0].Floats[i] = float32(f(float64(x)))
		}
	})
}

func sameShape(c *nn.Call) error {
	if in, out := c.In[0].Shape, c.Out[0].Shape; !slices.Equal(in, out) || len(in) == 0 {
		return fmt.Errorf("the output is %v, the input %v", out, in)
	}
	return nil
}

func checkReshape(c *nn.Call) error {
	if in, out := c.In[0], c.Out[0]; in.Len() != out.Len() {
		return fmt.Errorf("%v has %d elements, %v has %d", in.Shape, in.Len(), out.Shape, out.Len())
	}
	return nil
}

func softmax(c *nn.Call) {
	in, out, beta := c.In[0], c.Out[0], c.Attrs.Float("beta")
	n := in.Dim(-1)
	for at := 0; at < in.Len(); at += n {
		row := in.Floats[at : at+n]
		top, sum := float64(slices.Max(row)), 0.0
		for _, x := range row {
			sum += math.Exp(beta * (float64(x) - top))
		}
		for i, x := range row {
			out.Floats[at+i] = float32(math.Exp(beta*(float64(x)-top)) / sum)
		}
	}
}

// Fused is the range that a fused activation function lets through.
func Fused(function string) (lo, hi float64, err error) {
	switch function {
	case "NONE":
		return math.Inf(-1), math.Inf(1), nil
	case "RELU":
		return 0, math.Inf(1), nil
	case "RELU6":
		return 0, 6, nil
	case "RELU_N1_TO_1":
		return -1, 1, nil
	}
	return 0, 0, fmt.Errorf("a fused %s is not supported", function)
}

// clamp is the fused activation function of a checked call.
func clamp(c *nn.Call) func(float64) float32 {
	lo, hi, _ := Fused(c.Attrs.String(activation.Name))
	return func(x float64) float32 { return float32(max(lo, min(x, hi))) }
}
