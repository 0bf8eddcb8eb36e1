package quant_test

import (
	"math"
	"math/big"
	"testing"

	"arcv2dsp/quant"

	"github.com/stretchr/testify/require"
)

// TestActivationTables: entries against the functions in big numbers or other forms, both widths, results at the ends.
func TestActivationTables(t *testing.T) {
	q := func(bits, frac int) quant.Type {
		typ, err := quant.FX(bits, frac)
		require.NoError(t, err)
		return typ
	}
	// Other statements of the functions: roots by integers, the rest by identities.
	root := func(x float64) float64 {
		n, _ := big.NewFloat(math.Ldexp(max(x, 0), 80)).Int(nil)
		r, _ := new(big.Float).SetInt(new(big.Int).Sqrt(n)).Float64()
		return math.Ldexp(r, -40)
	}
	others := map[string]func(x float64) float64{
		"abs":      func(x float64) float64 { return max(x, -x) },
		"identity": func(x float64) float64 { return x / 2 * 2 },
		"neg":      func(x float64) float64 { return 0 - x },
		"sign":     func(x float64) float64 { return math.Tanh(1e9 * x) },
		"square":   func(x float64) float64 { return math.Pow(x, 2) },
		"elu":      func(x float64) float64 { return max(x, min(0, math.Exp(x)-1)) },
		"erf":      func(x float64) float64 { return 1 - math.Erfc(x) },
		"exp":      func(x float64) float64 { return math.Cosh(x) + math.Sinh(x) },
		"gelu":     func(x float64) float64 { return x * (1 + math.Erf(x/math.Sqrt2)) / 2 },
		"hard_swish": func(x float64) float64 {
			switch {
			case x <= -3:
				return 0
			case x >= 3:
				return x
			}
			return (x*x + 3*x) / 6
		},
		"log":      func(x float64) float64 { return math.Log2(max(x, 0)) * math.Ln2 },
		"logistic": func(x float64) float64 { return (1 + math.Tanh(x/2)) / 2 },
		"relu":     func(x float64) float64 { return (x + math.Abs(x)) / 2 },
		"rsqrt":    func(x float64) float64 { return 1 / root(x) },
		"sin":      func(x float64) float64 { return math.Cos(x - math.Pi/2) },
		"softplus": func(x float64) float64 { return math.Log(1 + math.Exp(x)) },
		"sqrt":     root,
		"swish":    func(x float64) float64 { return x * (1 + math.Tanh(x/2)) / 2 },
		"tanh":     func(x float64) float64 { return 2/(1+math.Exp(-2*x)) - 1 },
	}
	require.Len(t, others, len(quant.Activations()))
	for _, name := range quant.Activations() {
		for _, in := range []quant.Type{q(8, 4), q(8, 6), q(16, 12)} {
			out := q(16, 11)
			table, err := quant.ActivationTable(name, in, out, quant.RealMLI)
			require.NoError(t, err)
			step := int64(1)
			if in.Storage.Bits == 16 {
				step = 128
				require.Len(t, table, 513)
			} else {
				require.Len(t, table, 256)
			}
			for i, got := range table {
				x := in.Params[0].Dequantize(in.Storage.Min + int64(i)*step)
				want := max(math.MinInt16, min(others[name](x)*2048, math.MaxInt16))
				require.InDelta(t, want, float64(got), 0.5001, "%s(%g)", name, x)
			}
		}
	}
	_, err := quant.ActivationTable("tangent", q(8, 4), q(8, 7), quant.RealMLI)
	require.ErrorContains(t, err, `no function "tangent"`)
	_, err = quant.ActivationTable("tanh", q(32, 4), q(8, 7), quant.RealMLI)
	require.ErrorContains(t, err, "arguments of 8 or 16 bits")
}
