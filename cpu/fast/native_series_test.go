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

// seriesAccesses are accesses at a distance DIST from a base that a program has many of. Some come between others that move or
// change the base, or are of another one.
var seriesAccesses = []string{
	"ld r0,[REG,DIST]", "ldh r1,[REG,DIST]", "ldh.x r2,[REG,DIST]", "ldb r3,[REG,DIST]", "ldb.x r0,[REG,DIST]", "ldd r4,[REG,DIST]",
	"st r0,[REG,DIST]", "sth r1,[REG,DIST]", "stb r2,[REG,DIST]", "std r4,[REG,DIST]", "ld.ab r3,[REG,DIST]", "st.aw r1,[REG,DIST]",
	"add r1,r1,r0", "xor r3,r3,r2", "add REG,REG,DIST", "add.f r2,r2,r3", "mov.ne r1,r4",
	"ld r0,[REG,DIST]\n lsr r1,r0,16\n sexb r1,r1\n add r1,r1,r0", "ld r0,[REG,DIST]\n asr r2,r0,16", "tst r2,r3", "mov.gt r1,r4", "add.hi r3,r3,r1",
}

// TestSeries holds blocks and compiled code against the reference engine where many accesses are at constant distances from one base:
// within pages and around their ends, aligned or not. A program comes back to its blocks with other bases; in some programs most of them lie
// beside the end of a page, so that the blocks are compiled anew.
func TestSeries(t *testing.T) {
	const rounds, rest = 60, 0x10000
	for i := range uint64(rounds) {
		if !level.Wants(int(i), 1, 4) {
			continue
		}
		rng := rand.New(rand.NewPCG(i, 47))
		align := []uint32{1, 4, 4}[rng.IntN(3)]
		var source strings.Builder
		source.WriteString(" lr r20,[status32]\n bset r20,r20,19\n kflag r20\n mov r21,300\n mov r22,12345\nstart:\n")
		for r := 8; r < 11; r++ { // a base of its own in each turn
			fmt.Fprintf(&source, " mpy r22,r22,%d\n add r22,r22,%d\n lsr r%d,r22,9\n bmsk r%d,r%d,%d\n", 1664525, 1013904223+r, r, r, r, []int{13, 7}[rng.IntN(2)])
			fmt.Fprintf(&source, " bic r%d,r%d,%d\n add r%d,r%d,%#x\n", r, r, align-1, r, r, rest+[]uint32{0, 0x1f80, 0x2f80}[rng.IntN(3)])
		}
		for range 3 {
			for range 4 + rng.IntN(24) {
				access := seriesAccesses[rng.IntN(len(seriesAccesses))]
				access = strings.ReplaceAll(access, "REG", fmt.Sprintf("r%d", 8+rng.IntN(3)))
				limit := []int{32, 32, 32, 250}[rng.IntN(4)]
				fmt.Fprintf(&source, " %s\n", strings.ReplaceAll(access, "DIST", fmt.Sprint((rng.IntN(limit)-limit/4)&^int(align-1))))
			}
			fmt.Fprintf(&source, " brlt r21,%d,1f\n nop\n1:\n", rng.IntN(300))
		}
		source.WriteString(" sub.f r21,r21,1\n bne start\n flag 1\n")
		text := source.String()
		obj, err := asm.AssembleString(asm.Options{CPU: "hs38"}, "series.s", text)
		require.NoError(t, err)
		data := make([]byte, 0x8000)
		for k := range data {
			data[k] = byte(rng.Uint32())
		}
		cached := hs38()
		cached.DCache = em11d().DCache
		for name, cfg := range map[string]cpu.Config{"flat": hs38(), "cached": cached} {
			ref, blocks := newCPU(t, cfg, false), newCPU(t, cfg, true)
			compiled, _ := newNative(t, cfg)
			for _, c := range []*cpu.CPU{ref, blocks, compiled} {
				require.NoError(t, c.Mem.Poke(0x1000, obj.Section(".text")))
				require.NoError(t, c.Mem.Poke(rest-0x1000, data))
				c.PC = 0x1000
			}
			diff := lockstepAll(ref, []*cpu.CPU{blocks, compiled}, 1_000_000, func() uint64 { return 20 + rng.Uint64N(3000) })
			require.Empty(t, diff, "%s, program %d:\n%s", name, i, text)
			require.Zero(t, ref.R[21], "%s, program %d does not come to its end:\n%s", name, i, text)
		}
	}
}
