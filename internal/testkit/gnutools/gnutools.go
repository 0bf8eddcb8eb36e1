// Package gnutools finds the GNU ARC tools that oracle tests compare with. A test that needs an
// absent tool is skipped with a message; where ARCV2DSP_REQUIRE_TOOLS is set (continuous
// integration) it fails instead, so that no oracle is lost silently.
package gnutools

import (
	"os"
	"os/exec"
	"testing"
)

// Prefix is the target prefix of the tools.
const Prefix = "arc-linux-gnu-"

// Path returns the path of the tool (as, ld, gcc, objdump ...), or ends the test.
func Path(t testing.TB, tool string) string {
	t.Helper()
	path, err := exec.LookPath(Prefix + tool)
	if err == nil {
		return path
	}
	if os.Getenv("ARCV2DSP_REQUIRE_TOOLS") != "" {
		t.Fatalf("%s%s is required: %v", Prefix, tool, err)
	}
	t.Skipf("needs %s%s (packages binutils-arc-linux-gnu, gcc-arc-linux-gnu)", Prefix, tool)
	return ""
}
