package asm

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
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
		goldenfile.File(t, "testdata/listing_"+name+".golden", got.String())
	}
}

// TestListingOfStruct: lines of .struct have neither an address nor bytes, as GNU as prints them.
func TestListingOfStruct(t *testing.T) {
	source := "\t.struct 0\nw2:\t.short 0\nw3:\t.long 0\n\t.text\n\tmov\tr0,w3\n"
	obj, err := AssembleString(Options{CPU: "em4", Listing: &ListingOptions{}}, "a.s", source)
	require.NoError(t, err)
	var got strings.Builder
	require.NoError(t, obj.WriteListing(&got))
	require.Equal(t, "   1               \t\t.struct 0\n"+
		"   2               \tw2:\t.short 0\n"+
		"   3               \tw3:\t.long 0\n"+
		"   4               \t\t.text\n"+
		"   5 0000 4A20 8000 \t\tmov\tr0,w3\n", got.String())
}
