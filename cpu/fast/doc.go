// Package fast is the block engine: it executes the blocks of cpu/internal/uop in one generated function, the leaf, which makes
// no calls. The leaf leaves all other work to the driver, which does it or has the reference engine do it,
// instruction by instruction, and goes on behind it. Blocks that are executed often become machine code, when the
// engine is asked to compile: the same driver enters a block by its code instead of the leaf.
//
// It holds no architectural state and describes no instruction: the arithmetic is copied from
// cpu/internal/semantics and dspunit by the generator in gen. So instructions, results and cycles are those of
// the reference engine exactly; lockstep tests hold them against each other.
//
// Start with Engine (engine.go) and enter (enter.go), then cpu/internal/gen/cases.go, which says what a micro-operation does, and
// native.go, which compiles.
package fast

// Constants of new rows come first: the generator imports package isa.
//go:generate go generate arcv2dsp/isa
//go:generate go run ../internal/gen
