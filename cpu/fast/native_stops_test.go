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

// stopBodies are loops whose iterations may leave by what they load: r8 and r9 move through bytes below 60 of which few are 5, r11 through a
// list whose words are the addresses of others, 0 at its ends. In the last ones a store or an instruction with a condition comes
// in front of what decides, so that it is not known as the iteration begins.
var stopBodies = []string{
	"ldb.ab r2,[r8,1]\n cmp r2,5\n bne 3b",
	"ldb.ab r2,[r8,1]\n ldb.ab r3,[r9,1]\n cmp r2,r3\n beq 3b",
	"ldb.ab r2,[r8,1]\n stb.ab r2,[r9,1]\n brne r2,5,3b",
	"ldb.ab r2,[r8,1]\n stb.ab r4,[r9,1]\n add r4,r4,r2\n add r5,r5,3\n brne r2,5,3b",
	"ldb.ab r2,[r8,-1]\n add r4,r4,r2\n breq r2,r2,4f\n4: brne r2,5,3b",
	"ldh.ab r2,[r8,2]\n sub r3,r2,r4\n mov r4,r2\n brlt r3,0x2f00,3b",
	"ldb.ab r2,[r8,1]\n ldb r3,[r10,r2]\n add r4,r4,r3\n brne r2,5,3b",
	"ld r11,[r11]\n add r4,r4,1\n brne r11,0,3b",
	"ld r2,[r11,4]\n ld r11,[r11]\n xor r4,r4,r2\n cmp r11,0\n bne 3b",
	"ldb.ab r2,[r8,1]\n cmp r2,r4\n mov.hi r4,r2\n sub.ls r4,r4,2\n brlo r4,58,3b",
	"ldb.ab r2,[r8,1]\n add r5,r5,1\n bbit0 r2,5,3b",
	"ldd.ab r2,[r8,8]\n add r3,r3,r2\n std.ab r2,[r9,8]\n bbit1 r2,5,3b",
	"stb.ab r4,[r9,1]\n ldb.ab r2,[r8,1]\n add r4,r2,1\n brlo r2,50,3b",
	"cmp r4,30\n mov.hi r4,0\n add r4,r4,1\n ldb.ab r2,[r8,1]\n add r2,r2,r4\n brlo r2,70,3b",
}

// streamBodies are loops in a row through memory that a data cache may serve.
var streamBodies = []string{
	"ld.ab r2,[r8,4]\n add r2,r2,1\n st.ab r2,[r9,4]", "ldd.ab r2,[r8,8]\n std.ab r2,[r9,8]", "ldb.ab r2,[r8,1]\n ldb.ab r3,[r9,1]\n sub r4,r2,r3",
	"ld.ab r2,[r8,4]\n ld.ab r3,[r9,-4]\n add r4,r4,r2\n xor r4,r4,r3", "sth.ab r4,[r9,2]\n add r4,r4,3", "ld.ab r2,[r8,32]\n add r4,r4,r2",
	"ldb.ab r2,[r8,1]\n ldb r3,[r10,r2]\n add r4,r4,r3", "ld r2,[r10]\n add r4,r4,r2\n st r4,[r10,4]",
}

// TestNativeStops holds compiled loops whose iterations may leave by data, or by lines that a cache does not have, against the
// reference engine.
func TestNativeStops(t *testing.T) {
	var loops []string
	for _, body := range stopBodies {
		loops = append(loops, "3: "+body)
	}
	for _, body := range streamBodies {
		loops = append(loops, " lp 2f\n "+body+"\n2:")
	}
	cores := map[string]func() cpu.Config{
		"em4": em4, "em9d": em9d, "hs38": hs38, "hs38c": hs38c, "em4 with caches": func() cpu.Config { return cached(em4()) },
	}
	for i, loop := range loops {
		t.Run(strings.ReplaceAll(loop, "\n", ";"), func(t *testing.T) {
			for k, name := range []string{"em4", "hs38c", "em9d", "em4 with caches", "hs38"} {
				if !level.Wants(i+k, 1, 2) {
					continue
				}
				for seed := range uint64(level.Count(40, 6, 2)) {
					stopped(t, cores[name](), loop, name, uint64(i)<<8|seed)
				}
			}
		})
	}
}

// stopped runs a program of loops on two processors.
func stopped(t *testing.T, cfg cpu.Config, loop, name string, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 9))
	const bytes, list, size = 0x10000, 0x20000, 0x4000
	within := func(at, aligned uint32) uint32 { return at + 0x800 + rng.Uint32N(size-0x1000)&^(aligned-1) }
	var source strings.Builder
	source.WriteString("start:\n")
	for range 8 { // the third pass of a block is a compiled one
		from := within(bytes, 8)
		to := []uint32{from, from + 8, from + size, within(bytes, 8), within(bytes+size, 8)}[rng.IntN(5)]
		fmt.Fprintf(&source, " mov r4,%d\n mov r8,%#x\n mov r9,%#x\n mov r10,%#x\n mov r11,%#x\n mov lp_count,%d\n bl loop\n",
			rng.IntN(60), from, to, within(bytes, 64), within(list, 8), 1+rng.IntN(200))
	}
	fmt.Fprintf(&source, " b start\nloop:\n %s\n j [blink]\n", loop)
	obj, err := asm.AssembleString(asm.Options{CPU: "hs38"}, "stops.s", source.String())
	require.NoError(t, err)
	data, nodes := make([]byte, 2*size), make([]byte, size)
	for i := range data {
		if data[i] = byte(rng.Uint32N(60)); data[i] == 5 && rng.IntN(2) == 0 {
			data[i] = 6
		}
	}
	copy(data[size:], data)
	for range 200 {
		data[size+rng.IntN(size)] ^= 1
	}
	for i := 0; i < size; i += 8 {
		if to := within(list, 8); rng.IntN(40) > 0 {
			binary.LittleEndian.PutUint32(nodes[i:], to)
		}
		binary.LittleEndian.PutUint32(nodes[i+4:], rng.Uint32())
	}
	ref := newCPU(t, cfg, false)
	got, _ := newNative(t, cfg)
	for _, c := range []*cpu.CPU{ref, got} {
		require.NoError(t, c.Mem.Poke(0x1000, obj.Section(".text")))
		require.NoError(t, c.Mem.Poke(bytes, data))
		require.NoError(t, c.Mem.Poke(list, nodes))
		c.PC = 0x1000
	}
	piece := []uint64{97, 1009, 10007}[rng.IntN(3)]
	diff := lockstep(ref, got, ref.Cycles+30_000, func() uint64 { return piece })
	require.Empty(t, diff, "%s, seed %d, pieces of %d cycles", name, seed, piece)
}
