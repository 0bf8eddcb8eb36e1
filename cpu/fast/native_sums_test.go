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

// sumBodies are bodies of loops that accumulate from two streams of data: by ports, or by loads.
var sumBodies = []string{
	"dmach 0,r32,r33", "dmachu 0,r32,r33", "dmachbl 0,r32,r33", "dmachbm 0,r32,r33", "dmachf 0,r32,r33",
	"dmachfr 0,r32,r33", "mac 0,r32,r33", "macu 0,r32,r33", "macf 0,r32,r33", "macfr 0,r32,r33",
	"macwhfl 0,r32,r33", "macwhfm 0,r32,r33", "msubf 0,r32,r33", "vmac2h 0,r32,r33", "vmac2hu 0,r32,r33",
	"vmac2hf 0,r32,r33", "vmac2hfr 0,r32,r33", "vmac2hnfr 0,r32,r33", "vmsub2hf 0,r32,r33",
	"vmac2hf r4,r32,r33\n dmach r6,r32,r33", "dmachf r3,r32,r33\n vmax2h r6,r3,r6", "adds r4,r32,r4\n subs r5,r33,r5",
	"ld.ab r2,[r8,4]\n ld.ab r3,[r9,4]\n dmach 0,r2,r3", "ld.ab r2,[r8,4]\n ld.ab r3,[r9,4]\n dmach r4,r2,r3",
	"ldh.x.ab r2,[r8,2]\n ldb.x.ab r3,[r9,1]\n mac r4,r2,r3", "ldh.ab r2,[r8,2]\n vmac2hf 0,r2,r2",
	"ld.ab r2,[r8,4]\n dmachf r3,r2,r2\n stb.ab r3,[r9,1]", "ld.ab r2,[r8,-4]\n ld.ab r3,[r9,8]\n vmac2hf r4,r2,r3",
	"vmac2hf 0,r32,r33\n vmac2hf 0,r32,r33\n vmac2hf 0,r32,r33\n dmachf 0,r32,r33\n vmac2hfr r6,r32,r33",
	"dmach 0,r32,r33\n mac 0,r32,r33\n dmach r5,r32,r33\n vmsub2hf 0,r32,r33\n dmach 0,r32,r33",
	"ld.ab r2,[r8,4]\n ld.ab r3,[r8,52]\n ld.ab r4,[r8,-20]\n stb.ab r3,[r9,1]\n vmac2hf 0,r2,r3\n vmac2hf 0,r3,r4",
	"ld.ab r2,[r8,200]\n ld.ab r3,[r8,200]\n ld.ab r4,[r8,-400]\n dmach 0,r2,r3\n st.ab r4,[r9,4]", // back where it was
	"ld.ab r2,[r8,-96]\n ldb.ab r3,[r8,96]\n dmach 0,r2,r3\n dmach 0,r3,r32\n mov r4,r8",
	"ld.ab r2,[r8,64]\n st.ab r2,[r8,-64]\n ld.ab r3,[r9,4]\n vmac2hf 0,r2,r3", "ldh.ab r2,[r8,0]\n mac 0,r2,r33",
	"setacc 0,r0,1\n setacc 0,r1,0x11\n vmac2hf 0,r32,r33\n ld.ab r2,[r8,4]\n ld.ab r3,[r8,-4]\n vmac2hf 0,r2,r3\n getacc r4,0x22",
	"setacc 0,r0,1\n vmac2hnfr 0,r32,r33\n vmac2hf 0,r32,r33\n vmac2hf r4,r32,r33\n st.ab r4,[r9,4]",
	"mac.f 0,r32,r33", "dmach.f r3,r32,r33", "vmac2h 0,r32,r33\n getacc r3,1\n xor r5,r5,r3",
}

// sumPorts are modifiers of ports: two halves, bytes as halves, a half or a byte in both lanes, steps of 2 and of 1.
var sumPorts = []uint32{0x201002e0, 0x201002e0, 0x20080020, 0x200820e0, 0x20042020, 0x20080060}

// TestNativeSums holds compiled loops that accumulate against the reference engine: in all modes of the DSP, from
// small numbers, from any and from those that saturate soon, from accumulators that are near their limits and not.
func TestNativeSums(t *testing.T) {
	for i, body := range sumBodies {
		t.Run(strings.ReplaceAll(body, "\n", ";"), func(t *testing.T) {
			ref := newCPU(t, em9d(), false)
			got, _ := newNative(t, em9d())
			for mode := range uint32(16) {
				if mode&3 == 1 || !level.Wants(int(mode)+7*i, 3, 13) {
					continue // a reserved mode
				}
				for _, data := range []string{"small", "any", "extreme"} {
					sums(t, ref, got, body, mode, data, uint64(i))
				}
			}
		})
	}
}

// sums runs a program of loops with a body on two processors.
func sums(t *testing.T, ref, got *cpu.CPU, body string, mode uint32, data string, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, uint64(mode)))
	var source strings.Builder
	fmt.Fprintf(&source, "start:\n mov r0,%d\n sr r0,[0x59f]\n mov r0,%#x\n sr r0,[0x5e0]\n mov r0,%#x\n sr r0,[0x5e1]\n",
		mode, sumPorts[rng.IntN(len(sumPorts))], sumPorts[rng.IntN(len(sumPorts))]|1)
	for range 6 { // the third pass of a block is a compiled one
		from := rng.Uint32N(0x2000) &^ 3
		fmt.Fprintf(&source, " mov r8,%#x\n mov r9,%#x\n sr r8,[0x5c0]\n sr r9,[0x5c1]\n", 0xc0001000+from, 0xe0001000+from)
		if rng.IntN(2) == 0 {
			fmt.Fprintf(&source, " mov r0,%#x\n mov r1,%#x\n setacc 0,r0,1\n setacc 0,r1,0x11\n", rng.Uint32(), rng.Uint32())
		}
		fmt.Fprintf(&source, " mov lp_count,%d\n bl loop\n", 1+rng.IntN(300))
	}
	fmt.Fprintf(&source, " b start\nloop:\n lp 2f\n %s\n2: j [blink]\n", body)
	obj, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "sums.s", source.String())
	require.NoError(t, err)
	numbers := make([]byte, 0x8000)
	for i := 0; i < len(numbers); i += 2 {
		v := rng.Uint32()
		switch data {
		case "small":
			v = uint32(int32(v) >> 24)
		case "extreme":
			v = []uint32{0x8000, 0x7fff, 0x8000, 0x8001}[v%4]
		}
		binary.LittleEndian.PutUint16(numbers[i:], uint16(v))
	}
	for _, c := range []*cpu.CPU{ref, got} {
		require.NoError(t, c.Mem.Poke(0x1000, obj.Section(".text")))
		require.NoError(t, c.Mem.Poke(0xc0000000, numbers))
		require.NoError(t, c.Mem.Poke(0xe0000000, numbers))
		c.PC = 0x1000
	}
	piece := []uint64{97, 1009, 10007}[rng.IntN(3)]
	diff := lockstep(ref, got, ref.Cycles+20_000, func() uint64 { return piece })
	require.Empty(t, diff, "mode %d, %s numbers, pieces of %d cycles", mode, data, piece)
}
