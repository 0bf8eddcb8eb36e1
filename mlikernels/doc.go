// Package mlikernels is the registry of kernels: those of all libraries, with the calls whose cost is
// known and the shapes in which calls are written.
//
// What a kernel is, how a call is laid out and run: package kernel. The libraries are beside it: mli11 has
// the functions of embARC MLI 1.1.
package mlikernels
