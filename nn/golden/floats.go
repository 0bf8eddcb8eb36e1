package golden

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/floats"
)

// Floats is the registry of the layers with float elements, by which quantizations are judged.
func Floats() *nn.Registry { return floats.Registry() }

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
	Reshape         = floats.Reshape
)
