package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFresh fails when a row was added or removed without go generate ./isa.
func TestFresh(t *testing.T) {
	dir := filepath.Join("..", "..")
	want, err := generate(dir)
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(dir, output))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run go generate ./isa")
}

func TestRowWithoutOp(t *testing.T) {
	dir := t.TempDir()
	src := "package isa\n\nvar rows = []Row{\n\t{Op: ADD},\n\t{Syntax: \"sub\"},\n}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "alu.go"), []byte(src), 0o644))
	_, err := generate(dir)
	require.ErrorContains(t, err, "alu.go:5:2: row without Op")
}
