package asm

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestDirectivesAreDescribed: each directive has a text, and each text a directive.
func TestDirectivesAreDescribed(t *testing.T) {
	var described []string
	for name, text := range describedDirectives() {
		described = append(described, name)
		require.NotEmpty(t, text.Text, name)
	}
	slices.Sort(described)
	require.Equal(t, Directives(), described)
}

// TestMeaning: words mean what assembling them gives.
func TestMeaning(t *testing.T) {
	for _, word := range Mnemonics() {
		rows, stands := Meaning(word + ".f")
		require.NotEmpty(t, rows, word)
		require.True(t, stands != "" || rows[0].Name == word, word)
	}
	rows, _ := Meaning("BEQ.d")
	require.Equal(t, "b", rows[0].Name)
	rows, _ = Meaning("nothing")
	require.Empty(t, rows)
}

// uses lists the uses of the names of a kind as their text, file:line:column, and ! where they are defined.
func uses(x *Index, kind NameKind) []string {
	var list []string
	for _, n := range x.Names {
		if n.Kind != kind {
			continue
		}
		line := n.Text + ":"
		for _, u := range n.Uses {
			s := source{name: x.Files[u.File].Name, text: x.Files[u.File].Text, first: 1}
			pos, _ := s.locate(u.Off)
			line += " " + strings.TrimPrefix(pos.String(), "a.s:")
			if u.Def {
				line += "!"
			}
		}
		list = append(list, line)
	}
	slices.Sort(list)
	return list
}

// TestIndex: names are found where they stand, through includes, macros and loops. The places are counted by hand.
func TestIndex(t *testing.T) {
	const text = `	.include "b.inc"
start:	mov r0,SIZE
1:	add r0,r0,1
	brne r0,SIZE,1b
	LOAD r1,table
	LOAD reg=r2,sym="table"
	.rept 2
	ld r3,[table]
	.endr
	.irp s,table,other
	.word \s
	.endr
	LOOP
	LOOP
	bl far
	lr r4,[status32]
1:	b 1b
	.global start
	.size start,.-start
text\@:
`
	const include = `	.equ SIZE,4
	.macro LOAD reg,sym
	ld \reg,[\sym]
	.endm
	.macro LOOP
1:	sub r5,r5,SIZE
	brne r5,0,1b
.Lend\@: nop
	.endm
table: .word SIZE
other:
`
	var x Index
	_, err := Assemble(Options{FS: fstest.MapFS{"b.inc": {Data: []byte(include)}}, Index: &x}, Source{Name: "a.s", Text: text})
	require.Error(t, err) // the last line
	require.Empty(t, x.Insts)
	require.Equal(t, []string{"SIZE: 2:15 4:10 b.inc:1:7! b.inc:6:14 b.inc:10:14"}, uses(&x, NameConstant))
	require.Equal(t, []string{
		"other: 10:15 b.inc:11:1!", "start: 2:1! 18:10 19:8 19:16", "table: 5:10 6:19 8:9 10:9 b.inc:10:1!",
	}, uses(&x, NameLabel))
	require.Equal(t, []string{"1: 17:1! 17:6", "1: 3:1! 4:15", "1: b.inc:6:1! b.inc:7:12"}, uses(&x, NameNumber))
	require.Equal(t, []string{"LOAD: 5:2 6:2 b.inc:2:9!", "LOOP: 13:2 14:2 b.inc:5:9!"}, uses(&x, NameMacro))
	require.Equal(t, []string{"status32: 16:9"}, uses(&x, NameAux))
	require.Equal(t, []string{"far: 15:5"}, uses(&x, NameUndefined))

	text2, _, _ := strings.Cut(text, `text\@`)
	_, err = Assemble(Options{FS: fstest.MapFS{"b.inc": {Data: []byte(include)}}, Index: &x}, Source{Name: "a.s", Text: text2})
	require.NoError(t, err)
	var lines []int
	for _, in := range x.Insts {
		require.Equal(t, "a.s", x.Files[in.File].Name)
		lines = append(lines, 1+strings.Count(text2[:in.Off], "\n"))
	}
	require.Equal(t, []int{2, 3, 4, 5, 6, 7, 7, 13, 13, 13, 14, 14, 14, 15, 16, 17}, lines)
	for _, n := range x.Names {
		if n.Text == "start" {
			require.True(t, n.Global && n.Known)
			require.Equal(t, ".text", n.Sect)
		}
	}
}

// TestIndexOfLabelsInMacros: what the text of a macro refers to in one expansion and another is one name, as no edit could tell them
// apart.
func TestIndexOfLabelsInMacros(t *testing.T) {
	var x Index
	_, err := AssembleString(Options{Index: &x}, "a.s", "\t.macro FWD\n\tb 1f\n\t.endm\n\tFWD\n1:\tnop\n\tFWD\n1:\tnop\n")
	require.NoError(t, err)
	require.Equal(t, []string{"1: 2:4 5:1! 7:1!"}, uses(&x, NameNumber))
}

// TestIndexOfQuotedMacros: a macro in quotes stands behind its quote, and one with escapes nowhere.
func TestIndexOfQuotedMacros(t *testing.T) {
	var x Index
	_, err := AssembleString(Options{Index: &x}, "a.s", "\t.macro \"idle\"\n\tnop\n\t.endm\n\tIDLE\n\t.purgem \"idle\"\n\t.macro \"\\151dle\"\n\t.endm\n")
	require.NoError(t, err)
	require.Equal(t, []string{"idle: 1:10! 4:2 5:11"}, uses(&x, NameMacro))
}

// TestIndexOfViews: the number of a view is a constant.
func TestIndexOfViews(t *testing.T) {
	var x Index
	_, err := AssembleString(Options{Index: &x}, "a.s", "\t.file 1 \"a.c\"\n\t.loc 1 2 view v1\n\tnop\n\t.byte v1\n")
	require.NoError(t, err)
	require.Equal(t, []string{"v1: 2:16 4:8"}, uses(&x, NameConstant))
}

// TestIndexChangesNothing: an assembly with an index gives the same bytes and messages.
func TestIndexChangesNothing(t *testing.T) {
	for _, text := range []string{"a: b a\n .rept 3\n nop\n .endr\n", "x\n.macro m a\n \\a\n.endm\n m nop\n m 5\n m \"add r0,r0,1\"\n", ".macro m\n m\n.endm\n m\n"} {
		plain, err := AssembleString(Options{}, "a.s", text)
		var x Index
		noted, errNoted := AssembleString(Options{Index: &x}, "a.s", text)
		require.Equal(t, err, errNoted)
		if err == nil {
			a, err := plain.Bytes()
			require.NoError(t, err)
			b, err := noted.Bytes()
			require.NoError(t, err)
			require.Equal(t, a, b)
		}
	}
}

// TestScan: statements are cut as the assembler reads them.
func TestScan(t *testing.T) {
	const text = "a: b:\tadd.f r0 , r1,x ; note\n\n .macro m p ` nop\n\\p\\()_x\\@: mov \\p,'a ; \"\n .ifdef x\n .else\n .endif\n x = 5 /* c\nd */ + y # z\n s: .ascii \"; no\\\"\"\n ;only"
	var got []string
	for _, st := range Scan(text) {
		line := ""
		for _, l := range st.Labels {
			line += text[l.From:l.To] + ": "
		}
		line += text[st.Word.From:st.Word.To]
		if st.Assigns {
			line += " ="
		}
		line += " <" + text[st.Operands.From:st.Operands.To] + ">"
		for _, n := range st.Names {
			line += " " + text[n.From:n.To]
		}
		got = append(got, line+" "+text[st.Comment.From:st.Comment.To])
	}
	require.Equal(t, []string{
		"a: b: add.f <r0 , r1,x> r0 r1 x ; note", " <> ", ".macro <m p> m p ", "nop <> ", `\p\()_x\@: mov <\p,'a> \p ; "`, ".ifdef <x> x ", ".else <> ",
		".endif <> ", "x = <5 /* c\nd */ + y> 5 y # z", `s: .ascii <"; no\""> `, " <> ;only",
	}, got)
	list := Scan(text)
	require.Equal(t, MacroBlock, list[2].Opens)
	require.Equal(t, CondBlock, list[5].Opens)
	require.True(t, list[6].Middle)
	require.Equal(t, CondBlock, list[7].Closes)
}
