package tosaexact_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/check/tosacheck"
	"arcv2dsp/internal/dev/testkit/tosaexact"
	"arcv2dsp/nn"
	vectors "arcv2dsp/testdata/tosa"
)

// The second statement is held against the recorded results on its own: two statements that agree with
// each other could share a misunderstanding.
func TestSecondStatementGivesTheRecordedResults(t *testing.T) {
	cases, err := tosacheck.AllVectors(vectors.Files)
	require.NoError(t, err)
	n := 0
	for _, c := range cases {
		if len(c.Graph.Nodes) != 1 || c.Expect != nn.Valid {
			continue
		}
		require.NoError(t, c.Graph.Check())
		node := c.Graph.Nodes[0]
		call := &nn.Call{Op: node.Op, Attrs: node.Attrs, In: c.Inputs, Out: []*nn.Tensor{c.Graph.Values[node.Out[0]].Tensor}}
		out, ok := tosaexact.Output(call)
		require.True(t, ok, "%s: %s", c.Name, c.Purpose)
		require.NoError(t, nn.Difference(out, c.Want[0]), "%s: %s", c.Name, c.Purpose)
		n++
	}
	require.Equal(t, 1002-15, n)
}
