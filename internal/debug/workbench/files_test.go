package workbench

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
)

// TestExamplesAreFresh: the page has the programs that it offers and no other, and those of docs/demo as they stand there, from where
// they cannot be embedded.
func TestExamplesAreFresh(t *testing.T) {
	programs, err := filepath.Glob("../../../docs/demo/*.s")
	require.NoError(t, err)
	require.NotEmpty(t, programs)
	for _, file := range programs {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		goldenfile.File(t, filepath.Join("page", "examples", filepath.Base(file)), string(text))
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
