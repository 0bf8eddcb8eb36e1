// Package nn describes neural networks of quantized integers: tensors, operators and graphs.
//
// An operator defines a computation: library, name, types, attributes, the rules that a call must
// keep, the shapes of its outputs and the golden function that computes them bit for bit. Kernels
// are ways to compute it, and they live elsewhere. A graph is operators and values in order. A
// session runs a graph with an executor: the golden functions, or kernels on the simulated core.
//
// The package knows no library and no file format. The operators of the libraries are in golden,
// the readers of files in tflite, tosa and mlir.
//
// Start with Tensor (tensor.go), then Operator (operator.go) and Call (call.go); graph.go and
// session.go put calls in order.
package nn
