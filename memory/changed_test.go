package memory

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChanged: pages that differ from a snapshot are listed, those written with the same are not.
func TestChanged(t *testing.T) {
	s := New(RAM, 0)
	require.NoError(t, s.Poke(0x1000, []byte{1, 2, 3}))
	snap := s.Snapshot()
	require.Empty(t, s.Changed(snap))
	require.NoError(t, s.Poke(0x1001, []byte{2}))
	require.NoError(t, s.Poke(0x5000, []byte{0}))
	require.Empty(t, s.Changed(snap), "nothing is different")
	require.NoError(t, s.Poke(0x1002, []byte{9}))
	require.NoError(t, s.Poke(0x80000fff, []byte{1, 1}))
	require.Equal(t, []uint32{0x1000, 0x80000000, 0x80001000}, s.Changed(snap))
	s.Restore(snap)
	require.Empty(t, s.Changed(snap))
}
