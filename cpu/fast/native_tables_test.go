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
	"arcv2dsp/memory"
)

// tableBodies are bodies of loops that look numbers up: r8 moves through data, r10 is where a table begins. The last
// ones have an index that may be too great, a table that moves, and one whose index begins below it.
var tableBodies = []string{
	"ldb.ab r2,[r8,1]\n xor r3,r3,r2\n extb r3,r3\n ld.as r4,[r10,r3]\n lsr r3,r3,8\n xor r3,r3,r4",
	"ldb.ab r2,[r8,1]\n ldb r3,[r10,r2]\n add r4,r4,r3",
	"ldb.ab r2,[r8,1]\n ldh.x.as r3,[r10,r2]\n add r4,r4,r3",
	"ldb.ab r2,[r8,1]\n add2 r3,r10,r2\n ld r4,[r3,8]\n add r5,r5,r4",
	"ldb.ab r2,[r8,1]\n add1 r3,r10,r2\n ldh r4,[r3]\n add r4,r4,1\n sth r4,[r3]",
	"ldb.ab r2,[r8,1]\n ldb r3,[r10,r2]\n add r3,r3,1\n stb r3,[r8,-1]",
	"ldb.ab r2,[r8,1]\n add r3,r10,r2\n ldb r4,[r3]\n add r4,r4,1\n stb r4,[r3]",
	"ldh.ab r2,[r8,2]\n bmsk r3,r2,6\n add2 r3,r10,r3\n ld r4,[r3]\n ld r5,[r3,4]\n sub r4,r4,r5\n add r6,r6,r4",
	"ldb.ab r2,[r8,1]\n ldb r3,[0xc0002000,r2]\n add r4,r4,r3\n ldb r3,[0xc0002f10,r2]\n add r4,r4,r3",
	"ldb.ab r2,[r8,1]\n add3 r3,r10,r2\n ld r4,[r3]\n and r5,r3,7\n add r6,r6,r5\n lsr r5,r3,12\n add r6,r6,r5",
	"ldb.ab r2,[r8,1]\n ldb r3,[r10,r2]\n bmsk r5,r2,3\n ldb r6,[r10,r5]\n add r4,r4,r3\n add r4,r4,r6",
	"ldb.ab r2,[r8,1]\n add1 r3,r10,r2\n ld r4,[r3]\n add r5,r5,r4",
	"ldb.ab r2,[r8,1]\n add2 r3,r10,r2\n ldd r4,[r3]\n add r6,r6,r5",
	"ldh.ab r2,[r8,2]\n and r2,r2,0xffc\n ldd r4,[r10,r2]\n add r6,r6,r5",
	"ldh.ab r2,[r8,2]\n ld.as r3,[r10,r2]\n add r4,r4,r3",
	"ldh.ab r2,[r8,2]\n bmsk r2,r2,9\n ld.as r3,[r10,r2]\n add r4,r4,r3",
	"ldh.ab r2,[r8,2]\n bmsk r2,r2,9\n ldb r3,[r10,r2]\n add r10,r10,4\n add r4,r4,r3",
	"ldh.ab r2,[r8,2]\n bmsk r2,r2,9\n sub r3,r10,64\n ldb r3,[r3,r2]\n add r4,r4,r3",
}

// TestNativeTables holds compiled loops that look numbers up in tables against the reference engine: in tables inside a
// page and across the end of one, aligned or not, in memory that is not there, and in the code itself.
func TestNativeTables(t *testing.T) {
	for i, body := range tableBodies {
		t.Run(strings.ReplaceAll(body, "\n", ";"), func(t *testing.T) {
			for k, name := range []string{"em4", "em9d", "em9d-split", "hs38", "hs38c"} {
				if !level.Wants(i+k, 2, 3) {
					continue
				}
				for seed := range uint64(level.Count(60, 6, 2)) {
					tables(t, profiles[name](), body, name, uint64(i)<<8|seed)
				}
			}
		})
	}
}

// tables runs a program of loops with a body on two processors.
func tables(t *testing.T, cfg cpu.Config, body, name string, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 5))
	ref := newCPU(t, cfg, false)
	got, _ := newNative(t, cfg)
	var source strings.Builder
	source.WriteString("start:\n")
	for range 8 { // the third pass of a block is a compiled one
		base := 0xc0001000 + rng.Uint32N(0x3000)&^3
		switch rng.IntN(8) {
		case 0:
			base |= rng.Uint32N(4)
		case 1, 4, 5: // the last addresses of a page from which no index leads out, and others
			base = 0xc0002000 - []uint32{252, 253, 255, 256, 257, 506, 510, 512, 1016, 1020, 1024, 1028, 2040, 2048}[rng.IntN(14)]
		case 2:
			base = 0xc0002000
		case 3:
			base = 0x1000 + rng.Uint32N(0x400)&^3
		}
		fmt.Fprintf(&source, " mov r8,%#x\n mov r10,%#x\n mov lp_count,%d\n bl loop\n",
			0xe0001000+rng.Uint32N(0x2000)&^1, base, 1+rng.IntN(400))
	}
	fmt.Fprintf(&source, " b start\nloop:\n lp 2f\n %s\n2: j [blink]\n", body)
	obj, err := asm.AssembleString(asm.Options{CPU: "hs38"}, "tables.s", source.String())
	require.NoError(t, err)
	numbers := make([]byte, 0x8000)
	for i := range numbers {
		numbers[i] = byte(rng.Uint32())
	}
	for _, c := range []*cpu.CPU{ref, got} {
		require.NoError(t, c.Mem.Poke(0x1000, obj.Section(".text")))
		for at := len(numbers) - memory.PageSize; at >= 0; at -= memory.PageSize { // so that no page follows its neighbour on the host
			require.NoError(t, c.Mem.Poke(0xc0000000+uint32(at), numbers[at:][:memory.PageSize]))
			require.NoError(t, c.Mem.Poke(0xe0000000+uint32(at), numbers[at:][:memory.PageSize]))
		}
		c.PC = 0x1000
	}
	piece := []uint64{97, 1009, 10007}[rng.IntN(3)]
	diff := lockstep(ref, got, ref.Cycles+30_000, func() uint64 { return piece })
	require.Empty(t, diff, "%s, seed %d, pieces of %d cycles", name, seed, piece)
}
