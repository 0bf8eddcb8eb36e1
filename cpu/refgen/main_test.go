package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGeneratedFileIsFresh(t *testing.T) {
	want, err := generate("../semantics")
	require.NoError(t, err)
	got, err := os.ReadFile("../pure_gen.go")
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run go generate ./cpu")
}

func TestRefused(t *testing.T) {
	for name, src := range map[string]string{
		"no result":      "func ADD(x, y uint32) {}",
		"unnamed result": "func ADD(x, y uint32) uint32 { return x }",
		"unknown result": "func ADD(x, y uint32) (r uint32) { return x }",
		"syntax":         "func ADD(",
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(dir+"/a.go", []byte("package semantics\n\n"+src+"\n"), 0o644))
		_, err := generate(dir)
		require.Error(t, err, name)
		require.Contains(t, err.Error(), "a.go:3", name)
	}
}
