// Package elfarc holds what the ELF format says about ARC processors: relocation types with their
// formulas and fields, e_flags, the .ARC.attributes section, and an in-memory model of 32-bit ELF
// files (File) with a writer and a bounded reader, and of ar archives.
//
// It links nothing, resolves no symbols and knows no instructions: asm writes objects with it,
// asm/link combines them, loader puts executables into memory.
//
// Start with the relocation table in reloc.go, then File in file.go.
package elfarc
