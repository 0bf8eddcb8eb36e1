// Package cexpr is the language of the debugger's expressions: C over the variables, types, registers and
// memory of a stopped program, with fixed-point types, and how values are written.
//
// It does not depend on a debugger: Target is its view of one. Start with Language and Compile; value.go has
// values and where they are, format.go writes them.
package cexpr
