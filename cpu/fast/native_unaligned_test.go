package fast_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/cpu"
	"arcv2dsp/internal/dev/testkit/level"
)

// unalignedAccesses are accesses of all widths and ways to find an address. REG is a base, STEP any number.
var unalignedAccesses = []string{
	"ld r0,[REG,STEP]", "ld.ab r1,[REG,STEP]", "ldh r2,[REG,STEP]", "ldh.x.aw r3,[REG,STEP]", "ldb.ab r0,[REG,STEP]", "ldd r4,[REG,STEP]", "ldd.ab r6,[REG,STEP]",
	"st r0,[REG,STEP]", "st.aw r1,[REG,STEP]", "sth r2,[REG,STEP]", "sth.ab r3,[REG,STEP]", "stb.ab r0,[REG,STEP]", "std r4,[REG,STEP]", "std.ab r6,[REG,STEP]",
	"ld.as r2,[REG,STEP]", "add r1,r1,r0", "xor r3,r3,r2",
}

// TestUnaligned holds blocks and compiled code against the reference engine in loops of accesses that are aligned or not, in one
// page or two. The program allows them, forbids them while it has aligned ones alone, allows them again, and at last
// meets one that is forbidden.
func TestUnaligned(t *testing.T) {
	const rounds, allow, forbid = 40, " lr r20,[status32]\n bset r20,r20,19\n kflag r20\n", " lr r20,[status32]\n bclr r20,r20,19\n kflag r20\n"
	for i := range uint64(rounds) {
		if !level.Wants(int(i), 1, 5) {
			continue
		}
		rng := rand.New(rand.NewPCG(i, 41))
		var source strings.Builder
		source.WriteString(allow + " mov r21,4\nstart:\n")
		loop := func(label string, align uint32) {
			for r := 8; r < 12; r++ {
				at := 0x10000 + rng.Uint32N(4)<<12 + rng.Uint32N(16) - 8 // beside the beginning of a page
				if rng.IntN(2) == 0 {
					at = 0x10000 + rng.Uint32N(0x4000)
				}
				fmt.Fprintf(&source, " mov r%d,%#x\n", r, at&^(align-1))
			}
			fmt.Fprintf(&source, " mov lp_count,%d\n lp %s\n", 2+rng.IntN(60), label)
			for range 1 + rng.IntN(6) {
				access := unalignedAccesses[rng.IntN(len(unalignedAccesses))]
				access = strings.ReplaceAll(access, "REG", fmt.Sprintf("r%d", 8+rng.IntN(4)))
				fmt.Fprintf(&source, " %s\n", strings.ReplaceAll(access, "STEP", fmt.Sprint((rng.IntN(64)-32)&^int(align-1))))
			}
			fmt.Fprintf(&source, " nop\n%s:\n", label)
		}
		for n := range 3 {
			loop(fmt.Sprintf("free%d", n), 1)
		}
		const probe = " mov r8,0x10000\n mov r9,700\n mov lp_count,1000\n bl probe\n" // not aligned from the 700th time on
		source.WriteString(probe + forbid)
		loop("bound", 8)
		source.WriteString(allow + " sub.f r21,r21,1\n bne start\n" + forbid + probe + " flag 1\nprobe:\n lp 1f\n ld r0,[r8]\n st r0,[r8,8]\n sub.f r9,r9,1\n add.eq r8,r8,2\n1:\n j [blink]\n")
		text := source.String()
		obj, err := asm.AssembleString(asm.Options{CPU: "hs38"}, "unaligned.s", text)
		require.NoError(t, err)
		cached := hs38()
		cached.DCache = em11d().DCache
		for name, cfg := range map[string]cpu.Config{"flat": hs38(), "cached": cached} {
			ref, blocks := newCPU(t, cfg, false), newCPU(t, cfg, true)
			compiled, _ := newNative(t, cfg)
			for _, c := range []*cpu.CPU{ref, blocks, compiled} {
				require.NoError(t, c.Mem.Poke(0x1000, obj.Section(".text")))
				c.PC, c.StopOn = 0x1000, 1<<cpu.VecMisaligned
			}
			diff := lockstepAll(ref, []*cpu.CPU{blocks, compiled}, 400_000, func() uint64 { return 20 + rng.Uint64N(3000) })
			require.Empty(t, diff, "%s, program %d:\n%s", name, i, text)
			require.EqualValues(t, 0x10002, ref.R[8], "%s, program %d does not come to its end", name, i)
		}
	}
}
