package kernel_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/mlikernels/internal/kernel"
)

// TestCores: the tables of cores and boards say of each, without a machine, whether it has DSP instructions; the
// machines agree.
func TestCores(t *testing.T) {
	require.NotEmpty(t, kernel.Cores())
	for _, c := range slices.Concat(arcv2dsp.Cores(), arcv2dsp.Boards()) {
		b, err := kernel.NewBoard(c.Name)
		require.NoError(t, err)
		require.Equal(t, b.DSP, c.DSP, c.Name)
	}
}
