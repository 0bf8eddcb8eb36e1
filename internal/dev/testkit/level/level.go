// Package level says how much of the tests a run wants. There are three levels: -short takes a part of what
// repeats, nothing that takes seconds and no foreign program; a plain run takes all but what takes minutes; with ARCV2DSP_LONG set,
// as in the gate, everything runs.
package level

import (
	"os"
	"runtime/debug"
	"testing"
)

// Test programs live for seconds and have memory to spare, so their garbage is collected four times as rarely. Whoever sets
// GOGC decides.
var _ = collectRarely()

func collectRarely() bool {
	rarely := os.Getenv("GOGC") == ""
	if rarely {
		debug.SetGCPercent(400)
	}
	return rarely
}

// Long reports whether the run wants what takes minutes.
func Long() bool { return os.Getenv("ARCV2DSP_LONG") != "" }

// NeedsPlain skips a test that takes seconds in a -short run.
func NeedsPlain(t testing.TB, why string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("skipped in a short run: %s", why)
	}
}

// NeedsLong skips a test that takes minutes unless the run wants such.
func NeedsLong(t testing.TB, why string) {
	t.Helper()
	if !Long() {
		t.Skipf("skipped: %s, and ARCV2DSP_LONG is not set", why)
	}
}

// Wants reports whether the run takes element i of a list of like tests: all where it takes what minutes need, else
// one in plain, in a short run one in short. The first is always taken; a stride that is prime to the periods of the
// list meets all its families.
func Wants(i, plain, short int) bool { return i%Count(1, plain, short) == 0 }

// Count is a number for each level.
func Count(long, plain, short int) int {
	switch {
	case Long():
		return long
	case testing.Short():
		return short
	}
	return plain
}
