package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestList(t *testing.T) {
	var out strings.Builder
	list(&out)
	require.Regexp(t, `(?m)^Gen3\{Major: 6\}, with \.f, or bit 15 fixed: 0x[0-9a-f -x]+$`, out.String())
	require.NotRegexp(t, `Gen3\{Major: 4\}[^\n]* 0x00`, out.String(), "the encoding of add")
}

func TestRanges(t *testing.T) {
	require.Equal(t, "0x01 0x03-0x05 0x3f", ranges([]uint8{1, 3, 4, 5, 0x3f}))
}
