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

// callsProgram is a program in user mode that calls functions in four regions of half a page, some of which begin in the region before.
// The kernel, which it calls, lets a region be executed or forbids that, for either, and calls a function that it may execute itself.
// Calls of functions that may not be executed are skipped.
func callsProgram(rng *rand.Rand) string {
	var s strings.Builder
	s.WriteString("start:\tmov sp,0x1f000\n\tsr 0x1e000,[0xd]\n\tsr 1,[0x422]\n\tsr 0x768,[0x423]\n\tsr 0x1e001,[0x42c]\n\tsr 0x7b0,[0x42d]\n")
	for i := range 4 { // what may be executed at first
		fmt.Fprintf(&s, "\tsr %#x,[%#x]\n\tsr %#x,[%#x]\n", 0x4001+0x800*i, 0x424+2*i, 0x522|rng.Uint32N(4)*0x38&0x48, 0x425+2*i)
	}
	fmt.Fprintf(&s, "\tsr %#x,[0x409]\n\tadd r1,pcl,task@pcl\n\tsr r1,[0x400]\n\tsr 0x8000009e,[0x402]\n\trtie\ntask:\n", 0x400001b0+rng.Uint32N(2)*0x40)
	for range 6 {
		at := 0x4000 + 0x800*rng.IntN(4) + []int{0x10, 0x7f6}[rng.IntN(3)/2]
		fmt.Fprintf(&s, "\tmov lp_count,%d\n\tmov r9,%d\n1:\tjl %#x\n\tadd r12,r12,1\n\tdbnz r9,1b\n", 2+rng.IntN(9), 1+rng.IntN(6), at)
		if rng.IntN(2) == 0 {
			fmt.Fprintf(&s, "\tmov r14,%d\n\ttrap_s 0\n", rng.IntN(4))
		}
	}
	s.WriteString(`	mov r14,1
	trap_s 0
	b task
	.align 4
skips:	sr blink,[0x400]
	add r23,r23,1
	rtie
traps:	add r25,r14,r14
	add r25,r25,0x425
	lr r24,[r25]
	add r22,r22,1
	and r21,r22,1
	add r21,r21,1
	asl r21,r21,3		; user mode, or the kernel
	and.f 0,r22,1
	asl.ne r21,r21,2
	xor r24,r24,r21
	sr r24,[r25]
	and.f 0,r24,0x40
	beq 1f
	mov r20,blink
	asl r21,r14,11
	add r21,r21,0x4010
	jl [r21]
	mov blink,r20
1:	rtie
ticks:	sr 3,[0x22]
	rtie
`)
	for i := range 4 { // a function, and one whose second instruction ends in the next region, where it returns
		fmt.Fprintf(&s, "\t.org %#x\n\tadd r3,r3,%d\n\txor r4,r4,r3\n\tj_s [blink]\n", 0x3010+0x800*i, 3+i)
		fmt.Fprintf(&s, "\t.org %#x\n\tadd r5,r5,r3\n\tadd r5,r5,0x12345678\n\tadd r6,r6,1\n\tj_s [blink]\n", 0x37f6+0x800*i)
	}
	return s.String()
}

// TestExecutableRegions holds blocks and compiled code against the reference engine where regions of code change their rights.
func TestExecutableRegions(t *testing.T) {
	var refused, calls uint32
	for i := range level.Count(100, 30, 8) {
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		source := callsProgram(rng)
		cfg := em9d()
		cfg.MPURegions, cfg.MPUVersion = 8, 2
		timer := rng.Uint32N(2) * 997
		ref, blocks := newCPU(t, cfg, false), newCPU(t, cfg, true)
		compiled, _ := newNative(t, cfg)
		for _, c := range []*cpu.CPU{ref, blocks, compiled} {
			protect(t, c, source, timer)
		}
		diff := lockstepAll(ref, []*cpu.CPU{blocks, compiled}, 60_000, func() uint64 { return 20 + rng.Uint64N(3000) })
		require.Empty(t, diff, "program %d:\n%s", i, source)
		refused += compiled.R[23]
		calls += compiled.R[12]
	}
	require.NotZero(t, refused)
	require.Greater(t, calls, refused)
}
