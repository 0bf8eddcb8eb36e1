package arcv2dsp_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/level"
)

// kernelCores are the cores of the pre-emptive kernels: with fast interrupts in a bank of their own, stack
// checking, and on one of them caches; an EM, an HS and the core of a board.
var kernelCores = map[string][]string{
	"em9d":  {"nsim_isa_fast_irq=1", "nsim_isa_rgf_num_banks=2", "nsim_isa_rgf_banked_regs=32", "nsim_isa_stack_checking=1"},
	"em11d": {"nsim_isa_fast_irq=1", "nsim_isa_rgf_num_banks=2", "nsim_isa_rgf_banked_regs=32", "nsim_isa_stack_checking=1"},
	// the interrupts of the programs have three priorities
	"hs38":       {"nsim_isa_number_of_levels=4"},
	"iotdk-em9d": {"ram=all"}, // its flash is where the program has its data
}

// kernelPeriod is how many cycles pass from tick to tick in testdata/guest/kernel.s.
const kernelPeriod = 3997

// kernelCycles is how long the kernel runs: the value of ARCV2DSP_SOAK, or a time for every day.
func kernelCycles(t *testing.T) uint64 {
	if text := os.Getenv("ARCV2DSP_SOAK"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err, "ARCV2DSP_SOAK is a number of cycles")
		return n
	}
	return uint64(level.Count(20_000_000, 3_000_000, 500_000))
}

// TestKernel runs the kernel on both engines: its own checks hold and everything in it happens.
func TestKernel(t *testing.T) {
	ticks := uint32(kernelCycles(t) / kernelPeriod)
	for core, properties := range kernelCores {
		t.Run(core, func(t *testing.T) {
			n := runKernel(t, core, properties, "kernel.elf", ticks, kernelPeriod)
			t.Logf("ticks %d, fast interrupts %d, in handlers %d, switches %d, runs %d", n[0], n[1], n[2], n[3], n[4:10])
			require.Equal(t, ticks, n[0])
			require.InEpsilon(t, uint64(ticks)*kernelPeriod/1337, n[1], 0.05, "fast interrupts")
			require.Greater(t, n[2], ticks/20, "nested")
			require.Greater(t, n[3], ticks, "switches")
			require.InEpsilon(t, ticks/3, n[4], 0.05, "periodic")
			require.InEpsilon(t, n[1]/16, n[5], 0.05, "work of the fast interrupts")
			require.Greater(t, n[6], ticks, "words through the queue")
			require.Greater(t, n[7], ticks/4, "waits of the producer")
			require.Greater(t, n[8], ticks/4, "the task that computes")
			require.Greater(t, n[9], ticks/8, "sleeps")
		})
	}
}

// TestDispatch does the same with switches by hand, as the ports of public kernels make them.
func TestDispatch(t *testing.T) {
	const period = 5000
	ticks := uint32(kernelCycles(t) / period)
	for core, properties := range kernelCores {
		t.Run(core, func(t *testing.T) {
			n := runKernel(t, core, properties, "dispatch.elf", ticks, period)
			t.Logf("ticks %d, others %d, nested %d, calls %d, preemptions %d, traps %d, runs %d", n[0], n[1], n[2], n[3], n[4], n[5], n[6:9])
			require.Equal(t, ticks, n[0])
			require.InEpsilon(t, uint64(ticks)*period/1713, n[1], 0.05, "interrupts of the other timer")
			require.NotZero(t, n[2], "nested")
			require.Greater(t, n[3], ticks/8, "calls")
			require.InDelta(t, ticks/2, n[4], 2, "preemptions")
			require.InDelta(t, n[3], n[5], 2, "traps")
			require.Greater(t, n[6], ticks/8)
			require.Greater(t, n[7], ticks/8)
			require.Greater(t, n[8], ticks/8)
		})
	}
}

// TestThreads does the same with switches as Zephyr's port makes them, by calls, regular and fast
// interrupts, and resumes each thread from each. Two interrupts fill and drain queues, one of them raised
// by software with every tick; no thread starves.
func TestThreads(t *testing.T) {
	const period = 4411
	ticks := uint32(kernelCycles(t) / period)
	for core, properties := range kernelCores {
		t.Run(core, func(t *testing.T) {
			n := runKernel(t, core, properties, "threads.elf", ticks, period)
			t.Logf("ticks %d, switches %d, nested %d, fed %d, drained %d in %d, runs %d", n[0], n[1:4], n[4:6], n[6], n[7], n[8], n[9:15])
			require.Equal(t, ticks, n[0])
			require.Greater(t, n[1], ticks, "switches by calls")
			require.Greater(t, n[2], ticks, "by regular interrupts")
			require.Greater(t, n[3], ticks/3, "by fast interrupts")
			require.NotZero(t, n[4], "ticks in a handler")
			require.NotZero(t, n[5], "timer 1 in the handler of the software interrupt")
			require.InEpsilon(t, uint64(ticks)*period/1487, n[6], 0.01, "numbers that timer 1 puts")
			require.InEpsilon(t, 8*ticks, n[7], 0.01, "numbers that the software interrupt takes")
			require.InDelta(t, ticks, n[8], 1, "software interrupts")
			require.InDelta(t, ticks/16, n[9], 1, "looks at the others")
			require.InDelta(t, n[6], n[10], 8, "the reader")
			require.InDelta(t, n[7], n[11], 8, "the writer")
			require.Greater(t, n[12], ticks/3)
			require.Greater(t, n[13], ticks/3)
			require.Greater(t, n[14], ticks/8, "sleeps")
		})
	}
}

// runKernel runs a kernel on each engine for a number of ticks and returns its counts. The program ends
// with status 0 when its own checks hold; the engines agree about all of memory, instructions and cycles.
func runKernel(t *testing.T, core string, properties []string, program string, ticks uint32, period uint64) (n [15]uint32) {
	var stats [3]arcv2dsp.Stats
	var memory [3][]byte
	for i, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineReference, arcv2dsp.EngineFast, arcv2dsp.EngineJIT} {
		cfg := arcv2dsp.Config{Core: core, Engine: engine}
		for _, p := range properties {
			cfg.Settings = append(cfg.Settings, arcv2dsp.Setting{Property: p})
		}
		m := newMachine(t, cfg, guests+program)
		limit, ok := m.Symbol("limit")
		require.True(t, ok)
		require.NoError(t, m.WriteWord(limit, ticks))
		stop := run(t, m, arcv2dsp.Limits{Cycles: uint64(ticks+2) * period})
		require.Equal(t, arcv2dsp.StopExited, stop.Reason, "%v at %s", stop.Reason, m.Locate(stop.PC))
		require.Zero(t, stop.Status, "the check that failed")
		counts, ok := m.Symbol("counts")
		require.True(t, ok)
		for k := range n {
			n[k], _ = m.ReadWord(counts + 4*uint32(k))
		}
		stats[i] = m.Stats()
		memory[i] = make([]byte, 0x4000)
		require.NoError(t, m.ReadMemory(0, memory[i]))
	}
	for i := range stats {
		require.Equal(t, stats[0].Cycles, stats[i].Cycles)
		require.Equal(t, stats[0].Insts, stats[i].Insts)
		require.Equal(t, stats[0].Reasons(), stats[i].Reasons())
		require.Equal(t, memory[0], memory[i])
	}
	return n
}
