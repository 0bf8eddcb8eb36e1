package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExported(t *testing.T) {
	dir := t.TempDir()
	write := func(path, text string) {
		path = filepath.Join(dir, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	write("a.go", "package a\nconst A, b = 1, 2\nfunc F() {}\ntype T[E any] struct{}\nfunc (t *T[E]) M() {}\nfunc (t T[E]) m() {}\ntype u int\nfunc (u) M() {}\n")
	write("a_test.go", "package a\nvar Test int\n")
	write("b/x_linux.go", "package b\nvar V int\n")
	write("b/x_windows.go", "package b\nvar V int\n")
	write("internal/c/c.go", "package c\nvar C int\n")
	write("d/main.go", "package main\nvar D int\n")
	list, err := exported(dir)
	require.NoError(t, err)
	require.Equal(t, []string{". A", ". F", ". T", ". T.M", "b V"}, list)
}

func TestNamesOfPair(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p\ntype P[A, B any] struct{}\nfunc (P[A, B]) Get() {}\n", 0)
	require.NoError(t, err)
	require.Equal(t, []string{"P", "P.Get"}, namesOf(f))
}
