package tosacheck_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/check/tosacheck"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	vectors "arcv2dsp/testdata/tosa"
)

// TestVectorsOnTheCores runs the recorded cases with every kernel there is.
func TestVectorsOnTheCores(t *testing.T) {
	cases, err := tosacheck.AllVectors(vectors.Files)
	require.NoError(t, err)
	for _, core := range []string{"em9d", "em7d"} {
		s, err := mlikernels.NewExecutor(mlikernels.ExecutorOptions{Core: core, Host: true, Outcomes: true, Limit: 200_000_000})
		require.NoError(t, err)
		for i, c := range cases {
			if !level.Wants(i, 1, 11) && c.Expect == nn.Valid {
				continue
			}
			if err := c.Judge(c.Run(context.Background(), s)); err != nil {
				t.Errorf("%s on %s: %s: %v", c.Name, core, c.Purpose, err)
			}
		}
		require.NotEmpty(t, s.Executions())
		t.Log(s.Summary())
		require.NoError(t, s.Close())
	}
}

// TestGridOnTheCores runs the cases made by rule that reach a kernel; a short run takes a sample.
func TestGridOnTheCores(t *testing.T) {
	cases, err := tosacheck.Grid(tosacheck.Every)
	require.NoError(t, err)
	for _, core := range []string{"em9d", "em7d"} {
		s, err := mlikernels.NewExecutor(mlikernels.ExecutorOptions{Core: core, Host: true, Outcomes: true, Limit: 200_000_000})
		require.NoError(t, err)
		for i, c := range cases {
			if !level.Wants(i, 5, 127) {
				continue
			}
			if err := c.Judge(c.Run(context.Background(), s)); err != nil {
				t.Errorf("%s on %s: %v", c.Name, core, err)
			}
		}
		t.Log(s.Summary())
		require.NoError(t, s.Close())
	}
}
