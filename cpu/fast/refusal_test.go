package fast

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/jit/exec"
)

// TestRefusal gives an engine a host that does not let it have memory for code.
func TestRefusal(t *testing.T) {
	defer func(before func(int) (*exec.Area, error)) { newArea = before }(newArea)
	refused := errors.New("operation not permitted")
	newArea = func(int) (*exec.Area, error) { return nil, refused }
	e := New()
	require.ErrorIs(t, e.Compile(), refused)
	require.False(t, e.Compiles())
	e.Interpret()
}

// TestFullArea gives an engine memory for so little code that it is full again and again.
func TestFullArea(t *testing.T) {
	defer func(before func(int) (*exec.Area, error)) { newArea = before }(newArea)
	newArea = func(int) (*exec.Area, error) { return exec.New(4096) }
	x := newBench(t, 1)
	e := x.e
	if err := e.CompileAt(1); err != nil {
		t.Skip(err)
	}
	c := x.c
	c.SetEngine(e)
	// 64 blocks of additions, each of which jumps to the next one, and the last one to the first
	const start, blocks = 0x20000, 64
	for b := range uint32(blocks) {
		at := start + b*64
		for i := range uint32(4) { // add r0,r0,r1
			word := uint32(0x2000_0040)
			require.NoError(t, c.Mem.Poke(at+4*i, []byte{byte(word >> 16), byte(word >> 24), byte(word), byte(word >> 8)}))
		}
		to := start + (b+1)%blocks*64
		jump := uint32(0x2020_0f80) // j limm
		code := []byte{byte(jump >> 16), byte(jump >> 24), byte(jump), byte(jump >> 8), byte(to >> 16), byte(to >> 24), byte(to), byte(to >> 8)}
		require.NoError(t, c.Mem.Poke(at+16, code))
	}
	c.PC, c.R[0], c.R[1] = start, 0, 3
	c.Run(3_000_000)
	passes := c.Insts / 5
	require.Positive(t, e.native.compiledBlocks)
	require.LessOrEqual(t, e.native.area.Used(), 4096)
	require.InDelta(t, 12*passes, c.R[0], 12)
}
