package mli11

import "arcv2dsp/nn/internal/golden/mli"

// Element types and the overflows of accumulators are the same in all versions of the library.
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
