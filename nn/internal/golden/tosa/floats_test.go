package tosa_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/tosa"
)

var (
	nan      = math.NaN()
	infinity = math.Inf(1)
)

// reals is a tensor of floating-point numbers.
func reals(t nn.Type, shape []int, v ...float64) *nn.Tensor {
	x := nn.New(t, shape...)
	x.Shape = shape
	for i, r := range v {
		x.Floats[i] = float32(r)
	}
	return x
}

// row is a tensor of rank 1.
func row(t nn.Type, v ...float64) *nn.Tensor { return reals(t, []int{len(v)}, v...) }

// ran is the first output of a call of an operator.
func ran(t *testing.T, op string, attrs nn.Attrs, out *nn.Tensor, in ...*nn.Tensor) *nn.Tensor {
	t.Helper()
	c := called(t, op, attrs, out, in...)
	require.NoError(t, tosa.Everything().Prepare(c), op)
	require.NoError(t, c.Run(), op)
	return c.Out[0]
}

func called(t *testing.T, op string, attrs nn.Attrs, out *nn.Tensor, in ...*nn.Tensor) *nn.Call {
	t.Helper()
	s, ok := tosa.Lookup(op)
	require.True(t, ok, op)
	return &nn.Call{Op: &s.Operator, Attrs: attrs, In: in, Out: []*nn.Tensor{out}}
}

// is wants elements, NaN for NaN.
func is(t *testing.T, what string, x *nn.Tensor, want ...float64) {
	t.Helper()
	require.Len(t, x.Floats, len(want), what)
	for i, w := range want {
		if g := float64(x.Floats[i]); g != w && !(math.IsNaN(g) && math.IsNaN(w)) {
			t.Errorf("%s: element %d is %g, want %g", what, i, g, w)
		}
	}
}

// near wants elements to five places.
func near(t *testing.T, what string, x *nn.Tensor, want ...float64) {
	t.Helper()
	require.Len(t, x.Floats, len(want), what)
	for i, w := range want {
		if g := float64(x.Floats[i]); math.Abs(g-w) > 1e-5*math.Max(1, math.Abs(w)) && !(math.IsNaN(g) && math.IsNaN(w)) && g != w {
			t.Errorf("%s: element %d is %g, want %g", what, i, g, w)
		}
	}
}

func TestFloatFunctions(t *testing.T) {
	for _, c := range []struct {
		op       string
		in, want []float64
	}{
		{op: "ABS", in: []float64{-3, 2, math.Inf(-1)}, want: []float64{3, 2, infinity}},
		{op: "NEGATE", in: []float64{-3, 2}, want: []float64{3, -2}},
		{op: "CEIL", in: []float64{1.25, -1.25, 3}, want: []float64{2, -1, 3}},
		{op: "FLOOR", in: []float64{1.25, -1.25, 3}, want: []float64{1, -2, 3}},
		{op: "EXP", in: []float64{0, 1, -2, 200}, want: []float64{1, 2.7182818, 0.1353353, infinity}},
		{op: "LOG", in: []float64{1, 10, 0, -1}, want: []float64{0, 2.3025851, math.Inf(-1), nan}},
		{op: "SIN", in: []float64{0, 1, -2}, want: []float64{0, 0.8414710, -0.9092974}},
		{op: "COS", in: []float64{0, 1, -2}, want: []float64{1, 0.5403023, -0.4161468}},
		{op: "RECIPROCAL", in: []float64{4, -0.5, 0}, want: []float64{0.25, -2, infinity}},
		{op: "RSQRT", in: []float64{4, 0.25, -1, 0}, want: []float64{0.5, 2, nan, infinity}},
		{op: "ERF", in: []float64{0, 0.5, -1}, want: []float64{0, 0.5204999, -0.8427008}},
		{op: "SIGMOID", in: []float64{0, 2, -2, 100}, want: []float64{0.5, 0.8807971, 0.1192029, 1}},
		{op: "TANH", in: []float64{0, 1, -1}, want: []float64{0, 0.7615942, -0.7615942}},
	} {
		near(t, c.op, ran(t, c.op, nil, row(nn.F32, c.want...), row(nn.F32, c.in...)), c.want...)
	}
}

func TestFloatPairs(t *testing.T) {
	f16 := func(op string, attrs nn.Attrs, a, b []float64) *nn.Tensor {
		in := []*nn.Tensor{row(nn.F16, a...), row(nn.F16, b...)}
		if op == "MUL" {
			in = append(in, nn.FromInts(nn.I8, []int{1}, []int64{0}))
		}
		return ran(t, op, attrs, row(nn.F16, a...), in...)
	}
	is(t, "a sum goes to even bits", f16("ADD", nil, []float64{2048, 2050, 65504}, []float64{1, 1, 65504}), 2048, 2052, infinity)
	is(t, "difference", f16("SUB", nil, []float64{1, 2048}, []float64{3, -1}), -2, 2048)
	is(t, "product", f16("MUL", nil, []float64{3, 1.5}, []float64{-2, 0.25}), -6, 0.375)
	is(t, "power", f16("POW", nil, []float64{2, 4, 0}, []float64{10, 0.5, 3}), 1024, 2, 0)
	values := [2][]float64{{1, nan, 3, nan}, {2, 5, nan, nan}}
	is(t, "MAXIMUM", f16("MAXIMUM", nil, values[0], values[1]), 2, nan, nan, nan)
	is(t, "MINIMUM", f16("MINIMUM", nil, values[0], values[1]), 1, nan, nan, nan)
	ignore := nn.Attrs{"nan_mode": "IGNORE"}
	is(t, "MAXIMUM that ignores", f16("MAXIMUM", ignore, values[0], values[1]), 2, 5, 3, nan)
	is(t, "MINIMUM that ignores", f16("MINIMUM", ignore, values[0], values[1]), 1, 5, 3, nan)
	limits := nn.Attrs{"min_val": -1.0, "max_val": 2.0}
	is(t, "CLAMP", ran(t, "CLAMP", limits, row(nn.F32, 0, 0, 0, 0), row(nn.F32, -5, 1, 7, nan)), -1, 1, 2, nan)
	limits["nan_mode"] = "IGNORE"
	is(t, "CLAMP that ignores", ran(t, "CLAMP", limits, row(nn.F32, 0), row(nn.F32, nan)), -1)
	for op, want := range map[string][]int64{"EQUAL": {0, 1, 0}, "GREATER": {0, 0, 0}, "GREATER_EQUAL": {0, 1, 0}} {
		got := ran(t, op, nil, nn.FromInts(nn.Bool, []int{3}, nil), row(nn.F32, 1, 2, nan), row(nn.F32, 2, 2, nan))
		require.Equal(t, want, got.Ints, op)
	}
	is(t, "SELECT", ran(t, "SELECT", nil, row(nn.BF16, 0, 0), nn.FromInts(nn.Bool, []int{2}, []int64{1, 0}), row(nn.BF16, 1, 2), row(nn.BF16, 3, 4)), 1, 4)
}

// POW leaves what has no real result, and what is infinite, unpredictable.
func TestPowOutsideItsDomain(t *testing.T) {
	for _, v := range [][2]float64{{-1, 2}, {0, 0}, {0, -1}, {infinity, 1}, {2, infinity}, {nan, 1}, {1, nan}} {
		c := called(t, "POW", nil, row(nn.F32, 0), row(nn.F32, v[0]), row(nn.F32, v[1]))
		require.NoError(t, c.Prepare())
		require.Equal(t, nn.Unpredictable, nn.OutcomeOf(c.Run()), v)
	}
}

func TestFloatArgmaxAndReductions(t *testing.T) {
	argmax := func(attrs nn.Attrs, v ...float64) int64 {
		return ran(t, "ARGMAX", attrs, nn.FromInts(nn.I32, []int{}, nil), row(nn.F32, v...)).Ints[0]
	}
	require.EqualValues(t, 1, argmax(nil, 1, 3, 3, -2))
	require.EqualValues(t, 2, argmax(nil, 1, 5, nan, nan))
	ignore := nn.Attrs{"nan_mode": "IGNORE"}
	require.EqualValues(t, 1, argmax(ignore, nan, 5, nan, 2))
	require.EqualValues(t, 0, argmax(ignore, nan, nan))
	require.EqualValues(t, 0, argmax(nil, math.Inf(-1), math.Inf(-1)))
	fold := func(op string, axis int, attrs nn.Attrs, shape []int) *nn.Tensor {
		a := nn.Attrs{"axis": axis}
		for k, v := range attrs {
			a[k] = v
		}
		return ran(t, op, a, reals(nn.F16, shape), reals(nn.F16, []int{2, 3}, 2048, 1, 1, 3, nan, 5))
	}
	is(t, "sum, rounded once", fold("REDUCE_SUM", 1, nil, []int{2, 1}), 2050, nan)
	is(t, "product", fold("REDUCE_PRODUCT", 0, nil, []int{1, 3}), 6144, nan, 5)
	is(t, "greatest", fold("REDUCE_MAX", 1, nil, []int{2, 1}), 2048, nan)
	is(t, "greatest without NaN", fold("REDUCE_MAX", 1, ignore, []int{2, 1}), 2048, 5)
	is(t, "least without NaN", fold("REDUCE_MIN", 1, ignore, []int{2, 1}), 1, 3)
}

func TestFloatCasts(t *testing.T) {
	to := func(out nn.Type, v ...float64) []int64 {
		return ran(t, "CAST", nil, nn.FromInts(out, []int{len(v)}, nil), row(nn.F32, v...)).Ints
	}
	require.Equal(t, []int64{2, 4, -2, 127, -128, 0, 127}, to(nn.I8, 2.5, 3.5, -2.5, 300, -300, nan, infinity))
	require.Equal(t, []int64{math.MaxInt32, math.MinInt32}, to(nn.I32, 3e9, -3e9))
	is(t, "to f16", ran(t, "CAST", nil, row(nn.F16, 0, 0, 0), row(nn.F32, 65519, 65520, 1.0/3)), 65504, infinity, 0.333251953125)
	is(t, "to f8e4m3", ran(t, "CAST", nil, row(nn.F8E4M3, 0, 0, 0), row(nn.F32, 464, 465, -17)), 448, nan, -16)
	is(t, "to f8e5m2", ran(t, "CAST", nil, row(nn.F8E5M2, 0, 0), row(nn.F32, 61440, -17)), infinity, -16)
	is(t, "of integers", ran(t, "CAST", nil, row(nn.F16, 0, 0), nn.FromInts(nn.I32, []int{2}, []int64{2049, -7})), 2048, -7)
}

func TestFloatSums(t *testing.T) {
	conv := nn.Attrs{"pad": []int{1, 0, 0, 1}, "stride": []int{1, 1}, "dilation": []int{1, 1}}
	// Rows of the window lie in the padding for the first row of outputs; columns for the last one.
	got := ran(t, "CONV2D", conv, reals(nn.F32, []int{1, 2, 2, 1}), reals(nn.F32, []int{1, 2, 2, 1}, 1, 2, 3, 4),
		reals(nn.F32, []int{1, 2, 2, 1}, 1, 10, 100, 1000), row(nn.F32, 0.5))
	is(t, "CONV2D", got, 2100.5, 200.5, 4321.5, 402.5)
	wide := nn.Attrs{"pad": []int{0, 0, 0, 0}, "stride": []int{1, 1}, "dilation": []int{1, 1}, "acc_type": nn.F16}
	got = ran(t, "CONV2D", wide, reals(nn.F16, []int{1, 1, 1, 1}), reals(nn.F16, []int{1, 1, 1, 3}, 2048, 1, 1),
		reals(nn.F16, []int{1, 1, 1, 3}, 1, 1, 1), row(nn.F16, 2))
	is(t, "a sum is rounded once", got, 2052)
	got = ran(t, "DEPTHWISE_CONV2D", nn.Attrs{"pad": []int{0, 0, 0, 0}, "stride": []int{1, 1}, "dilation": []int{1, 1}},
		reals(nn.BF16, []int{1, 1, 1, 4}), reals(nn.BF16, []int{1, 1, 1, 2}, 2, 3), reals(nn.BF16, []int{1, 1, 2, 2}, 1, 2, 3, 4), row(nn.BF16, 0, 1, 0, 1))
	is(t, "DEPTHWISE_CONV2D", got, 2, 5, 9, 13)
	got = ran(t, "TRANSPOSE_CONV2D", nn.Attrs{"out_pad": []int{0, 0, 0, 0}, "stride": []int{1, 2}}, reals(nn.F32, []int{1, 1, 4, 1}),
		reals(nn.F32, []int{1, 1, 2, 1}, 1, 2), reals(nn.F32, []int{1, 1, 2, 1}, 3, 4), row(nn.F32, 1))
	is(t, "TRANSPOSE_CONV2D", got, 4, 5, 7, 9)
	is(t, "MATMUL", ran(t, "MATMUL", nil, reals(nn.F32, []int{1, 2, 2}), reals(nn.F8E4M3, []int{1, 2, 2}, 1, 2, 3, 4), reals(nn.F8E5M2, []int{1, 2, 2}, 5, 6, 7, 8)),
		19, 22, 43, 50)
	is(t, "FULLY_CONNECTED", ran(t, "FULLY_CONNECTED", nil, reals(nn.F32, []int{1, 2}), reals(nn.F32, []int{1, 2}, 1, 2), reals(nn.F32, []int{2, 2}, 1, 2, 3, 4), row(nn.F32, 1, -1)), 6, 10)
	pool := nn.Attrs{"kernel": []int{1, 2}, "stride": []int{1, 1}, "pad": []int{0, 0, 1, 0}}
	is(t, "AVG_POOL2D", ran(t, "AVG_POOL2D", pool, reals(nn.F32, []int{1, 1, 3, 1}), reals(nn.F32, []int{1, 1, 3, 1}, 3, 6, -4)), 3, 4.5, 1)
	is(t, "MAX_POOL2D", ran(t, "MAX_POOL2D", pool, reals(nn.F32, []int{1, 1, 3, 1}), reals(nn.F32, []int{1, 1, 3, 1}, -3, nan, -4)), -3, nan, nan)
	pool["nan_mode"] = "IGNORE"
	is(t, "MAX_POOL2D without NaN", ran(t, "MAX_POOL2D", pool, reals(nn.F32, []int{1, 1, 3, 1}), reals(nn.F32, []int{1, 1, 3, 1}, -3, nan, -4)), -3, -3, -4)
}

func TestFloatResize(t *testing.T) {
	attrs := nn.Attrs{"scale": []int{1, 1, 4, 1}, "offset": []int{0, 0}, "border": []int{0, 0}, "mode": tosa.Bilinear}
	in := reals(nn.F32, []int{1, 1, 2, 1}, 1, 5)
	is(t, "BILINEAR", ran(t, "RESIZE", attrs, reals(nn.F32, []int{1, 1, 5, 1}), in), 1, 2, 3, 4, 5)
	attrs["mode"] = tosa.Nearest
	is(t, "NEAREST", ran(t, "RESIZE", attrs, reals(nn.F32, []int{1, 1, 5, 1}), in), 1, 1, 5, 5, 5)
	square := nn.Attrs{"scale": []int{2, 1, 2, 1}, "offset": []int{0, 0}, "border": []int{0, 0}, "mode": tosa.Bilinear}
	got := ran(t, "RESIZE", square, reals(nn.F32, []int{1, 3, 3, 1}), reals(nn.F32, []int{1, 2, 2, 1}, 0, 1, 10, 100))
	is(t, "BILINEAR of a square", got, 0, 0.5, 1, 5, 27.75, 50.5, 10, 55, 100)
}

// The transforms are compared with the double sum of their definition.
func TestFourierTransforms(t *testing.T) {
	const h, w = 4, 8
	re, im := reals(nn.F32, []int{1, h, w}), reals(nn.F32, []int{1, h, w})
	for i := range re.Floats {
		re.Floats[i], im.Floats[i] = float32(i*i%7-3), float32(i*5%11-5)
	}
	define := func(oy, ox int, sign float64, imaginary bool) (sumRe, sumIm float64) {
		for y := range h {
			for x := range w {
				a := sign * 2 * math.Pi * (float64(y*oy)/h + float64(x*ox)/w)
				r, i := float64(re.Floats[y*w+x]), 0.0
				if imaginary {
					i = float64(im.Floats[y*w+x])
				}
				sumRe += r*math.Cos(a) + i*math.Sin(a)
				sumIm += -r*math.Sin(a) + i*math.Cos(a)
			}
		}
		return sumRe, sumIm
	}
	for _, c := range []struct {
		op      string
		in      []*nn.Tensor
		attrs   nn.Attrs
		columns int
		sign    float64
	}{
		{op: "FFT2D", in: []*nn.Tensor{re, im}, columns: w, sign: 1},
		{op: "FFT2D", in: []*nn.Tensor{re, im}, attrs: nn.Attrs{"inverse": true}, columns: w, sign: -1},
		{op: "RFFT2D", in: []*nn.Tensor{re}, columns: w/2 + 1, sign: 1},
	} {
		call := called(t, c.op, c.attrs, reals(nn.F32, []int{1, h, c.columns}), c.in...)
		call.Out = append(call.Out, reals(nn.F32, []int{1, h, c.columns}))
		require.NoError(t, tosa.Everything().Prepare(call))
		require.NoError(t, call.Run())
		for oy := range h {
			for ox := range c.columns {
				wantRe, wantIm := define(oy, ox, c.sign, len(c.in) > 1)
				require.InDelta(t, wantRe, call.Out[0].Floats[oy*c.columns+ox], 1e-4, "%s %v real %d %d", c.op, c.attrs, oy, ox)
				require.InDelta(t, wantIm, call.Out[1].Floats[oy*c.columns+ox], 1e-4, "%s %v imaginary %d %d", c.op, c.attrs, oy, ox)
			}
		}
		if c.op == "RFFT2D" {
			for _, i := range []int{0, w / 2, 2 * c.columns, 2*c.columns + w/2} {
				require.Zero(t, call.Out[1].Floats[i], "the imaginary part of a sum of real numbers vanishes")
			}
		}
	}
	bad := called(t, "RFFT2D", nil, reals(nn.F32, []int{1, 3, 3}), reals(nn.F32, []int{1, 3, 4}))
	bad.Out = append(bad.Out, reals(nn.F32, []int{1, 3, 3}))
	require.ErrorContains(t, tosa.Everything().Prepare(bad), "power of two: height and width are 3 and 4")
}

func TestFloatMoves(t *testing.T) {
	two := row(nn.F8E5M2, 1, 2)
	is(t, "CONCAT", ran(t, "CONCAT", nn.Attrs{"axis": 0}, row(nn.F8E5M2, 0, 0, 0, 0), two, row(nn.F8E5M2, 3, -4)), 1, 2, 3, -4)
	is(t, "PAD", ran(t, "PAD", nn.Attrs{"padding": []int{1, 2}, "pad_const": 0.5}, row(nn.F8E5M2, 0, 0, 0, 0, 0), two), 0.5, 1, 2, 0.5, 0.5)
	is(t, "REVERSE", ran(t, "REVERSE", nn.Attrs{"axis": 0}, row(nn.F8E5M2, 0, 0), two), 2, 1)
	is(t, "IDENTITY", ran(t, "IDENTITY", nil, row(nn.F8E5M2, 0, 0), two), 1, 2)
	index := nn.FromInts(nn.I32, []int{1, 1}, []int64{1})
	is(t, "GATHER", ran(t, "GATHER", nil, reals(nn.F16, []int{1, 1, 2}), reals(nn.F16, []int{1, 2, 2}, 1, 2, 3, 4), index), 3, 4)
	is(t, "SCATTER", ran(t, "SCATTER", nil, reals(nn.F16, []int{1, 2, 2}), reals(nn.F16, []int{1, 2, 2}, 1, 2, 3, 4), index, reals(nn.F16, []int{1, 1, 2}, 8, 9)), 1, 2, 8, 9)
}

func TestFloatRulesAreErrors(t *testing.T) {
	conv := func(t1 nn.Type, attrs nn.Attrs) error {
		a := nn.Attrs{"pad": []int{0, 0, 0, 0}, "stride": []int{1, 1}, "dilation": []int{1, 1}}
		for k, v := range attrs {
			a[k] = v
		}
		return tosa.Everything().Prepare(called(t, "CONV2D", a, reals(t1, []int{1, 1, 1, 1}), reals(t1, []int{1, 1, 1, 1}), reals(t1, []int{1, 1, 1, 1}), row(t1, 0)))
	}
	require.NoError(t, conv(nn.F16, nn.Attrs{"acc_type": nn.F32}))
	require.ErrorContains(t, conv(nn.BF16, nn.Attrs{"acc_type": nn.F16}), "acc_type: acc_type is f16 for bf16")
	require.ErrorContains(t, conv(nn.F32, nn.Attrs{"acc_type": nn.F16}), "acc_type is f16 for f32")
	require.ErrorContains(t, conv(nn.F32, nn.Attrs{"input_zp": 1}), "input_zp is 1 for f32")
	clamp := func(lo, hi any) error {
		return tosa.Everything().Prepare(called(t, "CLAMP", nn.Attrs{"min_val": lo, "max_val": hi}, row(nn.F16, 0), row(nn.F16, 0)))
	}
	require.NoError(t, clamp(0.0, infinity))
	require.ErrorContains(t, clamp(1.0, 0.0), "min_val is 1, max_val 0")
	require.ErrorContains(t, clamp(nan, 1.0), "min_val is NaN, no number of f16")
	require.ErrorContains(t, clamp(0.0, 0.1), "no number of f16")
	require.ErrorContains(t, clamp(0, 1), "min_val is 0 for f16")
	bf16 := called(t, "ABS", nil, row(nn.BF16, 0), row(nn.BF16, 0))
	require.ErrorContains(t, tosa.Target{Level: tosa.LevelNone}.Prepare(bf16), "the call needs EXT-BF16")
	small := called(t, "CAST", nil, row(nn.F8E4M3, 0), row(nn.BF16, 0))
	require.ErrorContains(t, tosa.Target{Level: tosa.LevelNone, Extensions: []tosa.Extension{tosa.BFloat16}}.Prepare(small), "EXT-FP8E4M3")
}
