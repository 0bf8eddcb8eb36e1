package mli11

import "arcv2dsp/nn/golden/mli"

// The element types of 1.1, and what accumulators report, are those all versions of the library share.
type (
	Type      = mli.Type
	Overflow  = mli.Overflow
	Overflows = mli.Overflows
)

// The element types.
const (
	FX8  = mli.FX8
	FX16 = mli.FX16
	SA8  = mli.SA8
	SA32 = mli.SA32
)

// TypeOf is the element type that a tensor has.
var TypeOf = mli.TypeOf
