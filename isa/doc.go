// Package isa describes the ARCv2 instruction set of the EM and HS families: one Row per
// instruction, from which decoding, encoding, the operand forms, register and flag effects, timing
// classes and documentation follow.
//
// It holds no processor state and executes nothing: cpu does. It spells nothing: asm reads and
// Text (text.go) prints an instruction as assembler text.
//
// Start with Row (row.go), then a table file such as dsp_mac.go, then Format (format.go) and
// Decoder (decode.go).
package isa

//go:generate go run ./gen/ops
//go:generate go run ./gen -o ../docs/isa.md
