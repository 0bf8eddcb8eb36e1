package devices

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBank: registers remember words and parts of them, read as given where the board says so, and are 0 after a reset.
func TestBank(t *testing.T) {
	b := NewBank(0x100, map[uint32]uint32{0x28: 0xc})
	read := func(offset, size uint32) uint32 {
		v, ok := b.ReadPort(offset, size)
		require.True(t, ok)
		return v
	}
	require.EqualValues(t, 0, read(0x10, 4))
	require.True(t, b.WritePort(0x10, 4, 0x11223344))
	require.True(t, b.WritePort(0x12, 1, 0xaa))
	require.EqualValues(t, 0x11aa3344, read(0x10, 4))
	require.EqualValues(t, 0x11aa, read(0x12, 2))
	require.True(t, b.WritePort(0x28, 4, 0))
	require.EqualValues(t, 0xc, read(0x28, 4), "the board has made it")

	state, err := b.State()
	require.NoError(t, err)
	b.Reset()
	require.EqualValues(t, 0, read(0x10, 4))
	require.NoError(t, b.Adopt(state))
	require.EqualValues(t, 0x11aa3344, read(0x10, 4))
	require.Error(t, b.Adopt([]byte(`{"4":"x"}`)))
	require.NoError(t, b.Adopt([]byte(`{"4096":7}`)), "words beyond the bank are left out")
}
