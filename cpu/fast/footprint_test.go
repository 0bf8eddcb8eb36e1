package fast

import (
	"encoding/binary"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// TestFootprint executes megabytes of code, twice, compiled as soon as it is met: at the long level much more than an engine
// holds. Memory stays bounded, and the results are exact.
func TestFootprint(t *testing.T) {
	level.NeedsPlain(t, "it compiles a million instructions")
	const block, limit, pieces = 64, 160 << 20, 16 // bytes of a block, and of the engine
	size := uint32(level.Count(32, 2, 0)) << 20
	mem := memory.New(memory.RAM, 64<<20)
	c, err := cpu.New(cpu.Config{Features: isa.EM, Timing: "em9d"}, mem)
	require.NoError(t, err)
	e := New()
	if err := e.CompileAt(1); err != nil {
		t.Skip(err)
	}
	c.SetEngine(e)

	// blocks of 14 operations with their number, the lower bits of it, each of which jumps half of the code away
	const start = 1 << 20
	blocks := size / block
	next := func(b uint32) uint32 { return (b + blocks/2 + 1) % blocks }
	code := make([]byte, 0, size)
	words := func(list ...uint16) {
		for _, v := range list {
			code = binary.LittleEndian.AppendUint16(code, v)
		}
	}
	for b := range blocks {
		for range 7 {
			words(0x2040, uint16(b&63<<6)) // add r0,r0,b
			words(0x2047, uint16(b&63<<6)) // xor r0,r0,b
		}
		at := start + next(b)*block
		words(0x2020, 0x0f80, uint16(at>>16), uint16(at)) // j at
	}
	require.NoError(t, mem.Poke(start, code))
	code = nil
	var want uint32
	for n, b := uint32(0), uint32(0); n < 2*blocks; n, b = n+1, next(b) {
		for range 7 {
			want = (want + b&63) ^ b&63
		}
	}
	before := heap()
	c.PC = start
	var most int64
	for n := range uint64(pieces) {
		c.InstLimit = (n + 1) * 2 * 15 * uint64(blocks) / pieces
		c.Run(cpu.NoLimit)
		most = max(most, heap()-before)
	}
	require.Equal(t, 2*15*uint64(blocks), c.Insts)
	require.Equal(t, want, c.R[0])
	t.Logf("%d MB of code: %d instructions compiled to %d MB; the engine had up to %d MB besides", size>>20,
		e.native.compiledInsts, e.native.compiledBytes>>20, most>>20)
	require.Less(t, most, int64(limit))
	require.Greater(t, e.native.compiledInsts, 15*int(blocks)*99/100, "all but blocks that a limit cuts")
}

// heap is the bytes of the heap in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
