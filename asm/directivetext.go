package asm

import (
	"strings"
	"sync"
)

// DirectiveText says in a line what a directive takes and does.
type DirectiveText struct {
	Args string // what follows the name
	Text string
}

// DescribeDirective describes a directive, found by its name with the dot in any case.
func DescribeDirective(name string) (DirectiveText, bool) {
	t, ok := describedDirectives()[strings.ToLower(name)]
	return t, ok
}

var describedDirectives = sync.OnceValue(func() map[string]DirectiveText {
	byName := map[string]DirectiveText{}
	for _, row := range directiveTexts {
		for _, name := range strings.Fields(row.names) {
			byName[name] = row.DirectiveText
		}
	}
	return byName
})

// directiveTexts describe all directives; a test compares them with the registry.
var directiveTexts = []struct {
	names string
	DirectiveText
}{
	{".byte .1byte .dc.b", DirectiveText{Args: "value, ...", Text: "integers of 8 bits"}},
	{".2byte .short .hword .half .dc.w .dc", DirectiveText{Args: "value, ...", Text: "integers of 16 bits"}},
	{".3byte", DirectiveText{Args: "value, ...", Text: "integers of 24 bits"}},
	{".word .long .int .4byte .dc.l .dc.a", DirectiveText{Args: "value, ...", Text: "integers or addresses of 32 bits"}},
	{".quad .8byte .xword", DirectiveText{Args: "value, ...", Text: "integers of 64 bits"}},
	{".octa .16byte", DirectiveText{Args: "value, ...", Text: "integers of 128 bits"}},
	{".float .single .dc.s", DirectiveText{Args: "number, ...", Text: "floating-point numbers of 32 bits"}},
	{".double .dc.d", DirectiveText{Args: "number, ...", Text: "floating-point numbers of 64 bits"}},
	{".ascii", DirectiveText{Args: `"text", ...`, Text: "text without a zero at its end"}},
	{".asciz .string .string8", DirectiveText{Args: `"text", ...`, Text: "text and a zero at its end"}},
	{".string16", DirectiveText{Args: `"text", ...`, Text: "text and a zero, 16 bits for a character"}},
	{".string32", DirectiveText{Args: `"text", ...`, Text: "text and a zero, 32 bits for a character"}},
	{".string64", DirectiveText{Args: `"text", ...`, Text: "text and a zero, 64 bits for a character"}},
	{".fill", DirectiveText{Args: "count, size, value", Text: "count times an integer of size bytes"}},
	{".dcb.b", DirectiveText{Args: "count, value", Text: "count times an integer of 8 bits"}},
	{".dcb .dcb.w", DirectiveText{Args: "count, value", Text: "count times an integer of 16 bits"}},
	{".dcb.l", DirectiveText{Args: "count, value", Text: "count times an integer of 32 bits"}},
	{".sleb128", DirectiveText{Args: "value, ...", Text: "signed integers of as many bytes as they need, 7 bits in each"}},
	{".uleb128", DirectiveText{Args: "value, ...", Text: "unsigned integers of as many bytes as they need, 7 bits in each"}},
	{".incbin", DirectiveText{Args: `"file", skip, count`, Text: "the bytes of a file"}},
	{".reloc", DirectiveText{Args: "offset, type, expression", Text: "a relocation at an offset of the section"}},
	{".align .balign", DirectiveText{Args: "bytes, fill, max", Text: "go on at a multiple of bytes, unless more than max must be skipped"}},
	{".balignw", DirectiveText{Args: "bytes, fill, max", Text: "the same, filled with 16 bits"}},
	{".balignl", DirectiveText{Args: "bytes, fill, max", Text: "the same, filled with 32 bits"}},
	{".p2align", DirectiveText{Args: "power, fill, max", Text: "go on at a multiple of a power of two"}},
	{".p2alignw", DirectiveText{Args: "power, fill, max", Text: "the same, filled with 16 bits"}},
	{".p2alignl", DirectiveText{Args: "power, fill, max", Text: "the same, filled with 32 bits"}},
	{".org", DirectiveText{Args: "offset, fill", Text: "go on at an offset of the section"}},
	{".space .skip .zero", DirectiveText{Args: "bytes, fill", Text: "bytes of one value, 0 if none is given"}},
	{".ds.b", DirectiveText{Args: "count, fill", Text: "space of count bytes"}},
	{".ds .ds.w", DirectiveText{Args: "count, fill", Text: "space of count times 2 bytes"}},
	{".ds.l .ds.s", DirectiveText{Args: "count, fill", Text: "space of count times 4 bytes"}},
	{".ds.d", DirectiveText{Args: "count, fill", Text: "space of count times 8 bytes"}},
	{".nops", DirectiveText{Args: "bytes, size", Text: "nops of so many bytes in all"}},
	{".nop", DirectiveText{Text: "one nop"}},
	{".text .data .bss", DirectiveText{Args: "subsection", Text: "go on in the section of this name"}},
	{".section", DirectiveText{Args: `name, "flags", @type`, Text: "go on in a section: flags a, w and x mean allocated, writable, code"}},
	{".pushsection", DirectiveText{Args: `name, "flags", @type`, Text: "go on in a section until .popsection"}},
	{".popsection", DirectiveText{Text: "go back to where the last .pushsection was"}},
	{".previous", DirectiveText{Text: "exchange the section with the one before it"}},
	{".subsection", DirectiveText{Args: "number", Text: "go on in a part of the section; parts are laid out by number"}},
	{".attach_to_group", DirectiveText{Args: "name", Text: "put the section into a group"}},
	{".struct .offset", DirectiveText{Args: "offset", Text: "labels are offsets from here on, until another section"}},
	{".set .equ .lsym", DirectiveText{Args: "name, expression", Text: "give a name a value; another one may follow"}},
	{".equiv", DirectiveText{Args: "name, expression", Text: "give a name its only value"}},
	{".eqv", DirectiveText{Args: "name, expression", Text: "let a name stand for an expression, which is read at each use"}},
	{".global .globl", DirectiveText{Args: "name, ...", Text: "other objects may use the symbols"}},
	{".extern", DirectiveText{Args: "name, ...", Text: "other objects have the symbols; says nothing that is not known"}},
	{".weak", DirectiveText{Args: "name, ...", Text: "definitions of other objects come before these; undefined ones are 0"}},
	{".local", DirectiveText{Args: "name, ...", Text: "the symbols belong to this object alone"}},
	{".hidden .internal", DirectiveText{Args: "name, ...", Text: "the symbols do not leave the linked program"}},
	{".protected", DirectiveText{Args: "name, ...", Text: "the program's own definition counts in it"}},
	{".type", DirectiveText{Args: "name, @function | @object", Text: "the type of a symbol"}},
	{".size", DirectiveText{Args: "name, expression", Text: "the size of a symbol, mostly .-name"}},
	{".comm .common", DirectiveText{Args: "name, bytes, align", Text: "a block that objects of one program share by its name"}},
	{".lcomm .lcommon", DirectiveText{Args: "name, bytes, align", Text: "a block in .bss of this object"}},
	{".weakref", DirectiveText{Args: "alias, target", Text: "another name for a symbol, weak if nothing else refers to it"}},
	{".symver", DirectiveText{Args: "name, name@version", Text: "versions of shared libraries: left out"}},
	{".ident", DirectiveText{Args: `"text"`, Text: "a text in .comment"}},
	{".version", DirectiveText{Args: `"text"`, Text: "a text in .note"}},
	{".if .ifne", DirectiveText{Args: "expression", Text: "assemble what follows, up to .else or .endif, when it is not 0"}},
	{".ifeq", DirectiveText{Args: "expression", Text: "assemble what follows when it is 0"}},
	{".ifgt", DirectiveText{Args: "expression", Text: "assemble what follows when it is above 0"}},
	{".ifge", DirectiveText{Args: "expression", Text: "assemble what follows when it is 0 or more"}},
	{".iflt", DirectiveText{Args: "expression", Text: "assemble what follows when it is below 0"}},
	{".ifle", DirectiveText{Args: "expression", Text: "assemble what follows when it is 0 or less"}},
	{".ifdef", DirectiveText{Args: "name", Text: "assemble what follows when the symbol has a value by now"}},
	{".ifndef .ifnotdef", DirectiveText{Args: "name", Text: "assemble what follows when the symbol has no value yet"}},
	{".ifb", DirectiveText{Args: "text", Text: "assemble what follows when nothing is written there"}},
	{".ifnb", DirectiveText{Args: "text", Text: "assemble what follows when something is written there"}},
	{".ifc", DirectiveText{Args: "text, text", Text: "assemble what follows when the texts are equal"}},
	{".ifnc", DirectiveText{Args: "text, text", Text: "assemble what follows when the texts differ"}},
	{".ifeqs", DirectiveText{Args: `"text", "text"`, Text: "assemble what follows when the strings are equal"}},
	{".ifnes", DirectiveText{Args: `"text", "text"`, Text: "assemble what follows when the strings differ"}},
	{".elseif", DirectiveText{Args: "expression", Text: "assemble what follows when nothing before it was and it is not 0"}},
	{".else", DirectiveText{Text: "assemble what follows when nothing before it was"}},
	{".endif .endc", DirectiveText{Text: "the end of the conditional"}},
	{".macro", DirectiveText{Args: "name parameter, parameter=default, parameter:req, parameter:vararg", Text: `a macro up to .endm; \parameter stands for the argument, \@ for the number of the expansion`}},
	{".endm", DirectiveText{Text: "the end of the macro"}},
	{".exitm .mexit", DirectiveText{Text: "leave the macro or loop"}},
	{".purgem", DirectiveText{Args: "name", Text: "forget a macro"}},
	{".altmacro", DirectiveText{Text: "macros with LOCAL, %expression and <text> from here on"}},
	{".noaltmacro", DirectiveText{Text: "macros as usual from here on"}},
	{".rept .rep", DirectiveText{Args: "count", Text: "the text up to .endr so many times"}},
	{".irp .irep", DirectiveText{Args: "name, value, ...", Text: `the text up to .endr for each value, which \name stands for`}},
	{".irpc .irepc", DirectiveText{Args: "name, characters", Text: `the text up to .endr for each character, which \name stands for`}},
	{".endr", DirectiveText{Text: "the end of the loop"}},
	{".include", DirectiveText{Args: `"file"`, Text: "the text of a file"}},
	{".end", DirectiveText{Text: "the end of the program"}},
	{".err", DirectiveText{Text: "an error"}},
	{".error", DirectiveText{Args: `"text"`, Text: "an error with a text"}},
	{".warning", DirectiveText{Args: `"text"`, Text: "a warning with a text"}},
	{".fail", DirectiveText{Args: "number", Text: "an error; from 500 on a warning"}},
	{".abort", DirectiveText{Text: "an error, after which nothing is read"}},
	{".print", DirectiveText{Args: `"text"`, Text: "print a text"}},
	{".mri", DirectiveText{Args: "0", Text: "the syntax of another assembler, which is not supported"}},
	{".stabs .stabn .stabd", DirectiveText{Args: "...", Text: "an older form of debug information: left out"}},
	{".line .ln .appline", DirectiveText{Args: "number", Text: "the number of the next line"}},
	{".linefile .appfile", DirectiveText{Args: `number, "file"`, Text: "the number and the file of the next line"}},
	{".file", DirectiveText{Args: `number, "name"`, Text: "the name of the source, or a file of the line table"}},
	{".loc", DirectiveText{Args: "file line column", Text: "a row of the line table for the next instruction"}},
	{".loc_mark_labels .list .nolist .eject .psize .title .sbttl .lflags .vtable_entry .vtable_inherit .func .endfunc .gnu_attribute " +
		".bundle_align_mode .bundle_lock .bundle_unlock .llen .name .noformat .format .page .plen .spc .ttl .subtitle",
		DirectiveText{Args: "...", Text: "accepted, without effect"}},
	{".cpu", DirectiveText{Args: "name", Text: "the core whose instructions are taken"}},
	{".arc_attribute", DirectiveText{Args: "tag, value", Text: "a build attribute of the object"}},
	{".extinstruction", DirectiveText{Args: "name, major, minor, suffixes, syntax", Text: "an instruction of the user"}},
	{".extcoreregister", DirectiveText{Args: "name, number, access, shortcut", Text: "a core register of the user, 32 to 59"}},
	{".extauxregister", DirectiveText{Args: "name, address, access", Text: "an auxiliary register of the user"}},
	{".extcondcode", DirectiveText{Args: "name, code", Text: "a condition of the user, 16 to 31"}},
	{".tls_gd_ld .tls_gd_call", DirectiveText{Args: "name", Text: "marks an instruction of an access to thread-local storage"}},
	{".cfi_sections", DirectiveText{Args: "section, ...", Text: "the sections that unwind information goes to"}},
	{".cfi_startproc", DirectiveText{Args: "simple", Text: "unwind information of a function begins"}},
	{".cfi_endproc", DirectiveText{Text: "unwind information of a function ends"}},
	{".cfi_def_cfa", DirectiveText{Args: "register, offset", Text: "the frame is at the register plus the offset"}},
	{".cfi_def_cfa_register", DirectiveText{Args: "register", Text: "the frame counts from another register"}},
	{".cfi_def_cfa_offset", DirectiveText{Args: "offset", Text: "the frame is at another offset"}},
	{".cfi_adjust_cfa_offset", DirectiveText{Args: "change", Text: "the offset of the frame changes"}},
	{".cfi_offset .cfi_rel_offset .cfi_val_offset", DirectiveText{Args: "register, offset", Text: "where the caller's register is kept"}},
	{".cfi_register", DirectiveText{Args: "register, register", Text: "the caller's register is in another one"}},
	{".cfi_restore .cfi_undefined .cfi_same_value", DirectiveText{Args: "register", Text: "the register is as at the entry, lost, or untouched"}},
	{".cfi_remember_state .cfi_restore_state", DirectiveText{Text: "keep the rules, and go back to them"}},
	{".cfi_return_column", DirectiveText{Args: "register", Text: "the register with the return address"}},
	{".cfi_signal_frame", DirectiveText{Text: "the function is a handler of signals"}},
	{".cfi_window_save", DirectiveText{Text: "registers of a window are kept"}},
	{".cfi_escape", DirectiveText{Args: "byte, ...", Text: "bytes of unwind information as they are"}},
	{".cfi_label", DirectiveText{Args: "name", Text: "a symbol in the unwind information"}},
	{".cfi_personality .cfi_lsda", DirectiveText{Args: "encoding, symbol", Text: "for exceptions of C++: the function that decides, and its data"}},
}
