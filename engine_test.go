package arcv2dsp_test

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/isa"
)

// TestAuto: the engine that a machine has by itself begins as the block engine and writes machine code when a program has
// run for a while. Machine.Engine names the one of both that executes; the counts are those of the block engine.
func TestAuto(t *testing.T) {
	const program = "testdata/elf/perf/sort_em4_dmips.elf"
	var machines [2]*arcv2dsp.Machine
	for i, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineAuto} {
		machines[i] = newMachine(t, arcv2dsp.Config{Core: "em4", Engine: engine}, program)
		require.Equal(t, arcv2dsp.EngineFast, machines[i].Engine())
		run(t, machines[i], arcv2dsp.Limits{Cycles: 100_000})
		require.Equal(t, arcv2dsp.EngineFast, machines[i].Engine())
		run(t, machines[i], arcv2dsp.Limits{Cycles: 5_000_000})
	}
	require.Equal(t, machines[0].Stats(), machines[1].Stats())
	require.Zero(t, arcv2dsp.Config{}.Engine-arcv2dsp.EngineAuto, "it is the default")

	executes := machines[1].Engine()
	machines[0].SetEngine(arcv2dsp.EngineJIT)
	require.Equal(t, machines[0].Engine(), executes, "jit where the host can, else fast")
}

// TestWork: the engines' shares add up to the instructions of a run. The program sorts in loops: machine code executes nearly all
// once it is made, blocks all that goes before. A trace leaves nothing for them.
func TestWork(t *testing.T) {
	const program = "testdata/elf/perf/sort_em4_dmips.elf"
	sum := func(w arcv2dsp.Work) uint64 {
		all := w.Compiled + w.Blocks + w.Apart
		for _, n := range w.Handed {
			all += n
		}
		return all
	}
	fast := newMachine(t, arcv2dsp.Config{Core: "em4", Engine: arcv2dsp.EngineFast}, program)
	run(t, fast, arcv2dsp.Limits{Cycles: 10_000_000})
	require.Equal(t, fast.Stats().Insts, sum(fast.Work()))
	require.Zero(t, fast.Work().Compiled)
	require.Greater(t, fast.Work().Blocks, fast.Stats().Insts*99/100)
	require.Zero(t, fast.Work().Before, "it never compiles")

	auto := newMachine(t, arcv2dsp.Config{Core: "em4", Engine: arcv2dsp.EngineAuto}, program)
	run(t, auto, arcv2dsp.Limits{Cycles: 100_000_000})
	require.Equal(t, auto.Stats().Insts, sum(auto.Work()))
	if auto.Engine() == arcv2dsp.EngineJIT {
		require.Greater(t, auto.Work().Compiled, auto.Stats().Insts*9/10)
		require.Less(t, auto.Work().Before, uint64(150_000))
		require.Greater(t, auto.Work().Before, uint64(60_000))

		hot := newMachine(t, arcv2dsp.Config{Core: "em4", Engine: arcv2dsp.EngineJIT}, program)
		run(t, hot, arcv2dsp.Limits{Cycles: 10_000_000})
		require.Equal(t, hot.Stats().Insts, sum(hot.Work()))
		require.Greater(t, hot.Work().Compiled, hot.Stats().Insts*98/100)

		cold := newMachine(t, arcv2dsp.Config{Core: "em4", Engine: arcv2dsp.EngineJIT}, "testdata/guest/elf/halt.elf")
		run(t, cold, arcv2dsp.Limits{Cycles: 10_000_000})
		require.Equal(t, cold.Stats().Insts, sum(cold.Work()))
		require.Zero(t, cold.Work().Compiled, "nothing is executed twice")
	}

	watched := newMachine(t, arcv2dsp.Config{Core: "em4", Engine: arcv2dsp.EngineFast}, program)
	defer watched.Observe(arcv2dsp.Hooks{After: func(uint32, *isa.Inst) {}})()
	run(t, watched, arcv2dsp.Limits{Insts: 1000})
	require.Zero(t, sum(watched.Work()))
}

// TestCloseReturnsCode closes machines with compiled code while no garbage is collected: the system has the memory back
// but for one area, which waits for the next machine.
func TestCloseReturnsCode(t *testing.T) {
	mappings := func() int {
		maps, err := os.ReadFile("/proc/self/maps")
		if err != nil {
			t.Skip(err)
		}
		return strings.Count(string(maps), "/memfd:code")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	before := mappings()
	var machines [4]*arcv2dsp.Machine
	for i := range machines {
		m, err := arcv2dsp.New(arcv2dsp.Config{Core: "em4", Engine: arcv2dsp.EngineJIT})
		require.NoError(t, err)
		if m.Engine() != arcv2dsp.EngineJIT {
			t.Skip("this host has no compiled code")
		}
		require.NoError(t, m.LoadFile("testdata/elf/perf/sort_em4_dmips.elf"))
		run(t, m, arcv2dsp.Limits{Cycles: 200_000})
		machines[i] = m
	}
	const each = 2 // to write and to execute
	require.GreaterOrEqual(t, mappings(), before+(len(machines)-1)*each)
	for _, m := range machines {
		require.NoError(t, m.Close())
		require.Equal(t, arcv2dsp.EngineFast, m.Engine())
	}
	require.LessOrEqual(t, mappings(), before+each)
	stop := run(t, machines[0], arcv2dsp.Limits{Cycles: 200_000})
	require.Equal(t, arcv2dsp.StopCycleLimit, stop.Reason, "it still executes")
}

// TestCancelled: compiled code in machines side by side, with timers, while collections follow each other and other
// goroutines cancel runs at any time. A run that goes on after it was cancelled ends as one that was not.
func TestCancelled(t *testing.T) {
	cycles := uint64(level.Count(40_000_000, 10_000_000, 2_000_000))
	cfg := arcv2dsp.Config{Core: "em9d", Engine: arcv2dsp.EngineJIT}
	for _, p := range kernelCores["em9d"] {
		cfg.Settings = append(cfg.Settings, arcv2dsp.Setting{Property: p})
	}
	ready := func() *arcv2dsp.Machine {
		m := newMachine(t, cfg, guests+"kernel.elf")
		limit, ok := m.Symbol("limit")
		require.True(t, ok)
		require.NoError(t, m.WriteWord(limit, uint32(cycles)))
		return m
	}
	contents := func(m *arcv2dsp.Machine) []byte {
		b := make([]byte, 0x4000)
		require.NoError(t, m.ReadMemory(0, b))
		return b
	}
	want := ready()
	run(t, want, arcv2dsp.Limits{Cycles: cycles})
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	var machines [4]*arcv2dsp.Machine
	var cancelled [len(machines)]int
	for i := range machines {
		machines[i] = ready()
	}
	var wait sync.WaitGroup
	for i, m := range machines {
		start := m.Snapshot()
		wait.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			// A processor that is busy with compiled code may have no time for a timer before the run is over. Such a run
			// is repeated.
			for range 1000 {
				for m.Stats().Cycles < cycles {
					ctx, cancel := context.WithCancel(t.Context())
					timer := time.AfterFunc(time.Duration(rng.Uint64N(4_000_000)), cancel)
					stop, err := m.Run(ctx, arcv2dsp.Limits{Cycles: cycles - m.Stats().Cycles})
					timer.Stop()
					cancel()
					if err != nil || stop.Reason != arcv2dsp.StopInterrupted {
						break
					}
					cancelled[i]++
				}
				if cancelled[i] > 0 || !assert.NoError(t, m.Restore(start)) {
					return
				}
			}
		})
	}
	wait.Wait()
	for i, m := range machines {
		require.Positive(t, cancelled[i])
		require.Equal(t, want.Stats(), m.Stats())
		require.Equal(t, want.Registers(arcv2dsp.CoreRegisters), m.Registers(arcv2dsp.CoreRegisters))
		require.Equal(t, contents(want), contents(m))
	}
}
