package mli20

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLayoutNames: a name stands once in the text of offsets, so that it means one place.
func TestLayoutNames(t *testing.T) {
	names := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\t\.equ\t(\w+),(\w+)$`).FindAllStringSubmatch(layoutText(), -1) {
		require.NotContains(t, names, m[1])
		names[m[1]] = m[2]
	}
	require.Equal(t, "48", names["T_FRAC"], "behind data, strides, shape, rank and type")
}
