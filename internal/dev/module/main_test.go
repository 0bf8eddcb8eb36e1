package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
)

// The parts of these texts are joined so that the copy of this file says the same.
const old = "arcv2" + "dsp"

// TestRewrite: paths of packages and the module's own import change, and other words of the same letters stay.
func TestRewrite(t *testing.T) {
	for _, c := range []struct{ file, from, to string }{
		{file: "go.mod", from: "module OLD\n\ngo 1.26.0\n", to: "module example.org/x\n\ngo 1.26.0\n"},
		{file: "a.go", from: "package a\n\nimport \"OLD\"\n", to: "package a\n\nimport \"example.org/x\"\n"},
		{file: "a.go", from: "package a\n\nimport (\n\t\"OLD\"\n\tm \"OLD/memory\"\n)\n", to: "package a\n\nimport (\n\t\"example.org/x\"\n\tm \"example.org/x/memory\"\n)\n"},
		{file: "a.go", from: "package a\n\nvar s = \"import \\\"OLD/isa\\\"\"\n", to: "package a\n\nvar s = \"import \\\"example.org/x/isa\\\"\"\n"},
		{file: "a.go", from: "package a\n\nvar s = \"usr/share/doc/OLD/README.md\"\n", to: "package a\n\nvar s = \"usr/share/doc/OLD/README.md\"\n"},
		{file: "a.go", from: "package a\n\nvar s = \"OLD/\"\n", to: "package a\n\nvar s = \"example.org/x/\"\n"},
		{file: "a.go", from: "package a\n\nvar s = \"org.OLD.dsp\"\n", to: "package a\n\nvar s = \"org.OLD.dsp\"\n"},
		{file: "a.go", from: "//go:generate go generate OLD/isa\npackage a\n", to: "//go:generate go generate example.org/x/isa\npackage a\n"},
		{file: "README.md", from: "\tgit clone https://host/OLD/tree\n", to: "\tgit clone https://host/OLD/tree\n"},
	} {
		got, err := rewrite(c.file, []byte(strings.ReplaceAll(c.from, "OLD", old)), "example.org/x")
		require.NoError(t, err)
		require.Equal(t, strings.ReplaceAll(c.to, "OLD", old), string(got))
	}
}

// TestRunRefuses: a path that no go command can fetch, and a folder with something in it.
func TestRunRefuses(t *testing.T) {
	for _, args := range [][]string{nil, {"x"}, {"example.org/x y"}, {"/usr/bin:/bin"}, {"example.org/x", "d", "e"}} {
		require.ErrorContains(t, run(args), "usage: make module PATH=HOST/NAME")
	}
	require.ErrorContains(t, run([]string{"example.org/x", "."}), "it is there already")
}

// root is the top of the source tree.
const root = "../../.."

// TestCopyBuilds: the tree under another module path builds, and tests of it pass.
func TestCopyBuilds(t *testing.T) {
	level.NeedsLong(t, "it compiles everything under another path")
	dir := filepath.Join(t.TempDir(), "x")
	n, err := copyTree(root, dir, "example.org/x")
	require.NoError(t, err)
	require.Greater(t, n, 2000)
	command(t, dir, "go", "build", "./...")
	command(t, dir, "go", "test", "-short", "./isa", "./asm/...", "./loader", "./internal/board/...", "./cpu/internal/gen")
	command(t, dir, "go", "test", "-run", "TestImportsFollowTheArchitecture", "./internal/dev/policy")
}

// TestExamplesCompileElsewhere: the package examples compile in another module, which has this one as a requirement. They
// use nothing but promised names then, and no helper of this module's tests.
func TestExamplesCompileElsewhere(t *testing.T) {
	level.NeedsLong(t, "it compiles the simulator for another module")
	top, err := filepath.Abs(root)
	require.NoError(t, err)
	dir := t.TempDir()
	requirements, err := os.ReadFile(filepath.Join(top, "go.mod"))
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(requirements), "\n")
	mod := fmt.Sprintf("module example.org/foreign\n%s\nrequire %s v0.0.0\n\nreplace %[2]s => %[3]s\n", rest, old, top)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600))
	sums, err := os.ReadFile(filepath.Join(top, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))

	examples := 0
	for name := range strings.FieldsSeq(command(t, top, "git", "ls-files", "example_test.go", "*/example_test.go")) {
		source, err := os.ReadFile(filepath.Join(top, name))
		require.NoError(t, err)
		folder := filepath.Join(dir, fmt.Sprint("e", examples))
		require.NoError(t, os.Mkdir(folder, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "example_test.go"), source, 0o600))
		examples++
	}
	require.GreaterOrEqual(t, examples, 2)
	command(t, dir, "go", "vet", "-mod=mod", "./...")

	planted := "package e_test\n\nimport \"" + old + "/internal/board/machine\"\n\nvar _ machine.System\n"
	require.NoError(t, os.Mkdir(filepath.Join(dir, "planted"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "planted", "e_test.go"), []byte(planted), 0o600))
	cmd := exec.Command("go", "vet", "-mod=mod", "./planted")
	cmd.Dir, cmd.Env = dir, offline()
	out, err := cmd.CombinedOutput()
	require.Error(t, err, "the test sees what another module cannot use")
	require.Contains(t, string(out), "internal")
}

// offline is an environment in which the go command asks nobody for modules.
func offline() []string { return append(os.Environ(), "GOPROXY=off", "GOWORK=off") }

// command runs a program and returns what it printed.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, offline()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s: %s", name, strings.Join(args, " "), out)
	return string(out)
}
