package fast_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/level"
)

// frameProgram calls functions that save and restore registers by enter_s and leave_s, with frames of all lists around the ends of pages. Some
// frames are not aligned, beyond the memory, or beyond the bounds of the stack: their instructions are skipped by a handler.
func frameProgram(rng *rand.Rand) string {
	var calls, functions strings.Builder
	for i := range 16 {
		list, local := "r13", ""
		if n := rng.IntN(13); n > 0 {
			list = fmt.Sprintf("r13-r%d", 13+n)
		}
		if rng.IntN(3) == 0 {
			list += ", fp"
			local = "\tsub sp,sp,8\n"
		}
		sp := []uint32{0x15000, 0x16000, 0x17000}[rng.IntN(3)] + 4*rng.Uint32N(20) - 8
		enter, leave := list, list
		switch rng.IntN(5) {
		case 0, 4: // a frame that may be none
			sp = []uint32{sp + 2, 0x1e080 + 4*rng.Uint32N(20), 0x14000 + 4*rng.Uint32N(20), 0x60000010}[rng.IntN(4)]
			leave += "}\n\tnop\n\tj_s [blink]"
		case 1:
			enter += ", blink"
			leave += ", blink}\n\tj_s.d [blink]\n\tadd r4,r4,fp"
		default:
			enter += ", blink"
			leave += ", blink, pcl}"
		}
		fmt.Fprintf(&calls, "\tmov sp,%#x\n\tmov fp,%#x\n\tadd r13,r13,r12\n\tbl f%d\n\txor r4,r4,r13\n\tadd r4,r4,sp\n", sp, sp-64, i)
		fmt.Fprintf(&functions, "\t.align 4\nf%d:\tenter_s {%s}\n%s\tadd r%d,r4,%d\n\tror r4,r4\n\tleave_s {%s\n", i, enter, local, 13+rng.IntN(5), i, leave)
	}
	return "start:\tsr 0x14000,[0x264]\n\tsr 0x1e080,[0x265]\n\tlr r1,[0xa]\n\tbset r1,r1,14\n\tkflag r1\nloop:\tadd r12,r12,7\n" + calls.String() +
		"\tb loop\nskips:\tlr r24,[0x400]\n\tadd r24,r24,2\n\tsr r24,[0x400]\n\tadd r11,r11,1\ntraps:\nticks:\trtie\n" + functions.String()
}

// TestFrames holds blocks and compiled code against the reference engine on such programs, with stack checks, without, and with caches.
func TestFrames(t *testing.T) {
	checked := em9d()
	checked.StackCheck = true
	var skipped, rounds uint32
	for name, cfg := range map[string]cpu.Config{"plain": hs38(), "checked": checked, "cached": cached(em9d())} {
		for seed := range uint64(level.Count(60, 24, 6)) {
			source := frameProgram(rand.New(rand.NewPCG(seed, 8)))
			if name != "checked" {
				source = strings.ReplaceAll(source, "\tsr 0x14000,[0x264]\n\tsr 0x1e080,[0x265]\n", "")
			}
			engines := [2]*fast.Engine{fast.New(), fast.New()}
			if err := engines[1].CompileAt(2); err != nil {
				t.Skip(err)
			}
			start := func() *cpu.CPU {
				c := protectedCPU(t, cfg, source, 0)
				require.NoError(t, c.Mem.Poke(4*cpu.VecMemoryError, word(t, c, 4*cpu.VecMisaligned)))
				return c
			}
			ref, others := start(), []*cpu.CPU{start(), start()}
			for i, e := range engines {
				others[i].SetEngine(e)
			}
			rng := rand.New(rand.NewPCG(seed, 9))
			diff := lockstepAll(ref, others, 20_000, func() uint64 { return 1 + rng.Uint64N(2000) })
			require.Empty(t, diff, "%s, program %d:\n%s", name, seed, source)
			require.NoError(t, engines[1].Fault())
			skipped += ref.R[11]
			rounds += ref.R[12] / 7
		}
	}
	require.Greater(t, skipped, uint32(100))
	require.Greater(t, rounds, uint32(300))
}

// word is a word of memory.
func word(t *testing.T, c *cpu.CPU, at uint32) []byte {
	b := make([]byte, 4)
	require.NoError(t, c.Mem.Peek(at, b))
	return b
}
