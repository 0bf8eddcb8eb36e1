package tosacheck

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/nn"
	files "arcv2dsp/nn/tosa"
)

// TestGridSurvivesFiles writes graphs of the grid as files of every revision, reads them back and runs them:
// every operator, attribute and operand must mean the same in both.
func TestGridSurvivesFiles(t *testing.T) {
	level.NeedsPlain(t, "writes and reads a file for each operator")
	step, n := 5, 0
	seen := map[string]bool{}
	cases, err := Grid(Every)
	require.NoError(t, err)
	for _, c := range cases {
		op := c.Graph.Nodes[0].Op.Name
		if n++; c.Expect != nn.Valid || n%step != 0 && seen[op] {
			continue
		}
		seen[op] = true
		// The entries of TABLE are an attribute in 2024, and i4 has no RESHAPE: both must be constant.
		if op == "TABLE" || op == "FULLY_CONNECTED" && c.Inputs[1].Type == nn.I4 {
			c.Graph.Values[c.Graph.Inputs[1]].Tensor = c.Inputs[1]
			c.Graph.Inputs, c.Inputs = slices.Delete(slices.Clone(c.Graph.Inputs), 1, 2), slices.Delete(slices.Clone(c.Inputs), 1, 2)
		}
		require.NoError(t, c.Graph.Check(), c.Name)
		for _, revision := range files.Revisions() {
			if revision == files.Rev2024 && (op == "VARIABLE_READ" || op == "VARIABLE_WRITE") {
				continue
			}
			f, err := files.FromGraph(c.Graph, revision)
			if op == "CONST" {
				require.ErrorContains(t, err, "a constant is a value of the graph")
				continue
			}
			if revision != files.Rev2024 && op == "FULLY_CONNECTED" && c.Want[0].Type == nn.I48 {
				require.ErrorContains(t, err, "cannot be written without that operator")
				continue
			}
			require.NoError(t, err, "%s, revision %s", c.Name, revision.Name)
			b, err := f.Encode()
			require.NoError(t, err, c.Name)
			f, err = files.Decode(b)
			require.NoError(t, err, c.Name)
			for _, other := range f.Others { // a draft's version does not tell layouts apart
				if other.Revision == revision {
					f = other
				}
			}
			require.Equal(t, revision, f.Revision, c.Name)
			back := *c
			back.Graph, err = f.Graph(nil)
			require.NoError(t, err, "%s, revision %s", c.Name, revision.Name)
			require.NoError(t, back.Judge(back.Run(context.Background(), nn.GoldenExecutor{})), "%s, revision %s", c.Name, revision.Name)
		}
	}
}
