// Package tflite has the operators of TensorFlow Lite with integer elements, as the reference kernels of
// TensorFlow Lite for Microcontrollers compute them: 8-bit activations, 16-bit activations with 8-bit
// weights, weights of 4 bits, 32-bit integers where the library takes them, and the custom operators of
// its audio front end. Both builds are here: two roundings in a requantization, or one.
//
// Every operator is one value with its ports, attributes, rules and golden function. The functions are
// written to be read against the definition: loops over int64, no packing, no folding of zero points.
// Which products of scales are formed in single precision is part of the definition, because it decides
// the last bit; each operator says so where it forms them.
//
// Attributes have the names and defaults of the file format. Shapes are those the outputs come with:
// nothing is resized, and a shape that does not fit the inputs is refused.
//
// Start with Operators (operators.go), then requantize.go (scales), window.go (padding) and conv.go.
package tflite
