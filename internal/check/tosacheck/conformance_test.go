package tosacheck

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The statement counts what valid cases show: a combination fails with its first failing case, a refused call covers
// nothing, and integers of both profiles count in both.
func TestConformanceOfRecords(t *testing.T) {
	use := func(operator, types, profile string) []Use {
		return []Use{{Operator: operator, Types: types, Profile: profile, combination: types}}
	}
	records := []Record{
		{Name: "a", Expect: "valid", Verdict: Pass, Uses: use("ADD", "i32,i32,i32", "PRO-INT")},
		{Name: "b", Expect: "valid", Verdict: Pass, Uses: use("CLZ", "i32,i32", "PRO-INT")},
		{Name: "c", Expect: "valid", Verdict: Fail, Uses: use("CLZ", "i32,i32", "PRO-INT")},
		{Name: "d", Expect: "error", Verdict: Pass, Uses: use("ABS", "i32,i32", "PRO-INT")},
		{Name: "e", Expect: "valid", Verdict: Pass, Uses: use("FFT2D", "f32,f32,f32,f32", "PRO-FP+EXT-FFT")},
		{Name: "f", Expect: "valid", Verdict: Pass, Uses: use("RFFT2D", "f32,f32,f32", "PRO-FP+EXT-FFT")},
		{Name: "g", Expect: "valid", Verdict: Pass, Uses: []Use{{Operator: "RESCALE", Types: "i8,i32,i8,i8", combination: "i8,i32,i8,i8", Profile: "PRO-INT+EXT-DOUBLEROUND"}}},
		{Name: "h", Expect: "valid", Verdict: NotApplicable, Uses: []Use{{Operator: "CUSTOM resize of ours", Profile: "not applicable"}}},
	}
	c := Conform(records, "8K", "golden functions")
	part := map[string]Part{}
	for _, p := range c.Parts {
		part[p.Name] = p
	}
	require.Equal(t, []string{"CLZ i32,i32"}, part["PRO-INT"].Failed)
	require.Equal(t, 2, part["PRO-INT"].Passed, "ADD and RESCALE")
	require.Contains(t, part["PRO-INT"].Missing, "ABS i32,i32")
	require.Equal(t, 1, part["PRO-FP"].Passed, "ADD of integers belongs to both")
	require.Equal(t, Part{Name: "EXT-FFT", Combinations: 2, Operators: 2, Passed: 2}, part["EXT-FFT"])
	require.Equal(t, 1, part["EXT-DOUBLEROUND"].Passed)
	require.Zero(t, part["EXT-BF16"].Passed)
	var b strings.Builder
	require.NoError(t, c.Text(&b))
	for _, want := range []string{
		"conformance at level 8K, computed by golden functions:\n", "PRO-INT          fails: CLZ i32,i32\n", "EXT-FFT          passes\n",
		"EXT-BF16         not judged: no case of its ", "not applicable: CUSTOM resize of ours, cases: 1\n",
	} {
		require.Contains(t, b.String(), want)
	}
}
