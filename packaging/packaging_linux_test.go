package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/term/steps"
)

// TestPackages builds the packages of all platforms, twice those of Linux, installs both of Linux into empty roots, and runs
// the short regression there.
func TestPackages(t *testing.T) {
	level.NeedsLong(t, "it builds for five platforms and runs the regression twice")
	dpkg := gnutools.Dpkg(t)
	t.Chdir("..")
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	t.Setenv("DEBFULLNAME", "A. Tester")
	t.Setenv("DEBEMAIL", "tester@debian.org")
	first, second := t.TempDir(), t.TempDir()
	require.NoError(t, steps.Run(func() { build(first, "0.2.0", strings.Split(platforms, ",")) }))
	require.NoError(t, steps.Run(func() { build(second, "0.2.0", []string{"linux/amd64"}) }))
	names, err := filepath.Glob(filepath.Join(first, "arcv2dsp_*"))
	require.NoError(t, err)
	require.Len(t, names, 7, "five archives and two Debian packages: %v", names)
	for _, name := range []string{"arcv2dsp_0.2.0_linux_amd64.tar.gz", "arcv2dsp_0.2.0_amd64.deb"} {
		a, err := os.ReadFile(filepath.Join(first, name))
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(second, name))
		require.NoError(t, err)
		require.True(t, bytes.Equal(a, b), "%s has other bytes the second time", name)
	}
	check := exec.Command("sha256sum", "--check", "--quiet", "SHA256SUMS")
	check.Dir = first
	out, err := check.CombinedOutput()
	require.NoError(t, err, "%s", out)

	// The complaints that stand have their reason in the package; Debian's own bug numbers do not apply.
	out, err = exec.Command(gnutools.Lintian(t), "--allow-root", "--suppress-tags", "initial-upload-closes-no-bugs",
		"--fail-on", "error,warning,info", filepath.Join(first, "arcv2dsp_0.2.0_amd64.deb")).CombinedOutput()
	require.NoError(t, err, "%s", out)

	unpacked := t.TempDir()
	out, err = exec.Command("tar", "-xzf", filepath.Join(first, "arcv2dsp_0.2.0_linux_amd64.tar.gz"), "-C", unpacked, "--strip-components=1").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, name := range []string{"LICENSE", "completions/bash/arcsim", "completions/zsh/_arcasm", "completions/fish/arcsim.fish", "man/man1/arcsim-regress.1"} {
		require.FileExists(t, filepath.Join(unpacked, name))
	}
	installed := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(installed, "var", "lib", "dpkg", "updates"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(installed, "var", "lib", "dpkg", "info"), 0o755))
	for _, name := range []string{"status", "available"} {
		require.NoError(t, os.WriteFile(filepath.Join(installed, "var", "lib", "dpkg", name), nil, 0o644))
	}
	out, err = exec.Command(dpkg, "--root="+installed, "--force-not-root", "--log=/dev/null", "--install", filepath.Join(first, "arcv2dsp_0.2.0_amd64.deb")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.FileExists(t, filepath.Join(installed, "usr", "share", "man", "man1", "arcsim.1.gz"))

	// Nothing but the package is there, where the user may change the root.
	for root, exe := range map[string]string{unpacked: "/arcsim", installed: "/usr/bin/arcsim"} {
		cmd := exec.Command(exe, "regress", "--short")
		cmd.Env = []string{"HOME=/"}
		cmd.Dir = "/"
		if os.Getuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
		} else {
			cmd.Path = filepath.Join(root, exe)
		}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "Summary Status: PASSED")
	}
}

// TestPlaces expects each file of an archive somewhere in a Debian system.
func TestPlaces(t *testing.T) {
	for from, want := range map[string]string{"arcsim": "usr/bin/arcsim", "man/man1/arcsim-run.1": "usr/share/man/man1/arcsim-run.1.gz",
		"completions/zsh/_arcsim": "usr/share/zsh/vendor-completions/_arcsim", "LICENSE": "usr/share/doc/arcv2dsp/copyright", "elsewhere": "", "arcsim.exe": ""} {
		to, _ := place(from)
		require.Equal(t, want, to, from)
	}
}

// TestBadVersion refuses what Debian would not take.
func TestBadVersion(t *testing.T) {
	for _, version := range []string{"", "v1", "1.0 beta", "1/2"} {
		require.ErrorContains(t, steps.Run(func() { build(t.TempDir(), version, nil) }), "digits and dots")
	}
}
