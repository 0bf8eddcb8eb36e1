// Package quant holds the numbers of quantized networks: the ways in which a real value becomes an
// integer and a wide sum a narrow one, and the error that this makes. Everything that rounds takes
// the rounding as a value, because the libraries disagree: an operation that looks the same (a
// multiplication by 0.3) gives different integers in gemmlowp, TensorFlow Lite, TOSA and MLI. A
// Profile names the rules of one library.
//
// The package knows no tensors, files, kernels or processors, and imports only the standard
// library.
//
// Start with Rounding, then Multiplier and Scaling (integer to integer), Params and RealRule (real
// to integer) and Profile (the combination of them that a library uses). Type has the quantized
// types in MLIR's syntax.
package quant
