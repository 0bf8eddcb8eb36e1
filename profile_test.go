package arcv2dsp_test

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
)

// TestProfile runs a program with a profile on each engine, with caches and with hooks: the same
// chains and costs where the core is the same, and always the totals of the run.
func TestProfile(t *testing.T) {
	const file = "testdata/elf/small/fsm-em4-O2.elf"
	run := func(cfg arcv2dsp.Config, hooks arcv2dsp.Hooks) []arcv2dsp.CallChain {
		cfg.Stdout = io.Discard
		m, err := arcv2dsp.New(cfg)
		require.NoError(t, err)
		defer m.Close()
		require.NoError(t, m.LoadFile(file))
		before, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: 100})
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.InstLimit, before.Reason)
		start := m.Stats()

		p := m.StartProfile()
		m.SetHooks(hooks)
		stop, err := m.Run(context.Background(), arcv2dsp.Limits{})
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.Exited, stop.Reason)
		chains := p.Stop()

		var sum arcv2dsp.Stats
		for _, c := range chains {
			for _, cost := range c.Costs {
				sum.Insts += cost.Insts
				sum.Cycles += cost.Cycles()
				for r, n := range cost.Stalls {
					sum.Stalls[r] += n
				}
			}
		}
		require.Equal(t, m.Stats().Sub(start), sum)
		return chains
	}
	want := run(arcv2dsp.Config{Core: "em9d"}, arcv2dsp.Hooks{})
	require.Equal(t, want, run(arcv2dsp.Config{Core: "em9d", Engine: arcv2dsp.Reference}, arcv2dsp.Hooks{}))
	seen := 0
	require.Equal(t, want, run(arcv2dsp.Config{Core: "em9d"}, arcv2dsp.Hooks{
		Branch: func(uint32, uint32) { seen++ },
	}))
	require.NotZero(t, seen)
	run(arcv2dsp.Config{Core: "em11d"}, arcv2dsp.Hooks{})
}
