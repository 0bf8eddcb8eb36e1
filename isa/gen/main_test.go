package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/isa"
)

// TestFresh fails when a row changed without go generate ./isa.
func TestFresh(t *testing.T) {
	got, err := os.ReadFile(filepath.Join("..", "..", "docs", "isa.md"))
	require.NoError(t, err)
	require.Equal(t, string(generate()), string(got), "run go generate ./isa")
}

// TestSections puts every class, and so every row, into exactly one section.
func TestSections(t *testing.T) {
	seen := map[isa.Class]int{}
	for _, s := range sections {
		for _, c := range s.classes {
			seen[c]++
		}
	}
	for c := isa.ClassNone + 1; c < isa.NumClasses; c++ {
		require.Equal(t, 1, seen[c], c)
	}
}
