package fast_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/internal/dev/testkit/level"
)

// TestNoAllocations runs each program until it is decoded and compiled, and then once more: nothing is allocated.
func TestNoAllocations(t *testing.T) {
	list := workloads(t)
	list = list[:level.Count(len(list), 2, 1)]
	for _, w := range list {
		for _, jit := range []bool{false, true} {
			name := w.name + "/fast"
			if jit {
				name = w.name + "/jit"
			}
			t.Run(name, func(t *testing.T) {
				c := newCPU(t, w.cfg(), false)
				e := fast.New()
				if jit {
					if err := e.Compile(); err != nil {
						t.Skip(err)
					}
				}
				c.SetEngine(e)
				c.Host = &compiled.Console{}
				compiled.Load(t, c, w.file)
				entry := c.PC
				run := func() (insts, allocs uint64) {
					c.PC = entry
					c.SetStatus32(0)
					before := c.Insts
					c.InstLimit = before + 30_000_000
					var stats [2]runtime.MemStats
					runtime.ReadMemStats(&stats[0])
					c.Run(cpu.NoLimit)
					runtime.ReadMemStats(&stats[1])
					return c.Insts - before, stats[1].Mallocs - stats[0].Mallocs
				}
				warm := 1
				if jit { // blocks that samples meet late are compiled late
					warm = 8
				}
				run()
				insts, allocs := run()
				for k := 1; k < warm && allocs >= insts/1_000_000; k++ {
					insts, allocs = run()
				}
				require.Less(t, allocs, insts/1_000_000, "%d instructions", insts)
			})
		}
	}
}

// TestTicksDoNotAllocate interrupts a kernel every few thousand cycles: saving and restoring its tasks allocates nothing.
func TestTicksDoNotAllocate(t *testing.T) {
	const cycles = 4_000_000
	c := ticking(t, em9d(), fast.New(), "kernel", 2*cycles)
	require.Equal(t, cpu.StopCycleLimit, c.Run(cycles).Reason)
	before := c.Insts
	var stats [2]runtime.MemStats
	runtime.ReadMemStats(&stats[0])
	require.Equal(t, cpu.StopCycleLimit, c.Run(c.Cycles+cycles/2).Reason)
	runtime.ReadMemStats(&stats[1])
	require.Less(t, stats[1].Mallocs-stats[0].Mallocs, uint64(100), "%d instructions", c.Insts-before)
}
