package fast_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/internal/dev/testkit/level"
)

// regionProgram is a program of loops that access memory behind regions of some version which begin and end inside pages, with
// any rights. Calls of the kernel move a region and change the rights of another one; what faults is skipped.
func regionProgram(rng *rand.Rand, version int) string {
	const first, pages = 0x10000, 4
	var source strings.Builder
	var borders []uint32
	source.WriteString("start:\tmov sp,0x1f000\n\tsr 0x1e000,[0xd]\n")
	for i := range 6 {
		rights := rng.Uint32() & 0x1f8
		if version >= 4 {
			begin := first + rng.Uint32N(pages<<12)&^31
			end := begin + rng.Uint32N(0x1800)&^31
			borders = append(borders, begin, end+32)
			fmt.Fprintf(&source, "\tsr %d,[0x448]\n\tsr %#x,[0x449]\n\tsr %#x,[0x44a]\n\tsr %#x,[0x44b]\n", i, begin, end, rights|1)
			continue
		}
		begin := first + rng.Uint32N(pages<<12)&^0x7ff
		borders = append(borders, begin, begin+0x800)
		fmt.Fprintf(&source, "\tsr %#x,[%#x]\n\tsr %#x,[%#x]\n", begin|1, 0x422+2*i, rights|0x402, 0x423+2*i)
	}
	status := 0x80000000 | rng.Uint32N(2)<<19 | rng.Uint32N(4)/3<<7 ^ 0x9e // of the task: aligned or not, mostly in user mode
	fmt.Fprintf(&source, "\tsr 0x400001f8,[0x409]\n\tadd r1,pcl,task@pcl\n\tsr r1,[0x400]\n\tsr %#x,[0x402]\n\trtie\ntask:\n", status)
	for n := range 3 {
		for r := 8; r < 12; r++ {
			at := borders[rng.IntN(len(borders))] + rng.Uint32N(64) - 32
			if rng.IntN(2) == 0 {
				at &^= 3
			}
			fmt.Fprintf(&source, "\tmov r%d,%#x\n", r, at)
		}
		fmt.Fprintf(&source, "\tmov lp_count,%d\n\tlp free%d\n", 2+rng.IntN(60), n)
		for range 1 + rng.IntN(6) {
			access := unalignedAccesses[rng.IntN(len(unalignedAccesses))]
			access = strings.ReplaceAll(access, "REG", fmt.Sprintf("r%d", 8+rng.IntN(4)))
			fmt.Fprintf(&source, "\t%s\n", strings.ReplaceAll(access, "STEP", fmt.Sprint((rng.IntN(32)-16)&^(rng.IntN(2)*3))))
		}
		fmt.Fprintf(&source, "\tnop\nfree%d:\n", n)
	}
	source.WriteString("\ttrap_s 0\n\tb task\n\t.align 4\nskips:\tlr r24,[0x400]\n\tadd r24,r24,4\n\tsr r24,[0x400]\n\tadd r23,r23,1\n\trtie\ntraps:\n")
	if version >= 4 {
		source.WriteString("\tsr 0,[0x448]\n\tlr r24,[0x449]\n\txor r24,r24,32\n\tsr r24,[0x449]\n\tsr 1,[0x448]\n\tlr r24,[0x44b]\n\txor r24,r24,0x90\n\tsr r24,[0x44b]\n\trtie\n")
	} else {
		source.WriteString("\tlr r24,[0x422]\n\txor r24,r24,0x800\n\tsr r24,[0x422]\n\tlr r24,[0x425]\n\txor r24,r24,0x90\n\tsr r24,[0x425]\n\trtie\n")
	}
	source.WriteString("ticks:\tsr 3,[0x22]\n\tld r24,[0x10200]\n\tst r24,[0x10a00]\n\trtie\n")
	return source.String()
}

// TestPartsOfPages holds blocks and compiled code against the reference engine in loops of accesses of all widths around the
// borders of regions that share pages.
func TestPartsOfPages(t *testing.T) {
	const rounds = 40
	filled, faults := uint32(0), uint32(0)
	for i := range rounds {
		if !level.Wants(i, 1, 5) {
			continue
		}
		rng := rand.New(rand.NewPCG(uint64(i), 43))
		version := 2 + 2*(i%2)
		source := regionProgram(rng, version)
		cached := hs38()
		cached.DCache = em11d().DCache
		for name, cfg := range map[string]cpu.Config{"flat": hs38(), "cached": cached} {
			cfg.MPURegions, cfg.MPUVersion = 8, uint8(version)
			timer := rng.Uint32N(2) * 1999
			ref, blocks := newCPU(t, cfg, false), newCPU(t, cfg, true)
			compiled, _ := newNative(t, cfg)
			for _, c := range []*cpu.CPU{ref, blocks, compiled} {
				protect(t, c, source, timer)
			}
			diff := lockstepAll(ref, []*cpu.CPU{blocks, compiled}, 60_000, func() uint64 { return 20 + rng.Uint64N(3000) })
			require.Empty(t, diff, "%s, program %d:\n%s", name, i, source)
			filled += compiled.Mem.Parted
			faults += compiled.R[23]
		}
	}
	require.NotZero(t, filled)
	require.NotZero(t, faults)
}

// TestBordersOfParts holds blocks and compiled code against the reference engine in loops that go byte by byte over the ends of two
// regions of a page, one to be read and written and one to be read, with accesses of each width, aligned or not.
func TestBordersOfParts(t *testing.T) {
	for _, unaligned := range []uint32{0, 1} {
		var source strings.Builder
		source.WriteString("start:\tmov sp,0x1f000\n\tsr 0x1e000,[0xd]\n")
		for i, perm := range []uint32{0xb1, 0xa1} { // for both to read and write, to read
			begin := 0x10420 + 0x400*i
			fmt.Fprintf(&source, "\tsr %d,[0x448]\n\tsr %#x,[0x449]\n\tsr %#x,[0x44a]\n\tsr %#x,[0x44b]\n", i, begin, begin+0xa0, perm)
		}
		fmt.Fprintf(&source, "\tsr 0x400001c8,[0x409]\n\tadd r1,pcl,task@pcl\n\tsr r1,[0x400]\n\tsr %#x,[0x402]\n\trtie\ntask:\n", 0x8000009e|unaligned<<19)
		n := 0
		for _, access := range []string{"ld r0", "ldh r0", "ldb r0", "ldd r0", "st r1", "sth r1", "stb r1", "std r2"} {
			for _, border := range []int{0x10420, 0x104e0, 0x10820, 0x108e0} {
				fmt.Fprintf(&source, "\tmov r8,%#x\n\tmov r9,28\na%d:\t%s,[r8,4]\n\tadd r8,r8,1\n\tdbnz r9,a%d\n", border-16, n, access, n)
				n++
			}
		}
		source.WriteString("\tadd r1,r1,r0\n\tb task\n\t.align 4\nskips:\tlr r24,[0x400]\n\tadd r24,r24,4\n\tsr r24,[0x400]\n\tadd r23,r23,1\n\trtie\ntraps:\nticks:\tflag 1\n")
		cfg := hs38()
		cfg.MPURegions, cfg.MPUVersion = 8, 4
		ref, blocks := newCPU(t, cfg, false), newCPU(t, cfg, true)
		compiled, _ := newNative(t, cfg)
		for _, c := range []*cpu.CPU{ref, blocks, compiled} {
			protect(t, c, source.String(), 0)
		}
		require.Empty(t, lockstepAll(ref, []*cpu.CPU{blocks, compiled}, 60_000, func() uint64 { return 7001 }))
		require.NotZero(t, compiled.Mem.Parted)
		require.Greater(t, compiled.R[23], uint32(1000))
		require.Less(t, compiled.R[23], uint32(compiled.Insts/6), "most accesses pass")
	}
}
