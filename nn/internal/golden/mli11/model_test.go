package mli11_test

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
	"arcv2dsp/internal/dev/testkit/records"
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/mli11"
	"arcv2dsp/nn/internal/mlirecord"
)

func TestShiftTies(t *testing.T) {
	// -1.5, -0.5, 0.5, 1.5, 2.5 in halves.
	ties := []int64{-3, -1, 1, 3, 5}
	for mode, want := range map[nn.Rounding][]int64{
		nn.Convergent: {-2, 0, 0, 2, 2},
		nn.Up:         {-1, 0, 1, 2, 3},
	} {
		for i, x := range ties {
			require.Equal(t, want[i], mli.Shift(mode, x, 1), "%v %d", mode, x)
		}
	}
	require.Equal(t, int64(math.MaxInt64), mli.Shift(nn.Up, 1, -63))
	require.Equal(t, int64(math.MinInt64), mli.Shift(nn.Up, -3, -62))
	require.Zero(t, mli.Shift(nn.Up, 0, -100))
	require.Zero(t, mli.Shift(nn.Convergent, math.MinInt64, 64))
}

// TestShiftExact compares with rational arithmetic.
func TestShiftExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Int64().Draw(t, "x")
		n := rapid.IntRange(1, 63).Draw(t, "n")
		unit := new(big.Int).Lsh(big.NewInt(1), uint(n))
		floor, rest := new(big.Int).DivMod(big.NewInt(x), unit, new(big.Int))
		cmp := new(big.Int).Lsh(rest, 1).Cmp(unit)
		up, even := floor.Int64(), floor.Int64()
		if cmp >= 0 {
			up++
		}
		if cmp > 0 || cmp == 0 && even%2 != 0 {
			even++
		}
		require.Equal(t, up, mli.Shift(nn.Up, x, n))
		require.Equal(t, even, mli.Shift(nn.Convergent, x, n))
	})
}

// fixed is a tensor of a type with a number of fractional bits.
func fixed(t mli11.Type, frac int, shape []int, data []int64) *nn.Tensor {
	return &nn.Tensor{Type: t.Element(), Format: nn.Format{Kind: nn.Fixed, Frac: frac}, Shape: shape, Ints: data}
}

// operator finds a function of the library.
func operator(t testing.TB, name string) *nn.Operator {
	t.Helper()
	op, ok := registry.Lookup(nn.MLI11, name)
	require.True(t, ok, name)
	return op
}

func dense(t testing.TB, in, w []int64, b int64, frac [4]int) *nn.Call {
	typ := mli11.FX16
	return &nn.Call{Op: operator(t, "mli_krn_fully_connected_fx16"), In: []*nn.Tensor{
		fixed(typ, frac[0], []int{len(in)}, in), fixed(typ, frac[1], []int{1, len(in)}, w), fixed(typ, frac[2], []int{1}, []int64{b})},
		Out: []*nn.Tensor{fixed(typ, frac[3], nil, nil)}}
}

// TestOverflowReported: sums that leave 40 or 32 bits are named, also when they come back.
func TestOverflowReported(t *testing.T) {
	n := 1024 // 2^10 products of 2^30 are just past 2^39-1
	fill := func(v int64) []int64 {
		s := make([]int64, n)
		for i := range s {
			s[i] = v
		}
		return s
	}
	c := dense(t, fill(-32768), fill(-32768), 0, [4]int{0, 0, 0, 0})
	ran, err := c.Expect()
	var over mli11.Overflows
	require.True(t, errors.As(err, &over))
	require.Equal(t, nn.Unpredictable, nn.OutcomeOf(err))
	require.Equal(t, mli11.Overflows{{Output: 0, Bits: 40, Peak: 1 << 40}}, over)
	require.EqualValues(t, 32767, ran.Out[0].Ints[0], "what infinite precision gives")

	half := fill(-32768)[:511]
	fits := dense(t, half, half, 32767, [4]int{15, 15, 0, 0})
	_, err = fits.Expect()
	require.True(t, errors.As(err, &over), "the bias alone, shifted by 30, needs 46 bits")

	fits.In[2].Format.Frac = 30
	ran, err = fits.Expect()
	require.NoError(t, err)
	require.EqualValues(t, 511, ran.Out[0].Ints[0])
}

// TestBadCalls: a call that no function can take is an error, not a panic.
func TestBadCalls(t *testing.T) {
	for _, f := range mli11.Functions() {
		c := &nn.Call{Op: f.Operator}
		require.Error(t, c.Prepare(), f.Name)
		for range f.Inputs {
			c.In = append(c.In, &nn.Tensor{Type: nn.I8, Shape: []int{1}})
		}
		c.Out = []*nn.Tensor{{Type: nn.I8}}
		require.Error(t, c.Prepare(), "%s without formats", f.Name)
		c.Out = []*nn.Tensor{nil}
		require.Error(t, c.Prepare(), "%s without an output", f.Name)
	}
	c := dense(t, []int64{1}, []int64{1}, 0, [4]int{})
	c.Rounding = nn.Double
	require.ErrorContains(t, c.Prepare(), "does not round double")
}

// TestMACsLeavePaddingOut counts the products of a convolution by hand.
func TestMACsLeavePaddingOut(t *testing.T) {
	one := func(shape ...int) *nn.Tensor {
		x := fixed(mli11.FX8, 0, shape, nil)
		x.Alloc()
		return x
	}
	c := &nn.Call{Op: operator(t, "mli_krn_conv2d_hwc_fx8"), Attrs: nn.Attrs{"stride_w": 1, "stride_h": 1, "pad_l": 1,
		"pad_r": 1, "pad_t": 1, "pad_b": 1}, In: []*nn.Tensor{one(2, 3, 5), one(7, 3, 3, 5), one(7)},
		Out: []*nn.Tensor{fixed(mli11.FX8, 0, nil, nil)}}
	require.NoError(t, c.Prepare())
	// Of the three taps of a side, two are inside at its ends and three in its middle.
	require.EqualValues(t, (2+2)*(2+3+2)*5*7, c.Op.MACs(c))
}

// steps is how far, in units of the last bit, a family may be from the float64 reference: half a
// step where the only error is one rounding.
var steps = map[string]float64{
	"conv2d_chw": 0.5, "conv2d_hwc": 0.5, "depthwise_conv2d_chw": 0.5, "fully_connected": 0.5,
	"maxpool_chw": 0, "maxpool_hwc": 0, "avepool_chw": 1.5, "avepool_hwc": 1.5,
	"relu": 0.5, "leaky_relu": 0.5, "eltwise_add": 0, "eltwise_sub": 0, "eltwise_mul": 0.5,
	"eltwise_min": 0, "eltwise_max": 0, "concat": 0, "permute": 0, "padding2d_chw": 0, "padding2d_hwc": 0,
	"sigm": 1.5, "tanh": 1.5, "softmax": 8,
}

// TestFloatReference: the exact model is the float64 reference up to its own rounding.
func TestFloatReference(t *testing.T) {
	families := map[string]bool{}
	for _, file := range vectorFiles(t) {
		for _, r := range records.Each(t, file, mlirecord.Parse) {
			if r.Round != nn.Convergent {
				continue
			}
			c, recorded := callOf(t, r)
			require.NoError(t, c.Prepare())
			f := mli11.FunctionOf(c.Op)
			ref, err := f.Float(c)
			require.NoError(t, err)
			tolerance, listed := steps[f.Family]
			if !listed || f.Data == mli11.SA8 && c.Input("b") != nil {
				continue // recurrent cells: TestRecurrentFloat; affine MACs keep few bits of small scales
			}
			if slope := c.Input("slope"); slope != nil && (slope.Value(0) >= 1 || slope.Format.Frac == 15) {
				continue // the library's comparison gives another function there
			}
			families[f.Family] = true
			for role, want := range ref {
				out := recorded[role]
				step := out.Format.Scale(0)
				lo, hi := limits(out)
				for i, w := range want {
					w = max(lo, min(hi, w))
					require.InDelta(t, w, out.Value(i), tolerance*step+tableError[f.Family],
						"%s case %d %s[%d]", r.Kernel, r.ID, role, i)
				}
			}
		}
	}
	require.Len(t, families, len(steps))
}

// tableError bounds the error of interpolation between the samples of the library's tables.
var tableError = map[string]float64{"sigm": 0.002, "tanh": 0.004, "softmax": 0.004}

// TestRecurrentFloat: cells with values that stay clear of every saturation.
func TestRecurrentFloat(t *testing.T) {
	seed := int32(1)
	tensor := func(frac int, shape ...int) *nn.Tensor {
		x := fixed(mli11.FX16, frac, shape, nil)
		for range x.Len() {
			seed = seed*1103515245 + 12345
			x.Ints = append(x.Ints, int64(seed>>16))
		}
		return x
	}
	for _, act := range []int{0, 1, 2} {
		for _, mode := range []int{0, 1, 2} {
			in := []int{3, 5}
			if mode == 0 {
				in = []int{5}
			}
			prevFrac := 15 // that of the output: MLI scales the state by what prev_out declares in every step
			if act == 0 {
				prevFrac = 13
			}
			check := func(name string, gates int, state ...*nn.Tensor) {
				c := &nn.Call{Op: operator(t, name), Attrs: nn.Attrs{"mode": mode, "act": act},
					In:  append([]*nn.Tensor{tensor(15, in...), tensor(prevFrac, 4), tensor(17, gates, 4, 9), tensor(15, gates, 4)}, state...),
					Out: []*nn.Tensor{fixed(mli11.FX16, 13, nil, nil)}}
				ran, err := c.Expect()
				require.NoError(t, err)
				want, err := mli11.FunctionOf(c.Op).Float(c)
				require.NoError(t, err)
				got := ran.Results()
				require.Len(t, got, len(want))
				for role, v := range want {
					require.Equal(t, len(v), got[role].Len())
					for i, x := range v {
						require.InDelta(t, x, got[role].Value(i), 0.004, "%s act %d mode %d %s %d", name, act, mode, role, i)
					}
				}
			}
			check("mli_krn_basic_rnn_cell_fx16", 1)
			check("mli_krn_lstm_cell_fx16", 4, tensor(14, 4))
		}
	}
}

// limits are the values the container can hold.
func limits(t *nn.Tensor) (lo, hi float64) {
	ends := *t
	least, greatest := t.Type.Range()
	ends.Shape, ends.Ints = []int{2}, []int64{least, greatest}
	return ends.Value(0), ends.Value(1)
}
