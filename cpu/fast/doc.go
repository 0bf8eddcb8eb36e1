// Package fast is the block engine: it decodes code into blocks of micro-operations and executes
// them in one generated function, the leaf, which makes no calls. The leaf leaves all other work to the
// reference engine, instruction by instruction, and goes on behind it.
//
// It holds no architectural state and describes no instruction: the arithmetic is copied from
// cpu/semantics and dspunit by the generator in gen, the costs come from cpu.BuildBlock, which asks
// the same timing model as the reference engine. So instructions, results and cycles are those of
// the reference engine exactly; lockstep tests hold them against each other.
//
// Start with Engine (engine.go) and enter (enter.go), then lower (lower.go), which turns
// instructions into micro-operations, and gen/cases.go, which says what a micro-operation does.
package fast

// Constants of new rows come first: the generator imports package isa.
//go:generate go generate arcv2dsp/isa
//go:generate go run ./gen
