// Package basemodel defines the base instructions a second time, as arithmetic on unbounded
// integers, and writes the vectors testdata/isa/<mnemonic>.txt from these definitions.
//
// It shares nothing with the processor: a number is an integer, a flag is a question about the
// exact result, a shift is a loop. The bytes of the instructions come from the GNU assembler.
//
// Start with binary (integer.go), then the generators in *_test.go.
package basemodel
