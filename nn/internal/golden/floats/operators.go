package floats

import (
	"fmt"
	"math"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/tflite"
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
	LeakyRelu       = "LEAKY_RELU"
	HardSwish       = "HARD_SWISH"
	L2Normalization = "L2_NORMALIZATION"
	Add             = "ADD"
	Sub             = "SUB"
	Mul             = "MUL"
	Div             = "DIV"
	Maximum         = "MAXIMUM"
	Minimum         = "MINIMUM"
	Mean            = "MEAN"
	Sum             = "SUM"
	LSTM            = "UNIDIRECTIONAL_SEQUENCE_LSTM"
	SVDF            = "SVDF"
	TransposeConv   = "TRANSPOSE_CONV"
	BatchMatmul     = "BATCH_MATMUL"
	ResizeBilinear  = "RESIZE_BILINEAR"
	ResizeNearest   = "RESIZE_NEAREST_NEIGHBOR"
	PRelu           = "PRELU"
	FakeQuant       = "FAKE_QUANT"
)

var outPort = []nn.Port{{Role: "out"}}

// activation is the name of the attribute of a fused activation function.
const activation = "fused_activation_function"

// Operators lists them.
func Operators() []*nn.Operator {
	return []*nn.Operator{
		filter(Conv2D, "convolves an image with filters over all of its channels", checkConv, convolve),
		filter(DepthwiseConv2D, "convolves each channel of an image with filters of its own", checkDepthwise, convolveDepthwise),
		filter(FullyConnected, "multiplies rows of the input by a matrix of weights", checkDense, multiply),
		operator(AveragePool2D, "the mean of the cells of a window that lie inside the image", checkPool, pool(mean)),
		operator(MaxPool2D, "the greatest cell of a window", checkPool, pool(slices.Max[[]float64])),
		pointwise(Relu, "cuts off negative values", func(x float64) float64 { return max(0, x) }),
		pointwise(Relu6, "cuts off negative values and those above 6", func(x float64) float64 { return max(0, min(x, 6)) }),
		pointwise(Logistic, "1/(1+exp(-x))", func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
		pointwise(Tanh, "the hyperbolic tangent", math.Tanh),
		described(Softmax, "normalised exponentials along the last dimension", []nn.Port{{Role: "in"}},
			[]nn.AttrSpec{{Name: "beta", Default: 1.0, Doc: "factor of the exponents, which networks of floats may leave out"}}, sameShape, softmax),
		operator(LeakyRelu, "multiplies negative values by a factor", sameShape, func(c *nn.Call) {
			alpha := c.Attrs.Float("alpha")
			each(c, func(x float64) float64 { return max(0, x) + alpha*min(0, x) })
		}),
		pointwise(HardSwish, "x*min(max(x+3, 0), 6)/6", func(x float64) float64 { return x * max(0, min(x+3, 6)) / 6 }),
		operator(L2Normalization, "divides vectors along the last dimension by their length", sameShape, normalize),
		pairwise(Add, "adds elements", func(a, b float64) float64 { return a + b }),
		pairwise(Sub, "subtracts elements", func(a, b float64) float64 { return a - b }),
		pairwise(Mul, "multiplies elements", func(a, b float64) float64 { return a * b }),
		pairwise(Div, "divides elements", func(a, b float64) float64 { return a / b }),
		pairwise(Maximum, "takes the greater of two elements", func(a, b float64) float64 { return max(a, b) }),
		pairwise(Minimum, "takes the lesser of two elements", func(a, b float64) float64 { return min(a, b) }),
		reduction(Mean, "the mean along some dimensions", func(n int) float64 { return 1 / float64(n) }),
		reduction(Sum, "the sum along some dimensions", func(int) float64 { return 1 }),
		pairwise(PRelu, "multiplies negative values by slopes that broadcast", func(x, slope float64) float64 { return max(0, x) + slope*min(0, x) }),
		counted(operator(TransposeConv, "spreads every input cell over a window of the output, as the gradient of a convolution does", checkSpread, spread),
			func(c *nn.Call) int64 { return int64(c.In[2].Len()) * int64(nn.Count(c.In[1].Shape[:3])) }),
		counted(operator(BatchMatmul, "multiplies matrices; the dimensions before the last two broadcast", checkMatrices, multiplyMatrices),
			func(c *nn.Call) int64 {
				depth, _ := matricesOf(c)
				return int64(c.Out[0].Len()) * int64(depth)
			}),
		resizing(ResizeNearest, "takes the nearest cell", nearest),
		resizing(ResizeBilinear, "interpolates between four cells", bilinear),
		lstm,
		svdf(),
		fakeQuant(),
	}
}

// operator makes a row with the ports and attributes of the operator of its name with integer elements. Tensors are floats;
// constant weights may be integers that stand for reals, as networks have them that TensorFlow Lite calls hybrid.
func operator(name, doc string, check func(*nn.Call) error, compute func(*nn.Call)) *nn.Operator {
	twin := tflite.Operators()[slices.IndexFunc(tflite.Operators(), func(op *nn.Operator) bool { return op.Name == name })]
	return described(name, doc, twin.Inputs, twin.Attrs, check, compute)
}

// described makes a row with given ports and attributes.
func described(name, doc string, inputs []nn.Port, attrs []nn.AttrSpec, check func(*nn.Call) error, compute func(*nn.Call)) *nn.Operator {
	return &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc, Inputs: inputs, Outputs: outPort, Attrs: attrs,
		Check: func(c *nn.Call) error {
			for i, t := range append(c.In[:len(c.In):len(c.In)], c.Out...) {
				if t == nil {
					continue
				}
				var p nn.Port // outputs have none
				if i < len(c.In) && i < len(inputs) {
					p = inputs[i]
				}
				if err := fitting(t, p); err != nil {
					return err
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

// fitting refuses a tensor that a port of a network of floats does not take.
func fitting(t *nn.Tensor, p nn.Port) error {
	stored := p.Weights && t.Filled() && t.Format.Kind == nn.Scaled
	switch {
	case counts(p.Role) && t.Type != nn.I32:
		return fmt.Errorf("%s has elements of %s, it must have i32", p.Role, t.Type)
	case !counts(p.Role) && t.Type != nn.F32 && !stored:
		return fmt.Errorf("elements of %s in a network of floats", t.Type)
	}
	return nil
}

// counts reports whether an input has numbers of dimensions or of cells, which are integers.
func counts(role string) bool { return role == "axis" || role == "size" || role == "shape" }

// counted adds the number of products of a call to a row.
func counted(op *nn.Operator, products func(*nn.Call) int64) *nn.Operator {
	op.MACs = products
	return op
}

// filter makes a row with weights.
func filter(name, doc string, check func(*nn.Call) error, compute func(*nn.Call)) *nn.Operator {
	return counted(operator(name, doc, check, compute), func(c *nn.Call) int64 {
		w := c.In[1]
		if name == DepthwiseConv2D {
			return int64(c.Out[0].Len()) * int64(w.Dim(1)*w.Dim(2))
		}
		return int64(c.Out[0].Len()) * int64(nn.Count(w.Shape[1:]))
	})
}

// pointwise makes a row of a function of one element.
func pointwise(name, doc string, f func(float64) float64) *nn.Operator {
	return operator(name, doc, sameShape, func(c *nn.Call) { each(c, f) })
}

// each computes every element of the output of that of the input.
func each(c *nn.Call, f func(float64) float64) {
	for i, x := range c.In[0].Floats {
		c.Out[0].Floats[i] = float32(f(float64(x)))
	}
}

// reals are the elements of weights as real numbers of single precision.
func reals(t *nn.Tensor) []float32 {
	if t.Type.Float() {
		return t.Floats
	}
	list := make([]float32, t.Len())
	for i := range list {
		list[i] = float32(t.Value(i))
	}
	return list
}

func sameShape(c *nn.Call) error {
	if in, out := c.In[0].Shape, c.Out[0].Shape; !slices.Equal(in, out) || len(in) == 0 {
		return fmt.Errorf("the output is %v, the input %v", out, in)
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

// fused is the fused activation function of a call; operators without the attribute have none.
func fused(c *nn.Call) string {
	if _, ok := c.Op.Attr(activation); !ok {
		return "NONE"
	}
	return c.Attrs.String(activation)
}

// clamp is the fused activation function of a checked call.
func clamp(c *nn.Call) func(float64) float32 {
	lo, hi, _ := Fused(fused(c))
	return func(x float64) float32 { return float32(max(lo, min(x, hi))) }
}
