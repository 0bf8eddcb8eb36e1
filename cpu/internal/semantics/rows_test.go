package semantics_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/isa"
)

// A row tells hazards, traces and documentation what its function reads and writes: the two agree.
func TestRowsAgreeWithFunctions(t *testing.T) {
	checked := 0
	for _, row := range isa.Rows() {
		sig, ok := signatures()[strings.ToUpper(row.Name)]
		if !ok || row.Exec != 0 && row.Exec != row.Op {
			continue
		}
		has := func(list []string, names ...string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(list, n) })
		}
		var reads, writes isa.AccSet
		if has(sig.params, "lo", "wide") {
			reads |= isa.AccLo
		}
		if has(sig.params, "hi", "wide") {
			reads |= isa.AccHi
		}
		if has(sig.results, "lo2", "wide2") {
			writes |= isa.AccLo
		}
		if has(sig.results, "hi2", "wide2") {
			writes |= isa.AccHi
		}
		if reads&^row.ReadsAcc != 0 { // how a function uses its parameters is tested in package cpu
			t.Errorf("%s: row reads %b, function %b", row.Name, row.ReadsAcc, reads)
		}
		if writes&^row.WritesAcc != 0 {
			t.Errorf("%s: row writes %b, function %b", row.Name, row.WritesAcc, writes)
		}
		if f := has(sig.results, "f"); f != (row.WritesFlags != 0) {
			t.Errorf("%s: row writes flags %b, function %v", row.Name, row.WritesFlags, f)
		}
		destination, first, last := positions(row.Shape)
		for _, operand := range []struct {
			what string
			at   isa.PairMask
			is   bool
		}{
			{"a destination pair", destination, has(sig.results, "z64")},
			{"a first source pair", first, has(sig.params, "x64")},
			{"a last source pair", last, has(sig.params, "y64")},
		} {
			if p := row.Pair&operand.at != 0; p != operand.is {
				t.Errorf("%s: row has %s %v, function %v", row.Name, operand.what, p, operand.is)
			}
		}
		checked++
	}
	require.Greater(t, checked, 150)
}

// positions describes which operands of a shape are the destination and the sources.
func positions(s isa.Shape) (destination, first, last isa.PairMask) {
	switch s {
	case isa.ShapeSS:
		return 0, isa.PairA, isa.PairB
	case isa.ShapeDS:
		return isa.PairA, 0, isa.PairB
	}
	return isa.PairA, isa.PairB, isa.PairC
}
