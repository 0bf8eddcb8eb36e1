package fast_test

import (
	"testing"
	"time"

	"arcv2dsp/internal/testkit/cputime"
)

// Wall-clock time means nothing on a shared machine: speed is measured in CPU time of the thread,
// and compared with a loop of dependent additions, one cycle each, run in the same process.

// hostRate returns the clock of the host in cycles per second, as far as it can be had now.
func hostRate(b testing.TB) float64 {
	const n = 20_000_000
	best := time.Duration(1 << 62)
	for range 5 {
		best = min(best, cputime.Of(b, func() { sink += chain(n) }))
	}
	return n / best.Seconds()
}

var sink uint64

// chain executes n dependent additions and exclusive ors.
//
//go:noinline
func chain(n uint64) uint64 {
	x := n
	for i := uint64(0); i < n; i += 8 {
		x += x ^ 1
		x += x ^ 3
		x += x ^ 5
		x += x ^ 7
	}
	return x
}
