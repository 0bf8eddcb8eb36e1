package fast_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/cpu"
	"arcv2dsp/internal/dev/testkit/level"
)

// turnBodies are bodies of loops with circular pointers: r32, r33 and r34 are ports 0, 1 and 2.
var turnBodies = []string{
	"dmach 0,r32,r33", "vmac2hf 0,r32,r33", "dmach 0,r32,r33\n vmac2h r4,r32,r33", "add r34,r32,r33", "mov r34,r33",
	"mov r4,r32\n modapp 0,r33\n add r5,r5,r4", "add r4,r32,r4\n add r5,r32,r5\n sub r6,r32,r6\n add r6,r33,r6",
	"ld.ab r2,[r8,4]\n mac 0,r2,r33\n st.ab r2,[r9,4]",
}

// circular draws the modifier of a port whose pointer is circular: its window has a size of a power of two, or the one
// in an offset register; the step is mostly smaller than the window.
func circular(rng *rand.Rand, pointer uint32) uint32 {
	types := []uint32{0x2e0, 0x2e0, 0x220, 0x20e0, 0x020, 0x060}
	w := pointer | types[rng.IntN(len(types))] | rng.Uint32N(2)<<11
	if rng.IntN(3) == 0 {
		return w | rng.Uint32N(4)<<25 | (4+rng.Uint32N(4))<<14 | 4<<29
	}
	steps := []uint32{1, 2, 4, 4, 6, 12, 24, 200}
	return w | steps[rng.IntN(len(steps))]<<18 | (1+rng.Uint32N(11))<<14 | 5<<29
}

// TestNativeTurns holds compiled loops with circular pointers against the reference engine: windows of many sizes, steps
// in both directions, pointers anywhere in them and beyond, two ports with one pointer.
func TestNativeTurns(t *testing.T) {
	for i, body := range turnBodies {
		t.Run(strings.ReplaceAll(body, "\n", ";"), func(t *testing.T) {
			ref := newCPU(t, em9d(), false)
			got, _ := newNative(t, em9d())
			for k := range 60 {
				if level.Wants(k+i, 3, 10) {
					turns(t, ref, got, body, uint64(i), uint64(k))
				}
			}
		})
	}
}

// turns runs a program of loops with a body on two processors.
func turns(t *testing.T, ref, got *cpu.CPU, body string, a, b uint64) {
	rng := rand.New(rand.NewPCG(a, b))
	var source strings.Builder
	set := func(register, value uint32) { fmt.Fprintf(&source, " mov r0,%#x\n sr r0,[%#x]\n", value, register) }
	source.WriteString("start:\n")
	set(0x59f, 0x10)
	windows := []uint32{12, 64, 100, 1000, 2048, 3000, 4096, 5000, 0}
	for n := range uint32(4) {
		set(0x5d0+n, rng.Uint32N(9)-4)
		set(0x5d4+n, windows[rng.IntN(len(windows))])
	}
	for port := range uint32(3) {
		pointer := port
		if rng.IntN(8) == 0 {
			pointer = 0
		}
		modifier := circular(rng, pointer)
		if rng.IntN(4) == 0 {
			modifier = pointer | 0x201002e0
		}
		set(0x5e0+port, modifier)
	}
	for range 6 { // the third pass of a block is a compiled one
		for n, from := range []uint32{0xc0001000, 0xe0001000, 0xc0004000} {
			at := from + rng.Uint32N(0x2000)
			if rng.IntN(3) == 0 {
				at &^= 0xfff
			}
			set(0x5c0+uint32(n), at)
		}
		fmt.Fprintf(&source, " mov r8,%#x\n mov r9,%#x\n mov lp_count,%d\n bl loop\n", 0xc0001000+rng.Uint32N(0x400)&^3,
			0xe0005000+rng.Uint32N(0x400)&^3, 1+rng.IntN(300))
	}
	fmt.Fprintf(&source, " b start\nloop:\n lp 2f\n %s\n2: j [blink]\n", body)
	obj, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "turns.s", source.String())
	require.NoError(t, err)
	numbers := make([]byte, 0x8000)
	for i := 0; i < len(numbers); i += 4 {
		binary.LittleEndian.PutUint32(numbers[i:], rng.Uint32())
	}
	for _, c := range []*cpu.CPU{ref, got} {
		require.NoError(t, c.Mem.Poke(0x1000, obj.Section(".text")))
		require.NoError(t, c.Mem.Poke(0xc0000000, numbers))
		require.NoError(t, c.Mem.Poke(0xe0000000, numbers))
		c.PC = 0x1000
	}
	piece := []uint64{97, 1009, 10007}[rng.IntN(3)]
	diff := lockstep(ref, got, ref.Cycles+20_000, func() uint64 { return piece })
	require.Empty(t, diff, "program %d, pieces of %d cycles", b, piece)
}
