package fast

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu/internal/jit/exec"
)

// errRefused is the answer of the hosts of these tests.
var errRefused = errors.New("operation not permitted")

// withArea has engines get their memory for code from a function, until the test is over.
func withArea(t *testing.T, area func(int) (codeArea, error)) {
	before := newArea
	newArea = area
	t.Cleanup(func() { newArea = before })
}

// TestRefusal gives an engine a host that does not let it have memory for code.
func TestRefusal(t *testing.T) {
	withArea(t, func(int) (codeArea, error) { return nil, errRefused })
	e := New()
	require.ErrorIs(t, e.Compile(), errRefused)
	require.False(t, e.Compiles())
	e.Interpret()
}

// chain is a processor that executes blocks of four additions, each of which jumps to the next one, and the last
// one to the first.
func chain(t *testing.T, blocks uint32) *bench {
	x := newBench(t, 1)
	if err := x.e.CompileAt(1); err != nil {
		t.Skip(err)
	}
	x.c.SetEngine(x.e)
	const start = 0x20000
	word := func(v uint32) []byte { return []byte{byte(v >> 16), byte(v >> 24), byte(v), byte(v >> 8)} }
	for b := range blocks {
		code := make([]byte, 0, 64)
		for range 4 {
			code = append(code, word(0x2000_0040)...) // add r0,r0,r1
		}
		code = append(append(code, word(0x2020_0f80)...), word(start+(b+1)%blocks*64)...) // j limm
		require.NoError(t, x.c.Mem.Poke(start+b*64, code))
	}
	x.c.PC, x.c.R[0], x.c.R[1] = start, 0, 3
	return x
}

// sums compares the additions of a chain with the instructions it has executed.
func (x *bench) sums(t *testing.T) {
	require.InDelta(t, 12*(x.c.Insts/5), x.c.R[0], 12)
}

// TestFullArea gives an engine memory for so little code that each part is full again and again.
func TestFullArea(t *testing.T) {
	const size = 1 << 13
	withArea(t, func(int) (codeArea, error) { return exec.New(size) })
	x := chain(t, 640)
	x.c.Run(3_000_000)
	x.sums(t)
	n := x.e.native
	require.Greater(t, n.compiledBytes, 2*size, "all parts have been filled twice")
	live, exits := 0, 0
	for _, g := range n.generations {
		exits += len(g.exits)
		for _, u := range g.units {
			live += u.Insts
		}
	}
	require.Positive(t, live)
	require.Less(t, live, n.compiledInsts/2, "what is gone is forgotten")
	require.Less(t, exits, size/2)
}

// TestTinyArea gives an engine memory in which no unit fits.
func TestTinyArea(t *testing.T) {
	withArea(t, func(int) (codeArea, error) { return exec.New(256) })
	x := chain(t, 8)
	x.c.Run(100_000)
	x.sums(t)
	require.Zero(t, x.e.native.compiledBlocks)
}

// sealed is memory that takes code a number of times; then the host refuses to make it executable again.
type sealed struct {
	codeArea
	left int
}

func (a *sealed) Put(code []byte) (uintptr, error) {
	if a.left--; a.left < 0 {
		return 0, errRefused
	}
	return a.codeArea.Put(code)
}

// TestSealed gives an engine a host that refuses in the middle: nothing compiled is executed from then on.
func TestSealed(t *testing.T) {
	for taken := range 3 {
		withArea(t, func(size int) (codeArea, error) {
			a, err := exec.New(size)
			return &sealed{a, taken}, err
		})
		x := chain(t, 640)
		x.c.Run(300_000)
		x.sums(t)
		n := x.e.native
		require.True(t, n.over)
		for _, g := range n.generations {
			require.Empty(t, g.units)
		}
	}
}
