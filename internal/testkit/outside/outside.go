// Package outside finds test data that is not part of the repository: files that came from public places
// and may not be committed. They lie in a folder named shared beside the repository. Where it is missing, a
// test that needs it says so and is skipped.
package outside

import (
	"os"
	"path/filepath"
	"testing"
)

// Vectors is the folder of recorded results with a name.
func Vectors(t testing.TB, name string) string {
	t.Helper()
	root, err := os.Getwd()
	for err == nil {
		if _, found := os.Stat(filepath.Join(root, "go.mod")); found == nil {
			break
		}
		if root == filepath.Dir(root) {
			t.Fatal("no go.mod above the test")
		}
		root = filepath.Dir(root)
	}
	dir := filepath.Join(root, "..", "shared", "vectors", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("skipped: the vectors %s are not beside the repository", name)
	}
	return dir
}
