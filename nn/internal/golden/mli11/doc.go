// Package mli11 holds the operators of embARC MLI 1.1: the functions, the rules for a call of each, and the golden
// function that computes its outputs bit for bit.
//
// Every function is written in plain Go, on int64 and in the most obvious loop order, from the published
// arithmetic of the library. The package imports the standard library and nn only: it shares no code
// with the simulator, so agreement between the two means something. Both roundings of the library are
// there: the call says which one.
//
// It is not fast and it is not a quantizer: formats come with the call. Fixed-point tensors have a Fixed
// format, affine ones a Mantissa format whose Axis is the dimension of the scales, -1 for one scale.
//
// Start with operator.go, which makes operators of the models in models.go; accumulator.go and
// rounding.go hold the arithmetic all of them share, float.go the float64 reference. Formats are
// chosen and results judged with package quant.
package mli11
