package arcv2dsp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
)

// TestAuto: the engine that a machine has by itself begins as the block engine and writes machine code when a program has
// run for a while. Machine.Engine names the one of both that executes; the counts are those of the block engine.
func TestAuto(t *testing.T) {
	const program = "testdata/elf/perf/sort_em4_dmips.elf"
	var machines [2]*arcv2dsp.Machine
	for i, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineAuto} {
		machines[i] = newMachine(t, arcv2dsp.Config{Core: "em4", Engine: engine}, program)
		require.Equal(t, arcv2dsp.EngineFast, machines[i].Engine())
		run(t, machines[i], arcv2dsp.Limits{Cycles: 1_000_000})
		require.Equal(t, arcv2dsp.EngineFast, machines[i].Engine())
		run(t, machines[i], arcv2dsp.Limits{Cycles: 5_000_000})
	}
	require.Equal(t, machines[0].Stats(), machines[1].Stats())
	require.Zero(t, arcv2dsp.Config{}.Engine-arcv2dsp.EngineAuto, "it is the default")

	executes := machines[1].Engine()
	machines[0].SetEngine(arcv2dsp.EngineJIT)
	require.Equal(t, machines[0].Engine(), executes, "jit where the host can, else fast")
}
