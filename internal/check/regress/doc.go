// Package regress checks the kernels: every kernel, on the simulator, must give bit for bit what the
// golden model gives, for every point of the standard grid, in every rounding mode, on cores with
// and without AGU; and both must give what was recorded of MLI itself.
//
// It holds no arithmetic and no shapes: package golden computes, package mlikernels describes the
// kernels and their grids and runs them. It decides what to run, runs it on all processors, judges
// the results and sums them up.
//
// Start with Plan (plan.go) and Suite.Run (run.go). judge.go compares, network.go runs whole
// networks, minimize.go shrinks a failing case, summary.go prints.
package regress
