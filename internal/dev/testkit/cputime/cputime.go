// Package cputime measures the CPU time of a piece of a test. A bound on it holds on a busy host too, where one on the
// clock of the wall would not.
package cputime

import (
	"runtime"
	"testing"
	"time"
)

// Of returns the CPU time that f takes on the current thread; goroutines that f starts do not count.
func Of(t testing.TB, f func()) time.Duration {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := thread(t)
	f()
	return thread(t) - start
}
