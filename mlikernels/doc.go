// Package mlikernels is the registry of kernels: those of all libraries, with the calls whose cost
// is known and the notation for the shapes of calls.
//
// Package kernel describes kernels, lays calls out and runs them. The libraries are beside it:
// mli11 and mli20 have the functions of embARC MLI, arcq those that TensorFlow Lite, TOSA and
// gemmlowp share.
package mlikernels
