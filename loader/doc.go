// Package loader reads programs for the simulator: ELF executables, Intel hex files and raw binary
// images. An Image holds the bytes and where they go, the entry point, the symbols and what the file
// says about its processor; Load puts it into a memory.
//
// It does not link (asm/link does) and does not run anything. Relocatable objects, archives and
// dynamically linked files are refused with a message that says what to do.
//
// Start with Open and Image.
package loader
