// Package kernel describes kernels, the functions in assembly that compute operators, and runs them on
// the simulated core.
//
// A Kernel is one function of a Collection: where its source is, which operators it computes, which
// calling form it has (ABI), which cases test it. A call of an operator is laid out in simulated memory by
// the ABI of the kernel (Layout), run by a Machine that has the assembled collection loaded (Library), and
// read back. The package knows no library and no operator: those are in the packages beside it.
//
// Start with Kernel (kernel.go); layout.go collects the buffers of a call, machine.go runs
// it, library.go assembles.
package kernel
