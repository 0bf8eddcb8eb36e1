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
		if p := has(sig.results, "z64"); p != (row.Pair&1 != 0) {
			t.Errorf("%s: row has a destination pair %v, function %v", row.Name, row.Pair&1 != 0, p)
		}
		if p := has(sig.params, "x64"); p != (row.Pair&2 != 0) {
			t.Errorf("%s: row has a source pair b %v, function %v", row.Name, row.Pair&2 != 0, p)
		}
		if p := has(sig.params, "y64"); p != (row.Pair&4 != 0) {
			t.Errorf("%s: row has a source pair c %v, function %v", row.Name, row.Pair&4 != 0, p)
		}
		checked++
	}
	require.Greater(t, checked, 150)
}
