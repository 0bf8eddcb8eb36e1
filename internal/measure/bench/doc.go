// Package bench counts the cycles of kernels and guest programs, on one core or many and under
// varied options, and compares the counts with recorded ones and with those of the vendor's kernels.
//
// The counts are the simulator's and exact: measuring twice gives the same. The speed of the
// simulator itself is not measured here; Go benchmarks do that.
//
// Start with Subject (subject.go), a program or kernel to measure, and Run (run.go), which measures. Suites of
// subjects are in suite.go, recorded results in baseline.go, the printed forms in the files after them.
package bench
