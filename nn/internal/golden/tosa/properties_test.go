package tosa_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/tosa"
)

// run prepares and computes a call of one output.
func run(t require.TestingT, op string, attrs nn.Attrs, out *nn.Tensor, in ...*nn.Tensor) (*nn.Tensor, error) {
	spec, ok := tosa.Lookup(op)
	require.True(t, ok, op)
	c := &nn.Call{Op: &spec.Operator, Attrs: attrs, In: in, Out: []*nn.Tensor{out}}
	if err := tosa.Everything().Prepare(c); err != nil {
		return nil, err
	}
	return c.Out[0], c.Run()
}

func must(t require.TestingT, op string, attrs nn.Attrs, out *nn.Tensor, in ...*nn.Tensor) *nn.Tensor {
	x, err := run(t, op, attrs, out, in...)
	require.NoError(t, err)
	return x
}

func list(typ nn.Type, v ...int64) *nn.Tensor { return nn.FromInts(typ, []int{len(v)}, v) }

func like(typ nn.Type, shape ...int) *nn.Tensor { return &nn.Tensor{Type: typ, Shape: shape} }

// tensor draws a tensor.
func tensor(t *rapid.T, name string, typ nn.Type, shape ...int) *nn.Tensor {
	lo, hi := typ.Range()
	v := rapid.SliceOfN(rapid.Int64Range(lo, hi), nn.Count(shape), nn.Count(shape)).Draw(t, name)
	return nn.FromInts(typ, shape, v)
}

func shape(t *rapid.T) []int { return rapid.SliceOfN(rapid.IntRange(1, 4), 1, 5).Draw(t, "shape") }

var half = big.NewRat(1, 2)

// floor is the greatest integer that is not greater than r.
func floor(r *big.Rat) int64 { return new(big.Int).Div(r.Num(), r.Denom()).Int64() }

// ties draws a value near one whose scaled value lies half way between integers, or any value.
func ties(t *rapid.T, multiplier int64, shift int, limit int64) int64 {
	v := rapid.Int64Range(-limit, limit-1).Draw(t, "v")
	if multiplier == 0 || !rapid.Bool().Draw(t, "near a tie") {
		return v
	}
	k := new(big.Int).Div(new(big.Int).Mul(big.NewInt(v), big.NewInt(multiplier)), new(big.Int).Lsh(big.NewInt(1), uint(shift)))
	tie := new(big.Rat).Add(new(big.Rat).SetInt(k), half)
	tie.Mul(tie, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(shift))))
	tie.Quo(tie, new(big.Rat).SetInt64(multiplier))
	v = floor(tie) + rapid.Int64Range(-1, 1).Draw(t, "beside")
	return max(-limit, min(v, limit-1))
}

func TestRescaleIsTheExactQuotientRoundedUpAtTies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		multiplier, shift := rapid.Int64Range(0, 1<<31-1).Draw(t, "multiplier"), rapid.IntRange(2, 62).Draw(t, "shift")
		v := ties(t, multiplier, shift, int64(1)<<min(shift-1, 31))
		got := must(t, "RESCALE", nn.Attrs{"scale32": true}, like(nn.I32, 1), list(nn.I32, v), list(nn.I32, multiplier), list(nn.I8, int64(shift)))
		exact := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(v), big.NewInt(multiplier)), new(big.Int).Lsh(big.NewInt(1), uint(shift)))
		require.Equal(t, floor(exact.Add(exact, half)), got.Ints[0])
	})
}

// Double rounding is TensorFlow Lite's: to a high word first, ties up, then ties away from zero.
func TestDoubleRoundingIsTwoRoundings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		multiplier, shift := rapid.Int64Range(0, 1<<31-1).Draw(t, "multiplier"), rapid.IntRange(32, 62).Draw(t, "shift")
		v := ties(t, multiplier, shift, 1<<31)
		got := must(t, "RESCALE", nn.Attrs{"scale32": true, "double_round": true}, like(nn.I32, 1), list(nn.I32, v), list(nn.I32, multiplier),
			list(nn.I8, int64(shift)))
		high := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(v), big.NewInt(multiplier)), big.NewInt(1<<31))
		first := floor(high.Add(high, half))
		second := new(big.Rat).SetFrac(big.NewInt(max(first, -first)), new(big.Int).Lsh(big.NewInt(1), uint(shift-31)))
		want := floor(second.Add(second, half))
		if first < 0 {
			want = -want
		}
		require.Equal(t, want, got.Ints[0])
	})
}

func TestRescaleOf48BitsIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		multiplier, shift := rapid.Int64Range(0, 1<<15-1).Draw(t, "multiplier"), rapid.IntRange(2, 62).Draw(t, "shift")
		v := ties(t, multiplier, shift, 1<<47)
		got, err := run(t, "RESCALE", nn.Attrs{}, like(nn.I32, 1), list(nn.I48, v), list(nn.I16, multiplier), list(nn.I8, int64(shift)))
		exact := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(v), big.NewInt(multiplier)), new(big.Int).Lsh(big.NewInt(1), uint(shift)))
		want := floor(exact.Add(exact, half))
		if !nn.I32.Holds(want) {
			require.Equal(t, nn.Unpredictable, nn.OutcomeOf(err))
			return
		}
		require.NoError(t, err)
		require.Equal(t, want, got.Ints[0])
	})
}

func TestAveragesRoundTiesAwayFromZero(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom([]nn.Type{nn.I8, nn.I16}).Draw(t, "type")
		h, w := rapid.IntRange(1, 16).Draw(t, "h"), rapid.IntRange(1, 16).Draw(t, "w")
		x := tensor(t, "x", typ, 1, h, w, 1)
		if rapid.Bool().Draw(t, "small") { // sums near zero have the ties
			for i := range x.Ints {
				x.Ints[i] = max(-1, min(x.Ints[i], 1))
			}
		}
		got := must(t, "AVG_POOL2D", nn.Attrs{"kernel": []int{h, w}, "stride": []int{1, 1}, "pad": []int{0, 0, 0, 0}}, like(typ, 1, 1, 1, 1), x)
		var sum int64
		for _, v := range x.Ints {
			sum += v
		}
		mean := new(big.Rat).SetFrac64(max(sum, -sum), int64(h*w))
		want := floor(mean.Add(mean, half))
		if sum < 0 {
			want = -want
		}
		require.Equal(t, want, got.Ints[0])
	})
}

func TestTableLiesOnTheLineBetweenEntries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := tensor(t, "table", nn.I16, 513)
		for i := range table.Ints {
			table.Ints[i] >>= 1
		}
		x := tensor(t, "x", nn.I16, 4)
		got := must(t, "TABLE", nil, like(nn.I32, 4), x, table)
		for i, v := range x.Ints {
			k, f := (v+32768)/128, (v+32768)%128
			line := new(big.Rat).SetFrac64((128-f)*table.Ints[k]+f*table.Ints[k+1], 128)
			line.Mul(line, new(big.Rat).SetInt64(128))
			require.Zero(t, line.Cmp(new(big.Rat).SetInt64(got.Ints[i])))
		}
	})
}

// Along one direction RESIZE samples the broken line through the elements, which goes on flat at both ends.
func TestBilinearResizeSamplesTheBrokenLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, in := rapid.IntRange(1, 64).Draw(t, "n"), rapid.IntRange(1, 6).Draw(t, "in")
		d := rapid.IntRange(1, min(16*n-1, 40)).Draw(t, "d")
		offset := rapid.IntRange(-n, n).Draw(t, "offset")
		span := (in-1)*n - offset
		border := -((span%d + d) % d)
		if span += border; span < 0 || border < -16*n {
			return
		}
		x := tensor(t, "x", nn.I16, 1, 1, in, 1)
		got := must(t, "RESIZE", nn.Attrs{"mode": tosa.Bilinear, "scale": []int{1, 1, n, d}, "offset": []int{0, offset}, "border": []int{0, border}},
			like(nn.I48, 1, 1, span/d+1, 1), x)
		for o, v := range got.Ints {
			p := new(big.Rat).SetFrac64(int64(o*d+offset), int64(n))
			var want *big.Rat
			if k := floor(p); k < 0 {
				// Before the first element both neighbours are the first one.
				want = new(big.Rat).SetInt64(x.Ints[0])
			} else {
				a, b := x.Ints[k], x.Ints[min(int(k)+1, in-1)]
				want = new(big.Rat).Sub(p, new(big.Rat).SetInt64(k))
				want.Mul(want, new(big.Rat).SetInt64(b-a)).Add(want, new(big.Rat).SetInt64(a))
			}
			require.Zero(t, want.Mul(want, new(big.Rat).SetInt64(int64(n))).Cmp(new(big.Rat).SetInt64(v)), "output %d", o)
		}
	})
}

func TestTransposeIsUndoneByTheInversePermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shape(t)
		x := tensor(t, "x", nn.I16, s...)
		perms := make([]int, len(s))
		for i := range perms {
			perms[i] = i
		}
		perms = rapid.Permutation(perms).Draw(t, "perms")
		inverse, out := make([]int, len(s)), make([]int, len(s))
		for i, p := range perms {
			inverse[p], out[i] = i, s[p]
		}
		there := must(t, "TRANSPOSE", nn.Attrs{"perms": perms}, like(nn.I16, out...), x)
		back := must(t, "TRANSPOSE", nn.Attrs{"perms": inverse}, like(nn.I16, s...), there)
		require.NoError(t, nn.Difference(back, x))
	})
}

func TestReverseTwiceIsTheInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shape(t)
		x, axis := tensor(t, "x", nn.I8, s...), rapid.IntRange(0, len(s)-1).Draw(t, "axis")
		once := must(t, "REVERSE", nn.Attrs{"axis": axis}, like(nn.I8, s...), x)
		require.NoError(t, nn.Difference(must(t, "REVERSE", nn.Attrs{"axis": axis}, like(nn.I8, s...), once), x))
	})
}

func TestSliceTakesOutWhatPadPutAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shape(t)
		x, wide := tensor(t, "x", nn.I32, s...), slices.Clone(s)
		padding := rapid.SliceOfN(rapid.IntRange(0, 3), 2*len(s), 2*len(s)).Draw(t, "padding")
		start := make([]int, len(s))
		for d := range s {
			wide[d] += padding[2*d] + padding[2*d+1]
			start[d] = padding[2*d]
		}
		padded := must(t, "PAD", nn.Attrs{"padding": padding, "pad_const": 7}, like(nn.I32, wide...), x)
		require.NoError(t, nn.Difference(must(t, "SLICE", nn.Attrs{"start": start, "size": s}, like(nn.I32, s...), padded), x))
		sevens := nn.Count(wide) - nn.Count(s)
		for _, v := range padded.Ints {
			if v == 7 {
				sevens--
			}
		}
		require.LessOrEqual(t, sevens, 0, "everything around is the constant")
	})
}

func TestConcatOfSlicesIsTheInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := shape(t)
		axis := rapid.IntRange(0, len(s)-1).Draw(t, "axis")
		s[axis] += 2
		x, cut := tensor(t, "x", nn.I8, s...), rapid.IntRange(1, s[axis]-1).Draw(t, "cut")
		part := func(from, n int) *nn.Tensor {
			start, size := make([]int, len(s)), slices.Clone(s)
			start[axis], size[axis] = from, n
			return must(t, "SLICE", nn.Attrs{"start": start, "size": size}, like(nn.I8, size...), x)
		}
		joined := must(t, "CONCAT", nn.Attrs{"axis": axis}, like(nn.I8, s...), part(0, cut), part(cut, s[axis]-cut))
		require.NoError(t, nn.Difference(joined, x))
	})
}

// A kernel of one pixel is a fully connected layer on every pixel, and that a product of matrices.
func TestPointwiseConvolutionIsFullyConnectedIsMatMul(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, w, ic, oc := rapid.IntRange(1, 3).Draw(t, "h"), rapid.IntRange(1, 3).Draw(t, "w"), rapid.IntRange(1, 5).Draw(t, "ic"), rapid.IntRange(1, 5).Draw(t, "oc")
		x, k := tensor(t, "x", nn.I8, 1, h, w, ic), tensor(t, "k", nn.I8, oc, 1, 1, ic)
		zx, zw := rapid.IntRange(-128, 127).Draw(t, "zx"), rapid.IntRange(-128, 127).Draw(t, "zw")
		bias := nn.New(nn.I32, oc)
		conv := must(t, "CONV2D", nn.Attrs{"pad": []int{0, 0, 0, 0}, "stride": []int{1, 1}, "dilation": []int{1, 1}, "input_zp": zx, "weight_zp": zw},
			like(nn.I32, 1, h, w, oc), x, k, bias)
		flat := must(t, "FULLY_CONNECTED", nn.Attrs{"input_zp": zx, "weight_zp": zw}, like(nn.I32, h*w, oc),
			nn.FromInts(nn.I8, []int{h * w, ic}, x.Ints), nn.FromInts(nn.I8, []int{oc, ic}, k.Ints), bias)
		require.Equal(t, conv.Ints, flat.Ints)
		columns := must(t, "TRANSPOSE", nn.Attrs{"perms": []int{0, 2, 1}}, like(nn.I8, 1, ic, oc), nn.FromInts(nn.I8, []int{1, oc, ic}, k.Ints))
		product := must(t, "MATMUL", nn.Attrs{"a_zp": zx, "b_zp": zw}, like(nn.I32, 1, h*w, oc), nn.FromInts(nn.I8, []int{1, h * w, ic}, x.Ints), columns)
		require.Equal(t, conv.Ints, product.Ints)
	})
}

// Padding behaves as if it held the zero point.
func TestPaddingHoldsTheZeroPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, w, c := rapid.IntRange(1, 4).Draw(t, "h"), rapid.IntRange(1, 4).Draw(t, "w"), rapid.IntRange(1, 3).Draw(t, "c")
		p := rapid.SliceOfN(rapid.IntRange(0, 3), 4, 4).Draw(t, "pad")
		kh, kw := rapid.IntRange(1, h+p[0]+p[1]).Draw(t, "kh"), rapid.IntRange(1, w+p[2]+p[3]).Draw(t, "kw")
		x, k := tensor(t, "x", nn.I8, 1, h, w, c), tensor(t, "k", nn.I8, 2, kh, kw, c)
		zp := rapid.IntRange(-128, 127).Draw(t, "zp")
		ph, pw := h+p[0]+p[1], w+p[2]+p[3]
		out := func() *nn.Tensor { return like(nn.I32, 1, ph-kh+1, pw-kw+1, 2) }
		conv := func(pad []int, in *nn.Tensor) *nn.Tensor {
			return must(t, "CONV2D", nn.Attrs{"pad": pad, "stride": []int{1, 1}, "dilation": []int{1, 1}, "input_zp": zp}, out(), in, k, list(nn.I32, 3))
		}
		padded := must(t, "PAD", nn.Attrs{"padding": []int{0, 0, p[0], p[1], p[2], p[3], 0, 0}, "pad_const": zp}, like(nn.I8, 1, ph, pw, c), x)
		require.NoError(t, nn.Difference(conv(p, x), conv([]int{0, 0, 0, 0}, padded)))
	})
}
