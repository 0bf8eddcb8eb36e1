package golden

import (
	"sync"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/floats"
	"arcv2dsp/nn/internal/golden/tflite"
)

// Floats is the registry of the layers with float elements, by which quantizations are judged. Operators that move
// elements and compute nothing are those of TensorFlow Lite, which take elements of every type, and so are some functions.
var Floats = sync.OnceValue(func() *nn.Registry {
	all := nn.NewRegistry(tflite.Operators())
	var moving []*nn.Operator
	for _, name := range []string{Reshape, "SQUEEZE", "EXPAND_DIMS", "TRANSPOSE", "GATHER", Concatenation, "SPLIT", "SPLIT_V", Pack, "UNPACK",
		"PAD", "PADV2", "SLICE", "STRIDED_SLICE", "MIRROR_PAD", "TILE", "REVERSE_V2", "DEPTH_TO_SPACE", "SPACE_TO_DEPTH", "BATCH_TO_SPACE_ND",
		"SPACE_TO_BATCH_ND", "REDUCE_MAX", "REDUCE_MIN", "ABS", "RSQRT", "ELU", "GELU", Quantize, Dequantize} {
		if op, ok := all.Lookup(nn.TFLite, name); ok {
			moving = append(moving, op)
		}
	}
	return nn.NewRegistry(floats.Operators(), moving)
})

// Mixed is the registry of all operators, with those of Floats for floats that TensorFlow Lite Micro's rules leave to the host.
var Mixed = sync.OnceValue(func() *nn.Registry { return Operators().WithFloats(Floats()) })

// FloatAxis is one direction of a window.
type FloatAxis = floats.Axis

// FloatWindow returns the window of a call in both directions.
func FloatWindow(c *nn.Call) (rows, columns FloatAxis, err error) { return floats.Window(c) }

// Names of the layers with float elements.
const (
	Conv2D          = floats.Conv2D
	DepthwiseConv2D = floats.DepthwiseConv2D
	FullyConnected  = floats.FullyConnected
	AveragePool2D   = floats.AveragePool2D
	MaxPool2D       = floats.MaxPool2D
	Relu            = floats.Relu
	Relu6           = floats.Relu6
	Logistic        = floats.Logistic
	Tanh            = floats.Tanh
	Softmax         = floats.Softmax
	LeakyRelu       = floats.LeakyRelu
	HardSwish       = floats.HardSwish
	L2Normalization = floats.L2Normalization
	Add             = floats.Add
	Sub             = floats.Sub
	Mul             = floats.Mul
	Div             = floats.Div
	Maximum         = floats.Maximum
	Minimum         = floats.Minimum
	Mean            = floats.Mean
	Sum             = floats.Sum
	LSTM            = floats.LSTM
	SVDF            = floats.SVDF
	TransposeConv   = floats.TransposeConv
	BatchMatmul     = floats.BatchMatmul
	ResizeBilinear  = floats.ResizeBilinear
	ResizeNearest   = floats.ResizeNearest
	PRelu           = floats.PRelu
	FakeQuant       = floats.FakeQuant
	Reshape         = "RESHAPE"
	Concatenation   = "CONCATENATION"
	Pack            = "PACK"
	Quantize        = "QUANTIZE"
	Dequantize      = "DEQUANTIZE"
)

// Inputs of the LSTM that keep its state.
const (
	LSTMHidden = tflite.LSTMHidden
	LSTMCell   = tflite.LSTMCell

	SVDFFeature = floats.SVDFFeature
	SVDFTime    = floats.SVDFTime
	SVDFBias    = floats.SVDFBias
	SVDFState   = floats.SVDFState
)
