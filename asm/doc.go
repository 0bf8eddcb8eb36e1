// Package asm is an ARCv2 assembler that accepts the input of the GNU assembler: the same syntax,
// the same choice of encodings, the same bytes. Its result is a relocatable ELF object in memory.
//
// It describes no instruction: package isa does, and asm reads their spelling. It links nothing
// (asm/link does) and prints no instructions (isa does).
//
// Start with Assemble (asm.go), then the statement loop (assembler.go). One pass parses the
// statements into streams of bytes with places of variable size between them (stream.go). layout.go
// gives the places their final sizes, fixup.go resolves references to values or relocations.
package asm
