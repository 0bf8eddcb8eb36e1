package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// runTime is the time in the line of a verdict.
var runTime = regexp.MustCompile(`MHz: [\d.]+ ms, `)

// TestCommandsJudgeAlike: model show, model bench and model compile end with the same verdict, apart from the time that only
// a run has; the documents of the first two have it, too.
func TestCommandsJudgeAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("assembles kernels for three cores")
	}
	said := func(args ...string) string {
		var out, errs strings.Builder
		require.Zero(t, Main(args, strings.NewReader(""), &out, &errs), "%v: %s", args, errs.String())
		return out.String()
	}
	for _, core := range []string{"em5d", "iotdk-em9d", "wei-em9d"} {
		last := func(text string) string {
			lines := strings.Split(strings.TrimSpace(text), "\n")
			return lines[len(lines)-1]
		}
		show := last(said("model", "show", "keywords", "--core", core))
		require.Contains(t, show, ": fits")
		bench := last(said("model", "bench", "keywords", "--core", core, "--placed"))
		require.Regexp(t, runTime, bench)
		require.Equal(t, show, runTime.ReplaceAllString(bench, "MHz: "), core)
		require.Equal(t, show, last(said("model", "compile", "keywords", "--core", core, "-o", filepath.Join(t.TempDir(), "net"))), core)
		for _, command := range []string{"show", "bench"} {
			text := said("model", command, "keywords", "--core", core, "--json")
			require.Contains(t, text, `"fits": true`, command)
		}
	}
}
