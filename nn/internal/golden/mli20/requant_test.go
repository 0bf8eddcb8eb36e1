package mli20_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
)

// TestHalfSaturates: rounding up adds the half within 32 bits, so that a sum at their end loses the half; to even it is the
// nearest number. Results by hand: 2^31 - 1 less what is dropped is 2^(31-n) - 1, and 2^(31-n) is the nearest.
func TestHalfSaturates(t *testing.T) {
	op, ok := registry.Lookup(nn.MLI20, "mli_krn_eltwise_add_fx16")
	require.True(t, ok)
	for _, dropped := range []int{17, 18, 23, 30, 31} {
		t.Run(fmt.Sprint(dropped), func(t *testing.T) {
			full := int64(1) << (31 - dropped)
			for round, want := range map[nn.Rounding][]int64{nn.Up: {full - 1, -full, full - 1}, nn.Convergent: {full, -full, full}} {
				a := &nn.Tensor{Type: nn.I16, Shape: []int{3}, Ints: []int64{math.MaxInt16, math.MinInt16, math.MaxInt16}, Format: nn.Format{Kind: nn.Fixed}}
				b := &nn.Tensor{Type: nn.I16, Shape: []int{3}, Ints: []int64{math.MaxInt16, math.MinInt16, 0}, Format: nn.Format{Kind: nn.Fixed, Frac: dropped}}
				out := &nn.Tensor{Type: nn.I16, Shape: []int{3}, Format: nn.Format{Kind: nn.Fixed}}
				c := &nn.Call{Op: op, Attrs: nn.Attrs{}, In: []*nn.Tensor{a, b}, Out: []*nn.Tensor{out}, Rounding: round}
				require.NoError(t, c.Run())
				require.Equal(t, want, out.Ints, "%v", round)
			}
		})
	}
}

// TestMeanOfManyBytes: the mean of more than 512 bytes loses the half that rounds it up where sum and half leave 32 bits. Results by
// hand: the reciprocal of 529 is 31714 / 2^24, 127 * 529 * 31714 = 2,130,641,662, and with the half of 26 bits, which go with two
// fractional bits, 2^25, it is more than 2^31 - 1, whose upper bits are 31; nearest is 31.75. The reciprocal of 1,089 is
// 30812 / 2^25, whose products with 127 have more than 32 bits: 31.75 becomes 32 in both roundings.
func TestMeanOfManyBytes(t *testing.T) {
	op, ok := registry.Lookup(nn.MLI20, "mli_krn_avepool_hwc_fx8")
	require.True(t, ok)
	for side, want := range map[int]map[nn.Rounding]int64{23: {nn.Up: 31, nn.Convergent: 32}, 33: {nn.Up: 32, nn.Convergent: 32}} {
		for round, mean := range want {
			in := &nn.Tensor{Type: nn.I8, Shape: []int{side, side, 1}, Ints: slices.Repeat([]int64{math.MaxInt8}, side*side),
				Format: nn.Format{Kind: nn.Fixed, Frac: 4}}
			out := &nn.Tensor{Type: nn.I8, Shape: []int{1, 1, 1}, Format: nn.Format{Kind: nn.Fixed, Frac: 2}}
			c := &nn.Call{Op: op, Attrs: nn.Attrs{"kernel_h": side, "kernel_w": side, "stride_h": 1, "stride_w": 1},
				In: []*nn.Tensor{in}, Out: []*nn.Tensor{out}, Rounding: round}
			require.NoError(t, c.Run())
			require.Equal(t, []int64{mean}, out.Ints, "%d %v", side, round)
		}
	}
}

// TestBiasSaturates: the bias goes to an affine sum last, with saturation. By hand: (0 - 100) * 100 and the least bias are less than
// -2^31, so that the element is at its limit.
func TestBiasSaturates(t *testing.T) {
	for _, name := range []string{"conv2d_hwcn", "transpose_conv2d_hwcn"} {
		op, ok := registry.Lookup(nn.MLI20, "mli_krn_"+name+"_sa8_sa8_sa32")
		require.True(t, ok)
		format := func(mantissa int32, frac int, zero int64) nn.Format {
			return nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{mantissa}, ScaleFrac: frac, Zeros: []int64{zero}}
		}
		in := &nn.Tensor{Type: nn.I8, Shape: []int{1, 1, 1}, Ints: []int64{0}, Format: format(1<<14, 20, 100)}
		w := &nn.Tensor{Type: nn.I8, Shape: []int{1, 1, 1, 1}, Ints: []int64{100}, Format: format(1<<14, 20, 0)}
		b := &nn.Tensor{Type: nn.I32, Shape: []int{1}, Ints: []int64{math.MinInt32}, Format: format(1<<14, 26, 0)}
		out := &nn.Tensor{Type: nn.I8, Shape: []int{1, 1, 1}, Format: format(1<<14, 16, 0)}
		c := &nn.Call{Op: op, Attrs: nn.Attrs{"stride_h": 1, "stride_w": 1, "dil_h": 1, "dil_w": 1}, In: []*nn.Tensor{in, w, b}, Out: []*nn.Tensor{out}}
		require.NoError(t, c.Run(), name)
		require.Equal(t, []int64{math.MinInt8}, out.Ints, name)
	}
}

// TestBiasScale: a bias whose scale is not the product of the others is refused, however far apart the points are. By hand: products of
// scales 1 are 2^-(20+frac), so that a scale 2 of the bias is at most two of its units from them, and a scale 3 is not.
func TestBiasScale(t *testing.T) {
	op, ok := registry.Lookup(nn.MLI20, "mli_krn_fully_connected_sa8_sa8_sa32")
	require.True(t, ok)
	for _, frac := range []int{20, 21, 40, 100, 127} {
		for mantissa, refused := range map[int32]bool{1: false, 2: false, 3: true, 1000: true} {
			format := func(mantissa int32, frac int) nn.Format {
				return nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{mantissa}, ScaleFrac: frac, Zeros: []int64{0}}
			}
			in := &nn.Tensor{Type: nn.I8, Shape: []int{1}, Ints: []int64{1}, Format: format(1, 20)}
			w := &nn.Tensor{Type: nn.I8, Shape: []int{1, 1}, Ints: []int64{1}, Format: format(1, frac)}
			b := &nn.Tensor{Type: nn.I32, Shape: []int{1}, Ints: []int64{1}, Format: format(mantissa, 40)}
			out := &nn.Tensor{Type: nn.I8, Shape: []int{1}, Format: format(1, 20)}
			c := &nn.Call{Op: op, Attrs: nn.Attrs{}, In: []*nn.Tensor{in, w, b}, Out: []*nn.Tensor{out}}
			err := c.Prepare()
			require.Equal(t, refused, err != nil, "%d/2^40, products 1/2^%d: %v", mantissa, 20+frac, err)
		}
	}
}

// TestWordsFarFromZero: a word whose distance from the zero point leaves 32 bits keeps its sign as a real number. By hand: the least word
// less 1 is at the limit -2^31, the greatest less -1 at 2^31 - 1, which is 2^31 in 24 bits.
func TestWordsFarFromZero(t *testing.T) {
	op, ok := registry.Lookup(nn.MLI20, "mli_hlp_convert_tensor")
	require.True(t, ok)
	for zero, want := range map[int64][]float32{1: {-1 << 31, 1 << 31}, -1: {-1 << 31, 1 << 31}, 0: {-1 << 31, 1 << 31}} {
		in := &nn.Tensor{Type: nn.I32, Shape: []int{2}, Ints: []int64{math.MinInt32, math.MaxInt32},
			Format: nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{1}, Zeros: []int64{zero}}}
		out := &nn.Tensor{Type: nn.F32, Shape: []int{2}}
		c := &nn.Call{Op: op, Attrs: nn.Attrs{}, In: []*nn.Tensor{in}, Out: []*nn.Tensor{out}}
		require.NoError(t, c.Run())
		require.Equal(t, want, out.Floats, "zero point %d", zero)
	}
}
