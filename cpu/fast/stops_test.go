package fast_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/memory"
)

// TestBreakpoints stops both engines at the same places, while breakpoints come and go.
func TestBreakpoints(t *testing.T) {
	const file = "../../testdata/elf/small/sort-em4_dmips-O2.elf"
	ref, got := newCPU(t, em9d(), false), newCPU(t, em9d(), true)
	var points []uint32
	probe := newCPU(t, em9d(), false)
	compiled.Load(t, probe, file)
	for i := range 4000 {
		if i%97 == 0 {
			points = append(points, probe.PC)
		}
		probe.Step()
	}
	for _, c := range []*cpu.CPU{ref, got} {
		compiled.Load(t, c, file)
	}
	hits := 0
	for i := range 600 {
		for _, c := range []*cpu.CPU{ref, got} {
			pc := points[i%len(points)]
			if i%3 == 0 {
				c.ClearBreakpoint(pc)
			} else {
				c.SetBreakpoint(pc)
			}
		}
		s1, s2 := ref.Run(ref.Cycles+1009), got.Run(got.Cycles+1009)
		require.Equal(t, s1, s2)
		require.Empty(t, compare(ref, got))
		if s1.Reason == cpu.StopBreakpoint {
			hits++
			require.True(t, got.Breakpoint(got.PC))
		}
	}
	require.Greater(t, hits, 100)
}

// TestWildJumps leaves the code for places where there is none: unmapped memory, memory without
// instructions, the middle of a page that ends, and the last halfword of the address space.
func TestWildJumps(t *testing.T) {
	for _, target := range []uint32{0x00200000, 0x00010000, 0x0001fffe, 0x0001fffc, 0xfffffffe, 0x00001002} {
		var cpus [2]*cpu.CPU
		for i := range cpus {
			mem := memory.New(memory.None, 1<<20)
			require.NoError(t, mem.Map(memory.Region{Name: "ram", Kind: memory.RAM, Base: 0, Size: 0x20000}))
			c, err := cpu.New(em9d(), mem)
			require.NoError(t, err)
			if i == 1 {
				c.SetEngine(fast.New())
			}
			// add r0,r0,1 ; j [r1]; every vector is 0x100, where flag 1 halts
			require.NoError(t, mem.Poke(0x1000, []byte{0x40, 0x20, 0x40, 0x00, 0x20, 0x20, 0x40, 0x00}))
			require.NoError(t, mem.Poke(0x100, []byte{0x69, 0x20, 0x40, 0x00}))
			for v := range uint32(20) {
				require.NoError(t, mem.Poke(4*v, []byte{0, 1, 0, 0}))
			}
			c.PC, c.R[1] = 0x1000, target
			s := c.Run(10_000)
			require.Contains(t, []cpu.Reason{cpu.StopExited, cpu.StopCycleLimit}, s.Reason)
			cpus[i] = c
		}
		require.Empty(t, compare(cpus[0], cpus[1]), "target 0x%08x", target)
	}
}

// TestWriteOverRunningBlock stores into the block that is executing, in front of and behind the
// store: instructions behind it take effect at once.
func TestWriteOverRunningBlock(t *testing.T) {
	var cpus [2]*cpu.CPU
	for i := range cpus {
		c := newCPU(t, em9d(), i == 1)
		code := []byte{
			0x00, 0x1a, 0x40, 0x00, // st r1,[r2]
			0x40, 0x20, 0x40, 0x00, // add r0,r0,1
			0x40, 0x20, 0x80, 0x00, // add r0,r0,2
			0x69, 0x20, 0x40, 0x00, // flag 1
		}
		require.NoError(t, c.Mem.Poke(0x1000, code))
		c.PC = 0x1000
		c.R[1], c.R[2] = 0x01002040, 0x1008 // add r0,r0,4 over add r0,r0,2
		require.Equal(t, cpu.StopExited, c.Run(1000).Reason)
		require.EqualValues(t, 5, c.R[0])
		cpus[i] = c
	}
	require.Empty(t, compare(cpus[0], cpus[1]))
}
