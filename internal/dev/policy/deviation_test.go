package policy

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	inCode = regexp.MustCompile(`DEVIATION\((\d+)\)`)
	inDocs = regexp.MustCompile(`(?m)^\|\s*(\d+)\s*\|`)
)

// sources calls visit for every source file of the module (Go, assembly, C headers, scripts).
func sources(t *testing.T, visit func(path, text string)) {
	t.Helper()
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == ".git" || name == "testdata" {
				return filepath.SkipDir
			}
			return nil
		}
		switch filepath.Ext(path) {
		case ".go", ".s", ".inc", ".h", ".toml", ".md", ".sh":
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		visit(filepath.ToSlash(path), string(text))
		return nil
	})
	require.NoError(t, err)
}

// Every DEVIATION(n) in the code is a row of docs/validation.md, and every row has its place in the
// code: a decision nobody can find, or one nobody made, would both mislead.
func TestDeviationsAreListed(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/validation.md")
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(doc), "\n## Deviations\n")
	require.True(t, ok, "docs/validation.md has no section Deviations")
	section, _, _ = strings.Cut(section, "\n## ")
	listed := map[string]bool{}
	for _, m := range inDocs.FindAllStringSubmatch(section, -1) {
		require.False(t, listed[m[1]], "DEVIATION(%s) is listed twice", m[1])
		listed[m[1]] = true
	}
	used := map[string]string{}
	sources(t, func(path, text string) {
		if strings.HasSuffix(path, ".md") || strings.Contains(path, "internal/dev/policy/") {
			return
		}
		for _, m := range inCode.FindAllStringSubmatch(text, -1) {
			used[m[1]] = path
		}
	})
	for n, path := range used {
		require.True(t, listed[n], "%s: DEVIATION(%s) is not in docs/validation.md", path, n)
	}
	for n := range listed {
		require.NotEmpty(t, used[n], "docs/validation.md lists DEVIATION(%s), which the code does not have", n)
	}
}

// The project speaks of itself alone: no path of a machine it was written on.
func TestNoMachinePaths(t *testing.T) {
	private := regexp.MustCompile(`/(work|home|root)/[a-z]|\.\./shared|/tmp/[a-z]`)
	sources(t, func(path, text string) {
		if strings.Contains(path, "internal/dev/policy/") {
			return
		}
		if m := private.FindString(text); m != "" {
			t.Errorf("%s: names a place of one machine: %q", path, m)
		}
	})
}
