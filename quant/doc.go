// Package quant holds the numbers of quantized networks: how a real value becomes an integer, how a
// wide sum becomes a narrow one, and how much is lost on the way. Everything that rounds takes the
// rounding as a value, because the libraries of this world agree on none: facts that look like one
// operation (a multiplication by 0.3) give different integers in gemmlowp, TensorFlow Lite, TOSA and
// MLI. A Profile names each of those habits.
//
// The package knows no tensors, files, kernels or processors, and imports the standard library only.
//
// Start with Rounding, then Multiplier and Scaling (integer to integer), Params and RealRule (real to
// integer) and Profile (which of them belong together). Type has the quantized types in MLIR's syntax.
package quant
