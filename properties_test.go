package arcv2dsp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
)

// TestPropertiesReachTheCore: line and ways of a cache change its misses, lpc_size what lp_count
// holds.
func TestPropertiesReachTheCore(t *testing.T) {
	const program = "testdata/elf/small/matmul16-em4-O2.elf"
	misses := map[string]uint64{}
	for _, geometry := range []string{"256,16,1,a", "256,16,2,a", "256,32,2,a", "512,16,2,a"} {
		m := newMachine(t, arcv2dsp.Config{Core: "em4", Settings: []arcv2dsp.Setting{{Property: "icache=" + geometry}}}, program)
		require.Equal(t, arcv2dsp.StopExited, run(t, m, arcv2dsp.Limits{}).Reason)
		misses[geometry] = m.Stats().Stalls[arcv2dsp.StallICache]
	}
	seen := map[uint64]string{}
	for geometry, n := range misses {
		require.NotZero(t, n, geometry)
		require.Empty(t, seen[n], "%s loses as many cycles", geometry)
		seen[n] = geometry
	}

	m := newMachine(t, arcv2dsp.Config{Core: "em4", Settings: []arcv2dsp.Setting{
		{Property: "lpc_size=16"}, {Property: "pc_size=24"},
	}}, program)
	m.SetReg(60, 0x12345)
	require.EqualValues(t, 0x2345, m.Reg(60))
	v, ok := m.Aux(0xc1)
	require.True(t, ok)
	require.EqualValues(t, 0x43202, v&0xfff02, "pc 24, lp_count 16, addresses 32 bits")
}

// TestClock: a core has the clock of its template, its properties or its board.
func TestClock(t *testing.T) {
	const program = "testdata/elf/small/matmul16-em4-O2.elf"
	for _, tt := range []struct {
		cfg arcv2dsp.Config
		mhz uint64
	}{
		{cfg: arcv2dsp.Config{Core: "em4"}, mhz: 100},
		{cfg: arcv2dsp.Config{Core: "em4", Settings: []arcv2dsp.Setting{{Property: "clock=3"}}}, mhz: 3},
		{cfg: arcv2dsp.Config{Core: "emsk22-em7d", Settings: []arcv2dsp.Setting{{Property: "ram=all"}}}, mhz: 25},
	} {
		m := newMachine(t, tt.cfg, program)
		require.Equal(t, arcv2dsp.StopExited, run(t, m, arcv2dsp.Limits{}).Reason)
		require.EqualValues(t, tt.mhz*1_000_000, m.Core().ClockHz)
	}
}
