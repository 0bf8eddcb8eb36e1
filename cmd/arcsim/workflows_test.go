package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert/yaml"
	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/term/cli"
)

// TestWorkflows reads the command lines of examples/ci as arcsim would.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("examples/ci/*.yml")
	require.NoError(t, err)
	lines := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var workflow struct {
			Jobs map[string]struct {
				Steps []struct{ Uses, Run string }
			}
		}
		require.NoError(t, yaml.Unmarshal(text, &workflow), file)
		require.NotEmpty(t, workflow.Jobs)
		for name, job := range workflow.Jobs {
			require.NotEmpty(t, job.Steps, name)
			for _, step := range job.Steps {
				require.NotEqual(t, step.Uses == "", step.Run == "", "%s, %s: a step uses an action or runs a command", file, name)
			}
		}
		for line := range strings.Lines(string(text)) {
			_, command, ok := strings.Cut(strings.TrimSpace(line), "run: arcsim ")
			if !ok {
				continue
			}
			lines++
			root := newRoot(cli.Streams{Name: "arcsim"})
			cmd, args, err := root.Find(cli.SingleDash(root, strings.Fields(command)))
			require.NoError(t, err, "%s: %s", file, line)
			require.NoError(t, cmd.ParseFlags(args), "%s: %s", file, line)
			require.NotEqual(t, root, cmd)
		}
	}
	require.Equal(t, 2, lines, "a regression and a comparison with a baseline")
}
