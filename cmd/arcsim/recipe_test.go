package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/tree"
)

// TestCommandRecipe follows "Add a command" of CONTRIBUTING.md in a copy of the tree: a file, its page and its line in
// the root command make a command with a page, an entry in the list and completion of its flags.
func TestCommandRecipe(t *testing.T) {
	level.NeedsLong(t, "it builds a copy of the tree")
	dir := tree.Copy(t, "../..")
	tree.Add(t, dir, "symbols.go.txt", "cmd/arcsim/symbols.go")
	tree.Add(t, dir, "symbols.txt", "cmd/arcsim/pages/symbols.txt")
	tree.Insert(t, dir, "cmd/arcsim/root.go", `{"run", "programs", newRunCmd}, `, `{"symbols", "programs", newSymbolsCmd}, `)
	tree.Add(t, dir, "symbols.txtar", "cmd/arcsim/testdata/script/symbols.txtar")

	out, err := tree.Run(dir, "go", "test", "./cmd/arcsim", "-run", "TestDocsAreFresh")
	require.Error(t, err)
	require.Contains(t, out, "go test arcv2dsp/cmd/arcsim -run '^TestDocsAreFresh$' -update")
	tree.Go(t, dir, "test", "./cmd/arcsim", "-run", "TestDocsAreFresh", "-update")
	tree.Go(t, dir, "test", "./cmd/arcsim", "-run", "TestDocsAreFresh|TestScripts/(symbols|complete|flags)")

	written, generated := tree.Changed(t, "../..", dir)
	require.Equal(t, []string{"cmd/arcsim/pages/symbols.txt", "cmd/arcsim/root.go", "cmd/arcsim/symbols.go", "cmd/arcsim/testdata/script/symbols.txtar"}, written)
	require.Equal(t, []string{"docs/cli/arcsim.md", "docs/cli/arcsim_symbols.md"}, generated)

	tree.Replace(t, dir, "cmd/arcsim/testdata/script/symbols.txtar", "  main$'", "  mein$'")
	out, err = tree.Run(dir, "go", "test", "./cmd/arcsim", "-run", "TestScripts/symbols")
	require.Error(t, err, "a wrong output must fail")
	require.Contains(t, out, "no match for")
}
