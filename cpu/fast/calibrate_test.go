package fast_test

import (
	"testing"
	"time"

	"arcv2dsp/internal/dev/testkit/cputime"
)

// Wall-clock time means nothing on a shared machine: speed is measured in CPU time of the thread,
// and compared with a loop of dependent multiplications run in the same process. Newer processors fold
// dependent additions.

// multiplyLatency is how many cycles a multiplication takes before the next one that needs it.
const multiplyLatency = 3

// hostRate returns the clock of the host in cycles per second, as far as it can be had now.
func hostRate(b testing.TB) float64 {
	const n = 8_000_000
	best := time.Duration(1 << 62)
	for range 5 {
		best = min(best, cputime.Of(b, func() { sink += chain(n, n|1) }))
	}
	return n * multiplyLatency / best.Seconds()
}

var sink uint64

// chain executes n dependent multiplications.
//
//go:noinline
func chain(n, y uint64) uint64 {
	x := n
	for i := uint64(0); i < n; i += 8 {
		x *= y
		x *= y
		x *= y
		x *= y
		x *= y
		x *= y
		x *= y
		x *= y
	}
	return x
}
