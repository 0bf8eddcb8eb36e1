package cpu

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/dspunit"
	"arcv2dsp/isa"
)

// TestRowsAreExecuted: every row names a function, or a method, or says why it is not modelled, and
// nothing is both.
func TestRowsAreExecuted(t *testing.T) {
	for _, row := range isa.Rows() {
		if row.Exec != isa.Invalid {
			continue // 16-bit forms execute as another row
		}
		function := pure[row.Op].call != nil
		hasMethod := method(row.Op) != nil
		require.Equal(t, row.Model() == isa.Pure, function, "%s: a function of cpu/internal/semantics", row.Name)
		require.Equal(t, row.Model() == isa.Stateful, hasMethod, "%s: a method", row.Name)
	}
}

// TestRowsHaveVectors: every mnemonic has a vector file with cases, and every file a mnemonic.
func TestRowsHaveVectors(t *testing.T) {
	const dir = "../testdata/isa"
	for _, row := range isa.Rows() {
		text, err := os.ReadFile(filepath.Join(dir, row.Name+".txt"))
		require.NoError(t, err, row.Name)
		require.Contains(t, string(text), "\ncase ", row.Name)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		require.NotEmpty(t, isa.ByName(name), "%s belongs to no row", file)
	}
}

// TestRowsTellEffects: flags and accumulator parts of a row are exactly those that its function
// changes, or depends on, for some operands.
func TestRowsTellEffects(t *testing.T) {
	for i, row := range isa.Rows() {
		b := &pure[row.Op]
		if row.Exec != isa.Invalid || b.call == nil || testing.Short() && i%4 != 0 {
			continue
		}
		flags, reads, writes := effects(row, b)
		require.Equal(t, row.WritesFlags.String(), flags.String(), "%s: flags written", row.Name)
		require.Equal(t, row.ReadsAcc, reads, "%s: accumulator parts read", row.Name)
		require.Equal(t, row.WritesAcc, writes, "%s: accumulator parts written", row.Name)
	}
}

// effects finds out by trial what a function changes and depends on.
func effects(row *isa.Row, b *binding) (flags isa.FlagSet, reads, writes isa.AccSet) {
	rnd := rand.New(rand.NewPCG(1, uint64(row.Op)))
	edges := []uint64{0, 1, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 63, 1<<63 - 1}
	random := func() uint64 {
		if rnd.IntN(2) == 0 {
			return edges[rnd.IntN(len(edges))] | edges[rnd.IntN(len(edges))]<<32
		}
		return rnd.Uint64() >> rnd.IntN(64)
	}
	lane := func() int64 { return int64(random()<<24) >> 24 }
	for range 4000 {
		mode := dspunit.DecodeMode(rnd.Uint32())
		in := values{mode: &mode, fl: rnd.Uint32() & 15, sticky: rnd.Uint32() & 7, lo: lane(), hi: lane()}
		in.x64, in.y64 = random(), random()
		in.x, in.y = uint32(in.x64), uint32(in.y64)
		if row.Op == isa.DIVF {
			in.y = max(in.y, 1) // its precondition
		}
		out := trial(b, in)
		if b.uses&givesF != 0 {
			flags |= isa.FlagSet(out.f ^ in.fl)
		}
		if out.lo2 != in.lo {
			writes |= isa.AccLo
		}
		if out.hi2 != in.hi {
			writes |= isa.AccHi
		}
		for _, part := range []isa.AccSet{isa.AccLo, isa.AccHi} {
			other := in
			if part == isa.AccLo {
				other.lo = lane()
			} else {
				other.hi = lane()
			}
			got := trial(b, other)
			if b.uses&givesWide2 != 0 { // the wide accumulator leaves the GLO guard alone
				out.lo2, got.lo2 = int64(int32(out.lo2)), int64(int32(got.lo2))
			}
			if depends(in, out, other, got) {
				reads |= part
			}
		}
	}
	return flags, reads, writes
}

// trial calls a function on accumulator lanes; lo2 and hi2 are the lanes after it.
func trial(b *binding, v values) values {
	c := CPU{}
	c.SetLanes(v.lo, v.hi)
	v.wide, v.guard = c.wide()
	b.call(&v)
	c.setAccumulators(&v, b.uses)
	v.lo2, v.hi2 = c.Lanes()
	return v
}

// depends reports whether results differ that only differ in one accumulator lane of the operands. A
// lane that keeps its value was not read.
func depends(in, out, otherIn, other values) bool {
	if out.z != other.z || out.z64 != other.z64 || out.f != other.f || out.q != other.q {
		return true
	}
	loKept := out.lo2 == in.lo && other.lo2 == otherIn.lo
	hiKept := out.hi2 == in.hi && other.hi2 == otherIn.hi
	return out.lo2 != other.lo2 && !loKept || out.hi2 != other.hi2 && !hiKept
}
