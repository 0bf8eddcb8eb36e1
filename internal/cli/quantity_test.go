package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuantities(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "1": 1, "1k": 1000, "1K": 1000, "25M": 25_000_000, "3g": 3_000_000_000, "2T": 2_000_000_000_000, "0x1f": 31, "1_000": 1000,
		"18446744073709551615": 1<<64 - 1, "18446744T": 18446744 * 1_000_000_000_000,
	} {
		n, err := ParseCount(text)
		require.NoError(t, err, text)
		require.Equal(t, want, n, text)
	}
	for _, text := range []string{"", "k", "-1", "1kk", "1.5k", "18446744073709551616", "18446745T", "0xk", "many"} {
		_, err := ParseCount(text)
		require.ErrorContains(t, err, "is not a number, such as", text)
	}
	for text, want := range map[string]uint64{"1": 1, "64K": 64 << 10, "16M": 16 << 20, "1g": 1 << 30, "4G": 1 << 32, "0x10000": 1 << 16} {
		n, err := ParseBytes(text)
		require.NoError(t, err, text)
		require.Equal(t, want, n, text)
	}
	for _, text := range []string{"", "0", "5G", "1T", "-1", "4097M", "x", "99999999999G"} {
		_, err := ParseBytes(text)
		require.ErrorContains(t, err, "not an amount of memory", text)
	}
}
