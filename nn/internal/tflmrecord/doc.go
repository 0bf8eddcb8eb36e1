// Package tflmrecord reads recorded results of TensorFlow Lite's reference kernels: JSON objects, one per
// line, each a call of a kernel with its scales, its integer parameters and its output.
//
// A record becomes calls of operators, so that whatever computes operators can be held against it. The
// kernels took integer multipliers, operators take scales; where a record has no scales, they are found so
// that the operator must come to the same integers.
package tflmrecord
