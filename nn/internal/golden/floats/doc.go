// Package floats has operators of TensorFlow Lite with float elements: the layers of the networks that are
// quantized here, before they are. They serve only to judge a quantization, so their sums have double
// precision, and only the elements of tensors are rounded to float32.
//
// Names, ports and attributes are those of the file format. The operators make a registry of their own: the
// integer operators of the same names are in package tflite.
package floats
