package quant_test

import (
	"math"
	"math/big"
	"testing"

	"arcv2dsp/quant"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// anyMultiplier is a result that QuantizeMultiplier can give: 31 significant bits or zero.
var anyMultiplier = rapid.Custom(func(t *rapid.T) quant.Multiplier {
	return quant.Multiplier{
		Value: rapid.Int32Range(1<<30, math.MaxInt32).Draw(t, "value"),
		Shift: rapid.IntRange(-31, 29).Draw(t, "shift"),
	}
})

// nearTie draws a sum whose product with m lies next to half of a result, or any sum.
func nearTie(t *rapid.T, m quant.Multiplier) int32 {
	half := float64(rapid.Int32Range(-1<<20, 1<<20).Draw(t, "result")) + 0.5
	x := half/m.Real() + float64(rapid.IntRange(-2, 2).Draw(t, "near"))
	if math.Abs(x) < 1<<31-1 {
		return int32(x)
	}
	return rapid.Int32().Draw(t, "x")
}

// exact is x * m * 2^bits as a fraction of integers.
func exact(x int32, m quant.Multiplier) (num, den *big.Int) {
	num, den = big.NewInt(int64(x)), big.NewInt(1)
	num.Mul(num, big.NewInt(int64(m.Value)))
	if m.Down() >= 0 {
		den.Lsh(den, uint(m.Down()))
	} else {
		num.Lsh(num, uint(-m.Down()))
	}
	return num, den
}

func TestOneRoundingIsExact(t *testing.T) {
	for _, s := range []quant.Scaling{quant.ScaleSingle, quant.ScaleConvergent, quant.ScaleUp} {
		rapid.Check(t, func(t *rapid.T) {
			m := anyMultiplier.Draw(t, "m")
			x := nearTie(t, m)
			want := quotient(s.Shift, first(exact(x, m)), second(exact(x, m)))
			if s.Overflow == quant.Clamp {
				require.Equal(t, int32(quant.Saturate(clamp(want), 32)), s.Apply(x, m))
			} else if want.IsInt64() {
				require.Equal(t, int32(want.Int64()), s.Apply(x, m))
			}
		})
	}
}

func first(a, _ *big.Int) *big.Int  { return a }
func second(_, b *big.Int) *big.Int { return b }

func TestTwoRoundingsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMultiplier.Draw(t, "m")
		x := nearTie(t, m)
		left := new(big.Int).Lsh(big.NewInt(int64(x)), uint(max(m.Shift, 0)))
		saturated := big.NewInt(quant.Saturate(clamp(left), 32))
		twice := func(left *big.Int) int32 {
			high := quotient(quant.HalfUp, new(big.Int).Mul(left, big.NewInt(int64(m.Value))), big.NewInt(1<<31))
			den := new(big.Int).Lsh(big.NewInt(1), uint(max(-m.Shift, 0)))
			return int32(quotient(quant.HalfAway, high, den).Int64())
		}
		require.Equal(t, twice(saturated), quant.ScaleGemmlowp.Apply(x, m))
		wrapped := big.NewInt(int64(int32(left.Uint64() & math.MaxUint32)))
		if left.Sign() < 0 {
			wrapped = big.NewInt(int64(int32(-(left.Uint64() & math.MaxUint32))))
		}
		require.Equal(t, twice(wrapped), quant.ScaleDouble.Apply(x, m))
	})
}

// TensorFlow Lite's parameters become TOSA's and come back, and both worlds give the same integers
// wherever TOSA defines them.
func TestTFLiteIsTOSA(t *testing.T) {
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		m := anyMultiplier.Draw(t, "m")
		value, shift, err := m.TOSA()
		require.NoError(t, err)
		back, err := quant.FromTOSA(value, shift)
		require.NoError(t, err)
		require.Equal(t, m, back)
		for range 64 {
			x := nearTie(t, m)
			if quant.CheckApplyScale32(x, m) != nil {
				continue
			}
			compared++
			require.Equal(t, quant.ScaleDouble.Apply(x, m), quant.ScaleNudged.Apply(x, m), "%d * %v", x, m)
			exact := quotient(quant.HalfUp, first(exact(x, m)), second(exact(x, m)))
			require.Equal(t, exact.Int64(), int64(quant.ScaleSingle.Apply(x, m)), "%d * %v", x, m)
		}
	})
	require.Positive(t, compared)
}

func TestEveryShiftOfTOSA(t *testing.T) {
	for shift := -40; shift <= 40; shift++ {
		m := quant.Multiplier{Value: 1 << 30, Shift: shift}
		_, down, err := m.TOSA()
		if shift < -31 || shift > 29 {
			require.ErrorContains(t, err, "TOSA takes shifts of 2 to 62")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, 31-shift, down)
	}
	_, _, err := quant.Multiplier{Value: -1}.TOSA()
	require.ErrorContains(t, err, "no negative multiplier (-1)")
	require.ErrorContains(t, quant.CheckApplyScale32(2, quant.Multiplier{Value: 1 << 30, Shift: 29}),
		"values of -2^1 to 2^1-1 with a shift of 2, not 2")
}

func TestQuantizeMultiplierIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		real := rapid.Float64Range(1e-9, 1e9).Draw(t, "real")
		m, err := quant.QuantizeMultiplier(real)
		require.NoError(t, err)
		require.GreaterOrEqual(t, m.Value, int32(1<<30))
		require.LessOrEqual(t, math.Abs(m.Real()-real), math.Ldexp(0.5, m.Shift-31), "half of the last bit")
		negative, err := quant.QuantizeMultiplier(-real)
		require.NoError(t, err)
		require.Equal(t, -m.Real(), negative.Real())
		short := m.Reduce16()
		require.InEpsilon(t, m.Real(), short.Real(), 0x1p-14)
	})
}

func TestFactorsWithoutMultiplier(t *testing.T) {
	for _, real := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, 0x1p31} {
		_, err := quant.QuantizeMultiplier(real)
		require.Error(t, err, "%g", real)
	}
	m, err := quant.QuantizeMultiplierSingle(0x1.8p30)
	require.NoError(t, err)
	require.Equal(t, quant.Multiplier{Value: math.MaxInt32, Shift: 30}, m)
}

func TestLegacyMultiplierRoundsAway(t *testing.T) {
	m := quant.Legacy(3, 1)
	require.Equal(t, 1.5, m.Real())
	for x, want := range map[int32]int32{1: 2, -1: -2, 3: 5, -3: -5, 1 << 30: -1 << 29} { // 3 * 2^30 wraps
		require.Equal(t, want, quant.ScaleLegacy.Apply(x, m), "%d", x)
	}
}

// The reciprocal of every count a pooling window can have divides exactly but for negative ties.
func TestReciprocalScaleDivides(t *testing.T) {
	for n := uint32(1); n <= 4096; n += 1 + n/64 {
		m, err := quant.ReciprocalScale(n)
		require.NoError(t, err)
		require.GreaterOrEqual(t, m.Value, int32(1<<30))
		for _, x := range []int32{0, 1, -1, int32(n) / 2, int32(n), -int32(n), 7*int32(n) + 1, -128 * int32(n), 127 * int32(n)} {
			if int64(x)*2%int64(n) != 0 || x >= 0 {
				require.Equal(t, quant.HalfAway.Div(int64(x), int64(n)), int64(quant.ScaleSingle.Apply(x, m)), "%d/%d", x, n)
			}
		}
	}
	_, err := quant.ReciprocalScale(0)
	require.Error(t, err)
}

func TestProfilesSayWhatTheyLack(t *testing.T) {
	lower, err := quant.ParseProfile("mlir-lower")
	require.NoError(t, err)
	_, err = lower.Requantize(1, quant.Multiplier{})
	require.ErrorContains(t, err, "profile mlir-lower does not say how integers are scaled")
	q, err := lower.Quantize(1.9, quant.Params{Scale: 1}, quant.Int8)
	require.NoError(t, err)
	require.Equal(t, int64(1), q)
	tosa, err := quant.ParseProfile("tosa-single")
	require.NoError(t, err)
	_, err = tosa.Quantize(1, quant.Params{Scale: 1}, quant.Int8)
	require.ErrorContains(t, err, "does not say how reals become integers")
}
