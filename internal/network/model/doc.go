// Package model is the work behind arcsim model: it reads a network, describes it, runs it with an
// executor, and compares the result of every operator with recorded outputs.
//
// The executor is a value: the golden functions, or kernels on the simulated core. Nothing here
// depends on which of them it is.
package model
