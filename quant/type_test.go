package quant_test

import (
	"errors"
	"math"
	"testing"

	"arcv2dsp/quant"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Types as releases after 16 print them; the text of each is its own canonical form.
func TestNewerTypes(t *testing.T) {
	for _, text := range []string{
		"!quant.uniform<i8:f32:{0:1, 1:2}, {{2.000000e+00:10, 3.000000e+00:20}, {4.000000e+00:30, 5.000000e+00:40}}>",
		"!quant.uniform<i8:f32:{}, {{2.000000e+00:127}}>",
		"!quant.uniform<u4:bf16:{1:16}, {{5.000000e-01}}>",
		"!quant.uniform<f8E5M2:f32, 2.000000e+00>",
		"!quant.uniform<f8E4M3FN<-100:100>:f32, 2.000000e+00>",
		"!quant.uniform<f4E2M1FN:f16:1, {2.000000e+00,1.000000e+00}>",
		"!quant.quantile<u2:f16, {-1.000000e+00,0.000000e+00,5.000000e-01,1.000000e+00}>",
		"!quant.quantile<u4:f16, {-1.000000e+00,-5.000000e-01,0.000000e+00,5.000000e-01,1.000000e+00}, <0:4>>",
		"!quant.uniform<!quant.quantile<u1:f16, {-1.000000e+00,1.000000e+00}>:f32, 2.500000e-01>",
		"!quant.any<i8>",
	} {
		typ, err := quant.ParseType(text)
		require.NoError(t, err, text)
		require.Equal(t, text, typ.String())
		require.NoError(t, typ.Check())
	}
	for text, canonical := range map[string]string{
		"!quant.uniform<si8:f32, 0.5>":                      "!quant.uniform<i8:f32, 5.000000e-01>",
		"!quant.uniform<ui8:f32, 0.5>":                      "!quant.uniform<u8:f32, 5.000000e-01>",
		"!quant.uniform<i8:f32, 0x3FE0000000000000 : 0x10>": "!quant.uniform<i8:f32, 5.000000e-01:16>",
		"!quant<uniform<u08:f128, 0.5>>":                    "!quant.uniform<u8:f128, 5.000000e-01>",
		" !quant.any<\n u8 < 0 : 0x7f > > ":                 "!quant.any<u8<0:127>>",
		"!quant.uniform<i8:f32, 1.>":                        "!quant.uniform<i8:f32, 1.000000e+00>",
	} {
		typ, err := quant.ParseType(text)
		require.NoError(t, err, text)
		require.Equal(t, canonical, typ.String())
	}
}

func TestTypeErrorsNameTheColumn(t *testing.T) {
	for text, want := range map[string]string{
		"":                                                 "column 1: expected a type !quant.",
		"!quant.uniform <i8:f32, 1.0>":                     "column 15: expected '<'",
		"!quant.unform<i8:f32, 1.0>":                       `column 1: unknown quantized type "unform" (any, uniform, calibrated, quantile)`,
		"!quant.uniform<i8:f32, 1>":                        "column 24: 1 is an integer, expected a number with a point",
		"!quant.uniform<i8:f32, 1.0:1.5>":                  "column 29: expected '>'",
		"!quant.uniform<i8:f32, -1.0>":                     "column 24: scale -1 is not a positive number",
		"!quant.uniform<i33:f32, 1.0>":                     "column 16: storage of 33 bits (1 to 32)",
		"!quant.uniform<x8:f32, 1.0>":                      `column 16: storage "x8" is neither iN nor uN`,
		"!quant.uniform<i08:f32, 1.0>":                     `column 16: storage "i08" is neither iN nor uN`,
		"!quant<uniform<i8:f32, 1.0>":                      "column 28: expected '>'",
		"!quant.uniform<i8<4:3>:f32, 1.0>":                 "column 19: range 4 to 3 does not fit storage i8",
		"!quant.uniform<i8:f33, 1.0>":                      `column 19: "f33" is no floating-point type`,
		"!quant.uniform<i8:f32:0, {1.0,2.0":                "column 34: expected ','",
		"!quant.uniform<i8:f32, 1.0> junk":                 `column 29: text after the type: "junk"`,
		"!quant.uniform<i8:f32, 1.0:99999999999999999999>": "column 28: integer 99999999999999999999 is too large",
		"!quant.uniform<i8:f32, 1.0:-9223372036854775808>": "column 28: integer -9223372036854775808 is too large",
		"!quant.calibrated<f32<1.0:1.0>>":                  "column 1: range 1.000000e+00 to 1.000000e+00 is empty",
		"!quant.uniform<i8:f32:{0:1}, {{1.0},{1.0,2.0}}>":  "column 37: a list of 2 among lists of 1",
		"!quant.uniform<i8:f32:{0:1}, {{1.0},{{1.0}}}>":    "column 38: braces of different depth",
		"!quant.uniform<i8:f32:{0:0}, {1.0}>":              "column 1: block of 0 elements along axis 0",
		"!quant.uniform<i8:f32:{0:1, 0:1}, {1.0}>":         "column 1: two blocks along axis 0",
		"!quant.uniform<i8:f32:{1:1}, {1.0}>":              "column 1: block along axis 1, the scales have 1 dimensions",
		"!quant.uniform<i8:f32:{}, {1.0, 2.0}>":            "column 1: 2 scales along axis 0, which has no blocks",
		"!quant.quantile<u2:f16, {1.0}>":                   "column 1: table of 1 numbers, storage u2 has 4 values",
		"!quant.uniform<!quant.quantile<!quant.quantile<u1:f16, {0.0,1.0}>:f16, {0.0,1.0}>:f32, 1.0>": `column 32: storage "" is neither iN nor uN`,
	} {
		_, err := quant.ParseType(text)
		require.EqualError(t, err, want, text)
		var at *quant.TypeError
		require.True(t, errors.As(err, &at))
	}
}

func TestNewerReleasesRefuse(t *testing.T) {
	for text, want := range map[string]string{
		"!quant.uniform<i8:f16, 6.6e+4>":       "scale 6.600000e+04 is outside f16, 5.9604644775390625E-8 to 6.550400e+04",
		"!quant.uniform<i8:f16, 5.8e-8>":       "scale 5.800000e-08 is outside f16, 5.9604644775390625E-8 to 6.550400e+04",
		"!quant.uniform<i8:f32:-1, {1.0,2.0}>": "axis -1 is negative",
	} {
		typ, err := quant.ParseType(text)
		require.NoError(t, err)
		require.EqualError(t, typ.Check(), want)
	}
}

func TestRealsPrintAndReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.OneOf(
			rapid.Float64(),
			rapid.Map(rapid.Float32(), func(f float32) float64 { return float64(f) }),
			rapid.Map(rapid.IntRange(-300, 300), func(n int) float64 { return math.Ldexp(1, n) }),
		).Draw(t, "x")
		if x <= 0 || math.IsInf(x, 0) {
			return
		}
		typ := quant.Uniform(quant.Int8, quant.F32, quant.Params{Scale: x})
		again, err := quant.ParseType(typ.String())
		require.NoError(t, err, typ.String())
		require.Equal(t, typ, again)
	})
	require.Equal(t, "0.000000e+00", quant.FormatReal(0))
	require.Equal(t, "-0.000000e+00", quant.FormatReal(math.Copysign(0, -1)))
	require.Equal(t, "0x7FF0000000000000", quant.FormatReal(math.Inf(1)))
	require.Equal(t, "0x41646ABBA0000000", quant.FormatReal(math.Float64frombits(0x41646ABBA0000000)))
}

func TestElementsFindTheirScale(t *testing.T) {
	axis, err := quant.ParseType("!quant.uniform<i8:f32:1, {1.0,2.0,3.0}>")
	require.NoError(t, err)
	of, err := axis.Of([]int{2, 3, 4})
	require.NoError(t, err)
	for i := range 24 {
		require.Equal(t, float64(1+i/4%3), of(i).Scale)
	}
	block, err := quant.ParseType("!quant.uniform<i8:f32:{0:1, 1:2}, {{1.0,2.0},{3.0,4.0},{5.0,6.0}}>")
	require.NoError(t, err)
	of, err = block.Of([]int{3, 4})
	require.NoError(t, err)
	var scales []float64
	for i := range 12 {
		scales = append(scales, of(i).Scale)
	}
	require.Equal(t, []float64{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}, scales)

	for _, v := range []struct {
		typ   quant.Type
		shape []int
		want  string
	}{
		{typ: axis, shape: []int{3}, want: "scales along axis 1 of a tensor with 1 dimensions"},
		{typ: axis, shape: []int{3, 4}, want: "3 scales along axis 1 of size 4"},
		{typ: block, shape: []int{3}, want: "scales of 2 dimensions for a tensor of 1"},
		{typ: block, shape: []int{3, 5}, want: "blocks of 2 do not divide axis 1 of size 5"},
		{typ: block, shape: []int{4, 4}, want: "3 scales for 4 blocks along axis 0"},
		{typ: quant.Type{Form: quant.AnyType, Storage: quant.Int8}, shape: nil, want: "!quant.any<i8> has no scale"},
	} {
		_, err := v.typ.Of(v.shape)
		require.EqualError(t, err, v.want)
	}
	_, err = axis.Of([]int{-1, -1})
	require.NoError(t, err)
}

func TestNormalizedTypes(t *testing.T) {
	for text, want := range map[string]string{
		"!quant.uniform<i8:f32:{}, {{2.0:127}}>":               "!quant.uniform<i8:f32, 2.000000e+00:127>",
		"!quant.uniform<i8:f32:{0:1,1:4}, {{2.0:127}}>":        "!quant.uniform<i8:f32, 2.000000e+00:127>",
		"!quant.uniform<i8:f32:{0:1}, {{2.0:127}, {3.0:127}}>": "!quant.uniform<i8:f32:0, {2.000000e+00:127,3.000000e+00:127}>",
		"!quant.uniform<i8:f32:{0:2}, {{2.0}, {3.0}}>":         "!quant.uniform<i8:f32:{0:2}, {{2.000000e+00}, {3.000000e+00}}>",
		"!quant.any<i8>": "!quant.any<i8>",
	} {
		typ, err := quant.ParseType(text)
		require.NoError(t, err)
		require.Equal(t, want, typ.Normalized().String())
	}
}

// Every fx tensor MLI can have becomes a type, text, a type and the same tensor again.
func TestFXTypesAndBack(t *testing.T) {
	for _, bits := range []int{8, 16, 32} {
		for frac := -128; frac <= 127; frac++ {
			typ, err := quant.FX(bits, frac)
			require.NoError(t, err)
			require.True(t, typ.FixedPoint())
			read, err := quant.ParseType(typ.String())
			require.NoError(t, err)
			back, err := read.FX()
			require.NoError(t, err)
			require.Equal(t, frac, back)
			require.Equal(t, bits, read.Storage.Bits)
		}
	}
	_, err := quant.FX(12, 0)
	require.EqualError(t, err, "MLI has no fx elements of 12 bits")
	_, err = quant.FX(8, 128)
	require.EqualError(t, err, "128 fraction bits, MLI keeps -128 to 127")
	for _, text := range []string{
		"!quant.uniform<i8:f32, 0.3>", "!quant.uniform<i8:f32, 0.5:1>", "!quant.uniform<u8:f32, 0.5>",
		"!quant.uniform<i8<-127:127>:f32, 0.5>", "!quant.uniform<i4:f32, 0.5>", "!quant.uniform<i8:f32:0, {0.5}>",
	} {
		typ, err := quant.ParseType(text)
		require.NoError(t, err)
		_, err = typ.FX()
		require.ErrorContains(t, err, typ.String()+": ")
	}
}

func TestAffineTypesAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scales := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) quant.SA {
			return quant.SA{
				Scale:     int16(rapid.IntRange(1, math.MaxInt16).Draw(t, "scale")),
				Frac:      rapid.IntRange(0, 60).Draw(t, "frac"),
				ZeroPoint: int16(rapid.IntRange(-128, 127).Draw(t, "zero")),
			}
		}), 1, 5).Draw(t, "scales")
		typ, err := quant.Affine(8, 3, scales)
		require.NoError(t, err)
		read, err := quant.ParseType(typ.String())
		require.NoError(t, err)
		require.Equal(t, typ, read)
		back, worst, err := read.Affine()
		require.NoError(t, err)
		require.Zero(t, worst, "an integer scale comes back exactly")
		for i := range scales {
			require.Equal(t, scales[i].Params(), back[i].Params())
		}
	})
	_, err := quant.Affine(8, 0, nil)
	require.EqualError(t, err, "an affine tensor without a scale")
	_, err = quant.Affine(8, 0, []quant.SA{{}})
	require.EqualError(t, err, "scale 0 is 0, it must be positive")
	typ, err := quant.ParseType("!quant.uniform<i8:f32, 0.1>")
	require.NoError(t, err)
	scales, worst, err := typ.Affine()
	require.NoError(t, err)
	require.Equal(t, []quant.SA{{Scale: 13107, Frac: 17}}, scales)
	require.InDelta(t, math.Abs(13107.0/(1<<17)/0.1-1), worst, 1e-12)
}

func FuzzParseType(f *testing.F) {
	for _, seed := range []string{
		"!quant.uniform<i8<-4:3>:f32:1, {2.0e+2:-120,0.99872:127}>", "!quant.any<u8<0:127>:f32>",
		"!quant.calibrated<f32<-0.998:1.2321>>", "!quant.uniform<i8:f32:{0:1, 1:2}, {{2.0:10, 3.0:20}, {4.0:30, 5.0:40}}>",
		"!quant.quantile<ui4:f16, {-1.0, -0.5, 0.0, 0.5, 1.0}, <0:4>>",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		typ, err := quant.ParseType(text)
		if err != nil {
			var at *quant.TypeError
			require.True(t, errors.As(err, &at))
			require.LessOrEqual(t, at.Offset, len(text))
			return
		}
		again, err := quant.ParseType(typ.String())
		require.NoError(t, err, typ.String())
		require.Equal(t, typ.String(), again.String())
		if of, err := typ.Of([]int{4, 6}); err == nil {
			for i := range 24 {
				of(i)
			}
		}
		_ = typ.Check()
		require.NotEmpty(t, typ.Normalized().String())
	})
}
