package isa

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSyntax holds what a row says about its text against its forms: the suffixes that some of them take, and
// operands that are those of a form, with a condition that it requires. asm assembles the text.
func TestSyntax(t *testing.T) {
	for _, r := range Rows() {
		head, operands, _ := strings.Cut(r.Syntax, " ")
		var taken ModSet
		var texts []string
		for _, f := range r.Forms() {
			taken |= f.Allow | f.Require&^ModCC
			text := f.Text
			if f.Require&ModCC != 0 {
				text = "." + f.Fix.Cond.String() + " " + text
			}
			texts = append(texts, text)
		}
		want := r.Name
		for _, suffix := range [...]struct {
			bit  ModSet
			text string
		}{{ModSize, "<zz>"}, {ModF, "<.f>"}, {ModX, "<.x>"}, {ModAA, "<.aa>"}, {ModDI, "<.di>"}, {ModCC, "<.cc>"}, {ModD, "<.d>"}, {ModT, "<.t>"}} {
			if taken&suffix.bit != 0 {
				want += suffix.text
			}
		}
		require.Equal(t, want, head, "the suffixes that forms of %s take", r.Name)
		for text := range strings.SplitSeq(operands, " | ") {
			require.True(t, slices.Contains(texts, text), "%s: no form has the operands %q", r.Syntax, text)
		}
	}
}
