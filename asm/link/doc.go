// Package link combines relocatable objects and archives, ours and those of GCC and the GNU assembler,
// into an ELF executable under the control of a GNU-style linker script. Section placement, alignment,
// string merging and symbol values follow GNU ld, so that one script gives equal contents with either.
//
// It is a static linker for programs without an operating system: there is no dynamic linking, no
// thread-local storage and no relaxation. It reads and writes no files itself; inputs come as bytes.
//
// Start with Link; then script.go (what a script says), layout.go (where sections go) and relocate.go.
package link
