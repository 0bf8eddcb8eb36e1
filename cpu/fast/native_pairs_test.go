package fast_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
)

// pairBodies are bodies of loops that use two registers as one number and change one of them by itself: a pointer, a
// count, a sum, or anything.
var pairBodies = []string{
	"std.aw r8,[r9,8]", "std.ab r10,[r11,8]", "std.ab r2,[r8,8]\n add r3,r3,4", "std.ab r2,[r8,8]\n add r2,r2,4",
	"std.ab r2,[r8,8]\n add r3,r3,r4", "add r2,r2,r4\n std.ab r2,[r8,8]", "std.ab r2,[r8,8]\n xor r3,r3,r4\n add r4,r4,r3",
	"std.ab r2,[r8,8]\n xor r2,r2,r3", "std.ab r2,[r8,8]\n ld.ab r3,[r9,4]", "std.ab r2,[r8,8]\n add r3,r3,r2\n add r2,r2,1",
	"ld.ab r4,[r9,4]\n std.ab r2,[r8,8]\n xor r3,r3,r4\n sub r2,r2,r4",
	"vadd2 r4,r2,r6\n add r2,r2,1\n add r7,r7,r4", "vadd2 r4,r2,r4\n add r2,r2,1\n xor r3,r3,r5", "qmach r4,r2,r6\n add r3,r3,r0",
	"dmacwh r4,r2,r6\n xor r2,r2,r0\n add r0,r0,1", "ldd.ab r2,[r8,8]\n vadd2 r4,r4,r2\n add r5,r5,1",
}

// TestNativePairs holds compiled loops of such bodies against the reference engine.
func TestNativePairs(t *testing.T) {
	for i, body := range pairBodies {
		t.Run(strings.ReplaceAll(body, "\n", ";"), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(i), 6))
			var source strings.Builder
			source.WriteString("start:\n")
			for range 8 { // the third pass of a block is a compiled one
				for r := range 8 {
					fmt.Fprintf(&source, " mov r%d,%#x\n", r, rng.Uint32())
				}
				for r := 8; r < 12; r++ {
					fmt.Fprintf(&source, " mov r%d,%#x\n", r, 0x10000+rng.Uint32N(0x4000)&^7)
				}
				fmt.Fprintf(&source, " mov lp_count,%d\n bl loop\n", 1+rng.IntN(100))
			}
			fmt.Fprintf(&source, " b start\nloop:\n lp 2f\n %s\n2: j [blink]\n", body)
			obj, err := asm.AssembleString(asm.Options{CPU: "hs38"}, "pairs.s", source.String())
			require.NoError(t, err)
			ref := newCPU(t, hs38(), false)
			got, _ := newNative(t, hs38())
			require.NoError(t, ref.Mem.Poke(0x1000, obj.Section(".text")))
			require.NoError(t, got.Mem.Poke(0x1000, obj.Section(".text")))
			ref.PC, got.PC = 0x1000, 0x1000
			for _, piece := range []uint64{10007, 1009, 97} {
				diff := lockstep(ref, got, ref.Cycles+20_000, func() uint64 { return piece })
				require.Empty(t, diff, "pieces of %d cycles", piece)
			}
		})
	}
}
