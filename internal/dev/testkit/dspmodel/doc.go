// Package dspmodel says what each DSP, multiply and vector instruction computes, a second time: on
// unbounded integers (math/big), interpreting a table of products, places and results instead of
// writing code per instruction. It shares no code with dspunit or cpu/internal/semantics and exists to be
// compared with them; the vector files under testdata/isa are generated from it.
//
// It is slow and knows no registers, memory or engines. Start with Eval (model.go), then the table
// of multiplications (products.go); everything else is one function per instruction.
package dspmodel
