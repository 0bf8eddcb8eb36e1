package arcv2dsp_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
)

// heldResults has the values that testdata/guest/cache.s must find, by hand.
var heldResults = []uint32{
	0, 0x11, // memory does not have what was stored
	0x11,       // flushed
	0x11, 0x22, // stale
	0x22,    // invalidated
	0x22,    // what was stored is lost
	4, 0x44, // invalidated with DC_CTRL.IM
	4, 0x44, // locked, and so not flushed
	0x44,       // nor replaced
	0x66,       // replaced and so written back
	0, 0x77, 0, // the one that replaced it; it cannot be locked
	0x55, 0x77, // flushed with DC_CTRL.LM
	0x88, 0x55, // stored around the cache
	0, // no such line
}

// held is a core with the data cache of that program, which holds data or is coherent.
func held(t *testing.T, holds string) arcv2dsp.Config {
	t.Helper()
	return arcv2dsp.Config{Core: "em9d", Settings: []arcv2dsp.Setting{
		{Property: "dcache=1024,32,2,a"}, {Property: "ram=all"}, {Property: "dcache_data=" + holds},
	}}
}

func results(t *testing.T, m *arcv2dsp.Machine, n int) []uint32 {
	t.Helper()
	at, ok := m.Symbol("results")
	require.True(t, ok)
	var list []uint32
	for i := range n {
		v, err := m.ReadWord(at + 4*uint32(i))
		require.NoError(t, err)
		list = append(list, v)
	}
	return list
}

// TestDataCacheHoldsData: lines are unwritten, stale, lost, locked and replaced as maintenance says;
// without the option memory is coherent.
func TestDataCacheHoldsData(t *testing.T) {
	m := newMachine(t, held(t, "1"), guests+"cache.elf")
	require.Zero(t, run(t, m, arcv2dsp.Limits{}).Status)
	require.Equal(t, heldResults, results(t, m, len(heldResults)))
	cycles := m.Stats().Cycles
	m.Reset()
	require.NoError(t, m.LoadFile(guests+"cache.elf"))
	run(t, m, arcv2dsp.Limits{})
	require.Equal(t, cycles, m.Stats().Cycles)
	require.Equal(t, heldResults, results(t, m, len(heldResults)))

	m = newMachine(t, held(t, "0"), guests+"cache.elf")
	require.Zero(t, run(t, m, arcv2dsp.Limits{}).Status)
	require.Equal(t, []uint32{0x11, 0x11, 0x11, 0x22, 0x22, 0x22, 0x33}, results(t, m, 7))
}

// TestDataCacheSnapshots: lines are part of a snapshot, in memory and in a file, at every instruction.
func TestDataCacheSnapshots(t *testing.T) {
	m := newMachine(t, held(t, "1"), guests+"cache.elf")
	file := filepath.Join(t.TempDir(), "snapshot")
	for i := 0; ; i++ {
		stop, err := m.Step(context.Background())
		require.NoError(t, err)
		if stop.Reason == arcv2dsp.StopExited {
			require.Greater(t, i, 80)
			return
		}
		s := m.Snapshot()
		from := newMachine(t, held(t, "1"), guests+"cache.elf")
		if i%10 == 0 {
			require.NoError(t, m.SaveFile(file))
			require.NoError(t, from.RestoreFile(file))
		} else {
			require.NoError(t, from.Restore(s))
		}
		run(t, from, arcv2dsp.Limits{})
		require.Equal(t, heldResults, results(t, from, len(heldResults)), "from instruction %d", i)
	}
}
