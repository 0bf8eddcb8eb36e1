// Package tree copies the module, so that tests can follow the recipes of CONTRIBUTING.md in the copy and see
// which files they touch.
package tree

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Copy copies the files below root into a directory of the test and returns it.
func Copy(t *testing.T, root string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	walk(t, root, func(path, rel string) {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		to := filepath.Join(dir, rel)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, b, 0o644))
	})
	return dir
}

// walk calls f with the regular files below root, those of version control left out.
func walk(t *testing.T, root string, f func(path, rel string)) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == ".git":
			return filepath.SkipDir
		case e.Type().IsRegular() && e.Name() != ".git":
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			f(path, rel)
		}
		return nil
	}))
}

// Insert puts text in front of old, which must stand in the file exactly once.
func Insert(t *testing.T, dir, file, old, text string) {
	t.Helper()
	Replace(t, dir, file, old, text+old)
}

// Replace puts text in the place of old, which must stand in the file exactly once.
func Replace(t *testing.T, dir, file, old, text string) {
	t.Helper()
	path := filepath.Join(dir, file)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(b), old), "%s in %s", old, file)
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(b), old, text, 1)), 0o644))
}

// Add copies a file of the recipe, testdata/recipe/from of the package under test, to a place in the copy.
func Add(t *testing.T, dir, from, to string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata/recipe", from))
	require.NoError(t, err)
	path := filepath.Join(dir, to)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, b, 0o644))
}

// Run runs a program in the copy, tests in it at the plain level, and returns its output.
func Run(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "ARCV2DSP_LONG=")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Go runs the go tool in the copy, which must succeed, and returns its output.
func Go(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := Run(dir, "go", args...)
	require.NoError(t, err, "go %v: %s", args, out)
	return out
}

// Changed returns the files of a copy that are not those of root, in order: the hand-written ones and those that
// a command writes, which have a mark in their first lines, or in front of the part that the command writes.
func Changed(t *testing.T, root, dir string) (written, generated []string) {
	t.Helper()
	walk(t, dir, func(path, rel string) {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		old, err := os.ReadFile(filepath.Join(root, rel))
		if err == nil && bytes.Equal(b, old) {
			return
		}
		head := b[:min(len(b), 200)]
		if bytes.Contains(head, []byte("Code generated ")) || bytes.Contains(head, []byte("<!-- Generated ")) ||
			bytes.Contains(b, restMarker) && bytes.Equal(byHand(b), byHand(old)) {
			generated = append(generated, filepath.ToSlash(rel))
		} else {
			written = append(written, filepath.ToSlash(rel))
		}
	})
	slices.Sort(written)
	slices.Sort(generated)
	return written, generated
}

// restMarker stands in front of the generated part of a file.
var restMarker = []byte("<!-- The rest is generated: ")

// byHand is the part of a file in front of its generated part.
func byHand(b []byte) []byte {
	before, _, _ := bytes.Cut(b, restMarker)
	return before
}
