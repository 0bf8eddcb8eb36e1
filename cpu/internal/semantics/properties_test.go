package semantics_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"arcv2dsp/cpu/internal/semantics"
	"arcv2dsp/dspunit"
)

// anyMode draws a DSP_CTRL value.
func anyMode(t *rapid.T) dspunit.Mode {
	return dspunit.DecodeMode(rapid.Uint32Range(0, 15).Draw(t, "ctrl"))
}

func anyLane(t *rapid.T, name string) int64 {
	return rapid.Int64Range(-1<<39, 1<<39-1).Draw(t, name)
}

// Integer accumulation is associative and commutative: sums wrap, whatever the order and the mode.
func TestWideAccumulationIsAssociative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMode(t)
		n := rapid.IntRange(2, 12).Draw(t, "n")
		x := rapid.SliceOfN(rapid.Uint32(), n, n).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Uint32(), n, n).Draw(t, "y")
		order := rapid.Permutation(x).Draw(t, "order")
		lo, hi := anyLane(t, "lo"), anyLane(t, "hi")
		w0, g0 := dspunit.WideOf(lo, hi)
		run := func(step func(x, y uint32, w uint64, g int32) (uint64, int32), x, y []uint32) (w uint64, g int32) {
			w, g = w0, g0
			for i := range x {
				w, g = step(x[i], y[i], w, g)
			}
			return w, g
		}
		mac := func(x, y uint32, w uint64, g int32) (uint64, int32) {
			_, _, w, g = semantics.MAC(x, y, 0, w, g, m.GeMask)
			return w, g
		}
		dmach := func(x, y uint32, w uint64, g int32) (uint64, int32) {
			_, _, w, g = semantics.DMACH(x, y, 0, w, g, m.GeMask)
			return w, g
		}
		for _, step := range []func(x, y uint32, w uint64, g int32) (uint64, int32){mac, dmach} {
			// x in any order against a constant, and the two operands exchanged
			one := make([]uint32, n)
			for i := range one {
				one[i] = y[0]
			}
			w1, g1 := run(step, x, one)
			w2, g2 := run(step, order, one)
			require.Equal(t, w1, w2)
			require.Equal(t, g1, g2)
			w3, g3 := run(step, x, y)
			w4, g4 := run(step, y, x)
			require.Equal(t, w3, w4)
			require.Equal(t, g3, g4)
		}
	})
}

// Fractional sums stay within the limits of the mode, and say so when they had to be clamped.
func TestSaturationBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMode(t)
		x, y := rapid.Uint32().Draw(t, "x"), rapid.Uint32().Draw(t, "y")
		lo, hi := anyLane(t, "lo"), anyLane(t, "hi")
		_, q, lo2, hi2 := semantics.VMAC2HFR(x, y, lo, hi, m.PreMask, m.PostMask, m.LimLane, m.SignLane, m.MaskLane, m.Rnd15, m.RndEven)
		for _, v := range []int64{lo2, hi2} {
			require.LessOrEqual(t, v, m.LimLane)
			require.GreaterOrEqual(t, v, ^m.LimLane)
		}
		if q&dspunit.StickyLoV != 0 {
			require.Contains(t, []int64{m.LimLane, ^m.LimLane}, lo2)
		}
		if q&dspunit.StickyHiV != 0 {
			require.Contains(t, []int64{m.LimLane, ^m.LimLane}, hi2)
		}
		w, g := dspunit.WideOf(lo, hi)
		_, _, q, w2, g2 := semantics.MACFR(x, y, 0, w, g, m.GeMask, m.PreMask, m.PostMask, m.LimWide, m.LimGuard, m.LimTop, m.Rnd31, m.RndEven)
		if m.Ge == 0 {
			require.Equal(t, int32(int64(w2)>>63), g2, "without guard bits the guard is the sign")
		}
		require.LessOrEqual(t, g2, int32(127))
		require.GreaterOrEqual(t, g2, int32(-128))
		if q&dspunit.StickyHiV != 0 {
			greatest := w2 == m.LimWide && g2 == m.LimGuard
			least := w2 == ^m.LimWide && g2 == ^m.LimGuard
			require.True(t, greatest || least)
		}
	})
}

// getacc reads one field of the accumulators.
func getacc(m dspunit.Mode, control uint32, lo, hi int64) uint32 {
	z, _ := semantics.GETACC(control, lo, hi, m.GeMask, m.PostMask, m.SignLane, m.MaskLane, m.RndMask, m.RndEven)
	return z
}

// Identities of GETACC.
func TestGetaccIdentities(t *testing.T) {
	const sat, signed, round, right, s16, s8 = 0x400, 0x800, 0x1000, 0x2000, 0x8000, 0xc000
	rapid.Check(t, func(t *rapid.T) {
		m := anyMode(t)
		lo, hi := anyLane(t, "lo"), anyLane(t, "hi")
		amount := rapid.Uint32Range(0, 255).Draw(t, "amount")

		// unshifted words are the registers
		require.Equal(t, uint32(lo), getacc(m, signed|0x100, lo, hi))
		require.Equal(t, uint32(hi), getacc(m, signed|0x200, lo, hi))
		require.Equal(t, uint32(hi), getacc(m, signed, lo, hi), "bits 63:32 of wide")
		require.Equal(t, uint32(lo), getacc(m, signed|32, lo, hi), "bits 31:0 of wide")

		// both lanes are the two lanes
		for _, control := range []uint32{signed | amount, sat | signed | amount, sat | signed | round | amount} {
			both := getacc(m, control|0x300, lo, hi)
			require.Equal(t, getacc(m, control|s16|right|0x100, lo, hi)&0xffff, both&0xffff)
			require.Equal(t, getacc(m, control|s16|right|0x200, lo, hi)&0xffff, both>>16)
		}

		// alignment only moves the field
		for _, control := range []uint32{0x100, 0x200, 0} {
			c := control | sat | signed | round | amount
			require.Equal(t, getacc(m, c|s16|right, lo, hi)<<16, getacc(m, c|s16, lo, hi))
			require.Equal(t, getacc(m, c|s8|right, lo, hi)<<24, getacc(m, c|s8, lo, hi))
		}

		// a number read out of the lane that holds it, as the fixed-point library writes it:
		// q15 = sat16(round(acc >> s)) by amount 16-s, q7 by 24-s
		s := rapid.Int64Range(0, 31).Draw(t, "s")
		v := dspunit.Lane(lo, m.SignLane, m.MaskLane)
		want := roundedShift(v, s, m)
		require.Equal(t, uint32(clamp(want, 16)), getacc(m, sat|signed|round|right|s16|0x100|uint32(16-s)&0xff, lo, hi))
		require.Equal(t, uint32(clamp(want, 8)), getacc(m, sat|signed|round|right|s8|0x100|uint32(24-s)&0xff, lo, hi))
		// and q15 from wide by 48-s
		wide := int64(hi)<<32 | int64(uint32(lo))
		if hi>>31 == hi>>39 {
			require.Equal(t, uint32(clamp(roundedShift(wide, s, m), 16)), getacc(m, sat|signed|round|right|s16|uint32(48-s)&0xff, lo, hi))
		}
	})
}

// roundedShift is v / 2^s rounded by the mode, for values well inside 64 bits after the shift.
func roundedShift(v, s int64, m dspunit.Mode) int64 {
	if s == 0 {
		return v
	}
	floor, rest, half := v>>s, v&(1<<s-1), int64(1)<<(s-1)
	if m.Rm == dspunit.RoundUp && rest >= half || m.Rm == dspunit.RoundToEven && (rest > half || rest == half && floor&1 != 0) {
		floor++
	}
	return floor
}

// Saving and restoring an accumulator the way compilers do: guards first by SETACC, then the words by
// moves, which leave the guards alone.
func TestAccumulatorSaveRestore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := dspunit.DecodeMode(dspunit.CtrlGE | dspunit.RoundToEven)
		lo, hi := anyLane(t, "lo"), anyLane(t, "hi")
		guardLo, guardHi := getacc(m, 0xe9f8, lo, hi), getacc(m, 0xeaf8, lo, hi)
		lo2, hi2 := anyLane(t, "other lo"), anyLane(t, "other hi")
		_, lo2, hi2 = semantics.SETACC(guardLo, 0x200, lo2, hi2, m.PostMask)
		_, lo2, hi2 = semantics.SETACC(guardHi, 0x300, lo2, hi2, m.PostMask)
		_, lo2, hi2 = semantics.SETACC(uint32(lo), 0x000, lo2, hi2, m.PostMask)
		_, lo2, hi2 = semantics.SETACC(uint32(hi), 0x100, lo2, hi2, m.PostMask)
		require.Equal(t, lo, lo2)
		require.Equal(t, hi, hi2)
	})
}

// Shifting an accumulator left by its norm loses nothing, by one more it clamps.
func TestNormaccIsTheHeadroom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := dspunit.DecodeMode(rapid.SampledFrom([]uint32{dspunit.CtrlPA, dspunit.CtrlPA | dspunit.CtrlGE}).Draw(t, "ctrl"))
		lo := anyLane(t, "lo") >> rapid.IntRange(0, 39).Draw(t, "k")
		lo = dspunit.Lane(lo, m.SignLane, m.MaskLane)
		hi := anyLane(t, "hi")
		norm := int32(int8(semantics.NORMACC(0x100, lo, hi, m.GeMask, m.PostMask, m.SignLane, m.MaskLane)))
		room := norm + 8*int32(m.Ge)
		shift := func(n int32) (q uint32, lo2 int64) {
			q, lo2, _ = semantics.ASLSACC(0x100|uint32(n)&0xff, lo, hi, m.GeMask, m.LimLane, m.SignLane, m.MaskLane, m.LimWide, m.LimGuard)
			return q, lo2
		}
		q, lo2 := shift(room)
		require.Zero(t, q)
		require.Equal(t, lo, lo2>>room)
		if lo != 0 {
			q, _ = shift(room + 1)
			require.Equal(t, uint32(dspunit.StickySAT|dspunit.StickyLoV), q)
		}
	})
}
