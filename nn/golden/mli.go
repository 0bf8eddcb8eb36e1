package golden

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/mli11"
	"arcv2dsp/nn/internal/golden/mli20"
)

// MLIType is an element type of MLI.
type MLIType = mli.Type

// The element types of MLI.
const (
	FX8  = mli.FX8
	FX16 = mli.FX16
	SA8  = mli.SA8
	SA32 = mli.SA32
	FP32 = mli.FP32
)

// ParseMLIType reads the name of an element type.
func ParseMLIType(name string) (MLIType, error) { return mli.ParseType(name) }

// MLITypeOf returns the element type of a tensor.
func MLITypeOf(t *nn.Tensor) (MLIType, error) { return mli.TypeOf(t) }

// MLIScaleFrac returns the fractional bits of the scale of channel i.
func MLIScaleFrac(f nn.Format, i int) int { return mli.ScaleFrac(f, i) }

type (
	// MLI11Function is a function of MLI 1.1.
	MLI11Function = mli11.Function
	// MLI11Typing holds the element types of such a function.
	MLI11Typing = mli11.Typing
	// MLI20Function is a function of MLI 2.0.
	MLI20Function = mli20.Function
	// MLI20Typing holds the element types of such a function.
	MLI20Typing = mli20.Typing
)

// MLI11Functions lists the functions of MLI 1.1.
func MLI11Functions() []*MLI11Function { return mli11.Functions() }

// MLI11FunctionOf returns the function of an operator, nil where the operator is not of MLI 1.1.
func MLI11FunctionOf(op *nn.Operator) *MLI11Function { return mli11.FunctionOf(op) }

// MLI20Functions lists the functions of MLI 2.0.
func MLI20Functions() []*MLI20Function { return mli20.Functions() }

// MLITable is a look-up table.
type MLITable = mli.Table

// MLI20Tables returns the look-up tables of MLI 2.0 by name.
func MLI20Tables() map[string]*MLITable { return mli20.Tables() }

// MLI20WithHoles turns places in a dense tensor into places in one with steps.
func MLI20WithHoles(places []int64, shape, steps []int) { mli20.WithHoles(places, shape, steps) }

// MLI20GivesPlaces reports whether the results of an operator are places in a tensor.
func MLI20GivesPlaces(op *nn.Operator) bool { return mli20.GivesPlaces(op) }
