// Package prepare turns a call of a TensorFlow Lite operator into the integers a kernel works with:
// multipliers and shifts, zero points, limits of the output, padding, biases with folded zero points. The
// reference library does the same work once, when a network is loaded.
//
// The golden functions do not use this package, and it does not use them: both follow the definition, and
// kernels with parameters from here are held against the golden functions. The rules for the precision of
// scales are in scale.go.
//
// Start with Filtered (filter.go), which serves convolutions and matrix products.
package prepare
