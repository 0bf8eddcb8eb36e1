// Package mlikernels is the registry of kernels: those of all libraries, with the calls whose cost is
// known and the shapes in which calls are written.
//
// Package kernel describes kernels, lays calls out and runs them. The libraries are beside it: mli11 has
// the functions of embARC MLI 1.1.
package mlikernels
