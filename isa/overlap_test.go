package isa

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// overlapSets are the feature sets under which rows are compared: those that the GNU tools put together, and the
// floating-point extensions beside DSP, which no core has.
var overlapSets = []struct {
	name     string
	features Feature
}{
	{"em", GNUEM},
	{"em with single-precision unit", GNUEM | AllFPUSingle | FPUDoubleAssist},
	{"em with FPX", GNUEM&^DSP | FPXSingle | FPXDouble},
	{"em with QuarkSE helpers", GNUEM | QuarkSE},
	{"hs", GNUHS},
	{"hs with floating point and DSP", GNUHS | AllFPUSingle | AllFPUDouble},
}

// allowedOverlaps lists the rows that share encodings without one declaring to be Over the other.
// An entry that is no longer needed fails the test.
var allowedOverlaps = map[[2]Op]string{
	// The GNU table puts both extensions into the user's major opcode 7; a core has one of them.
	{DSP_FP_FLT2I, FMP_RECIP15}: "QuarkSE and fast math share the user slot",
	{DSP_FP_I2FLT, FMP_COS15}:   "QuarkSE and fast math share the user slot",
	{DSP_FP_SQRT, FMP_SIN15}:    "QuarkSE and fast math share the user slot",
	// Major opcode 6 holds the HS fractional multiplies with .f free and the double-precision unit
	// with bit 15 fixed; a core has one of them. Naming both decodes floating point.
	{QMPYHF, FDADD}:  "HS DSP and double precision share major opcode 6",
	{DMPYWHF, FDCMP}: "HS DSP and double precision share major opcode 6",
	{QMACHF, FDMADD}: "HS DSP and double precision share major opcode 6",
	{DMACWHF, FDDIV}: "HS DSP and double precision share major opcode 6",
}

// clash is an overlap of two rows that is not allowed: the first pair of forms, and how many there are.
type clash struct {
	f, g *Form
	set  string
	n    int
}

// String is three lines.
func (c *clash) String() string {
	return fmt.Sprintf("%s and %s share encodings (%d pairs of forms, first of core set %s); go run ./isa/gen/free lists free ones\n"+
		"    %s  %s %s\n    %s  %s %s", c.f.Row.Name, c.g.Row.Name, c.n, c.set,
		c.f.Bits, c.f.Row.Name, c.f.Text, c.g.Bits, c.g.Row.Name, c.g.Text)
}

func TestOverlaps(t *testing.T) {
	used := map[[2]Op]bool{}
	over := map[Op]bool{}
	clashes := map[[2]Op]*clash{}
	for _, set := range overlapSets {
		var forms []*Form
		for _, f := range tables().forms() {
			if !f.Alias && set.features.Has(f.Needs) {
				forms = append(forms, f)
			}
		}
		for i, f := range forms {
			for _, g := range forms[i+1:] {
				if f.Row == g.Row || !overlap(f, g) {
					continue
				}
				switch key := [2]Op{f.Row.Op, g.Row.Op}; {
				case f.Row.Over == g.Row.Op:
					over[f.Row.Op] = true
				case g.Row.Over == f.Row.Op:
					over[g.Row.Op] = true
				case allowedOverlaps[key] != "":
					used[key] = true
				default:
					if clashes[key] == nil {
						clashes[key] = &clash{f: f, g: g, set: set.name}
					}
					clashes[key].n++
				}
			}
		}
	}
	for _, c := range clashes {
		t.Error(c)
	}
	for key, reason := range allowedOverlaps {
		require.True(t, used[key], "%s and %s no longer overlap: %s", RowOf(key[0]).Name, RowOf(key[1]).Name, reason)
	}
	for _, r := range Rows() {
		require.Equal(t, r.Over != Invalid, over[r.Op], "%s: Over", r.Name)
	}
}

// TestOverlapWithinRow checks that where two forms of one row claim the same words, one of them is
// the special case of the other, or a third form is that of both.
func TestOverlapWithinRow(t *testing.T) {
	const family = EM | HS
	for _, r := range Rows() {
		forms := r.Forms()
		for i, f := range forms {
			for _, g := range forms[i+1:] {
				apart := f.Needs&family != g.Needs&family && f.Needs&family != 0 && g.Needs&family != 0
				if f.Alias || g.Alias || apart || !overlap(f, g) {
					continue
				}
				both := f.Mask | g.Mask
				settled := slices.ContainsFunc(forms, func(k *Form) bool {
					return k.Mask == both && k.Value == f.Value|g.Value
				})
				require.True(t, settled, "%s: %s and %s", r.Name, f.Bits, g.Bits)
			}
		}
	}
}

// TestClash shows two rows that share encodings what the error is: three lines for all their forms.
func TestClash(t *testing.T) {
	add, sub := ByName("add")[0], ByName("sub")[0]
	c := &clash{f: add.Forms()[0], g: sub.Forms()[0], set: "em", n: 34}
	require.Equal(t, 3, len(strings.Split(c.String(), "\n")))
	require.Contains(t, c.String(), "add and sub share encodings (34 pairs of forms, first of core set em)")
	require.Contains(t, c.String(), add.Forms()[0].Bits+"  add a,b,c")
}

// TestFreeEncodings: encodings listed as free overlap no form, and those of rows are not listed.
func TestFreeEncodings(t *testing.T) {
	n := 0
	for _, family := range FreeEncodings() {
		for _, m := range family.Free {
			require.True(t, isFree(m.Format), "%s 0x%02x", family.Name, m.Op)
			n++
		}
	}
	require.Greater(t, n, 50)
	for _, r := range Rows() {
		require.False(t, isFree(r.Format), r.Name)
	}
}
