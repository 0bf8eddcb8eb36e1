// Package check is the wing of verdicts: regress compares kernels and networks on the simulated core with golden functions
// and recorded results, numbers checks recorded numbers, tosacheck judges operators by TOSA's rules, farm divides such work
// over processes and machines. Calls come in from grids, records and files; results with their reasons go out, and report
// prints them.
package check
