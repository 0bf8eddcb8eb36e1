package arcv2dsp_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
)

// TestGuestsAreFresh: the guest programs equal their assembled sources.
func TestGuestsAreFresh(t *testing.T) {
	gnutools.Path(t, "as")
	gnutools.Path(t, "ld")
	out := t.TempDir()
	cmd := exec.Command("sh", "build.sh", out)
	cmd.Dir = "testdata/guest"
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, string(text))
	built, err := filepath.Glob(filepath.Join(out, "*.elf"))
	require.NoError(t, err)
	have, err := filepath.Glob(guests + "*.elf")
	require.NoError(t, err)
	require.Len(t, built, len(have))
	for _, file := range built {
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		got, err := os.ReadFile(guests + filepath.Base(file))
		require.NoError(t, err)
		require.Equal(t, want, got, "%s: run testdata/guest/build.sh", filepath.Base(file))
	}
}
