// Package uop holds micro-operations, the blocks they stand in, the edges between blocks, and the reasons for which an
// executor of blocks leaves: all that the fast engines share. It lowers instructions to micro-operations and
// keeps the profile of blocks by calling context.
//
// It executes nothing. The effect of a micro-operation is generated: as Go for the leaf of cpu/fast, and as a program of
// primitives (Programs) for what compiles it. An instruction without micro-operations becomes SLOW, by which the
// reference engine executes it.
//
// Start with Uop (uop.go) and Block (block.go), then Lower (lower.go).
package uop
