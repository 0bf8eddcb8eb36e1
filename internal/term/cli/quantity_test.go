package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestParseBytes: the bounds of guest memory. The units are those of package quantity.
func TestParseBytes(t *testing.T) {
	for text, want := range map[string]uint64{"1": 1, "64K": 64 << 10, "4G": 1 << 32} {
		n, err := ParseBytes(text)
		require.NoError(t, err, text)
		require.Equal(t, want, n, text)
	}
	for _, text := range []string{"", "0", "5G", "1T", "-1", "4097M", "x"} {
		_, err := ParseBytes(text)
		require.ErrorContains(t, err, "not an amount of memory", text)
	}
	_, err := ParseCount("1.5k")
	require.ErrorContains(t, err, "is not a number, such as")
}
