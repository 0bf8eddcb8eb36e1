package quantity

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "1": 1, "1k": 1000, "1K": 1000, "25M": 25_000_000, "3g": 3_000_000_000, "2T": 2_000_000_000_000, "0x1f": 31, "0x10K": 16_000, "1_000": 1000,
		"18446744073709551615": 1<<64 - 1, "18446744T": 18446744 * 1_000_000_000_000,
	} {
		n, ok := Parse(text, Count)
		require.True(t, ok, text)
		require.Equal(t, want, n, text)
	}
	for text, want := range map[string]uint64{"1": 1, "64K": 64 << 10, "16M": 16 << 20, "1g": 1 << 30, "4G": 1 << 32, "0x10000": 1 << 16} {
		n, ok := Parse(text, Bytes)
		require.True(t, ok, text)
		require.Equal(t, want, n, text)
	}
	for _, text := range []string{"", "k", "-1", "1kk", "1.5k", "18446744073709551616", "18446745T", "0xk", "many", "99999999999T"} {
		_, ok := Parse(text, Count)
		require.False(t, ok, text)
	}
}
