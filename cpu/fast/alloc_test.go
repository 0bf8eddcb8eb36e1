package fast_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/isa"
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

// TestWorkNamesReturns: the returns from interrupts of a kernel, and the jumps whose delay slot no block has, are counted by name. What
// is counted without one stays rare.
func TestWorkNamesReturns(t *testing.T) {
	e := fast.New()
	c := ticking(t, em9d(), e, "kernel", 4_000_000)
	require.Equal(t, cpu.StopCycleLimit, c.Run(2_000_000).Reason)
	w := e.Work()
	require.NotZero(t, w.Handed[isa.RTIE])
	require.NotZero(t, w.Handed[isa.J])
	require.NotContains(t, w.Handed, isa.Invalid)
	all := w.Compiled + w.Blocks + w.Apart
	for _, n := range w.Handed {
		all += n
	}
	require.Equal(t, c.Insts, all)
	require.Less(t, w.Apart, c.Insts/100)
}

// TestLimitsInStraightCode runs a loop of 1,000 instructions without a branch in pieces that end anywhere in it, beside the
// reference engine: once it is decoded, no blocks are made that begin where pieces end.
func TestLimitsInStraightCode(t *testing.T) {
	text := "1:\n" + strings.Repeat("\tadd r2,r2,r3\n\txor r3,r3,r2\n", 500) + "\tcmp r0,0\n\tbeq 1b\n"
	obj, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "straight.s", text)
	require.NoError(t, err)
	ref, got := newCPU(t, em9d(), false), newCPU(t, em9d(), true)
	for _, c := range []*cpu.CPU{ref, got} {
		require.NoError(t, c.Mem.Poke(0x1000, obj.Section(".text")))
		c.PC, c.R[3] = 0x1000, 1
	}
	require.Empty(t, lockstep(ref, got, 100_000, func() uint64 { return 2003 }))
	allocs := uint64(0)
	for range 200 {
		require.Equal(t, cpu.StopCycleLimit, ref.Run(ref.Cycles+1511).Reason)
		var stats [2]runtime.MemStats
		runtime.ReadMemStats(&stats[0])
		require.Equal(t, cpu.StopCycleLimit, got.Run(got.Cycles+1511).Reason)
		runtime.ReadMemStats(&stats[1])
		allocs += stats[1].Mallocs - stats[0].Mallocs
		require.Empty(t, compare(ref, got))
	}
	require.Less(t, allocs, uint64(5_000), "20 blocks for each piece took 90,000")
}
