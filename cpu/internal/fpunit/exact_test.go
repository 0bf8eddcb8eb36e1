package fpunit_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"arcv2dsp/cpu/internal/fpunit"
)

// format is a format of floating point, for numbers computed exactly.
type format struct {
	name           string
	p              uint32 // fraction bits
	sign           uint64
	least, largest int // exponents of normal numbers
	draw           func(t *rapid.T, name string) uint64
}

var formats = []format{
	{name: "single", p: fpunit.Single, sign: 1 << 31, least: -126, largest: 127, draw: bits32},
	{name: "double", p: fpunit.Double, sign: 1 << 63, least: -1022, largest: 1023, draw: bits64},
}

// value is the number of a bit pattern, false for infinities and NaNs.
func (f format) value(x uint64) (*big.Float, bool) {
	v := math.Float64frombits(x)
	if f.p == fpunit.Single {
		v = float64(math.Float32frombits(uint32(x)))
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, false
	}
	return new(big.Float).SetPrec(wide).SetFloat64(v), true
}

// wide is a precision in which sums and products of doubles are exact, those of three numbers too.
const wide = 8192

// rounded is the bit pattern of a number other than zero and whether it is another number. exact tells whether v is
// the number itself; else it is a little nearer to zero.
func (f format) rounded(v *big.Float, exact bool, round uint32) (z uint64, inexact bool) {
	neg := v.Signbit()
	v = new(big.Float).Abs(v)
	unit := max(v.MantExp(nil)-1, f.least) - int(f.p) // the exponent of the last bit
	scaled := new(big.Float).SetMantExp(v, -unit)
	n, _ := scaled.Uint64()
	rest := new(big.Float).Sub(scaled, new(big.Float).SetUint64(n))
	half := rest.Cmp(big.NewFloat(0.5))
	if half == 0 && !exact {
		half = 1
	}
	inexact = rest.Sign() != 0 || !exact
	switch {
	case !inexact:
	case round == fpunit.RoundNearest && (half > 0 || half == 0 && n&1 != 0), round == fpunit.RoundUp && !neg, round == fpunit.RoundDown && neg:
		n++
	}
	top := uint64(f.largest+1-f.least+1) << f.p // infinity: exponents are counted from 1
	z = n
	if n >= 1<<f.p { // a carry counts the exponent up
		z = n + uint64(unit+int(f.p)-f.least)<<f.p
	}
	if z >= top {
		z, inexact = top, true
		if round == fpunit.RoundTowardZero || round == fpunit.RoundUp && neg || round == fpunit.RoundDown && !neg {
			z--
		}
	}
	if neg {
		z |= f.sign
	}
	return z, inexact
}

// TestExact compares every rounding of both formats with numbers computed exactly.
func TestExact(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				bits := [3]uint64{f.draw(t, "x"), f.draw(t, "y"), f.draw(t, "a")}
				round := rapid.Uint32Range(0, 3).Draw(t, "round")
				var v [3]*big.Float
				for i, b := range bits {
					var finite bool
					if v[i], finite = f.value(b); !finite {
						return // TestHost and the vectors have these
					}
				}
				x, y, a := v[0], v[1], v[2]
				number := func() *big.Float { return new(big.Float).SetPrec(wide) }
				check := func(what string, z uint64, e uint32, want *big.Float, exact bool) {
					if want.Sign() == 0 {
						got, finite := f.value(z)
						require.True(t, finite && got.Sign() == 0, "%s is %#x, want 0", what, z)
						require.Zero(t, e, what)
						return
					}
					wz, inexact := f.rounded(want, exact, round)
					require.Equal(t, wz, z, what)
					require.Equal(t, inexact, e&fpunit.Inexact != 0, "%s: inexact", what)
				}
				z, e := fpunit.Add(bits[0], bits[1], round, f.p)
				check("add", z, e, number().Add(x, y), true)
				z, e = fpunit.Subtract(bits[0], bits[1], round, f.p)
				check("subtract", z, e, number().Sub(x, y), true)
				z, e = fpunit.Multiply(bits[0], bits[1], round, f.p)
				check("multiply", z, e, number().Mul(x, y), true)
				z, e = fpunit.MultiplyAdd(bits[0], bits[1], bits[2], round, f.p)
				product := number().Mul(x, y)
				check("multiply-add", z, e, number().Add(a, product), true)
				z, e = fpunit.MultiplySubtract(bits[0], bits[1], bits[2], round, f.p)
				check("multiply-subtract", z, e, number().Sub(a, product), true)
				if y.Sign() != 0 {
					quotient := new(big.Float).SetPrec(200).SetMode(big.ToZero).Quo(x, y)
					z, e = fpunit.Divide(bits[0], bits[1], round, f.p)
					check("divide", z, e, quotient, quotient.Acc() == big.Exact)
				}
				if x.Sign() > 0 {
					root := new(big.Float).SetPrec(200).SetMode(big.ToZero).Sqrt(x)
					square := number().Mul(root, root)
					z, e = fpunit.SquareRoot(bits[0], round, f.p)
					check("square root", z, e, root, square.Cmp(x) == 0)
				}
				if f.p == fpunit.Double {
					z, e = fpunit.Narrow(bits[0], round)
					if x.Sign() != 0 {
						wz, inexact := formats[0].rounded(x, true, round)
						require.Equal(t, wz, z, "narrow")
						require.Equal(t, inexact, e&fpunit.Inexact != 0, "narrow: inexact")
					}
				}
				for _, to := range []fpunit.Integer{{Bits: 32, Signed: true}, {Bits: 32}, {Bits: 64, Signed: true}, {Bits: 64}} {
					z, e = fpunit.ToInteger(bits[0], to, round, f.p)
					want, invalid := integer(x, to, round)
					require.Equal(t, want, z, "%+v", to)
					require.Equal(t, invalid, e&fpunit.Invalid != 0, "%+v: invalid", to)
					require.Equal(t, !invalid && !x.IsInt(), e&fpunit.Inexact != 0, "%+v: inexact", to)

					whole := number().SetUint64(bits[1] << (64 - to.Bits) >> (64 - to.Bits))
					if to.Signed {
						whole = number().SetInt64(int64(bits[1]<<(64-to.Bits)) >> (64 - to.Bits))
					}
					z, e = fpunit.FromInteger(bits[1], to, round, f.p)
					check("from integer", z, e, whole, true)
				}
			})
		})
	}
}

// integer rounds a number to a type of integers; one that does not fit is clamped and invalid.
func integer(x *big.Float, to fpunit.Integer, round uint32) (z uint64, invalid bool) {
	n, _ := x.Int(nil) // towards zero
	rest := new(big.Float).SetPrec(wide).Sub(x, new(big.Float).SetPrec(wide).SetInt(n))
	away := big.NewInt(int64(x.Sign()))
	half := rest.Abs(rest).Cmp(big.NewFloat(0.5))
	switch {
	case rest.Sign() == 0:
	case round == fpunit.RoundNearest && (half > 0 || half == 0 && n.Bit(0) != 0), round == fpunit.RoundUp && x.Sign() > 0,
		round == fpunit.RoundDown && x.Sign() < 0:
		n.Add(n, away)
	}
	least, greatest := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(to.Bits))
	if to.Signed {
		greatest.Rsh(greatest, 1)
		least.Neg(greatest)
	}
	greatest.Sub(greatest, big.NewInt(1))
	switch {
	case n.Cmp(least) < 0:
		n, invalid = least, true
	case n.Cmp(greatest) > 0:
		n, invalid = greatest, true
	}
	return new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64>>(64-to.Bits))).Uint64(), invalid
}
