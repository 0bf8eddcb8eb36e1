package mlikernels

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/testkit/level"
	"arcv2dsp/internal/testkit/tree"
)

// TestKernelRecipe follows "Add a kernel" of CONTRIBUTING.md in a copy of the tree: a golden function, a source and a row
// make a kernel that is listed and passes its grid; the header is named by a failing test until it is written.
func TestKernelRecipe(t *testing.T) {
	level.NeedsLong(t, "it builds a copy of the tree")
	dir := tree.Copy(t, "..")
	add := func(from, to string) {
		t.Helper()
		b, err := os.ReadFile(filepath.Join("testdata/recipe", from))
		require.NoError(t, err)
		path := filepath.Join(dir, to)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, b, 0o644))
	}
	run := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}

	add("negate.go.txt", "nn/golden/mli11/negate.go")
	tree.Insert(t, dir, "nn/golden/mli11/models.go", "	for _, op := range elementwiseOps {\n",
		"	all = append(all, family{name: \"negate\", doc: \"negation\", types: fx, inputs: single, model: negate()})\n")
	add("negate.inc", "mlikernels/mli11/negate/negate.inc")
	tree.Insert(t, dir, "mlikernels/mli11/families.go", "		\"eltwise_add\": ",
		"		\"negate\": {args: plain, grid: flatPoints, notation: flatNotation, own: true,\n"+
			"			source: source{title: \"Negation\", body: \"negate.inc\"}},\n")

	program := filepath.Join(t.TempDir(), "arcsim")
	out, err := run("go", "build", "-o", program, "./cmd/arcsim")
	require.NoError(t, err, out)
	out, err = run(program, "kernels", "list", "--functions")
	require.NoError(t, err, out)
	require.Contains(t, out, "mli_krn_negate_fx16")
	out, err = run(program, "regress", "--short", "-run", "mli_krn_negate_fx")
	require.NoError(t, err, out)
	require.Contains(t, out, "Summary Status: PASSED")
	require.Regexp(t, `cases, 2 kernels, .*0 failed`, out)

	out, err = run("go", "test", "./mlikernels/mli11", "-run", "TestHeaders|TestVectors|TestGridSample")
	require.Error(t, err)
	require.Contains(t, out, "run with -update")
	require.NotContains(t, out, "--- FAIL: TestVectors")
	require.NotContains(t, out, "--- FAIL: TestGridSample")
	header := filepath.Join(dir, "mlikernels/mli11/include/mli_kernels.h")
	out, err = run("go", "test", "./mlikernels/mli11", "-run", "TestHeaders", "-update")
	require.NoError(t, err, out)
	b, err := os.ReadFile(header)
	require.NoError(t, err)
	require.Contains(t, string(b), "mli_status mli_krn_negate_fx8(const mli_tensor *in, mli_tensor *out);")
}
