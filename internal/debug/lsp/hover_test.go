package lsp

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/isa"
)

// TestHoverEveryRow: every row of the instruction table answers with its meaning, its syntax, how sure it is and the source of the
// fact, and every directive, core register and auxiliary register answers.
func TestHoverEveryRow(t *testing.T) {
	var b strings.Builder
	for _, r := range isa.Rows() {
		b.WriteString("\t" + r.Name + "\n")
	}
	c := begin(t, Options{}, "")
	f := c.open("/nowhere/rows.s", b.String())
	for i, r := range isa.Rows() {
		text := f.hover(i, 1+len(r.Name)/2)
		require.Contains(t, text, "`"+r.Syntax+"`")
		require.Contains(t, text, escaped(r.Meaning))
		require.Contains(t, text, "how sure: "+r.Confidence.String())
		require.Contains(t, text, "source: "+escaped(r.Source))
		require.Regexp(t, `cycles: (\d+ cycles? on em9d|em9d does not have it)`, text)
		if r.WritesFlags != 0 && r.Exec == isa.Invalid {
			require.Contains(t, text, "flags: "+r.WritesFlags.String())
		}
	}
	require.Len(t, isa.Rows(), 428)
	for _, name := range asm.Directives() {
		g := c.open("/nowhere/"+name+".s", name+"\n")
		want, _ := asm.DescribeDirective(name)
		require.Contains(t, g.hover(0, 1), want.Text, name)
	}
	for reg := range uint8(60) {
		g := c.open("/nowhere/reg.s", "\tmov "+isa.RegName(reg)+",0\n")
		require.Regexp(t, `core register \d+, `, g.hover(0, 5), reg)
	}
	for _, r := range isa.AuxRegs() {
		if r.Needs&isa.HS == 0 {
			g := c.open("/nowhere/aux.s", "\tlr r0,["+r.Name+"]\n")
			require.Regexp(t, "`"+r.Name+"`: auxiliary register 0x", g.hover(0, 9), r.Name)
		}
	}
}

// TestHover: instructions, names and what a statement has become.
func TestHover(t *testing.T) {
	const text = `	.equ	SIZE, 0x10 ; 😀 SIZE
; Adds.
; Twice.
	.macro	TWICE reg
	add \reg,\reg,\reg
	.endm
start:	TWICE r1
	mac.f	r0,r2,SIZE	; mac
	beq.d	start
	push	r13
	ld	r3,[r4,far]
	lr	r5,[status32]
1:	b	1b
`
	c := begin(t, Options{}, "")
	f := c.open("/nowhere/a.s", text)
	require.Contains(t, f.hover(7, 2), "Here: `mac.f r0,r2,0x10`, 4 bytes at .text+0x4: 1 cycle on em9d")
	require.Contains(t, f.hover(7, 2), "accumulator: r w")
	require.Contains(t, f.hover(7, 15), "`SIZE`: constant 16 = 0x10")
	require.Contains(t, f.hover(7, 15), ".equ\tSIZE, 0x10")
	require.Equal(t, "", f.hover(7, 20)) // in the comment
	require.Contains(t, f.hover(6, 9), "`TWICE`: macro")
	require.Contains(t, f.hover(6, 9), "; Adds.\n; Twice.\n\t.macro")
	require.Contains(t, f.hover(8, 10), "`start`: label in .text+0x0")
	require.Contains(t, f.hover(8, 2), "beq: b with the condition eq")
	require.Contains(t, f.hover(9, 2), "push b: st.aw b,[sp,-4]")
	require.Contains(t, f.hover(9, 7), "`r13`: core register 13, kept by a function")
	require.Contains(t, f.hover(10, 11), "`far`: not defined here")
	require.Contains(t, f.hover(11, 10), "`status32`: auxiliary register 0xa")
	require.Contains(t, f.hover(12, 0), "`1`: label")
	require.Contains(t, f.hover(12, 6), "`1`: label")
	require.Equal(t, "", f.hover(400, 3))
	require.Equal(t, "", f.hover(0, 40))
}
