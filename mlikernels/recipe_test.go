package mlikernels

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/testkit/level"
)

// TestKernelRecipe follows "Add a kernel" of CONTRIBUTING.md in a copy of the tree: a golden function, a source and a row
// make a kernel that is listed and passes its grid; the header is named by a failing test until it is written.
func TestKernelRecipe(t *testing.T) {
	level.NeedsLong(t, "it builds a copy of the tree")
	dir := copyTree(t)
	edit := func(file, old, text string) {
		t.Helper()
		path := filepath.Join(dir, file)
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(b), old), "%s in %s", old, file)
		require.NoError(t, os.Remove(path)) // it is a link
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(b), old, text+old, 1)), 0o644))
	}
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
	edit("nn/golden/mli11/models.go", "	for _, op := range elementwiseOps {\n",
		"	all = append(all, family{name: \"negate\", doc: \"negation\", types: fx, inputs: single, model: negate()})\n")
	add("negate.inc", "mlikernels/mli11/negate/negate.inc")
	edit("mlikernels/mli11/families.go", "		\"eltwise_add\": ",
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

	out, err = run("go", "test", "./mlikernels/mli11", "-run", "TestSpecialisedNames|TestVectors|TestGridSample")
	require.Error(t, err)
	require.Contains(t, out, "run with -update")
	require.NotContains(t, out, "--- FAIL: TestVectors")
	require.NotContains(t, out, "--- FAIL: TestGridSample")
	header := filepath.Join(dir, "mlikernels/mli11/include/mli_kernels.h")
	b, err := os.ReadFile(header)
	require.NoError(t, err)
	require.NoError(t, os.Remove(header))
	require.NoError(t, os.WriteFile(header, b, 0o644)) // a file of its own, not a link
	out, err = run("go", "test", "./mlikernels/mli11", "-run", "TestSpecialisedNames", "-update")
	require.NoError(t, err, out)
	b, err = os.ReadFile(header)
	require.NoError(t, err)
	require.Contains(t, string(b), "mli_status mli_krn_negate_fx8(const mli_tensor *in, mli_tensor *out);")
}

// copyTree links the files of the repository into a directory of the test.
func copyTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root := ".."
	require.NoError(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		switch {
		case e.IsDir() && e.Name() == ".git":
			return filepath.SkipDir
		case e.IsDir():
			return os.MkdirAll(to, 0o755)
		case !e.Type().IsRegular():
			return nil
		}
		if os.Link(path, to) == nil {
			return nil
		}
		b, err := os.ReadFile(path) // the directory of the test lies on another file system
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o644)
	}))
	return dir
}
