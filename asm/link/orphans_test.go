package link

import (
	"debug/elf"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"arcv2dsp/internal/program/elfarc"

	"github.com/stretchr/testify/require"
)

// orphanInputs are sections of many kinds that scripts may or may not take.
var orphanInputs = []struct{ name, flags, typ string }{
	{name: ".text", flags: "ax", typ: "@progbits"}, {name: ".rodata", flags: "a", typ: "@progbits"},
	{name: ".data", flags: "aw", typ: "@progbits"}, {name: ".bss", flags: "aw", typ: "@nobits"},
	{name: ".xt", flags: "ax", typ: "@progbits"}, {name: ".xr", flags: "a", typ: "@progbits"},
	{name: ".xd", flags: "aw", typ: "@progbits"}, {name: ".xb", flags: "aw", typ: "@nobits"},
	{name: ".xr2", flags: "a", typ: "@progbits"}, {name: ".xc", typ: "@progbits"},
	{name: ".xb2", flags: "aw", typ: "@nobits"}, {name: ".xd2", flags: "aw", typ: "@progbits"},
	{name: ".xn", flags: "a", typ: "@note"},
}

// randomOrphans writes a source of some of the sections and a script with output sections for some of
// them, in any order, and others that come from the script alone.
func randomOrphans(rng *rand.Rand) (source, script string) {
	var src, out strings.Builder
	for _, in := range orphanInputs {
		if rng.Intn(5) < 2 {
			continue
		}
		contents := ".word 1, 2, 3"
		if in.typ == "@nobits" {
			contents = ".space 12"
		}
		fmt.Fprintf(&src, "\t.section %s, \"%s\", %s\n\t%s\n", in.name, in.flags, in.typ, contents)
	}
	takes := map[string]string{".t2": ".xt", ".r2": ".xr", ".d2": ".xd", ".b2": ".xb"}
	names := []string{".text", ".rodata", ".data", ".bss", ".t2", ".r2", ".d2", ".b2", ".s1", ".s2", ".s3"}
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	out.WriteString("SECTIONS\n{\n\t. = 0x1000;\n")
	for _, name := range names[:1+rng.Intn(6)] {
		symbol := name[1:]
		var body []string
		kind := ""
		if strings.HasPrefix(name, ".s") {
			statements := []string{"LONG(7);", ". = . + 16;", "a%s = .;", "a%s = .; LONG(3);", "LONG(3); . += 8;", ". += 8; LONG(3);", "a%s = .; . += 8;"}
			body = []string{strings.ReplaceAll(statements[rng.Intn(len(statements))], "%s", symbol)}
		} else {
			pattern := name
			if p := takes[name]; p != "" {
				pattern = p
			}
			if rng.Intn(5) > 0 {
				body = []string{"*(" + pattern + ")"}
			}
			if rng.Intn(10) < 3 {
				more := []string{"b" + symbol + " = .;", ". = ALIGN(8);", "LONG(9);"}
				body = slices.Insert(body, rng.Intn(len(body)+1), more[rng.Intn(len(more))])
			}
		}
		if (strings.HasPrefix(name, ".s") || name == ".b2") && rng.Intn(4) == 0 {
			kind = "(NOLOAD) "
		}
		fmt.Fprintf(&out, "\t%s %s: { %s }\n", name, kind, strings.Join(body, " "))
		switch rng.Intn(15) {
		case 0:
			fmt.Fprintf(&out, "\te%s = .;\n", symbol)
		case 1:
			out.WriteString("\t. = ALIGN(16);\n")
		case 2:
			fmt.Fprintf(&out, "\te%s = .;\n\t. += 4;\n", symbol)
		}
	}
	out.WriteString("}\n")
	return src.String(), out.String()
}

// TestOrphansAgainstGNU compares where sections go that random scripts do not name.
func TestOrphansAgainstGNU(t *testing.T) {
	places := func(f *elfarc.File) (lines []string) {
		for _, s := range f.Sections {
			if s.Len() > 0 && s.Name != elfarc.SectionAttributes && s.Type != elf.SHT_STRTAB && s.Type != elf.SHT_SYMTAB {
				lines = append(lines, fmt.Sprintf("%s %v %v at %#x size %#x", s.Name, s.Type, s.Flags, s.Addr, s.Len()))
			}
		}
		slices.Sort(lines)
		return lines
	}
	rng := rand.New(rand.NewSource(1))
	dir := t.TempDir()
	for range 60 {
		source, script := randomOrphans(rng)
		assemble(t, dir, "o", source)
		write(t, dir, "o.ld", script)
		want := linkGNU(t, dir, "-T", "o.ld", "o.o")
		got := linkOurs(t, dir, Options{Script: &Script{Name: "o.ld", Text: script}}, "o.o")
		require.Equal(t, places(want), places(got), "%s\n%s", source, script)
	}
}

// symbolScript computes symbols in all ways that may make them relative to a section.
const symbolScript = `MEMORY { RAM (rwx) : ORIGIN = 0x100, LENGTH = 0x8000 }
SECTIONS {
	.text : {
		a0 = ORIGIN(RAM);
		*(.text)
		a1 = ORIGIN(RAM) + LENGTH(RAM); a2 = LENGTH(RAM); a3 = ORIGIN(RAM) + 8; a4 = . + ORIGIN(RAM); a5 = 8 + ORIGIN(RAM);
	}
	mid = .;
	b0 = mid; b1 = LENGTH(RAM) - 4; b2 = ORIGIN(RAM); b3 = -ORIGIN(RAM); b4 = ORIGIN(RAM) & 0xff0; b5 = ORIGIN(RAM) + mid;
	b6 = mid - ORIGIN(RAM); b7 = (ORIGIN(RAM) ? ORIGIN(RAM) : 3); b8 = ABSOLUTE(ORIGIN(RAM)); b9 = MAX(ORIGIN(RAM), 5);
	c0 = MIN(5, .); c1 = - .; c2 = ! .; c3 = . == 5; c4 = NEXT(16); c5 = ALIGN(16); c6 = ALIGN(mid, 16); c7 = ADDR(.text) + .;
	c8 = . + ADDR(.text); c9 = ABSOLUTE(.);
	d0 = . && 1; d1 = 1 ? . : 4; d2 = 1 ? 4 : .; d3 = SEGMENT_START("text", .); d4 = ALIGN(ADDR(.text), 16); d5 = main + .;
	d6 = SIZEOF(.text) + .; d7 = LOG2CEIL(.); d8 = ADDR(.text) - .; d9 = ADDR(.text) + SIZEOF(.text);
	.data : { *(.data) e0 = ORIGIN(RAM); . = . + 4; e1 = . + LENGTH(RAM); } > RAM
	e2 = ABSOLUTE(ADDR(.data)); e3 = mid + 1; e4 = . - mid; e5 = 4 + ADDR(.text); e6 = main + 4;
	__stack = ORIGIN(RAM) + LENGTH(RAM);
	__heap = 0x4000;
}
after = .;
`

// TestScriptSymbolsAgainstGNU compares values and sections of symbols of a script: those computed from
// the location counter or the origin of a region belong to the section that was placed last.
func TestScriptSymbolsAgainstGNU(t *testing.T) {
	dir := t.TempDir()
	assemble(t, dir, "s", "\t.global main\nmain:\tnop\n\t.word 2\n\t.data\n\t.word 1\n")
	write(t, dir, "s.ld", symbolScript)
	symbols := func(f *elfarc.File) (lines []string) {
		for _, s := range f.Symbols {
			if s.Type == elf.STT_SECTION || s.Name == "" {
				continue
			}
			where := "absolute"
			if s.Section != nil {
				where = s.Section.Name
			}
			lines = append(lines, fmt.Sprintf("%s %#x %s", s.Name, s.Value, where))
		}
		slices.Sort(lines)
		return lines
	}
	want := linkGNU(t, dir, "-T", "s.ld", "s.o")
	got := linkOurs(t, dir, Options{Script: &Script{Name: "s.ld", Text: symbolScript}}, "s.o")
	require.Contains(t, symbols(want), "__stack 0x8100 .data")
	require.Equal(t, symbols(want), symbols(got))
}
