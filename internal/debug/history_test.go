package debug

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// More changes by the user than snapshots are kept: each needs one of its own, and the distance
// between the others must not grow with every change.
func TestManyChanges(t *testing.T) {
	d, _ := start(t, sortO2, Options{})
	for i := range maxSnapshots + 200 {
		require.NoError(t, d.WriteMemory(0x1000_0000, []byte{byte(i)}))
		d.StepInst(context.Background(), 1, false)
	}
	require.LessOrEqual(t, len(d.history.points), maxSnapshots)
	require.LessOrEqual(t, d.history.interval, uint64(maxInterval))
	require.NotZero(t, d.history.interval)
	require.Equal(t, Exited, d.Continue(context.Background(), Limits{}).Reason)
}
