package nn

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

var floatTypes = []Type{F32, F16, BF16, F8E4M3, F8E5M2}

// The bits are those that IEEE 754 and the OCP specification of 8-bit types give.
func TestFloatBitsOfKnownNumbers(t *testing.T) {
	for _, c := range []struct {
		typ   Type
		value float64
		bits  uint64
	}{
		{typ: F16, value: 1, bits: 0x3c00}, {typ: F16, value: -2, bits: 0xc000}, {typ: F16, value: 65504, bits: 0x7bff},
		{typ: F16, value: 0x1p-24, bits: 1}, {typ: F16, value: 0x1p-14, bits: 0x0400}, {typ: F16, value: math.Inf(1), bits: 0x7c00},
		{typ: BF16, value: 1, bits: 0x3f80}, {typ: BF16, value: 0x1.fep127, bits: 0x7f7f}, {typ: BF16, value: math.Inf(-1), bits: 0xff80},
		{typ: BF16, value: 0x1p-133, bits: 1},
		{typ: F8E4M3, value: 448, bits: 0x7e}, {typ: F8E4M3, value: 0x1p-6, bits: 0x08}, {typ: F8E4M3, value: 0x1p-9, bits: 1},
		{typ: F8E4M3, value: -1, bits: 0xb8}, {typ: F8E4M3, value: 256, bits: 0x78},
		{typ: F8E5M2, value: 57344, bits: 0x7b}, {typ: F8E5M2, value: 0x1p-16, bits: 1}, {typ: F8E5M2, value: math.Inf(1), bits: 0x7c},
	} {
		require.Equal(t, c.bits, c.typ.FloatBits(float32(c.value)), "%s %g", c.typ, c.value)
		require.Equal(t, float32(c.value), c.typ.FromFloatBits(c.bits), "%s %#x", c.typ, c.bits)
	}
	for typ, largest := range map[Type]float64{F32: math.MaxFloat32, F16: 65504, BF16: 0x1.fep127, F8E4M3: 448, F8E5M2: 57344} {
		require.Equal(t, largest, typ.Largest(), typ)
	}
	require.True(t, math.IsNaN(float64(F8E4M3.FromFloatBits(0x7f))))
	require.True(t, math.IsNaN(float64(F8E5M2.FromFloatBits(0x7d))))
	require.True(t, math.IsNaN(float64(F16.FromFloatBits(0x7e00))))
}

// Every number of the small types must be its own rounding, and the middle of two neighbours must go to the one
// with the even bits: a statement of rounding that knows the bits alone.
func TestRoundGoesToTheNearestOfAllNumbers(t *testing.T) {
	for _, typ := range floatTypes[1:] {
		end := uint64(1) << (typ.Bits() - 1)
		for bits := range end - 1 {
			v := float64(typ.FromFloatBits(bits))
			next := float64(typ.FromFloatBits(bits + 1))
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			require.Equal(t, bits, typ.FloatBits(float32(v)), "%s %#x", typ, bits)
			require.Equal(t, v, typ.Round(v), "%s %#x", typ, bits)
			if math.IsNaN(next) || math.IsInf(next, 0) {
				continue
			}
			even := v
			if bits%2 == 1 {
				even = next
			}
			middle := v + (next-v)/2
			require.Equal(t, even, typ.Round(middle), "%s between %g and %g", typ, v, next)
			require.Equal(t, v, typ.Round(math.Nextafter(middle, v)), "%s below the middle of %g and %g", typ, v, next)
			require.Equal(t, -next, typ.Round(-math.Nextafter(middle, next)), "%s above the middle of %g and %g", typ, v, next)
		}
	}
}

func TestRoundOverflows(t *testing.T) {
	require.Equal(t, math.Inf(1), F16.Round(65520))
	require.Equal(t, 65504.0, F16.Round(65519.99))
	require.Equal(t, math.Inf(-1), BF16.Round(-1e39))
	require.Equal(t, 448.0, F8E4M3.Round(463))
	require.Equal(t, 448.0, F8E4M3.Round(464), "the middle of 448 and the next step goes to even bits")
	require.True(t, math.IsNaN(F8E4M3.Round(465)))
	require.True(t, math.IsNaN(F8E4M3.Round(math.Inf(1))))
	require.Equal(t, math.Inf(1), F8E5M2.Round(61440))
	require.True(t, math.Signbit(F16.Round(-1e-30)), "a negative number that is too small is -0")
	require.True(t, math.IsNaN(F16.Round(math.NaN())))
}

func TestTensorRefusesNumbersItsTypeLacks(t *testing.T) {
	x := New(F16, 2)
	x.Floats[1] = 1.0 / 3
	require.ErrorContains(t, x.Check(), "element 1 is 0.33333334, which f16 does not have")
	x.Floats[1] = float32(F16.Round(1.0 / 3))
	require.NoError(t, x.Check())
}
