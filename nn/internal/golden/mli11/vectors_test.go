package mli11_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/records"
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli11"
	"arcv2dsp/nn/internal/mlirecord"
)

const vectorDir = "recorded"

// vectorFiles lists the recorded MLI 1.1 vectors.
func vectorFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(vectorDir, "calls", "*.jsonl.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// registry finds the operators that records name.
var registry = nn.NewRegistry(mli11.Operators())

// callOf makes a call of a record.
func callOf(t testing.TB, r *mlirecord.Record) (c *nn.Call, want map[string]*nn.Tensor) {
	t.Helper()
	op, err := r.Operator(registry)
	require.NoError(t, err)
	k := r.Case(op)
	return k.Call, k.Want
}

// TestVectors runs every recorded case of the library's own code and wants every bit.
func TestVectors(t *testing.T) {
	for _, set := range []struct {
		round nn.Rounding
		cases int
	}{{nn.Convergent, 609}, {nn.Up, 595}} {
		t.Run(set.round.String(), func(t *testing.T) {
			kernels, n := map[string]bool{}, 0
			for _, file := range vectorFiles(t) {
				for _, r := range records.Each(t, file, mlirecord.Parse) {
					if r.Round != set.round {
						continue
					}
					n++
					kernels[r.Kernel] = true
					checkRecord(t, file, r)
				}
			}
			require.Equal(t, set.cases, n, "records")
			require.Len(t, kernels, 59, "kernels")
			require.Len(t, mli11.Functions(), 59, "every function has vectors")
		})
	}
}

func checkRecord(t *testing.T, file string, r *mlirecord.Record) {
	t.Helper()
	c, want := callOf(t, r)
	require.NotEmpty(t, want)
	ran, err := c.Expect()
	if err != nil {
		t.Errorf("%s: case %d: %v", file, r.ID, err)
		return
	}
	got := ran.Results()
	for role, w := range want {
		if err := nn.Difference(got[role], w); err != nil {
			t.Errorf("%s: %s case %d (%v): %s: %v", file, c.Op.Name, r.ID, c.Attrs, role, err)
		}
	}
	require.Equal(t, want["out"].Format.Kind, got["out"].Format.Kind)
	require.Equal(t, want["out"].Format.Frac, got["out"].Format.Frac, "%s case %d", c.Op.Name, r.ID)
	require.Equal(t, want["out"].Format.Mantissas, got["out"].Format.Mantissas)
}

// TestTables compares the computed activation tables with the library's.
func TestTables(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(vectorDir, "luts_v11.json"))
	require.NoError(t, err)
	var want map[string]mli11.TableData
	require.NoError(t, json.Unmarshal(text, &want))
	require.Equal(t, want, mli11.Tables())
}
