package golden_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/golden"
)

const vectorDir = "../../testdata/mli"

// vectorFiles lists the recorded MLI 1.1 vectors of one rounding mode.
func vectorFiles(t testing.TB, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(vectorDir, dir, "*.jsonl.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// TestVectors runs every recorded case of the library's own code and wants every bit.
func TestVectors(t *testing.T) {
	for _, set := range []struct {
		dir   string
		cases int
	}{{"v11_convergent", 609}, {"v11_up", 595}} {
		t.Run(set.dir, func(t *testing.T) {
			kernels, n := map[string]bool{}, 0
			for _, file := range vectorFiles(t, set.dir) {
				for c, err := range golden.CaseFile(file) {
					require.NoError(t, err)
					n++
					kernels[c.Kernel] = true
					checkCase(t, file, c)
				}
			}
			require.Equal(t, set.cases, n, "records")
			require.Len(t, kernels, 59, "kernels")
			require.Len(t, golden.Kernels(), 59, "every registered kernel has vectors")
		})
	}
}

func checkCase(t *testing.T, file string, c *golden.Case) {
	t.Helper()
	res, err := golden.Run(c)
	if err != nil {
		t.Errorf("%s: case %d: %v", file, c.ID, err)
		return
	}
	if len(res.Overflows) != 0 {
		t.Errorf("%s: %s case %d: %v", file, c.Kernel, c.ID, res.Overflows[0])
	}
	for role, got := range res.Outputs {
		want := c.Tensors[role]
		if !equal(got, want) {
			t.Errorf("%s: %s case %d (%v): %s is\n%v %v frac %d, want\n%v %v frac %d", file, c.Kernel, c.ID,
				c.Params.Ints, role, got.Shape, got.Data, got.Frac, want.Shape, want.Data, want.Frac)
		}
	}
}

func equal(a, b *golden.Tensor) bool {
	if len(a.Data) != len(b.Data) || len(a.Shape) != len(b.Shape) || a.Frac != b.Frac {
		return false
	}
	for i := range a.Shape {
		if a.Shape[i] != b.Shape[i] {
			return false
		}
	}
	for i := range a.Data {
		if a.Data[i] != b.Data[i] {
			return false
		}
	}
	return true
}

// TestTables compares the computed activation tables with the library's.
func TestTables(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(vectorDir, "luts_v11.json"))
	require.NoError(t, err)
	var want map[string]golden.TableData
	require.NoError(t, json.Unmarshal(text, &want))
	require.Equal(t, want, golden.Tables())
}
