// Package mlikernels has the kernels of all libraries, their registry, and networks on a simulated core.
//
// Start with NewNetwork: a graph from a .tflite file lies in the memories of a core, kernels compute it, and each layer has
// its cycles. The example shows the whole way. Programs may rely on Network, Layer, NewNetwork, PlacedOptions and Filled.
//
// Kernels lists the kernels, Lookup and Find find one and a call of one. Their description, the layout of calls and
// the libraries (embARC MLI 1.1 and 2.0, and the kernels that TensorFlow Lite, TOSA and gemmlowp share) stand under
// internal.
package mlikernels
