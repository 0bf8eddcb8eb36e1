package quant_test

import (
	"math"
	"math/big"
	"testing"

	"arcv2dsp/quant"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// quotient is num/den rounded, by exact rational arithmetic on twice the fraction.
func quotient(r quant.Rounding, num, den *big.Int) *big.Int {
	floor, rest := new(big.Int).DivMod(num, new(big.Int).Abs(den), new(big.Int))
	if den.Sign() < 0 { // DivMod is Euclidean: make the divisor positive first
		floor, rest = new(big.Int).DivMod(new(big.Int).Neg(num), new(big.Int).Abs(den), new(big.Int))
	}
	if rest.Sign() == 0 {
		return floor
	}
	up := new(big.Int).Add(floor, big.NewInt(1))
	half := new(big.Int).Lsh(rest, 1).Cmp(new(big.Int).Abs(den))
	negative := floor.Sign() < 0
	switch {
	case r == quant.Floor:
		return floor
	case r == quant.TowardZero:
		if negative {
			return up
		}
		return floor
	case half < 0:
		return floor
	case half > 0:
		return up
	case r == quant.HalfUp:
		return up
	case r == quant.HalfAway:
		if negative {
			return floor
		}
		return up
	}
	if floor.Bit(0) == 0 {
		return floor
	}
	return up
}

// clamp brings a big number into a container of 64 bits.
func clamp(x *big.Int) int64 {
	switch {
	case x.IsInt64():
		return x.Int64()
	case x.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}

var anyRounding = rapid.SampledFrom(quant.Roundings())

// anyInteger prefers powers of two and their neighbours, where ties and limits are.
var anyInteger = rapid.OneOf(rapid.Int64(), rapid.Int64Range(-1000, 1000), rapid.Custom(func(t *rapid.T) int64 {
	x := int64(uint64(1) << rapid.IntRange(0, 63).Draw(t, "bit"))
	return x + rapid.Int64Range(-2, 2).Draw(t, "near")
}))

func TestShiftIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, x, n := anyRounding.Draw(t, "rounding"), anyInteger.Draw(t, "x"), rapid.IntRange(-70, 140).Draw(t, "n")
		num, den := big.NewInt(x), big.NewInt(1)
		if n >= 0 {
			den.Lsh(den, uint(n))
		} else {
			num.Lsh(num, uint(-n))
		}
		require.Equal(t, clamp(quotient(r, num, den)), r.Shift(x, n))
	})
}

// The least integer is the only one that reaches one half of a unit at 64 bits, and it no longer does at 65.
func TestShiftOfTheLeastInteger(t *testing.T) {
	cases := []struct {
		rounding     quant.Rounding
		by64, beyond int64
	}{
		{rounding: quant.NearestEven, by64: 0, beyond: 0},
		{rounding: quant.HalfAway, by64: -1, beyond: 0},
		{rounding: quant.HalfUp, by64: 0, beyond: 0},
		{rounding: quant.TowardZero, by64: 0, beyond: 0},
		{rounding: quant.Floor, by64: -1, beyond: -1},
	}
	require.Len(t, cases, len(quant.Roundings()))
	for _, c := range cases {
		require.Equal(t, c.by64, c.rounding.Shift(math.MinInt64, 64), c.rounding)
		for _, n := range []int{65, 66, 128, 140, math.MaxInt} {
			require.Equal(t, c.beyond, c.rounding.Shift(math.MinInt64, n), "%s by %d", c.rounding, n)
		}
	}
}

func TestDivIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, x, d := anyRounding.Draw(t, "rounding"), anyInteger.Draw(t, "x"), anyInteger.Draw(t, "d")
		if d == 0 {
			require.Zero(t, r.Div(x, d))
			return
		}
		require.Equal(t, clamp(quotient(r, big.NewInt(x), big.NewInt(d))), r.Div(x, d))
	})
}

// TestDivOfSmallNumbers has all signs, and every tie of divisors up to 8.
func TestDivOfSmallNumbers(t *testing.T) {
	for _, r := range quant.Roundings() {
		for x := int64(-20); x <= 20; x++ {
			for d := int64(1); d <= 8; d++ {
				for _, d := range []int64{d, -d} {
					require.Equal(t, clamp(quotient(r, big.NewInt(x), big.NewInt(d))), r.Div(x, d), "%s: %d / %d", r, x, d)
				}
			}
		}
	}
}

func TestRealRoundsAsIntegersDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRounding.Draw(t, "rounding")
		x, n := rapid.Int64Range(-1<<50, 1<<50).Draw(t, "x"), rapid.IntRange(0, 60).Draw(t, "n")
		require.Equal(t, float64(r.Shift(x, n)), r.Real(math.Ldexp(float64(x), -n))+0)
	})
}

func TestSaturate(t *testing.T) {
	for width := 1; width <= 64; width++ {
		require.Equal(t, int64(math.MinInt64>>(64-width)), quant.Saturate(math.MinInt64, width))
		require.Equal(t, int64(math.MaxInt64>>(64-width)), quant.Saturate(math.MaxInt64, width))
		require.Equal(t, int64(-1), quant.Saturate(-1, width))
	}
}

func TestNamesReadBack(t *testing.T) {
	for _, r := range quant.Roundings() {
		back, err := quant.ParseRounding(r.String())
		require.NoError(t, err)
		require.Equal(t, r, back)
	}
	for _, p := range quant.Profiles() {
		back, err := quant.ParseProfile(p.Name)
		require.NoError(t, err)
		require.Equal(t, p, back)
	}
	for _, c := range quant.Conventions() {
		back, err := quant.ParseConvention(c.String())
		require.NoError(t, err)
		require.Equal(t, c, back)
	}
	_, err := quant.ParseRounding("nearest")
	require.ErrorContains(t, err, `unknown rounding "nearest"`)
	_, err = quant.ParseProfile("tflite")
	require.ErrorContains(t, err, `unknown profile "tflite" (gemmlowp-legacy, gemmlowp, tflite-double`)
	_, err = quant.ParseConvention("minmax")
	require.ErrorContains(t, err, `unknown convention "minmax"`)
}

// TestEndsOfTheContainer: what leaves 64 bits is the nearest number of 64 bits.
func TestEndsOfTheContainer(t *testing.T) {
	for _, r := range []quant.Rounding{quant.Floor, quant.TowardZero, quant.HalfUp, quant.HalfAway, quant.NearestEven} {
		require.Equal(t, int64(math.MaxInt64), r.Div(math.MinInt64, -1))
		require.Equal(t, int64(math.MaxInt64), r.Shift(1, -63))
		require.Equal(t, int64(math.MaxInt64), r.Shift(2, -62))
		require.Equal(t, int64(1)<<62, r.Shift(1, -62))
		require.Equal(t, int64(math.MinInt64), r.Shift(-1, -63))
	}
}
