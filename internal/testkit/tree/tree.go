// Package tree copies the module, so that tests can follow the recipes of CONTRIBUTING.md in the copy and see
// which files they touch.
package tree

import (
	"bytes"
	"io/fs"
	"os"
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
	path := filepath.Join(dir, file)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(b), old), "%s in %s", old, file)
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(b), old, text+old, 1)), 0o644))
}

// Changed returns the files of a copy that are not those of root, in order: the hand-written ones and those that
// a command writes, which say so in their first lines.
func Changed(t *testing.T, root, dir string) (written, generated []string) {
	t.Helper()
	walk(t, dir, func(path, rel string) {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		old, err := os.ReadFile(filepath.Join(root, rel))
		if err == nil && bytes.Equal(b, old) {
			return
		}
		if bytes.Contains(b[:min(len(b), 200)], []byte("Code generated ")) {
			generated = append(generated, filepath.ToSlash(rel))
		} else {
			written = append(written, filepath.ToSlash(rel))
		}
	})
	slices.Sort(written)
	slices.Sort(generated)
	return written, generated
}
