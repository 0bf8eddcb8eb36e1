package arcv2dsp_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"arcv2dsp"
)

// TestMisuse checks that an argument which an embedder has forgotten is an error that names it, not a panic.
func TestMisuse(t *testing.T) {
	program := "testdata/elf/small/crc32-em4_dmips-O2.elf"
	m := newMachine(t, arcv2dsp.Config{}, program)
	var none context.Context // a variable: analysers refuse a nil argument
	_, err := m.Run(none, arcv2dsp.Limits{})
	require.EqualError(t, err, "a run needs a context, it is nil")
	_, err = m.Step(none)
	require.EqualError(t, err, "a run needs a context, it is nil")
	require.EqualError(t, m.Load(nil), "no program is loaded")
	for _, s := range []*arcv2dsp.Snapshot{nil, {}} {
		require.ErrorIs(t, m.Restore(s), arcv2dsp.ErrSnapshot)
		_, err := m.MemoryChanges(s)
		require.ErrorIs(t, err, arcv2dsp.ErrSnapshot)
	}
	_, err = arcv2dsp.New(arcv2dsp.Config{Engine: 99})
	require.EqualError(t, err, "Config.Engine: there is no engine(99)")
	_, err = arcv2dsp.New(arcv2dsp.Config{HostIO: 99})
	require.EqualError(t, err, "Config.HostIO: there is no hostio(99)")
	stop, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: 10})
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopInstLimit, stop.Reason, "it runs as before")
}

// TestSnapshotOfAnotherProgram: a snapshot of another program is refused, by a machine of its own and by
// the one that has loaded another program since; one of the same program in another image fits.
func TestSnapshotOfAnotherProgram(t *testing.T) {
	program, another := "testdata/elf/small/crc32-em4_dmips-O2.elf", "testdata/elf/small/sort-em4_dmips-O2.elf"
	m := newMachine(t, arcv2dsp.Config{}, program)
	s := m.Snapshot()
	require.ErrorIs(t, newMachine(t, arcv2dsp.Config{}, another).Restore(s), arcv2dsp.ErrSnapshot)
	require.NoError(t, newMachine(t, arcv2dsp.Config{}, program).Restore(s))
	require.NoError(t, m.LoadFile(another))
	require.ErrorContains(t, m.Restore(s), "crc32-em4_dmips-O2.elf")
	require.NoError(t, m.LoadFile(program))
	require.NoError(t, m.Restore(s))
}

// TestCloseDuringRun: closing a machine that another goroutine runs ends the run, on each engine.
func TestCloseDuringRun(t *testing.T) {
	for _, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineReference, arcv2dsp.EngineJIT} {
		m := newMachine(t, arcv2dsp.Config{Engine: engine}, guests+"spin.elf")
		ended := make(chan arcv2dsp.Stop)
		go func() {
			stop, err := m.Run(context.Background(), arcv2dsp.Limits{})
			assert.NoError(t, err)
			ended <- stop
		}()
		for over := false; !over; { // a Close before the run begins ends nothing
			require.NoError(t, m.Close())
			select {
			case stop := <-ended:
				require.Equal(t, arcv2dsp.StopInterrupted, stop.Reason, engine)
				over = true
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
}
