// Package mlikernels holds neural-network kernels in hand-written ARCv2DSP assembly, with the
// interface of embARC MLI 1.1, and what is needed to run them on the simulator and check them.
//
// The sources are one file per function in a folder per operator; includes that several operators
// use are in shared. The C headers are in include. What a kernel must compute is not here: that is
// package golden, and nothing in it was derived from the sources.
//
// Start with Kernel (kernel.go), the one description of a function that tests, regressions, benches
// and listings all go by; call.go lays out a case in memory as the C interface wants it; runner.go
// runs it.
package mlikernels

//go:generate go run ./gen
