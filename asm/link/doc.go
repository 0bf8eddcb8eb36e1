// Package link combines relocatable objects and archives, ours and those of GCC and the GNU assembler,
// into an ELF executable under the control of a GNU-style linker script. Section placement, alignment,
// string merging and symbol values follow GNU ld, so that one script gives equal contents with either.
//
// It is a static linker for programs without an operating system: there is no dynamic linking, no
// thread-local storage and no relaxation. It reads and writes no files itself; inputs come as bytes.
//
// Start with Link; then script.go (what a script says), layout.go (where sections go) and relocate.go.
//
// Where it knowingly differs from GNU ld 2.40:
//   - A branch to a target that its field cannot name (bl to an address that is no multiple of 4) is an
//     error; GNU ld drops the low bits.
//   - jli_s counts from __JLI_TABLE__ and heeds addends; GNU ld counts from the section of the symbol
//     and drops addends of local symbols.
//   - @gotoff is an offset from the address that @gotpc gives; in static programs of GNU ld it is an offset
//     from 12 bytes behind that. The offset table has no unused entries.
//   - Unwind records of functions that are not linked are cut out of .eh_frame, but equal common
//     records are not merged.
//   - Segments do not include the ELF headers.
//   - Instruction-set options that GNU ld does not know stay in .ARC.attributes.
//   - OVERLAY, INSERT, NOCROSSREFS, VERSION and the section types TYPE and OVERLAY are refused.
package link
