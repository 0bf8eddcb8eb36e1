package tosacheck

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	vectors "arcv2dsp/testdata/tosa"
)

// TestVectorsOnTheGoldenFunctions runs the recorded cases, each file by itself: those of an operator, and the graphs.
func TestVectorsOnTheGoldenFunctions(t *testing.T) {
	cases, err := AllVectors(vectors.Files)
	require.NoError(t, err)
	var count [3]int
	files := map[string][]*Case{}
	for _, c := range cases {
		count[c.Expect]++
		file, _, _ := strings.Cut(c.Name, "-")
		files[file] = append(files[file], c)
	}
	for file, cases := range files {
		t.Run(file, func(t *testing.T) {
			for _, c := range cases {
				r := c.Run(context.Background(), nn.GoldenExecutor{})
				if err := c.Judge(r); err != nil {
					t.Errorf("%s: %s: %v", c.Name, c.Purpose, err)
				}
				if c.Expect == nn.Unpredictable && r.Outcome != nn.Unpredictable {
					t.Errorf("%s: %s: %s, although the golden functions notice every condition", c.Name, c.Purpose, r.Outcome)
				}
			}
		})
	}
	t.Logf("%d valid, %d error, %d unpredictable", count[nn.Valid], count[nn.Error], count[nn.Unpredictable])
	require.Equal(t, [3]int{nn.Valid: 1002, nn.Error: 59, nn.Unpredictable: 7}, count)
}
