// Package uop holds all that the fast engines share: micro-operations, the blocks they stand in, the edges between
// blocks, and the reasons for which an executor of blocks leaves. It lowers instructions to micro-operations, makes
// blocks and links them, forgets those whose code has changed, works out what was executed and lost from the
// counts of edges, and keeps the profile by calling context.
//
// It executes no micro-operation. That is for an executor, which the driver of an engine calls; the driver acts upon the
// reason for which the executor leaves. The effects of micro-operations are generated: as Go for the leaf of cpu/fast,
// and as programs of primitives (Programs) for what compiles them. An instruction without micro-operations becomes
// SLOW, by which the reference engine executes it: see HandOver. The costs of a block come from cpu.BuildBlockTo, which
// asks the same timing model as the reference engine.
//
// Start with Uop (uop.go), Block (block.go) and Code (code.go), then lower (lower.go).
package uop
