// Package mli20 holds the operators of embARC MLI 2.0: the functions, the rules for a call of each, and the golden
// function that computes its outputs bit for bit, in both roundings of the library.
//
// Every function is written in plain Go, on int64 and in the most obvious loop order, from the published
// arithmetic of the library. It shares with MLI 1.1 what package mli holds, and nothing with the simulator.
//
// In 2.0 the caller describes the output: its shape, its format where the function does not fix it. A call
// whose output has no shape gets the one that uses all of the input. Affine sums are requantized as the library
// does for EM cores: the multiplier has 16 bits and the sum loses low bits before the product; the attribute
// full_accumulator asks for the other build.
//
// A broken rule is an *nn.Violation whose condition is the status that the library returns for it, without
// prefix; rules are checked in the order of the library.
//
// Start with operator.go and models.go; requant.go holds the arithmetic that affine functions share.
package mli20
