package tosasim

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/tosacheck"
	"arcv2dsp/nn"
	vectors "arcv2dsp/testdata/tosa"
)

// TestVectorsOnTheCores runs the recorded cases with every kernel there is.
func TestVectorsOnTheCores(t *testing.T) {
	cases, err := tosacheck.AllVectors(vectors.Files)
	require.NoError(t, err)
	for _, core := range []string{"em9d", "em7d"} {
		s, err := New(core, arcv2dsp.Fast)
		require.NoError(t, err)
		for i, c := range cases {
			if testing.Short() && i%4 != 0 && c.Expect == nn.Valid {
				continue
			}
			if err := c.Judge(c.Run(context.Background(), s)); err != nil {
				t.Errorf("%s on %s: %s: %v", c.Name, core, c.Purpose, err)
			}
		}
		require.NotEmpty(t, s.Calls)
		t.Log(s.Summary())
		require.NoError(t, s.Close())
	}
}

// TestGridOnTheCores runs the cases made by rule that reach a kernel; a short run takes a sample.
func TestGridOnTheCores(t *testing.T) {
	cases := slices.Collect(tosacheck.Grid(tosacheck.GridSeed))
	for _, core := range []string{"em9d", "em7d"} {
		s, err := New(core, arcv2dsp.Fast)
		require.NoError(t, err)
		for i, c := range cases {
			if testing.Short() && i%16 != 0 {
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

func TestCoresWithoutTheExtensionAreRefused(t *testing.T) {
	_, err := New("hs38", arcv2dsp.Fast)
	require.ErrorContains(t, err, `core "hs38" does not run the kernels`)
}
