package asm

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestListing compares with a golden listing: addresses, bytes, source, expansions, symbols.
func TestListing(t *testing.T) {
	source, err := os.ReadFile("testdata/listing.s")
	require.NoError(t, err)
	for name, opts := range map[string]ListingOptions{
		"plain":  {},
		"macros": {Macros: true, NoFalse: true, Symbols: true},
	} {
		obj, err := AssembleString(Options{CPU: "em4", Listing: &opts}, "listing.s", string(source))
		require.NoError(t, err)
		var got strings.Builder
		require.NoError(t, obj.WriteListing(&got))
		golden := "testdata/listing_" + name + ".golden"
		if *update {
			require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o666))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), got.String(), name)
	}
}
