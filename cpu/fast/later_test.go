package fast_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/internal/dev/testkit/cputime"
)

// TestLater holds the time of a short program on an engine that compiles later against that on one that never does: CPU
// time, the least of interleaved runs. A long one is compiled.
func TestLater(t *testing.T) {
	for _, x := range []struct {
		insts  uint64
		factor float64
	}{{8_000_000, 1.1}, {40_000_000, 0.8}} { // the first is over after 20 ms
		ratio := math.Inf(1)
		best := [2]float64{math.Inf(1), math.Inf(1)}
		// A neighbour on the host may disturb either run.
		for round := 0; round < 12 && (round < 3 || ratio > x.factor); round++ {
			for k := range best {
				c := newCPU(t, em9d(), false)
				e := fast.New()
				if k == 1 {
					if err := e.CompileLater(func(err error) { t.Error(err) }); err != nil {
						t.Skip(err)
					}
				}
				c.SetEngine(e)
				compiled.Load(t, c, "../../testdata/elf/perf/sort_em4_dmips.elf")
				c.Host = &compiled.Console{}
				c.InstLimit = x.insts
				best[k] = min(best[k], cputime.Of(t, func() { c.Run(cpu.NoLimit) }).Seconds())
				require.Equal(t, x.insts, c.Insts)
				require.Equal(t, k == 1, e.Compiles())
			}
			ratio = best[1] / best[0]
		}
		t.Logf("%d instructions: %.1f ms, compiled later %.1f ms", x.insts, 1e3*best[0], 1e3*best[1])
		require.Less(t, ratio, x.factor)
	}
}

// TestLaterRefused gives an engine that is to compile later a host that lets it have no memory for code.
func TestLaterRefused(t *testing.T) {
	refusal := errors.New("operation not permitted")
	defer fast.RefuseAreas(refusal)()
	c := newCPU(t, em9d(), false)
	e := fast.New()
	var told []error
	if err := e.CompileLater(func(err error) { told = append(told, err) }); err != nil {
		t.Skip(err)
	}
	c.SetEngine(e)
	compiled.Load(t, c, "../../testdata/elf/perf/sort_em4_dmips.elf")
	c.Host = &compiled.Console{}
	c.InstLimit = 10_000_000
	c.Run(cpu.NoLimit)
	require.EqualValues(t, 10_000_000, c.Insts)
	require.Equal(t, []error{refusal}, told)
	require.False(t, e.Compiles())
}
