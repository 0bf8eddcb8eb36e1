package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// program is a program of two files that the tests of names ask about.
var sample = map[string]string{
	"main.s": `	.include "lib.inc"
	.global	start
start:	mov	r0,SIZE
1:	add	r0,r0,1
	brne	r0,SIZE,1b
	CLEAR	r1
	CLEAR	r2
	bl	helper
1:	b	1b
	.ifdef	NEVER
	bl	helper
	.endif
`,
	"lib.inc": `	.equ	SIZE,4
; Clears a register.
	.macro	CLEAR reg
	mov	\reg,0
1:	sub	\reg,\reg,1
	brne	\reg,-SIZE,1b
	b	.Lend\@
.Lend\@:
	.endm
	.macro	UNUSED
	bl	helper
	CLEAR	r0
	.endm
helper:
	j	[blink]
`,
}

// opened opens the sample.
func opened(t *testing.T) (main, lib *file, dir string) {
	t.Helper()
	dir = t.TempDir()
	write(t, dir, sample)
	c := begin(t, Options{}, dir)
	return c.open(filepath.Join(dir, "main.s"), sample["main.s"]), c.open(filepath.Join(dir, "lib.inc"), sample["lib.inc"]), dir
}

// places lists locations as FILE:LINE:COLUMN.
func places(list []location) []string {
	out := []string{}
	for _, l := range list {
		out = append(out, fmt.Sprintf("%s:%d:%d", l.URI[strings.LastIndexByte(l.URI, '/')+1:], l.Range.Start.Line, l.Range.Start.Character))
	}
	slices.Sort(out)
	return out
}

// TestDefinition: names lead to where they get their meaning, across files. All places are counted by hand.
func TestDefinition(t *testing.T) {
	main, lib, _ := opened(t)
	for _, x := range []struct {
		f               *file
		line, character int
		want            []string
	}{
		{main, 2, 15, []string{"lib.inc:0:6"}},  // SIZE
		{main, 4, 15, []string{"main.s:3:0"}},   // 1b
		{main, 8, 5, []string{"main.s:8:0"}},    // the other 1b
		{main, 5, 2, []string{"lib.inc:2:8"}},   // CLEAR
		{main, 7, 5, []string{"lib.inc:13:0"}},  // helper
		{main, 10, 5, []string{"lib.inc:13:0"}}, // in a branch that is not taken
		{main, 0, 13, []string{"lib.inc:0:0"}},  // the include
		{lib, 5, 18, []string{"lib.inc:4:0"}},   // 1b in the macro
		{lib, 4, 8, []string{"lib.inc:2:14"}},   // \reg
		{lib, 6, 6, []string{"lib.inc:7:0"}},    // .Lend\@
		{lib, 11, 3, []string{"lib.inc:2:8"}},   // CLEAR in a macro that nobody calls
		{main, 3, 6, []string{}},                // r0 is none
		{main, 2, 8, []string{}},                // mov is none
		{lib, 14, 5, []string{}},                // blink is none
	} {
		got := places(ask[[]location](x.f.c, "textDocument/definition", x.f.at(x.line, x.character)))
		require.Equal(t, x.want, got, "%d:%d", x.line, x.character)
	}
}

func TestReferences(t *testing.T) {
	main, lib, _ := opened(t)
	refs := func(f *file, line, character int, declaration bool) []string {
		return places(ask[[]location](f.c, "textDocument/references", f.with(line, character, map[string]any{"context": map[string]bool{"includeDeclaration": declaration}})))
	}
	require.Equal(t, []string{"lib.inc:0:6", "lib.inc:5:12", "main.s:2:14", "main.s:4:9"}, refs(lib, 0, 7, true))
	require.Equal(t, []string{"lib.inc:5:12", "main.s:2:14", "main.s:4:9"}, refs(lib, 0, 7, false))
	require.Equal(t, []string{"lib.inc:10:4", "lib.inc:13:0", "main.s:10:4", "main.s:7:4"}, refs(main, 7, 4, true))
	require.Equal(t, []string{"lib.inc:11:1", "lib.inc:2:8", "main.s:5:1", "main.s:6:1"}, refs(main, 5, 1, true))
	require.Equal(t, []string{"main.s:3:0", "main.s:4:14"}, refs(main, 3, 0, true))
	require.Equal(t, []string{"lib.inc:4:0", "lib.inc:5:17"}, refs(lib, 4, 0, true))
	require.Equal(t, []string{"lib.inc:6:3", "lib.inc:7:0"}, refs(lib, 7, 2, true))
	marks := ask[[]struct{ Kind int }](main.c, "textDocument/documentHighlight", main.at(3, 0))
	require.Len(t, marks, 2)
}

// TestRename: a name changes everywhere at once, and one that would mean something else does not change.
func TestRename(t *testing.T) {
	main, lib, dir := opened(t)
	rename := func(f *file, line, character int, name string) map[string]string {
		t.Helper()
		r := ask[struct {
			Changes map[string][]textEdit `json:"changes"`
		}](f.c, "textDocument/rename", f.with(line, character, map[string]any{"newName": name}))
		out := map[string]string{}
		for name, text := range sample {
			for _, e := range r.Changes[uri(filepath.Join(dir, name))] { // from behind
				text = newText(text).edited(e.Range, e.NewText)
			}
			out[name] = text
		}
		return out
	}
	all := func(pairs ...string) map[string]string {
		out := map[string]string{}
		for name, text := range sample {
			out[name] = strings.NewReplacer(pairs...).Replace(text)
		}
		return out
	}
	require.Equal(t, all("SIZE", "LIMIT"), rename(main, 2, 14, "LIMIT"))
	require.Equal(t, all("helper", "_f.2"), rename(lib, 13, 1, "_f.2"))
	require.Equal(t, all("CLEAR", "ZERO"), rename(main, 6, 3, "ZERO"))
	require.Equal(t, all("start", "begin"), rename(main, 1, 10, "begin"))
	require.Equal(t, all(`.Lend\@`, `.Lout\@`), rename(lib, 6, 5, `.Lout\@`))
	// Of the labels 1: that of its scope alone.
	require.Equal(t, all("1:\tadd", "7:\tadd", "SIZE,1b\n\tCLEAR", "SIZE,7b\n\tCLEAR"), rename(main, 3, 0, "7"))
	require.Equal(t, all("1:\tsub", "22:\tsub", "-SIZE,1b", "-SIZE,22b"), rename(lib, 4, 0, "22"))

	for _, x := range []struct {
		f               *file
		line, character int
		name, why       string
	}{
		{main, 2, 16, "helper", "another one"},
		{main, 2, 16, "r7", "is a register"},
		{main, 2, 16, "a b", "is no name"},
		{main, 2, 16, "1", "is no name"},
		{main, 2, 16, "", "is no name"},
		{main, 3, 0, "x", "is no number"},
		{lib, 6, 5, "plain", "both or none"},
		{main, 5, 2, "mov", "cannot become"},
		{main, 2, 8, "x", "only labels"},
		{main, 3, 6, "x", "only labels"},
	} {
		require.Contains(t, x.f.c.refused(requestFailed, "textDocument/rename", x.f.with(x.line, x.character, map[string]any{"newName": x.name})), x.why)
	}
	got := ask[struct {
		Placeholder string  `json:"placeholder"`
		Range       stretch `json:"range"`
	}](main.c, "textDocument/prepareRename", main.at(4, 11))
	require.Equal(t, "SIZE", got.Placeholder)
	require.Equal(t, position{Line: 4, Character: 9}, got.Range.Start)
	main.c.refused(requestFailed, "textDocument/prepareRename", main.at(3, 2))
}

// labels are those of completion items.
func labels(f *file, line, character int) []string {
	var out []string
	for _, item := range ask[struct{ Items []completionItem }](f.c, "textDocument/completion", f.at(line, character)).Items {
		out = append(out, item.Label)
	}
	return out
}

func TestCompletion(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, sample)
	c := begin(t, Options{}, dir)
	f := c.open(filepath.Join(dir, "x.s"), "\t.include \"lib.inc\"\n\tvma\n\tmac.\n\t.al\n\tCL\n\tmov r1,S\n\tlr r0,[dsp_\n\t.macro M reg\n\tmov \\r\n\t.endm\n\tbl he\n\tmov r5\n\t; vm\n\tadd.f.n\n")
	require.Equal(t, "vmac2h", labels(f, 1, 4)[0])
	require.Subset(t, labels(f, 2, 5), []string{"mac.f", "mac.eq", "mac.pnz"})
	require.NotContains(t, labels(f, 2, 5), "mac.ab")
	require.Equal(t, []string{".align", ".altmacro"}, labels(f, 3, 4))
	require.Equal(t, []string{"clri", "CLEAR"}, labels(f, 4, 3))
	require.Equal(t, []string{"sp", "SIZE"}, labels(f, 5, 9))
	require.Contains(t, labels(f, 6, 12), "dsp_ctrl")
	require.Equal(t, []string{`\reg`}, labels(f, 8, 7))
	require.Equal(t, []string{"helper"}, labels(f, 10, 6))
	require.Equal(t, []string{"r5", "r50", "r51", "r52", "r53", "r54", "r55", "r56", "r57", "r58", "r59"}, labels(f, 11, 7))
	require.Empty(t, labels(f, 12, 5))
	require.Equal(t, []string{"add.f.ne", "add.f.n", "add.f.nc", "add.f.nv"}, labels(f, 13, 8))
	item := ask[completionItem](c, "completionItem/resolve", completionItem{Label: "vmac2h", Kind: itemFunction})
	require.Contains(t, item.Documentation.Value, "how sure")
	require.Contains(t, ask[completionItem](c, "completionItem/resolve", completionItem{Label: ".align", Kind: itemKeyword}).Documentation.Value, "multiple")
}
