package fpunit_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"arcv2dsp/cpu/internal/fpunit"
	_ "arcv2dsp/internal/dev/testkit/nofiles"
)

// bits64 draws bit patterns that meet each other: random ones, powers of two and their neighbours,
// subnormals, infinities and NaNs, and exponents near each other so that sums cancel.
func bits64(t *rapid.T, name string) uint64 {
	sign := rapid.Uint64Range(0, 1).Draw(t, name+" sign") << 63
	fraction := rapid.OneOf(rapid.Uint64Range(0, 1<<52-1), rapid.SampledFrom([]uint64{0, 1, 2, 1 << 51, 1<<52 - 1, 1<<52 - 2, 1 << 28, 1<<29 - 1})).Draw(t, name+" fraction")
	exponent := rapid.OneOf(rapid.Uint64Range(0, 2047), rapid.Uint64Range(1000, 1046), rapid.SampledFrom([]uint64{0, 1, 2, 2046, 2047})).Draw(t, name+" exponent")
	return sign | exponent<<52 | fraction
}

func bits32(t *rapid.T, name string) uint64 {
	sign := rapid.Uint64Range(0, 1).Draw(t, name+" sign") << 31
	fraction := rapid.OneOf(rapid.Uint64Range(0, 1<<23-1), rapid.SampledFrom([]uint64{0, 1, 2, 1 << 22, 1<<23 - 1, 1<<23 - 2, 1 << 11})).Draw(t, name+" fraction")
	exponent := rapid.OneOf(rapid.Uint64Range(0, 255), rapid.Uint64Range(115, 140), rapid.SampledFrom([]uint64{0, 1, 2, 254, 255})).Draw(t, name+" exponent")
	return sign | exponent<<23 | fraction
}

// same compares with a float64 of the host; which NaN it is does not count.
func same(t *rapid.T, what string, got uint64, want float64) {
	if math.IsNaN(want) {
		require.True(t, math.IsNaN(math.Float64frombits(got)), "%s = %016x, want a NaN", what, got)
		return
	}
	require.Equal(t, math.Float64bits(want), got, what)
}

func same32(t *rapid.T, what string, got uint64, want float32) {
	if want != want {
		f := math.Float32frombits(uint32(got))
		require.True(t, f != f, "%s = %08x, want a NaN", what, got)
		return
	}
	require.Equal(t, uint64(math.Float32bits(want)), got, what)
}

// TestHost compares what rounds to nearest with the hardware under this test.
func TestHost(t *testing.T) {
	const near = fpunit.RoundNearest
	rapid.Check(t, func(t *rapid.T) {
		x, y, a := bits64(t, "x"), bits64(t, "y"), bits64(t, "a")
		fx, fy, fa := math.Float64frombits(x), math.Float64frombits(y), math.Float64frombits(a)
		op := func(f func(x, y uint64, round, p uint32) (uint64, uint32)) uint64 {
			z, _ := f(x, y, near, fpunit.Double)
			return z
		}
		same(t, "add", op(fpunit.Add), fx+fy)
		same(t, "subtract", op(fpunit.Subtract), fx-fy)
		same(t, "multiply", op(fpunit.Multiply), fx*fy)
		same(t, "divide", op(fpunit.Divide), fx/fy)
		z, _ := fpunit.MultiplyAdd(x, y, a, near, fpunit.Double)
		same(t, "multiply-add", z, math.FMA(fx, fy, fa))
		z, _ = fpunit.MultiplySubtract(x, y, a, near, fpunit.Double)
		same(t, "multiply-subtract", z, math.FMA(-fx, fy, fa))
		z, _ = fpunit.SquareRoot(x, near, fpunit.Double)
		same(t, "square root", z, math.Sqrt(fx))
		n, _ := fpunit.Narrow(x, near)
		same32(t, "narrow", n, float32(fx))

		f, _ := fpunit.Compare(x, y, fpunit.Quiet, fpunit.Double)
		require.Equal(t, fx == fy, f == 8, "equal")
		require.Equal(t, fx < fy, f == 6, "less")
		require.Equal(t, fx > fy, f == 0, "greater")
		require.Equal(t, fx != fx || fy != fy, f == 1, "unordered")
		i, _ := fpunit.FromInteger(x, fpunit.Integer{Bits: 64, Signed: true}, near, fpunit.Double)
		same(t, "from int64", i, float64(int64(x)))
		i, _ = fpunit.FromInteger(x, fpunit.Integer{Bits: 64}, near, fpunit.Double)
		same(t, "from uint64", i, float64(x))
		i, _ = fpunit.FromInteger(x, fpunit.Integer{Bits: 32, Signed: true}, near, fpunit.Double)
		same(t, "from int32", i, float64(int32(x)))
		if math.Abs(fx) < 1<<62 {
			i, _ = fpunit.ToInteger(x, fpunit.Integer{Bits: 64, Signed: true}, fpunit.RoundTowardZero, fpunit.Double)
			require.Equal(t, int64(fx), int64(i), "to int64")
			i, _ = fpunit.ToInteger(x, fpunit.Integer{Bits: 64, Signed: true}, near, fpunit.Double)
			require.Equal(t, int64(math.RoundToEven(fx)), int64(i), "to int64, nearest")
			i, _ = fpunit.ToInteger(x, fpunit.Integer{Bits: 64, Signed: true}, fpunit.RoundUp, fpunit.Double)
			require.Equal(t, int64(math.Ceil(fx)), int64(i), "to int64, up")
			i, _ = fpunit.ToInteger(x, fpunit.Integer{Bits: 64, Signed: true}, fpunit.RoundDown, fpunit.Double)
			require.Equal(t, int64(math.Floor(fx)), int64(i), "to int64, down")
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		x, y := bits32(t, "x"), bits32(t, "y")
		fx, fy := math.Float32frombits(uint32(x)), math.Float32frombits(uint32(y))
		op := func(f func(x, y uint64, round, p uint32) (uint64, uint32)) uint64 {
			z, _ := f(x, y, near, fpunit.Single)
			return z
		}
		same32(t, "add", op(fpunit.Add), fx+fy)
		same32(t, "subtract", op(fpunit.Subtract), fx-fy)
		same32(t, "multiply", op(fpunit.Multiply), fx*fy)
		same32(t, "divide", op(fpunit.Divide), fx/fy)
		z, _ := fpunit.SquareRoot(x, near, fpunit.Single)
		same32(t, "square root", z, float32(math.Sqrt(float64(fx))))
		z, _ = fpunit.Widen(x)
		same(t, "widen", z, float64(fx))
		z, _ = fpunit.FromInteger(x, fpunit.Integer{Bits: 32, Signed: true}, near, fpunit.Single)
		same32(t, "from int32", z, float32(int32(x)))
	})
}
