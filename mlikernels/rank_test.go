package mlikernels

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// halved tells whether a channel's factor is a half or more, which networks do not have: matrix products take such rows in 15
// cycles an output with AGU ports, convolutions their channels in 11. By loads matrix products are faster in any case.
func halved(c *nn.Call) bool {
	for _, scale := range c.In[1].Format.Scales {
		if float64(scale)*float64(c.In[0].Format.Scales[0])/float64(c.Out[0].Format.Scales[0]) >= 0.5 {
			return true
		}
	}
	return false
}

// TestRanks: kernels of one rank have no call in common, and over the calls of a grid that two kernels take, the one that
// is chosen is the faster one, but for matrix products of factors from a half on.
func TestRanks(t *testing.T) {
	type pair struct{ chosen, other *Kernel }
	machines, cycles := map[*Collection]*Machine{}, map[pair][2]uint64{}
	run := func(k *Kernel, job *Job) uint64 {
		m := machines[k.Of]
		if m == nil {
			lib, err := k.Of.Build(k.Of.Variant(LargeAGU, job.Rounding))
			require.NoError(t, err)
			m, err = NewMachine(MachineOptions{Core: "em9d", Library: lib})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, m.Close()) })
			machines[k.Of] = m
		}
		rep, err := m.Run(t.Context(), k, &kernel.Job{Call: job.Call})
		require.NoError(t, err, k.Name())
		require.True(t, rep.OK(), "%s: %s", k.Name(), rep.Status)
		return rep.Cycles
	}
	fits := func(k *Kernel, c *nn.Call) bool { return k.Fits == nil || k.Fits(c) == nil }
	for _, k := range Kernels() {
		several := false
		for _, op := range k.Computes {
			several = several || len(For(op)) > 1
		}
		if !several {
			continue
		}
		for _, c := range k.Grid() {
			job, err := c.Typical()
			require.NoError(t, err)
			chosen, err := Choose(job.Call)
			require.NoError(t, err)
			for _, other := range For(job.Op) {
				if other == chosen || !fits(other, job.Call) {
					continue
				}
				require.Less(t, chosen.Rank, other.Rank, "%s and %s take %s", chosen.Name(), other.Name(), c.FullName())
				if chosen.Symbol == "arcq_fully_connected_s8" && halved(job.Call) {
					continue
				}
				sum := cycles[pair{chosen, other}]
				cycles[pair{chosen, other}] = [2]uint64{sum[0] + run(chosen, job), sum[1] + run(other, job)}
			}
		}
	}
	require.NotEmpty(t, cycles)
	for p, sum := range cycles {
		t.Logf("%s: %d cycles, %s: %d", p.chosen.Name(), sum[0], p.other.Name(), sum[1])
		require.LessOrEqual(t, sum[0], sum[1], "%s is chosen, %s is faster", p.chosen.Name(), p.other.Name())
	}
}
