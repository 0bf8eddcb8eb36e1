package mlikernels

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/mlikernels/internal/arcq"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// floatCores are cores with a floating-point unit: of an HS, and of an EM by settings.
var floatCores = []struct {
	core     string
	settings []arcv2dsp.Setting
}{
	{core: "hs38"},
	{core: "em7d", settings: []arcv2dsp.Setting{{Property: "fpus_div_option=1"}, {Property: "fpu_mac_option=1"}}},
	{core: "wei-em9d"},
}

// TestFloatGrids runs the kernels in single precision on each core: their results are as near to those of the golden
// functions as the specification wants.
func TestFloatGrids(t *testing.T) {
	lib, err := arcq.Floats().Build(kernel.Variant{})
	require.NoError(t, err)
	require.Empty(t, lib.Missing)
	for _, on := range floatCores {
		m, err := kernel.NewMachine(kernel.MachineOptions{Core: on.core, Settings: on.settings, Library: lib})
		require.NoError(t, err, on.core)
		for _, k := range arcq.Floats().Kernels {
			cycles := uint64(0)
			for _, p := range k.Grid() {
				job, err := p.Job(nn.Double, 3)
				require.NoError(t, err, "%s %s", k.Symbol, p.Name)
				require.NoError(t, k.Fits(job.Call))
				rep, err := m.Run(context.Background(), k, job)
				require.NoError(t, err, "%s %s", k.Symbol, p.Name)
				require.True(t, rep.OK(), rep.Status)
				for role, got := range rep.Results {
					require.NoError(t, job.Op.Conforms(job.Call, got), "%s %s on %s: %s", k.Symbol, p.Name, on.core, role)
				}
				cycles += rep.Cycles
			}
			t.Logf("%s: %s %d cycles", on.core, k.Symbol, cycles)
		}
		require.NoError(t, m.Close())
	}
}
