// Package asm is an ARCv2 assembler that takes what the GNU assembler takes: the same syntax, the
// same choice of encodings, the same bytes. Its result is a relocatable ELF object in memory.
//
// It knows no instructions of its own: package isa does, asm reads their spelling. It links nothing
// (asm/link does) and prints no instructions (asm/disasm does).
//
// Start with Assemble (asm.go), then the statement loop (assembler.go). Statements are parsed in one
// pass over the text into streams of bytes with variable places between them (stream.go); the places
// get their final sizes in layout.go, references their values or relocations in fixup.go.
package asm
