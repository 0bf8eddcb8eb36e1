package lsp

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels"
)

// formattedText asks for the columns of a text.
func formattedText(f *file, text string, options map[string]any) string {
	f.c.t.Helper()
	edits := ask[[]textEdit](f.c, "textDocument/formatting", f.with(0, 0, map[string]any{"options": options}))
	for i := len(edits) - 1; i >= 0; i-- {
		text = newText(text).edited(edits[i].Range, edits[i].NewText)
	}
	return text
}

func TestFormatting(t *testing.T) {
	const text = "a:mov r0 , r1;c\n  ; own\n;left\n\n.Llong_label: add   r0,r0,1\t ; d \nx=5\n  y = 6\n\t.ascii \"a  b\"   \n1: 2: nop\n nop ` nop\n/* x\n y */ nop\n\tvery_long_macro_name r0\n\t.macro very_long_macro_name a\n nop\n .endm\n"
	const want = "a:\tmov\tr0 , r1\t\t\t;c\n\t; own\n;left\n\n.Llong_label: add r0,r0,1\t\t; d\nx=5\n\ty = 6\n\t.ascii\t\"a  b\"\n1: 2:\tnop\n nop ` nop\n/* x\n y */ nop\n\tvery_long_macro_name r0\n\t.macro\tvery_long_macro_name a\n\tnop\n\t.endm\n"
	c := begin(t, Options{}, "")
	f := c.open("/nowhere/a.s", text)
	tabs := map[string]any{"tabSize": 8, "insertSpaces": false}
	require.Equal(t, want, formattedText(f, text, tabs))
	g := c.open("/nowhere/b.s", want)
	require.Equal(t, want, formattedText(g, want, tabs), "idempotent")
	h := c.open("/nowhere/c.s", "a: mov r0,r1 ; c\n")
	require.Equal(t, "a:  mov r0,r1       ; c\n", formattedText(h, "a: mov r0,r1 ; c\n", map[string]any{"tabSize": 4, "insertSpaces": true}))
}

// TestFormattingKeepsPrograms: sources of the project in columns assemble to the same bytes, and stay as they are the second
// time.
func TestFormattingKeepsPrograms(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../../benchmarks/*/*.s", "../../../docs/demo/*.s", "../../../testdata/*/*.s", "../../../asm/testdata/*.s", "../../../asm/testdata/*/*.s"} {
		list, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, list...)
	}
	tried := 0
	for i, name := range files {
		if !level.Wants(i, 3, 20) {
			continue
		}
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		text := string(data)
		o := asm.Options{Include: []string{filepath.Dir(name)}}
		before, err := asm.AssembleString(o, name, text)
		if err != nil {
			continue
		}
		tried++
		d := &document{text: newText(text)}
		once := d.formatted(formatOptions{TabSize: 8})
		after, err := asm.AssembleString(o, name, once)
		require.NoError(t, err, name)
		require.NoError(t, sameProgram(before, after, nil), name)
		require.Equal(t, strings.Count(text, "\n"), strings.Count(once, "\n"))
		again := &document{text: newText(once)}
		require.Equal(t, once, again.formatted(formatOptions{TabSize: 8}), name)
	}
	require.Greater(t, tried, 0)
	t.Logf("%d sources", tried)
}

// TestFormattingKeepsKernels: kernels whose source and includes are all in columns assemble to the same bytes.
func TestFormattingKeepsKernels(t *testing.T) {
	level.NeedsPlain(t, "it assembles kernels")
	tried, changed := 0, 0
	for _, c := range mlikernels.Collections() {
		for i, name := range c.Sources() {
			if !level.Wants(i, 7, 50) {
				continue
			}
			o := c.Complete(asm.Options{FS: c.Files()}, name)
			text, err := fs.ReadFile(o.FS, name)
			require.NoError(t, err)
			var x asm.Index
			o.Index = &x
			before, err := asm.AssembleString(o, name, string(text))
			if err != nil {
				continue // of another variant
			}
			o.Index = nil
			next := replaced{&sources{s: newSession(io.Discard, Options{}), folders: []string{"/"}}, map[string]string{}}
			for _, f := range x.Files {
				d := &document{text: newText(f.Text)}
				next.texts["/"+f.Name] = d.formatted(formatOptions{TabSize: 8})
				if next.texts["/"+f.Name] != f.Text {
					changed++
				}
				again := &document{text: newText(next.texts["/"+f.Name])}
				require.Equal(t, next.texts["/"+f.Name], again.formatted(formatOptions{TabSize: 8}), f.Name)
			}
			o.FS = next
			after, err := asm.AssembleString(o, name, next.texts["/"+name])
			require.NoError(t, err, name)
			require.NoError(t, sameProgram(before, after, nil), name)
			tried++
		}
	}
	require.Greater(t, tried, 0)
	t.Logf("%d kernels, %d files in other columns", tried, changed)
}

func TestOutline(t *testing.T) {
	c := begin(t, Options{}, "")
	f := c.open("/nowhere/a.s", `; one
; two
	.equ	N,4
	.macro	M a
	.if	\a
1:	nop
	.else
	nop
	.endif
	.endm
	.global	f
f:	nop
.Lx:	nop
	.size	f,.-f
	.rept	2
	nop
	.endr
data:	.word	1
`)
	var got []string
	var walk func(list []*documentSymbol, indent string)
	walk = func(list []*documentSymbol, indent string) {
		for _, s := range list {
			got = append(got, indent+s.Name)
			walk(s.Children, indent+" ")
		}
	}
	list := ask[[]*documentSymbol](c, "textDocument/documentSymbol", f.at(0, 0))
	walk(list, "")
	require.Equal(t, []string{"N", "M", " 1", "f", " .Lx", "data"}, got)
	require.Equal(t, stretch{Start: position{Line: 11}, End: position{Line: 13, Character: 12}}, list[2].Range)
	folds := ask[[]foldingRange](c, "textDocument/foldingRange", f.at(0, 0))
	require.ElementsMatch(t, []foldingRange{{Start: 0, End: 1, Kind: "comment"}, {Start: 4, End: 5}, {Start: 6, End: 8}, {Start: 3, End: 9}, {Start: 14, End: 16}, {Start: 11, End: 13}}, folds)

	tokens := ask[struct{ Data []int }](c, "textDocument/semanticTokens/full", f.at(0, 0)).Data
	require.Equal(t, []int{0, 0, 5, tokenComment, 0, 1, 0, 5, tokenComment, 0, 1, 1, 4, tokenDirective, 0, 0, 7, 1, tokenNumber, 0}, tokens[:20])
}
