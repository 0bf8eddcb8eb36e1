package bench

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels"
)

// TestEnginesAgree makes calls that stand for kernels on each engine. Results, cycles, instructions and lost cycles by reason
// must be those of the reference engine, in the first call and in those that find compiled code.
func TestEnginesAgree(t *testing.T) {
	level.NeedsPlain(t, "runs kernels on three engines")
	var libs libraries
	calls := 0
	for i, s := range Subjects() {
		if s.Kind != Kernel || !level.Wants(i, 7, 61) {
			continue
		}
		call, err := s.kernel()
		require.NoError(t, err)
		lib, err := libs.get(libraryKey{of: call.kernel.Of, variant: mlikernels.Variant{AGU: mlikernels.LargeAGU}})
		require.NoError(t, err)
		var want *mlikernels.Report
		for _, on := range []struct {
			engine arcv2dsp.EngineKind
			times  int
		}{{engine: arcv2dsp.EngineReference, times: 1}, {engine: arcv2dsp.EngineFast, times: 1}, {engine: arcv2dsp.EngineJIT, times: 4}} {
			m, err := mlikernels.NewMachine(mlikernels.MachineOptions{Core: "em9d", Library: lib, Engine: on.engine})
			require.NoError(t, err)
			for range on.times {
				rep, err := call.run(context.Background(), m)
				require.NoError(t, err, "%s, engine %s", s.Name, on.engine)
				if want == nil {
					want = rep
				}
				require.Equal(t, want.Cycles, rep.Cycles, "%s, engine %s", s.Name, on.engine)
				require.Equal(t, want.Insts, rep.Insts, "%s, engine %s", s.Name, on.engine)
				require.Equal(t, want.Stalls, rep.Stalls, "%s, engine %s", s.Name, on.engine)
			}
			require.NoError(t, m.Close())
		}
		calls++
	}
	require.NotZero(t, calls)
}
