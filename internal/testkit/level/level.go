// Package level says how much of the tests a run wants. There are three levels: -short takes a part of what
// repeats and nothing that takes seconds; a plain run takes all but what takes minutes; with ARCV2DSP_LONG set,
// as in the gate, everything runs.
package level

import (
	"os"
	"testing"
)

// Long reports whether the run wants what takes minutes.
func Long() bool { return os.Getenv("ARCV2DSP_LONG") != "" }

// NeedsLong skips a test that takes minutes unless the run wants such.
func NeedsLong(t *testing.T, why string) {
	t.Helper()
	if !Long() {
		t.Skipf("skipped: %s, and ARCV2DSP_LONG is not set", why)
	}
}
