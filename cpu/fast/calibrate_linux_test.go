package fast_test

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// threadTime returns the CPU time of the current thread.
func threadTime(b testing.TB) time.Duration {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts); err != nil {
		b.Fatal(err)
	}
	return time.Duration(ts.Nano())
}
