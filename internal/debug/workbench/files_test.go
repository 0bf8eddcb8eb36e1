package workbench

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "copy the programs of the documents into the page")

// TestExamplesAreFresh: the page has the programs that it offers and no other, and those of docs/demo as they stand there, from where
// they cannot be embedded.
func TestExamplesAreFresh(t *testing.T) {
	programs, err := filepath.Glob("../../../docs/demo/*.s")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for _, file := range programs {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		example := filepath.Join("page", "examples", filepath.Base(file))
		if *update {
			require.NoError(t, os.WriteFile(example, text, 0o644))
		}
		have, err := os.ReadFile(example)
		require.NoError(t, err)
		require.Equal(t, string(text), string(have), "run go test ./internal/debug/workbench -update")
	}
	files, err := Files()
	require.NoError(t, err)
	var offered, there []string
	for _, m := range regexp.MustCompile(`file: "([^"]+)"`).FindAllSubmatch(files["examples.js"], -1) {
		offered = append(offered, string(m[1]))
	}
	for name := range files {
		if strings.HasPrefix(name, "examples/") {
			there = append(there, name)
		}
	}
	require.ElementsMatch(t, offered, there)
}
