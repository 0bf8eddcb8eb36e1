package report

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// measured are networks of MLPerf Tiny as published: millions of cycles and microjoules, four for each part.
var measured = map[string][4][2]float64{
	"stm32h7a3": {{0.343, 166}, {11.437, 5090}, {3.169, 1376}, {6.665, 2965}},
	"stm32l4r5": {{0.631, 203}, {19.815, 6919}, {5.182, 1820}, {10.671, 3895}},
	"stm32u575": {{0.514, 77}, {17.519, 2565}, {4.639, 664}, {9.483, 1372}},
	"stm32u385": {{0.519, 32}, {17.515, 966}, {4.637, 245}, {9.479, 519}},
}

// TestEnergyOfMeasuredNetworks: the estimates for published runs are within the error that they state, and 10 %.
func TestEnergyOfMeasuredNetworks(t *testing.T) {
	for name, runs := range measured {
		p, err := PartNamed(name)
		require.NoError(t, err)
		for _, run := range runs {
			e := p.Of(uint64(run[0] * 1e6))
			nearest := min(max(e.Microjoule, run[1]-0.5), run[1]+0.5) // the published energy is rounded to 1 uJ
			off := 100 * (nearest/e.Microjoule - 1)
			require.Less(t, math.Abs(off), 10.0, "%s %v", name, run)
			require.Greater(t, off, e.ErrorLow-0.5, "%s %v", name, run)
			require.Less(t, off, e.ErrorHigh+0.5, "%s %v", name, run)
		}
	}
}

// TestEnergyBounds: the chip's 35 ms at 400 MHz take at most 1.53 mJ by its peak power; a number that is given has the error
// of the parts; an unknown part is named with those that are known.
func TestEnergyBounds(t *testing.T) {
	p, err := PartNamed("wei-plus")
	require.NoError(t, err)
	e := p.Of(14_000_000)
	require.InDelta(t, 1526, e.Microjoule, 5)
	require.True(t, e.UpperBound)
	require.Contains(t, e.String(), "at most 1526 uJ (estimate, an upper bound of 109 pJ a cycle")
	require.Equal(t, "energy: 5 uJ (estimate, 50 pJ a cycle, error -10 to +10 %: given; the error holds where the number was measured on the part)",
		(&PerCycle{PJ: 50}).Of(100_000).String())
	_, err = PartNamed("em9d")
	require.ErrorContains(t, err, `no energy of part "em9d" is published, there are those of wei-plus, `)
}
