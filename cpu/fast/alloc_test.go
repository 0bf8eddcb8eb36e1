package fast_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/internal/testkit/compiled"
)

// TestNoAllocations runs each program twice, from its entry with the code decoded the second time:
// nothing is allocated then.
func TestNoAllocations(t *testing.T) {
	list := workloads(t)
	if testing.Short() {
		list = list[:1]
	}
	for _, w := range list {
		t.Run(w.name, func(t *testing.T) {
			c := newCPU(t, w.cfg(), true)
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
			run()
			insts, allocs := run()
			require.Less(t, allocs, insts/1_000_000, "%d instructions", insts)
		})
	}
}
