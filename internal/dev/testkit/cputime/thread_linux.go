package cputime

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// thread returns the CPU time of the current thread so far.
func thread(t testing.TB) time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		t.Fatal(err)
	}
	return time.Duration(ts.Nano())
}
