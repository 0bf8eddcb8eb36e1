// Package netc compiles a network to C: parameter blocks, weights and tables as arrays, a place for
// every activation, and calls of the exported kernels. GNU tools build and link it.
//
// It knows nothing of the arithmetic. The calling form of each kernel lays its call out, as for the
// simulator, and kernel.Relocate finds the pointers; they become addresses that the C compiler
// knows.
//
// Start with Compile. node.go lays the operators out, text.go writes the C, and the folder board
// has the files that are the same for every network: main, entry and Makefile.
package netc
