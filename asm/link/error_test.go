package link

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"arcv2dsp/internal/program/elfarc"

	"github.com/stretchr/testify/require"
)

// objectBuilder builds an object in memory, so that these tests need no tools.
type objectBuilder struct {
	file *elfarc.File
	text *elfarc.Section
}

func newObject() *objectBuilder {
	text := &elfarc.Section{Name: ".text", Type: elf.SHT_PROGBITS, Flags: elf.SHF_ALLOC | elf.SHF_EXECINSTR, Align: 4}
	return &objectBuilder{
		file: &elfarc.File{Type: elf.ET_REL, Machine: elfarc.MachineARCv2, Flags: elfarc.FlagCPUEM | elfarc.FlagABIv4, Sections: []*elfarc.Section{text}},
		text: text,
	}
}

// define adds a global function of one word.
func (b *objectBuilder) define(name string, bind elf.SymBind) *objectBuilder {
	b.file.Symbols = append(b.file.Symbols, &elfarc.Symbol{Name: name, Section: b.text, Value: uint32(len(b.text.Data)), Size: 4, Bind: bind, Type: elf.STT_FUNC})
	b.text.Data = append(b.text.Data, 0, 0, 0, 0)
	return b
}

// refer adds a word that a relocation patches.
func (b *objectBuilder) refer(name string, typ elfarc.Reloc, addend int32) *objectBuilder {
	sym := &elfarc.Symbol{Name: name, Bind: elf.STB_GLOBAL}
	b.file.Symbols = append(b.file.Symbols, sym)
	b.text.Relocs = append(b.text.Relocs, elfarc.Rela{Offset: uint32(len(b.text.Data)), Type: typ, Sym: sym, Addend: addend})
	b.text.Data = append(b.text.Data, 0, 0, 0, 0)
	return b
}

// section adds a section of n bytes.
func (b *objectBuilder) section(name string, flags elf.SectionFlag, n int) *objectBuilder {
	b.file.Sections = append(b.file.Sections, &elfarc.Section{Name: name, Type: elf.SHT_PROGBITS, Flags: flags, Align: 4, Data: make([]byte, n)})
	return b
}

func (b *objectBuilder) input(name string) Input {
	data, err := b.file.Bytes()
	if err != nil {
		panic(err)
	}
	return Input{Name: name, Data: data}
}

func start() *objectBuilder { return newObject().define("__start", elf.STB_GLOBAL) }

// TestInputErrors lists what can be wrong with inputs, and what is said about it.
func TestInputErrors(t *testing.T) {
	far := &Script{Name: "far.ld", Text: "SECTIONS { .text 0x100 : { a.o(.text) } .far 0x40000000 : { b.o(.text) } }"}
	attrs := func(a ...elfarc.Attr) *objectBuilder {
		var list elfarc.Attrs
		for _, x := range a {
			list.Set(x)
		}
		b := start()
		b.file.Sections = append(b.file.Sections, &elfarc.Section{Name: elfarc.SectionAttributes, Type: elfarc.SectionTypeAttributes, Align: 1, Data: list.Encode(false)})
		return b
	}
	change := func(b *objectBuilder, f func(*elfarc.File)) *objectBuilder {
		f(b.file)
		return b
	}
	member := func(name string, data []byte) Input {
		a, err := (&elfarc.Archive{Members: []*elfarc.Member{{Name: name, Data: data}}}).Bytes()
		require.NoError(t, err)
		return Input{Name: "lib.a", Data: a}
	}
	for _, c := range []struct {
		name   string
		opts   Options
		inputs []Input
		want   string
	}{
		{name: "nothing", want: "no input files"},
		{name: "empty", inputs: []Input{{Name: "a.o"}}, want: "a.o: the file is empty"},
		{name: "garbage", inputs: []Input{{Name: "a.o", Data: []byte{1, 2, 3}}}, want: "a.o: offset 0x0: neither an ELF object nor an archive"},
		{name: "text", inputs: []Input{{Name: "a.s", Data: []byte("\tmov r0,r1\n")}}, want: `a.s:1:2: unknown command "mov"`},
		{name: "truncated", inputs: []Input{{Name: "a.o", Data: start().input("").Data[:60]}}, want: "a.o: offset 0x"},
		{
			name: "executable", inputs: []Input{change(start(), func(f *elfarc.File) { f.Type = elf.ET_EXEC }).input("a.elf")},
			want: "a.elf: offset 0x10: ET_EXEC: only relocatable objects can be linked",
		},
		{
			name: "machine", inputs: []Input{change(start(), func(f *elfarc.File) { f.Machine = 40 }).input("a.o")},
			want: "a.o: offset 0x12: machine 40 (EM_ARM): expected ARCv2 (195)",
		},
		{
			name: "endian", inputs: []Input{start().input("a.o"), change(newObject(), func(f *elfarc.File) { f.BigEndian = true }).input("b.o")},
			want: "b.o: big-endian, but a.o is little-endian",
		},
		{
			name: "processor", inputs: []Input{change(start(), func(f *elfarc.File) { f.Flags = elfarc.FlagCPUARC700 }).input("a.o")},
			want: "a.o: for ARC 700: only ARC EM and HS can be linked",
		},
		{
			name: "undefined", inputs: []Input{start().refer("foo", elfarc.R_ARC_32, 0).refer("foo", elfarc.R_ARC_32, 0).refer("bar", elfarc.R_ARC_32, 0).input("a.o")},
			want: "a.o(.text+0x4): undefined symbol \"foo\"\na.o(.text+0x8): undefined symbol \"foo\"\na.o(.text+0xc): undefined symbol \"bar\"",
		},
		{
			name: "duplicate", inputs: []Input{start().define("foo", elf.STB_GLOBAL).input("a.o"), newObject().define("foo", elf.STB_GLOBAL).input("b.o")},
			want: `b.o(.text): symbol "foo" is already defined in a.o(.text)`,
		},
		{
			name: "overflow", opts: Options{Script: far},
			inputs: []Input{start().refer("foo", elfarc.R_ARC_S21H_PCREL, 0).input("a.o"), newObject().define("foo", elf.STB_GLOBAL).input("b.o")},
			want:   `a.o(.text+0x4): R_ARC_S21H_PCREL: value 0x3ffffefc is out of range -0x100000 to 0xffffe: from 0x104 to "foo" at 0x40000000`,
		},
		{
			name: "misaligned", inputs: []Input{start().refer("__start", elfarc.R_ARC_S25W_PCREL, 2).input("a.o")},
			want: `a.o(.text+0x4): R_ARC_S25W_PCREL: value -0x2 is not a multiple of 4: from 0x104 to "__start" at 0x102`,
		},
		{
			name: "no base", opts: Options{Script: &Script{Name: "x.ld", Text: "SECTIONS { .text 0x100 : { *(.text) } }"}},
			inputs: []Input{start().refer("__start", elfarc.R_ARC_SDA_LDST, 0).input("a.o")},
			want:   "a.o(.text+0x4): R_ARC_SDA_LDST needs the symbol __SDATA_BEGIN__, which nothing defines",
		},
		{
			name: "thread-local", inputs: []Input{start().refer("__start", elfarc.R_ARC_TLS_LE_32, 0).input("a.o")},
			want: `a.o(.text+0x4): R_ARC_TLS_LE_32: thread-local storage needs an operating system (symbol "__start")`,
		},
		{
			name: "thread-local section", inputs: []Input{start().section(".tdata", elf.SHF_ALLOC|elf.SHF_WRITE|elf.SHF_TLS, 4).input("a.o")},
			want: "a.o: section .tdata: thread-local storage needs an operating system",
		},
		{
			name: "dynamic", inputs: []Input{start().refer("__start", elfarc.R_ARC_GLOB_DAT, 0).input("a.o")},
			want: `a.o(.text+0x4): R_ARC_GLOB_DAT is for a dynamic loader and cannot be linked (symbol "__start")`,
		},
		{
			name: "discarded", opts: Options{Script: &Script{Name: "x.ld", Text: "SECTIONS { .text 0x100 : { a.o(.text) } /DISCARD/ : { b.o(*) } }"}},
			inputs: []Input{start().refer("foo", elfarc.R_ARC_32, 0).input("a.o"), newObject().define("foo", elf.STB_GLOBAL).input("b.o")},
			want:   `a.o(.text+0x4): symbol "foo" is in a section that is not linked`,
		},
		{
			name: "member", inputs: []Input{start().refer("foo", elfarc.R_ARC_32, 0).input("a.o"),
				member("m.o", newObject().define("foo", elf.STB_GLOBAL).refer("deep", elfarc.R_ARC_32, 0).input("").Data)},
			want: `lib.a(m.o)(.text+0x4): undefined symbol "deep"`,
		},
		{
			name: "archive", inputs: []Input{start().input("a.o"), {Name: "lib.a", Data: []byte("!<arch>\nxx")}},
			want: "lib.a: offset 0x8: truncated member header",
		},
		{
			name: "attributes", inputs: []Input{attrs(elfarc.Attr{Tag: elfarc.TagABIEnumSize, Num: 1}).input("a.o"),
				change(attrs(elfarc.Attr{Tag: elfarc.TagABIEnumSize, Num: 2}), func(f *elfarc.File) { f.Symbols = nil }).input("b.o")},
			want: "b.o: enumeration size 2 does not fit that of a.o (1)",
		},
		{
			name: "options", inputs: []Input{attrs(elfarc.Attr{Tag: elfarc.TagISAConfig, Str: "CD,SPFP"}).input("a.o"),
				change(attrs(elfarc.Attr{Tag: elfarc.TagISAConfig, Str: "FPUS"}), func(f *elfarc.File) { f.Symbols = nil }).input("b.o")},
			want: "b.o: instruction-set option FPUS does not go with SPFP of other objects",
		},
		{
			name: "registers", inputs: []Input{attrs(elfarc.Attr{Tag: elfarc.TagABIRF16, Num: 1}).input("a.o"),
				change(attrs(elfarc.Attr{Tag: elfarc.TagCPUBase, Num: 3}), func(f *elfarc.File) { f.Symbols = nil }).input("b.o")},
			want: "b.o: uses all registers, but a.o is for the reduced register set",
		},
		{name: "page size", opts: Options{MaxPageSize: 3}, inputs: []Input{start().input("a.o")}, want: "page size 0x3 is not a power of two"},
		{
			name: "defsym", opts: Options{Defines: []Define{{Name: "x", Expr: "1 +"}}}, inputs: []Input{start().input("a.o")},
			want: "--defsym x:1:4: expected an expression, found the end of the script",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Link(c.opts, c.inputs)
			require.Error(t, err)
			var list ErrorList
			require.True(t, errors.As(err, &list))
			if strings.HasSuffix(c.want, "0x") {
				require.Contains(t, err.Error(), c.want)
				return
			}
			require.Equal(t, c.want, err.Error())
		})
	}
}

// TestManyErrors checks that a list is cut off.
func TestManyErrors(t *testing.T) {
	b := start()
	for i := range 30 {
		b.refer(fmt.Sprintf("missing%d", i), elfarc.R_ARC_32, 0)
	}
	_, err := Link(Options{}, []Input{b.input("a.o")})
	require.ErrorContains(t, err, "and 10 more errors")
	require.Len(t, strings.Split(err.Error(), "\n"), 21)
	var one *Error
	require.True(t, errors.As(err, &one))
	require.Equal(t, "a.o(.text+0x4)", one.Where)
}

// TestScriptErrors lists what can be wrong with a script. The place is part of the message.
func TestScriptErrors(t *testing.T) {
	big := start().section(".data", elf.SHF_ALLOC|elf.SHF_WRITE, 100)
	for _, c := range []struct{ name, script, want string }{
		{name: "command", script: "\n  FOO(x)\n", want: `s.ld:2:3: unknown command "FOO"`},
		{name: "comment", script: "SECTIONS { /* x\n", want: "s.ld:1:12: unterminated comment"},
		{name: "string", script: "ENTRY(\"x\n)", want: "s.ld:1:7: unterminated string"},
		{name: "character", script: "SECTIONS { x = 1 \x01 2; }", want: `s.ld:1:18: unexpected character '\x01'`},
		{name: "open", script: "SECTIONS {\n .text : {\n *(.text)\n", want: `s.ld:4:1: output section ".text" is not closed`},
		{name: "open sections", script: "SECTIONS {\n", want: "s.ld:2:1: SECTIONS is not closed"},
		{name: "semicolon", script: "SECTIONS { x = 1 .text : { } }", want: `s.ld:1:18: expected ";", found ".text"`},
		{name: "expression", script: "SECTIONS { x = 1 + ; }", want: `s.ld:1:20: expected an expression, found ";"`},
		{name: "parenthesis", script: "SECTIONS { x = (1 + 2; }", want: `s.ld:1:22: expected ")", found ";"`},
		{name: "number", script: "SECTIONS { x = 0x1g; }", want: `s.ld:1:16: bad number "0x1g"`},
		{name: "colon", script: "SECTIONS { .text { *(.text) } }", want: `s.ld:1:18: expected an expression, found "{"`},
		{name: "type", script: "SECTIONS { .text (TYPE=1) : { } }", want: "s.ld:1:19: section type TYPE is not supported"},
		{name: "arguments", script: "SECTIONS { x = MAX(1); }", want: "s.ld:1:16: MAX takes 2 arguments"},
		{name: "constant", script: "SECTIONS { x = CONSTANT(FOO); }", want: `s.ld:1:16: unknown constant "FOO"`},
		{name: "format", script: "OUTPUT_FORMAT(elf64-x86)", want: `s.ld:1:15: unknown output format "elf64-x86": expected elf32-littlearc or elf32-bigarc`},
		{name: "big format", script: "OUTPUT_FORMAT(elf32-bigarc)", want: "s.ld:1:15: the script asks for elf32-bigarc, but the inputs are little-endian"},
		{name: "architecture", script: "OUTPUT_ARCH(i386)", want: `s.ld:1:13: unknown output architecture "i386": expected arc`},
		{name: "overlay", script: "SECTIONS { OVERLAY : { } }", want: "s.ld:1:12: OVERLAY is not supported"},
		{name: "include", script: "INCLUDE nosuch.ld", want: `s.ld:1:9: cannot include "nosuch.ld": file does not exist`},
		{name: "include itself", script: "INCLUDE s.ld", want: "s.ld:1:9: INCLUDE nested more than 16 deep"},
		{name: "input", script: "INPUT(nosuch.o)", want: `s.ld:1:7: cannot read "nosuch.o": file does not exist`},
		{name: "region", script: "MEMORY { A : ORIGIN = 0, LENGTH = 1K }\nSECTIONS { .text : { *(.text) } > B }", want: `s.ld:2:35: unknown memory region "B"`},
		{name: "region twice", script: "MEMORY { A : ORIGIN = 0, LENGTH = 1K A : ORIGIN = 0, LENGTH = 1K }", want: `s.ld:1:38: memory region "A" is already defined at s.ld:1:10`},
		{name: "region attribute", script: "MEMORY { A (q) : ORIGIN = 0, LENGTH = 1K }", want: `s.ld:1:13: unknown attribute "q" of memory region "A"`},
		{name: "region attributes", script: "MEMORY { A (r", want: `s.ld:1:14: expected ")", found the end of the script`},
		{name: "fill", script: "SECTIONS { .text : { } =ADDR(.text) }", want: "s.ld:1:25: a fill pattern must be a constant"},
		{name: "region property", script: "MEMORY { A : START = 0, LENGTH = 1K }", want: `s.ld:1:14: expected ORIGIN, found "START"`},
		{name: "region size", script: "MEMORY { A : ORIGIN = 0xfffff000, LENGTH = 8K }\nSECTIONS { }", want: `s.ld:1:10: memory region "A" of 0x2000 bytes at 0xfffff000 reaches beyond the address space`},
		{name: "region value", script: "MEMORY { A : ORIGIN = foo, LENGTH = 8K }\nSECTIONS { }", want: `s.ld:1:23: undefined symbol "foo" in an expression`},
		{
			name: "region overflow", script: "MEMORY { A : ORIGIN = 0x100, LENGTH = 16 }\nSECTIONS {\n .text : { *(.text .data) } > A }",
			want: `s.ld:3:2: section .text ends at 0x168: memory region "A" (0x100 to 0x110) overflows by 88 bytes`,
		},
		{
			name: "outside region", script: "MEMORY { A : ORIGIN = 0x1000, LENGTH = 1K }\nSECTIONS { .text 0x100 : { *(.text) } > A }",
			want: `s.ld:2:12: section .text at 0x100 is not in memory region "A" (0x1000 to 0x1400)`,
		},
		{
			name: "overlap", script: "SECTIONS {\n .text 0x100 : { *(.text) }\n .data 0x102 : { *(.data) } }",
			want: "s.ld:3:2: section .data (0x102 to 0x168) overlaps section .text (0x100 to 0x104)",
		},
		{
			name: "load overlap", script: "SECTIONS {\n .text 0x100 : { *(.text) }\n .data 0x1000 : AT(0x101) { *(.data) } }",
			want: "s.ld:3:2: section .data (0x101 to 0x165) overlaps section .text (0x100 to 0x104) when loaded",
		},
		{name: "undefined", script: "SECTIONS { .text 0x100 : { *(.text) }\n x = foo + 1; }", want: `s.ld:2:6: undefined symbol "foo" in an expression`},
		{name: "unknown section", script: "SECTIONS { .text 0x100 : { *(.text) }\n x = ADDR(.foo); }", want: `s.ld:2:6: unknown section ".foo"`},
		{name: "division", script: "SECTIONS { x = 1 / 0; }", want: "s.ld:1:18: division by zero"},
		{name: "backwards", script: "SECTIONS { .text 0x100 : { *(.text)\n . = 2; } }", want: "s.ld:2:2: cannot move the location counter backwards, from 0x104 to 0x102"},
		{name: "below", script: "SECTIONS { .text 0x100 : { *(.text)\n . = . - 0x1000; } }", want: "s.ld:2:2: cannot move the location counter backwards, from 0x104 to -0xefc"},
		{name: "assertion", script: "SECTIONS { .text 0x100 : { *(.text) }\n ASSERT(SIZEOF(.text) > 100, \"too small\") }", want: "s.ld:2:2: assertion failed: too small"},
		{name: "alignment", script: "SECTIONS { .text 0x100 : ALIGN(3) { *(.text) } }", want: "s.ld:1:32: alignment 0x3 is not a power of two"},
		{name: "large alignment", script: "SECTIONS { .text 0x100 : ALIGN(0x80000000) { *(.text) } }", want: "s.ld:1:32: alignment 0x80000000 is out of range 0x1 to 0x40000000"},
		{name: "unsettled", script: "SECTIONS { .text 0x100 : { *(.text) . += SIZEOF(.data) + 4; }\n.data : { . += SIZEOF(.text); } }", want: "the addresses that the script computes do not settle"},
		{name: "huge", script: "SECTIONS { .text 0x100 : { *(.text)\n . = 0x200000000; } }", want: "s.ld:2:2: the location counter moves to 0x200000100, beyond the address space"},
		{name: "large", script: "SECTIONS { .text 0x100 : { *(.text)\n . = 0x70000000; } }", want: "s.ld:1:12: section .text of 0x70000000 bytes makes the program larger than 256 MiB"},
		{name: "deep", script: "SECTIONS { x = " + strings.Repeat("(", 500), want: "s.ld:1:216: expression nested more than 200 deep"},
		{name: "header", script: "PHDRS { a PT_LOAD; }\nSECTIONS { .text 0x100 : { *(.text) } :b }", want: `s.ld:2:40: unknown program header "b"`},
		{name: "header type", script: "PHDRS { a PT_FOO; }\nSECTIONS { .text 0x100 : { *(.text) } :a }", want: `s.ld:1:11: unknown type "PT_FOO" of program header "a"`},
		{name: "flags", script: "SECTIONS { .text : { INPUT_SECTION_FLAGS(FOO) *(.text) } }", want: `s.ld:1:42: unknown section flag "FOO"`},
		{name: "sorts", script: "SECTIONS { .text : { *(SORT_BY_NAME(SORT_BY_INIT_PRIORITY(.text))) } }", want: "s.ld:1:37: these sorts cannot be nested"},
	} {
		t.Run(c.name, func(t *testing.T) {
			open := func(name string) ([]byte, error) {
				if name == "s.ld" {
					return []byte(c.script), nil
				}
				return nil, os.ErrNotExist
			}
			_, err := Link(Options{Script: &Script{Name: "s.ld", Text: c.script}, Open: open}, []Input{big.input("a.o")})
			require.EqualError(t, err, c.want)
		})
	}
}

// TestWarnings lists what is worth mentioning though the link succeeds.
func TestWarnings(t *testing.T) {
	hs := newObject().define("hs", elf.STB_GLOBAL)
	hs.file.Flags = elfarc.FlagCPUHS | elfarc.FlagABIv4
	noload := newObject().section(".rom", elf.SHF_ALLOC, 4)
	noload.file.Sections[1].Data[0] = 1
	for _, c := range []struct {
		name   string
		opts   Options
		inputs []Input
		want   string
	}{
		{
			name: "entry", inputs: []Input{newObject().define("main", elf.STB_GLOBAL).input("a.o")},
			want: `entry symbol "__start" is not defined: the program starts at the beginning of .text`,
		},
		{name: "processors", inputs: []Input{start().input("a.o"), hs.input("b.o")}, want: "b.o is for ARC HS, but a.o is for ARC EM: the program is for ARC HS"},
		{
			name: "section start", opts: Options{SectionStart: map[string]uint32{".foo": 1}}, inputs: []Input{start().input("a.o")},
			want: `section ".foo", whose address is given, does not exist`,
		},
		{
			name: "no region", opts: Options{Script: &Script{Name: "s.ld", Text: "MEMORY { A (w) : ORIGIN = 0, LENGTH = 1K } SECTIONS { .text : { *(.text) } }"}},
			inputs: []Input{start().input("a.o")}, want: "section .text is in no memory region",
		},
		{
			name: "not loaded", opts: Options{Script: &Script{Name: "s.ld", Text: "SECTIONS { .text 0x100 : { *(.text) } .rom (NOLOAD) : { *(.rom) } }"}},
			inputs: []Input{start().input("a.o"), noload.input("b.o")}, want: "the contents of b.o(.rom) are not loaded: section .rom is NOLOAD",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			im, err := Link(c.opts, c.inputs)
			require.NoError(t, err)
			require.Equal(t, []string{c.want}, im.Warnings)
		})
	}
}

// TestUnnamedProcessor: an object whose e_flags name no processor takes that of the others, as with GNU ld.
func TestUnnamedProcessor(t *testing.T) {
	plain := func(flags uint32, name string) Input {
		b := newObject().define(name, elf.STB_GLOBAL)
		b.file.Flags = flags
		return b.input(name + ".o")
	}
	for _, c := range []struct {
		name          string
		first, second uint32
		want          uint32
	}{
		{name: "none first", first: 0, second: elfarc.FlagCPUEM | elfarc.FlagABIv4, want: elfarc.FlagCPUEM},
		{name: "none second", first: elfarc.FlagCPUHS | elfarc.FlagABIv4, second: elfarc.FlagABIv4, want: elfarc.FlagCPUHS},
		{name: "none at all", first: 0, second: elfarc.FlagABIv4, want: elfarc.FlagCPUNone},
	} {
		t.Run(c.name, func(t *testing.T) {
			im, err := Link(Options{}, []Input{plain(c.first, "__start"), plain(c.second, "b")})
			require.NoError(t, err)
			require.Empty(t, im.Warnings)
			data, err := im.Bytes()
			require.NoError(t, err)
			f, err := elfarc.Read(data)
			require.NoError(t, err)
			require.Equal(t, c.want|elfarc.FlagABIv4, f.Flags)
		})
	}
}

// TestEqualConstants: two absolute symbols of one name and value are one constant, as with GNU ld; another
// value, or an address of that value, is not.
func TestEqualConstants(t *testing.T) {
	constant := func(v uint32) *objectBuilder {
		b := newObject()
		b.file.Symbols = append(b.file.Symbols, &elfarc.Symbol{Name: "K", Value: v, Bind: elf.STB_GLOBAL, Index: elf.SHN_ABS})
		return b
	}
	_, err := Link(Options{}, []Input{start().input("a.o"), constant(5).input("b.o"), constant(5).input("c.o")})
	require.NoError(t, err)
	_, err = Link(Options{}, []Input{start().input("a.o"), constant(5).input("b.o"), constant(6).input("c.o")})
	require.ErrorContains(t, err, `c.o: symbol "K" is already defined in b.o`)
	_, err = Link(Options{}, []Input{start().define("K", elf.STB_GLOBAL).input("a.o"), constant(4).input("b.o")})
	require.ErrorContains(t, err, `b.o: symbol "K" is already defined in a.o(.text)`)
}

// TestInputScripts links through scripts among the inputs, as some C libraries are delivered.
func TestInputScripts(t *testing.T) {
	lib, err := (&elfarc.Archive{Members: []*elfarc.Member{{Name: "m.o", Data: newObject().define("foo", elf.STB_GLOBAL).input("").Data}}}).Bytes()
	require.NoError(t, err)
	opts := Options{Open: func(name string) ([]byte, error) {
		if name == "libreal.a" {
			return lib, nil
		}
		return nil, os.ErrNotExist
	}}
	im, err := Link(opts, []Input{
		start().refer("foo", elfarc.R_ARC_32, 0).input("a.o"),
		{Name: "libc.a", Data: []byte("/* GNU ld script */ GROUP ( libreal.a AS_NEEDED ( libreal.a ) )\nalias = foo;")},
	})
	require.NoError(t, err)
	require.NotZero(t, symbolValueOr(im.file, "foo"))
	_, err = Link(opts, []Input{start().input("a.o"), {Name: "x.ld", Data: []byte("SECTIONS { }")}})
	require.EqualError(t, err, "x.ld: a linker script with MEMORY or SECTIONS is given by -T")
}

// TestSymbols checks which of several definitions counts.
func TestSymbols(t *testing.T) {
	common := func(size, align uint32) *objectBuilder {
		b := newObject()
		b.file.Symbols = append(b.file.Symbols, &elfarc.Symbol{Name: "c", Index: elf.SHN_COMMON, Value: align, Size: size, Bind: elf.STB_GLOBAL, Type: elf.STT_OBJECT})
		return b
	}
	size := func(f *elfarc.File, name string) uint32 {
		for _, s := range f.Symbols {
			if s.Name == name {
				return s.Size
			}
		}
		return 0
	}
	im, err := Link(Options{}, []Input{
		start().define("w", elf.STB_WEAK).input("a.o"), newObject().define("pad", elf.STB_GLOBAL).define("w", elf.STB_GLOBAL).input("b.o"),
		common(4, 4).input("c.o"), common(16, 64).input("d.o"), common(8, 8).input("e.o"),
	})
	require.NoError(t, err)
	require.Equal(t, symbolValueOr(im.file, "pad")+4, symbolValueOr(im.file, "w"), "the strong one")
	require.Equal(t, uint32(16), size(im.file, "c"))
	require.Zero(t, symbolValueOr(im.file, "c")%64)
	im, err = Link(Options{}, []Input{start().input("a.o"), common(4, 4).input("c.o"), newObject().define("c", elf.STB_GLOBAL).input("d.o")})
	require.NoError(t, err)
	require.Equal(t, symbolValueOr(im.file, "__start")+4, symbolValueOr(im.file, "c"), "the definition, not the common block")
}

// TestScriptFunctions checks values of script functions by those of GNU ld, and whether they belong to a section.
func TestScriptFunctions(t *testing.T) {
	script := &Script{Name: "s.ld", Text: `SECTIONS {
	.text 0x1000 : { *(.text) inside = MAX(4, .); beyond = MAX(0x40, .); under = MIN(2, .); whole = ABSOLUTE(MAX(0x40, .)); }
	one = LOG2CEIL(1); four = LOG2CEIL(4); five = LOG2CEIL(5);
	most = MAX(0x20, ADDR(.text)); least = MIN(0x20, ADDR(.text)); turned = MAX(ADDR(.text), 0x20); end = MAX(ADDR(.text) + 8, 4);
	. = 0x1234;
	.data DATA_SEGMENT_ALIGN(0x1000, 0x100) : { page = .; *(.data) }
	mega = 2M; kilo = 3K;
}`}
	im, err := Link(Options{Script: script}, []Input{start().define("second", elf.STB_GLOBAL).section(".data", elf.SHF_ALLOC|elf.SHF_WRITE, 4).input("a.o")})
	require.NoError(t, err)
	type place struct {
		value    uint32
		absolute bool
	}
	got := map[string]place{}
	for _, s := range im.file.Symbols {
		got[s.Name] = place{s.Value, s.Section == nil}
	}
	for name, want := range map[string]place{
		"inside": {value: 0x1008}, "beyond": {value: 0x1040}, "under": {value: 0x1002},
		"one": {value: 0, absolute: true}, "four": {value: 2, absolute: true}, "five": {value: 3, absolute: true},
		"most": {value: 0x1000, absolute: true}, "least": {value: 0x20, absolute: true}, "turned": {value: 0x1000, absolute: true},
		"end": {value: 0x1008, absolute: true}, "whole": {value: 0x1040, absolute: true}, "page": {value: 0x2234},
		"mega": {value: 0x200000, absolute: true}, "kilo": {value: 0xc00, absolute: true},
	} {
		require.Equal(t, want, got[name], name)
	}
}

// TestRangesOfDroppedCode: a range of code that is not linked becomes an empty one, which does not end its list.
func TestRangesOfDroppedCode(t *testing.T) {
	b := start().section(".text.dead", elf.SHF_ALLOC|elf.SHF_EXECINSTR, 8).section(".debug_ranges", 0, 24)
	dead, ranges := b.file.Sections[1], b.file.Sections[2]
	sym := &elfarc.Symbol{Name: "dead", Section: dead, Type: elf.STT_FUNC, Bind: elf.STB_LOCAL}
	b.file.Symbols = append([]*elfarc.Symbol{sym}, b.file.Symbols...)
	ranges.Relocs = []elfarc.Rela{{Offset: 0, Type: elfarc.R_ARC_32, Sym: sym}, {Offset: 4, Type: elfarc.R_ARC_32, Sym: sym, Addend: 8}}
	ranges.Data[8], ranges.Data[12] = 4, 6 // a range that lives
	im, err := Link(Options{GCSections: true}, []Input{b.input("a.o")})
	require.NoError(t, err)
	require.Equal(t, []byte{1, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, contents(t, im.file, ".debug_ranges"))
}

// TestBranchToNowhere: a branch to a weak function that nothing defines has the distance 0.
func TestBranchToNowhere(t *testing.T) {
	b := start().refer("nobody", elfarc.R_ARC_S25W_PCREL, 0)
	b.file.Symbols[1].Bind = elf.STB_WEAK
	im, err := Link(Options{}, []Input{b.input("a.o")})
	require.NoError(t, err)
	require.NotZero(t, symbolValueOr(im.file, "__start"), "0 would be near")
	require.Equal(t, make([]byte, 8), contents(t, im.file, ".text")[:8])
}

// TestMergedEntry: an addend to the symbol of a merged section names an entry, and is not added once more.
func TestMergedEntry(t *testing.T) {
	b := start().refer("", elfarc.R_ARC_32, 4).section(".rodata", elf.SHF_ALLOC|elf.SHF_MERGE|elf.SHF_STRINGS, 0)
	texts, sym := b.file.Sections[1], b.file.Symbols[1]
	texts.Data, texts.Entry, texts.Align = []byte("abc\x00def\x00"), 1, 1
	sym.Section, sym.Type, sym.Bind = texts, elf.STT_SECTION, elf.STB_LOCAL
	b.file.Symbols[0], b.file.Symbols[1] = sym, b.file.Symbols[0]
	im, err := Link(Options{}, []Input{b.input("a.o")})
	require.NoError(t, err)
	for _, s := range im.file.Sections {
		if at := strings.Index(string(s.Data), "def\x00"); s.Name == ".rodata" {
			require.Equal(t, s.Addr+uint32(at), binary.LittleEndian.Uint32(contents(t, im.file, ".text")[4:]))
			return
		}
	}
	t.Fatal("no .rodata")
}
