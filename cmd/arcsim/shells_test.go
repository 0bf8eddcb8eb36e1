package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
)

// needed finds a program that not every machine has; where the gate runs it is there.
func needed(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil && os.Getenv("ARCV2DSP_REQUIRE_TOOLS") == "" {
		t.Skipf("there is no %s", name)
	}
	require.NoError(t, err)
	return path
}

// TestShells asks real shells what they complete; TestInBash types into bash.
func TestShells(t *testing.T) {
	level.NeedsPlain(t, "starts shells")
	bin := t.TempDir()
	commandIn(t, bin)
	for _, c := range []struct{ shell, script string }{
		{shell: "fish", script: `arcsim completion fish | source; complete -C 'arcsim run --core emsk23-em9'; complete -C 'arcsim kernels show relu_fx1'`},
		{shell: "zsh", script: `arcsim completion zsh > $TMPDIR/_arcsim; zsh -n $TMPDIR/_arcsim && arcsim __complete run --core emsk23-em9 && arcsim __complete kernels show relu_fx1`},
	} {
		t.Run(c.shell, func(t *testing.T) {
			path := needed(t, c.shell)
			run := exec.Command(path, "-c", c.script)
			run.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "TMPDIR="+bin, "HOME="+bin)
			text, err := run.CombinedOutput()
			require.NoError(t, err, string(text))
			require.Contains(t, string(text), "emsk23-em9d")
			require.Contains(t, string(text), "relu_fx16")
		})
	}
}

// TestManPages: nothing in the descriptions is markup of the pages by accident.
func TestManPages(t *testing.T) {
	mandoc := needed(t, "mandoc")
	dir := t.TempDir()
	var out strings.Builder
	require.Zero(t, Main([]string{"man", "-o", dir}, nil, &out, &out), out.String())
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	require.NoError(t, err)
	require.Greater(t, len(pages), 30)
	text, _ := exec.Command(mandoc, append([]string{"-T", "lint", "-W", "warning"}, pages...)...).CombinedOutput() // its status says the same
	for line := range strings.Lines(string(text)) {
		require.Contains(t, line, "missing date", line)
	}
}
