// Package arcq holds the quantized-integer kernels that TensorFlow Lite, TOSA and gemmlowp share, in
// hand-written ARCv2DSP assembly.
//
// A function takes one argument, a parameter block: int arcq_NAME(const struct arcq_NAME_params *p). The
// block is plain: pointers to elements, extents, and numbers the caller has prepared, such as multipliers.
// The differences of the libraries are in the numbers, not in the functions: a rounding is one of them. The
// blocks are described once, as data (package cstruct); the C header, the offsets in the assembly sources
// and the bytes that a call lays out follow.
//
// A kernel is a row (rows.go): its parameter block, the operators it computes, how the block of a call is
// filled in, and the calls that test it. clamp.go is the shortest.
package arcq
