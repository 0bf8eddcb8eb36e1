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
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/level"
)

// shortParts are instructions of random short loops. X, Y and Z stand for ports or registers that are drawn, D for a
// register that takes a result, S for a small number.
var shortParts = []string{
	"dmach 0,X,Y", "dmach D,X,Y", "dmachu 0,X,Y", "dmachf D,X,Y", "dmachfr D,X,Y", "dmachbl 0,X,Y", "dmachbm D,X,Y",
	"mac 0,X,Y", "macu D,X,Y", "macf D,X,Y", "macfr 0,X,Y", "macwhfl 0,X,Y", "macwhfm D,X,Y", "msubf 0,X,Y", "mpyd 0,X,Y",
	"vmac2h 0,X,Y", "vmac2hu D,X,Y", "vmac2hf 0,X,Y", "vmac2hfr D,X,Y", "vmac2hnfr 0,X,Y", "vmsub2hf 0,X,Y",
	"adds D,X,Y", "subs D,X,Y", "satf D,X", "sath D,X", "abss D,X", "negs D,X", "asls D,X,S", "asrs D,X,S", "rndh D,X",
	"vmax2h D,X,Y", "vadds2h D,X,Y", "vsubs2h D,X,Y", "getacc D,0x22", "setacc 0,X,1", "normacc D,0x1",
	"div D,X,Y", "divu D,X,Y", "rem D,X,Y", "remu D,X,Y", "div.f D,X,Y",
	"add D,X,Y", "sub.f D,X,Y", "xor D,X,Y", "min D,X,Y", "max D,X,Y", "asl D,X,S", "asr D,X,Y", "lsr.f D,X,S", "ror D,X,S",
	"add Z,X,Y", "mov Z,X", "adds Z,X,Y", "add.ne D,D,X", "mov.cs D,X", "cmp X,Y", "modapp 0,P",
	"ld.ab D,[r8,4]", "ldh.x.ab D,[r8,2]", "ldb.ab D,[r9,1]", "st.ab D,[r9,4]", "stb.ab D,[r9,-1]", "st X,[r9]",
	"mpy D,X,Y", "mpyu D,X,Y", "mpyf D,X,Y", "mpyfr D,X,Y", "ffs D,X", "norm D,X", "extb D,X", "sexh D,X", "swap D,X", "bset D,D,S",
}

// shortLoop draws a loop body of one to five instructions.
func shortLoop(rng *rand.Rand) string {
	source := func() string {
		if rng.IntN(2) == 0 {
			return fmt.Sprintf("r%d", 32+rng.IntN(4))
		}
		return fmt.Sprintf("r%d", rng.IntN(8))
	}
	var lines []string
	for range 1 + rng.IntN(1+rng.IntN(5)) {
		part := shortParts[rng.IntN(len(shortParts))]
		for strings.Contains(part, "X") {
			part = strings.Replace(part, "X", source(), 1)
		}
		for strings.Contains(part, "Y") {
			part = strings.Replace(part, "Y", source(), 1)
		}
		d := fmt.Sprintf("r%d", rng.IntN(8))
		part = strings.NewReplacer("D", d, "Z", fmt.Sprintf("r%d", 36+rng.IntN(2)), "P", fmt.Sprintf("r%d", 32+rng.IntN(6)),
			"S", fmt.Sprint(rng.IntN(32))).Replace(part)
		lines = append(lines, part)
	}
	return strings.Join(lines, "\n ")
}

// shortProgram writes a program that runs a random short loop again and again: from ports with pointers of all kinds,
// from accumulators near their limits and not, in any mode of the DSP. It returns nothing for a body that the
// assembler refuses, as some instructions take no ports.
func shortProgram(rng *rand.Rand) (source string, code []byte) {
	var b strings.Builder
	edge := func() uint32 {
		return []uint32{rng.Uint32(), 0x7fffffff, 0x80000000, 0x60000000, 0x50, 0xb0}[rng.IntN(6)]
	}
	set := func(register, value uint32) { fmt.Fprintf(&b, " mov r0,%#x\n sr r0,[%#x]\n", value, register) }
	mode := rng.Uint32N(16)
	if mode&3 == 1 {
		mode = 0x10 // modes of rounding 1 are reserved
	}
	b.WriteString("start:\n")
	set(0x59f, mode)
	for n := range uint32(4) {
		set(0x5d0+n, rng.Uint32N(9)-4)
		set(0x5d4+n, []uint32{12, 64, 100, 2048, 3000, 5000, 0}[rng.IntN(7)])
	}
	for port := range uint32(6) {
		pointer := port
		if rng.IntN(8) == 0 {
			pointer = rng.Uint32N(3)
		}
		modifier := pointer | sumPorts[rng.IntN(len(sumPorts))]
		if rng.IntN(3) == 0 {
			modifier = circular(rng, pointer)
		}
		set(0x5e0+port, modifier)
	}
	for range 5 { // the third pass of a block is a compiled one
		for n := range uint32(6) {
			at := []uint32{0xc0001000, 0xe0001000, 0xc0004000, 0x21000, 0xe0004000, 0xe0005000}[n] + rng.Uint32N(0x1800)
			set(0x5c0+n, at)
		}
		for r := range 8 {
			fmt.Fprintf(&b, " mov r%d,%#x\n", r, []uint32{rng.Uint32(), rng.Uint32N(64), 0x80000000, 0x7fffffff, 0}[rng.IntN(5)])
		}
		if rng.IntN(2) == 0 {
			fmt.Fprintf(&b, " mov r10,%#x\n mov r11,%#x\n setacc 0,r10,1\n setacc 0,r11,0x11\n", edge(), edge())
		}
		fmt.Fprintf(&b, " mov r8,%#x\n mov r9,%#x\n mov lp_count,%d\n bl loop\n", 0xc0001000+rng.Uint32N(0x400)&^3,
			0xe0005000+rng.Uint32N(0x400)&^3, 1+rng.IntN([]int{20, 120, 900}[rng.IntN(3)]))
	}
	fmt.Fprintf(&b, " b start\n .align 4\nloop:\n lp 2f\n %s\n2: j [blink]\n", shortLoop(rng))
	obj, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "short.s", b.String())
	if err != nil {
		return b.String(), nil
	}
	return b.String(), obj.Section(".text")
}

// shortNumbers is data of a kind: small, any, extreme, all the same, or with many zeros.
func shortNumbers(rng *rand.Rand) []byte {
	numbers := make([]byte, 0x8000)
	kind, same := rng.IntN(5), []uint32{0x8000, 0x7fff}[rng.IntN(2)]
	for i := 0; i < len(numbers); i += 2 {
		v := rng.Uint32()
		switch kind {
		case 0:
			v = uint32(int32(v) >> 24)
		case 1:
			v = []uint32{0x8000, 0x7fff, 0x8000, 0x8001}[v%4]
		case 2:
			v *= v >> 31
		case 3:
			v = same
		}
		binary.LittleEndian.PutUint16(numbers[i:], uint16(v))
	}
	return numbers
}

// shortImage is the first random program that the assembler takes, with its data.
func shortImage(rng *rand.Rand) (source string, code, numbers []byte) {
	for code == nil {
		source, code = shortProgram(rng)
	}
	return source, code, shortNumbers(rng)
}

// shortCPU makes a processor about to run a short program.
func shortCPU(t testing.TB, code, numbers []byte) *cpu.CPU {
	c := newCPU(t, em9d(), false)
	require.NoError(t, c.Mem.Poke(0x1000, code))
	for _, at := range []uint32{0xc0000000, 0xe0000000, 0x20000} {
		require.NoError(t, c.Mem.Poke(at, numbers))
	}
	c.PC = 0x1000
	return c
}

// shortDiff runs the program of a seed on the reference engine and on another one, and returns their first difference.
func shortDiff(t testing.TB, seed uint64, compile bool) (diff, program string) {
	rng := rand.New(rand.NewPCG(seed, 11))
	source, code, numbers := shortImage(rng)
	ref, got := shortCPU(t, code, numbers), shortCPU(t, code, numbers)
	e := fast.New()
	if compile {
		if err := e.CompileAt(2); err != nil {
			t.Skip(err)
		}
	}
	got.SetEngine(e)
	piece := []uint64{97, 1009, 10007}[rng.IntN(3)]
	if diff = lockstep(ref, got, 12_000, func() uint64 { return piece }); diff == "" && e.Fault() != nil {
		diff = e.Fault().Error()
	}
	e.Interpret()
	return diff, source
}

// TestShortLoops holds blocks and compiled code against the reference engine on random short loops: products,
// saturation, divisions, flags, circular pointers, up to three ports, all modes of the DSP. -seeds and -seed choose more.
func TestShortLoops(t *testing.T) {
	n := *seeds
	if n == 0 {
		n = level.Count(10_000, 60, 12)
	}
	for seed := *first; seed < *first+uint64(n); seed++ {
		for _, compile := range []bool{false, true} {
			if !compile && seed%8 != 0 {
				continue
			}
			if diff, source := shortDiff(t, seed, compile); diff != "" {
				t.Fatalf("seed %d, compiled %v: %s\n%s", seed, compile, diff, source)
			}
		}
	}
}
