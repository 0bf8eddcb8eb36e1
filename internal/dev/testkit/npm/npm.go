// Package npm runs tests by clients from npm, libraries that editors are made of. It downloads them, so these tests run where
// the gate does. Start with Run.
package npm

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// There reports whether packages may be downloaded: the gate does.
func There() bool { return os.Getenv("ARCV2DSP_REQUIRE_TOOLS") != "" }

// Needed skips a test that downloads packages, except where the gate runs it.
func Needed(t testing.TB) {
	t.Helper()
	if !There() {
		t.Skip("downloads packages of npm; ARCV2DSP_REQUIRE_TOOLS=1 runs it")
	}
}

// Tool runs a command in a folder and returns what it prints.
func Tool(t testing.TB, dir string, command ...string) string {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	require.NoError(t, err, "%v: %s", command, out)
	return string(out)
}

// Install installs the packages that a folder's package.json names.
func Install(t testing.TB, dir string) {
	t.Helper()
	Tool(t, dir, "npm", "install", "--no-audit", "--no-fund", "--ignore-scripts")
}

// Command builds arcsim into a folder and returns its path.
func Command(t testing.TB, dir string) string {
	t.Helper()
	Tool(t, ".", "go", "build", "-o", dir, "arcv2dsp/cmd/arcsim")
	return filepath.Join(dir, "arcsim")
}

// Run copies a folder with a package.json and tests for node, installs what it needs, and runs the tests with the command in
// ARCSIM and paths of files in other variables. It returns what node prints.
func Run(t *testing.T, folder string, files map[string]string) string {
	t.Helper()
	Needed(t)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(folder)))
	t.Setenv("ARCSIM", Command(t, dir))
	Install(t, dir)
	for name, value := range files {
		abs, err := filepath.Abs(value)
		require.NoError(t, err)
		t.Setenv(name, abs)
	}
	return Tool(t, dir, "node", "--test")
}
