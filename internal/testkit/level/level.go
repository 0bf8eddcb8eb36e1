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

// NeedsPlain skips a test that takes seconds in a -short run.
func NeedsPlain(t *testing.T, why string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("skipped in a short run: %s", why)
	}
}

// NeedsLong skips a test that takes minutes unless the run wants such.
func NeedsLong(t *testing.T, why string) {
	t.Helper()
	if !Long() {
		t.Skipf("skipped: %s, and ARCV2DSP_LONG is not set", why)
	}
}

// Wants reports whether the run takes element i of a list of like tests: all where it takes what minutes need, else
// each one in so many, and in a short run the first.
func Wants(i, in int) bool { return Long() || i%in == 0 && (i == 0 || !testing.Short()) }
