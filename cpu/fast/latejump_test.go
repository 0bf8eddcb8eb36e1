package fast_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/internal/dev/testkit/compiled"
)

// TestLateJumps changes code that returns with a load in flight lead to, while the leaf knows where they
// lead: both engines must execute the new code, in pieces of odd lengths.
func TestLateJumps(t *testing.T) {
	const file = "testdata/kernels/returns.elf"
	ref, got := newCPU(t, em9d(), false), newCPU(t, em9d(), true)
	var sites []uint32 // behind the calls
	probe := newCPU(t, em9d(), false)
	compiled.Load(t, probe, file)
	for len(sites) < 3 {
		before := probe.Reg(cpu.RegBLINK)
		probe.Step()
		if back := probe.Reg(cpu.RegBLINK); back != before {
			sites = append(sites, back)
		}
	}
	for _, c := range []*cpu.CPU{ref, got} {
		compiled.Load(t, c, file)
	}
	for i := range 40 {
		diff := lockstep(ref, got, ref.Cycles+5000, func() uint64 { return 997 })
		require.Empty(t, diff)
		var word [4]byte
		site := sites[i%2]
		require.NoError(t, ref.Mem.Peek(site, word[:]))
		word[2] ^= 0x40 // the lowest bit of the literal of add r2,r2,u6, in the middle-endian word
		for _, c := range []*cpu.CPU{ref, got} {
			require.NoError(t, c.Mem.Poke(site, word[:]))
		}
	}
	probe.InstLimit = ref.Insts
	probe.Run(cpu.NoLimit)
	require.NotEqual(t, probe.Reg(2), ref.Reg(2), "the changes made no difference")
}
