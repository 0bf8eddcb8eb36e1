// Package shared finds test data that is not part of the repository: files from public repositories, in
// the directory shared beside the repository's own. Start with Path.
package shared

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a file or directory below shared. It skips the test when there is none.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("the test does not run inside the repository")
		}
	}
	path := filepath.Join(append([]string{filepath.Dir(dir), "shared"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no %s beside the repository", filepath.Join(append([]string{"shared"}, elem...)...))
	}
	return path
}
