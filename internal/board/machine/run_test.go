package machine

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
)

// TestBound: no limit, and a limit beyond the last count, end nothing; others count from now.
func TestBound(t *testing.T) {
	require.EqualValues(t, uint64(cpu.NoLimit), bound(5, 0))
	require.EqualValues(t, 12, bound(5, 7))
	require.EqualValues(t, uint64(cpu.NoLimit), bound(5, math.MaxUint64))
	require.EqualValues(t, uint64(cpu.NoLimit), bound(uint64(cpu.NoLimit), 1))
}
