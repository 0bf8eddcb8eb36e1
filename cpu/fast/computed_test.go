package fast_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
)

// interpreter is a processor about to run a program that jumps to one of some handlers by a table, at random, from a place that
// all of them return to. It returns the addresses of the handlers, too, each of which begins with add r2,r2,u6.
func interpreter(t *testing.T, handlers int) (*cpu.CPU, []uint32) {
	t.Helper()
	var b strings.Builder
	b.WriteString("start:\tmov r13,1\n\tmov r14,0x400000\n1:\tmpyu r13,r13,0x41c64e6d\n\tadd r13,r13,12345\n\tlsr r0,r13,8\n")
	fmt.Fprintf(&b, "\tremu r0,r0,%d\n\tld.as r1,[r14,r0]\n\tj [r1]\n", handlers)
	for i := range handlers {
		fmt.Fprintf(&b, "\t.align 4\nf%d:\tadd r2,r2,%d\n\txor r3,r3,r2\n\tror r5,r3\n\tadd r3,r3,r5\n\tb 1b\n", i, i&63)
	}
	obj, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "interpreter.s", b.String())
	require.NoError(t, err)
	c := newCPU(t, em9d(), false)
	require.NoError(t, c.Mem.Poke(0x1000, obj.Section(".text")))
	at := make([]uint32, handlers)
	for _, s := range obj.Symbols() {
		var i uint32
		if n, _ := fmt.Sscanf(s.Name, "f%d", &i); n == 1 {
			at[i] = 0x1000 + s.Value
			require.NoError(t, c.Mem.Poke(0x400000+4*i, binary.LittleEndian.AppendUint32(nil, at[i])))
		}
	}
	c.PC = 0x1000
	return c, at
}

// TestComputedJumps executes jumps to few and to many blocks in one unit with them, whose code changes meanwhile.
func TestComputedJumps(t *testing.T) {
	for _, handlers := range []int{1, 5, 12, 40} {
		ref, at := interpreter(t, handlers)
		got, _ := interpreter(t, handlers)
		e := fast.New()
		if err := e.CompileAt(2); err != nil {
			t.Skip(err)
		}
		got.SetEngine(e)
		for i := range 30 {
			require.Empty(t, lockstep(ref, got, ref.Cycles+20_000, func() uint64 { return 997 }), "%d handlers", handlers)
			site := at[i%handlers]
			var word [4]byte
			require.NoError(t, ref.Mem.Peek(site, word[:]))
			word[2] ^= 0x40 // the lowest bit of the literal of add r2,r2,u6, in the middle-endian word
			for _, c := range []*cpu.CPU{ref, got} {
				require.NoError(t, c.Mem.Poke(site, word[:]))
			}
		}
	}
}

// TestDispatch compiles an interpreter of few operations as one unit, in which its jumps stay.
func TestDispatch(t *testing.T) {
	c, _ := interpreter(t, 6)
	e := fast.New()
	if err := e.Compile(); err != nil {
		t.Skip(err)
	}
	c.SetEngine(e)
	c.Advance(2_000_000)
	_, blocks, _ := e.Compiled()
	require.Equal(t, 1, e.Units())
	require.Equal(t, 7, blocks, "the loop and its operations")
}
