// Package tosacheck judges implementations of TOSA's operators: cases out of vectors, out of a grid
// made by rule and out of directories of conformance tests go through an executor, and the outcome and every
// element are compared.
//
// Start with Case (case.go).
package tosacheck
