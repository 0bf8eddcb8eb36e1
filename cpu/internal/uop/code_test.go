package uop

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// pages is a program of two blocks on two pages: 0x1000 adds and jumps to 0x3000, which does the same and jumps back.
func pages(t *testing.T) *cpu.CPU {
	mem := memory.New(memory.RAM, 1<<20)
	c, err := cpu.New(cpu.Config{Features: isa.EM, Timing: "em9d", MPYOption: 2}, mem)
	require.NoError(t, err)
	for at, to := range map[uint32]uint32{0x1000: 0x3000, 0x3000: 0x1000} {
		var code []byte
		for _, word := range []uint32{0x2000_0040, 0x20e0_0f82, to} { // add r0,r0,r1; jne to
			code = binary.LittleEndian.AppendUint16(code, uint16(word>>16))
			code = binary.LittleEndian.AppendUint16(code, uint16(word))
		}
		require.NoError(t, mem.Poke(at, code))
	}
	c.PC = 0x1000
	return c
}

// TestInvalidate changes the code of a block and looks at all that led to it.
func TestInvalidate(t *testing.T) {
	c := pages(t)
	var code Code
	flushed := 0
	code.Init(func() { flushed++ })
	code.Begin(c)
	a := code.At(c)
	require.Equal(t, cpu.EndBranch, a.Src.End)
	require.Equal(t, []Op{ADD, SKIP}, []Op{a.Uops[0].Op, a.Uops[1].Op})
	edge := &a.Exits[1]
	require.Same(t, &code.None, edge.To)
	b := code.Follow(c, edge)
	require.Same(t, b, edge.To)
	require.EqualValues(t, 0x3000, b.Key.PC)
	require.Same(t, b, code.Target(c, 0x3000, 0, edge))
	slot := code.Jump(0x3000, 0)
	require.Equal(t, JumpAt(0x3000, uint32(b.Key.Mode)), slot.At)

	// machine code of both
	u := &Unit{Blocks: []*Block{a, b}, Valid: true}
	u.Install([]uintptr{0x10, 0x20})
	require.Equal(t, []uintptr{0x10, 0x20}, []uintptr{a.Entry, b.Entry})
	require.Same(t, u, b.Entered())
	require.Greater(t, b.Need, uint32(maxBlocks), "the leaf does not enter it")
	u.SetValid(false)
	require.Zero(t, a.Entry|b.Entry)
	require.Equal(t, b.Real, b.Need)
	u.SetValid(true)
	require.EqualValues(t, 0x20, b.Entry)

	// entries that do not pay
	for _, samples := range []int{4, 16} {
		b.Rest()
		u.SetValid(false)
		u.SetValid(true)
		require.Equal(t, []uintptr{0x10, 0}, []uintptr{a.Entry, b.Entry})
		require.Equal(t, b.Real, b.Need)
		for range samples {
			require.Zero(t, b.Entry)
			require.False(t, b.Sampled())
		}
		require.EqualValues(t, 0x20, b.Entry)
		require.True(t, b.Sampled())
	}

	code.Invalidate(0x1)
	require.True(t, a.Dead)
	require.False(t, b.Dead)
	require.True(t, u.Dead)
	require.Zero(t, b.Entry, "its code is that of a unit that is gone")
	require.Empty(t, b.from)
	require.Same(t, b, slot.To)

	code.Invalidate(0x3)
	require.True(t, b.Dead)
	require.Equal(t, Jump{At: Nowhere}, *slot)
	c.PC = 0x1000
	require.NotSame(t, a, code.At(c))
	require.Equal(t, 1, flushed, "by Init")
	code.Flush()
	require.Equal(t, 2, flushed)
	require.Zero(t, code.held)
}

// TestSettle counts an edge, and an instruction that was handed over, and asks what was lost.
func TestSettle(t *testing.T) {
	c := pages(t)
	var code Code
	code.Init(func() {})
	code.Begin(c)
	a := code.At(c)
	edge := &a.Exits[1]
	lost := uint64(0)
	for _, l := range edge.Stalls {
		lost += uint64(l.Cycles)
	}
	require.NotZero(t, lost, "a jump costs cycles")
	cycles := uint64(uint32(edge.Acct))
	require.Equal(t, 2+lost, cycles)

	const times = 5
	code.Enter(c, a, 0)
	for range times {
		code.Leave(c, edge)
	}
	require.EqualValues(t, 2*times, c.Insts)
	require.Equal(t, times*cycles, c.Cycles)
	require.Zero(t, c.Stalls.Total(), "they are worked out when asked for")
	code.Settle(c)
	require.Equal(t, times*lost, c.Stalls.Total())

	// an executor begins at the jump, and the reference engine executes it: nothing has been lost before
	u := code.Enter(c, a, 1)
	require.Equal(t, 1, code.HandOver(c, a, u))
	require.Equal(t, a.Src.Insts[1].PC, c.PC)
	require.EqualValues(t, 2*times, c.Insts)
	require.Equal(t, times*cycles, c.Cycles)
	code.Settle(c)
	require.Equal(t, times*lost, c.Stalls.Total())
}

// TestJumpIndex counts how many targets have places of their own in a table of 16,384, whatever the distance of functions.
func TestJumpIndex(t *testing.T) {
	for _, distance := range []uint32{6, 24, 64, 80, 100, 128, 256, 1000, 4096} {
		places := map[uint32]bool{}
		for i := range uint32(2500) {
			places[JumpIndex(0x1000+i*distance, 0)] = true
		}
		require.Greater(t, len(places), 2400, "every %d bytes", distance)
	}
}
