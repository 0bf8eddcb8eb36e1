// Package program is the wing of programs as files: elfarc reads and writes ELF for ARC, dwarf its debug information,
// source the text of its source files, and calls finds calls and returns in the effects of instructions. Bytes come in,
// tables go out; nothing here runs a program. Assembler, linker, loader, debugger and profiles stand on it.
package program
