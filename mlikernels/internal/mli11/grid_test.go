package mli11

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
)

// TestGrid: every kernel has a grid of cases with names of their own that the model takes without
// overflow; the outputs are neither all zero nor all saturated in most of them.
func TestGrid(t *testing.T) {
	total := 0
	for _, f := range functions() {
		t.Run(f.Name, func(t *testing.T) {
			points := f.points()
			require.GreaterOrEqual(t, len(points), 40)
			total += len(points)
			seen, telling := map[string]bool{}, 0
			for _, p := range points {
				require.False(t, seen[p.Name], p.Name)
				require.NotContains(t, p.Name, "/")
				require.False(t, strings.ContainsAny(p.Name, " ^$()[]*+?|\\"), p.Name)
				seen[p.Name] = true
				job, err := p.Job(nn.Convergent, 1)
				require.NoError(t, err)
				values := map[int64]bool{}
				for _, v := range job.Want["out"].Ints {
					values[v] = true
				}
				if len(values) > 1 || job.Want["out"].Len() < 4 {
					telling++
				}
			}
			require.Greater(t, telling, len(points)*3/4, "points whose output has more than one value")
		})
	}
	require.Greater(t, total, 5000/4)
	t.Logf("%d points", total)
}
