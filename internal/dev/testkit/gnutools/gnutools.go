// Package gnutools finds the GNU ARC tools, and the few others, that oracle tests compare with. A test that needs an
// absent tool is skipped with a message, in a short run any; where ARCV2DSP_REQUIRE_TOOLS is set (continuous
// integration) it fails instead, so that no oracle is lost silently.
package gnutools

import (
	"os"
	"os/exec"
	"testing"

	"arcv2dsp/internal/dev/testkit/level"
)

// Prefix is the target prefix of the tools.
const Prefix = "arc-linux-gnu-"

// Path returns the path of the tool (as, ld, gcc, objdump ...), or ends the test.
func Path(t testing.TB, tool string) string {
	t.Helper()
	return need(t, Prefix+tool, "binutils-arc-linux-gnu, gcc-arc-linux-gnu")
}

// Flatc returns the path of the compiler of FlatBuffers, or ends the test.
func Flatc(t testing.TB) string {
	t.Helper()
	return need(t, "flatc", "flatbuffers-compiler")
}

// MLIROpt returns the path of MLIR's tool for texts, of the release that tests compare with, or ends the test.
func MLIROpt(t testing.TB) string {
	t.Helper()
	return need(t, "mlir-opt-19", "mlir-19-tools")
}

// Chromium returns the path of the browser, or ends the test.
func Chromium(t testing.TB) string {
	t.Helper()
	return need(t, "chromium", "chromium")
}

// Node returns the path of Node.js, or ends the test.
func Node(t testing.TB) string {
	t.Helper()
	return need(t, "node", "nodejs")
}

// Neovim returns the path of the editor, or ends the test.
func Neovim(t testing.TB) string {
	t.Helper()
	return need(t, "nvim", "neovim")
}

// Dpkg returns the path of Debian's package manager, or ends the test.
func Dpkg(t testing.TB) string {
	t.Helper()
	need(t, "dpkg-deb", "dpkg")
	return need(t, "dpkg", "dpkg")
}

// Lintian returns the path of Debian's judge of packages, or ends the test.
func Lintian(t testing.TB) string {
	t.Helper()
	return need(t, "lintian", "lintian")
}

// Slurm returns the paths of the daemons of a cluster: of munge, the controller and a node. Without them it ends the
// test.
func Slurm(t testing.TB) (munged, controller, node string) {
	t.Helper()
	const packages = "slurmctld, slurmd, slurm-client, munge"
	need(t, "sbatch", packages)
	return need(t, "munged", packages), need(t, "slurmctld", packages), need(t, "slurmd", packages)
}

func need(t testing.TB, tool, packages string) string {
	t.Helper()
	level.NeedsPlain(t, "it runs "+tool)
	path, err := exec.LookPath(tool)
	if err == nil {
		return path
	}
	if os.Getenv("ARCV2DSP_REQUIRE_TOOLS") != "" {
		t.Fatalf("%s is required: %v", tool, err)
	}
	t.Skipf("needs %s (packages %s)", tool, packages)
	return ""
}
