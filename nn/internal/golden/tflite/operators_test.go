package tflite

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Operators without recorded outputs are held against real arithmetic, and those that only move elements
// against results written by hand.

func q(t nn.Type, scale float32, zero int64, shape []int, v ...int64) *nn.Tensor {
	x := nn.FromInts(t, shape, v)
	if v == nil {
		x.Ints = nil
	}
	x.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{zero}}
	return x
}

func ints(v ...int64) *nn.Tensor { return nn.FromInts(nn.I32, []int{len(v)}, v) }

func run(t require.TestingT, op *nn.Operator, attrs nn.Attrs, in []*nn.Tensor, out ...*nn.Tensor) {
	runIn(t, nn.Double, op, attrs, in, out...)
}

func runIn(t require.TestingT, r nn.Rounding, op *nn.Operator, attrs nn.Attrs, in []*nn.Tensor, out ...*nn.Tensor) {
	c := &nn.Call{Op: op, Attrs: attrs, In: in, Out: out, Rounding: r}
	require.NoError(t, c.Prepare())
	require.NoError(t, c.Run())
}

// seq is a tensor of the numbers from 0.
func seq(shape ...int) *nn.Tensor {
	x := q(nn.I8, 1, 0, shape, make([]int64, nn.Count(shape))...)
	for i := range x.Ints {
		x.Ints[i] = int64(i)
	}
	return x
}

// moved is a call of an operator that moves elements, with its result.
type moved struct {
	name  string
	op    *nn.Operator
	attrs nn.Attrs
	in    []*nn.Tensor
	shape []int
	want  []int64
}

func movements() []moved {
	return []moved{
		{name: "transpose", op: transpose, in: []*nn.Tensor{seq(2, 3), ints(1, 0)}, shape: []int{3, 2}, want: []int64{0, 3, 1, 4, 2, 5}},
		{name: "transpose of three", op: transpose, in: []*nn.Tensor{seq(2, 1, 3), ints(2, 0, -2)}, shape: []int{3, 2, 1}, want: []int64{0, 3, 1, 4, 2, 5}},
		{name: "slice", op: slice, in: []*nn.Tensor{seq(3, 4), ints(1, 2), ints(-1, 2)}, shape: []int{2, 2}, want: []int64{6, 7, 10, 11}},
		{name: "strided slice backwards", op: stridedSlice, attrs: nn.Attrs{"end_mask": 2},
			in: []*nn.Tensor{seq(3, 4), ints(0, -1), ints(2, 0), ints(1, -2)}, shape: []int{2, 2}, want: []int64{3, 1, 7, 5}},
		{name: "strided slice of one", op: stridedSlice, attrs: nn.Attrs{"shrink_axis_mask": 1},
			in: []*nn.Tensor{seq(3, 4), ints(-2, 1), ints(0, 9), ints(1, 2)}, shape: []int{2}, want: []int64{5, 7}},
		{name: "strided slice by offset", op: stridedSlice, attrs: nn.Attrs{"offset": true},
			in: []*nn.Tensor{seq(6), ints(2), ints(3), ints(1)}, shape: []int{3}, want: []int64{2, 3, 4}},
		{name: "gather", op: gather, attrs: nn.Attrs{"axis": 1}, in: []*nn.Tensor{seq(2, 3), ints(2, 0, 2)}, shape: []int{2, 3}, want: []int64{2, 0, 2, 5, 3, 5}},
		{name: "gather by batch", op: gather, attrs: nn.Attrs{"axis": 1, "batch_dims": 1},
			in: []*nn.Tensor{seq(2, 3), nn.FromInts(nn.I32, []int{2, 1}, []int64{1, 2})}, shape: []int{2, 1}, want: []int64{1, 5}},
		{name: "concatenation", op: concatenation, attrs: nn.Attrs{"axis": -1}, in: []*nn.Tensor{seq(2, 1), seq(2, 2)}, shape: []int{2, 3}, want: []int64{0, 0, 1, 1, 2, 3}},
		{name: "pack", op: pack, attrs: nn.Attrs{"axis": 1, "values_count": 2}, in: []*nn.Tensor{seq(3), seq(3)}, shape: []int{3, 2}, want: []int64{0, 0, 1, 1, 2, 2}},
		{name: "pad", op: pad, in: []*nn.Tensor{q(nn.I8, 1, -5, []int{2}, 1, 2), nn.FromInts(nn.I32, []int{1, 2}, []int64{2, 1})}, shape: []int{5}, want: []int64{-5, -5, 1, 2, -5}},
		{name: "pad with a value", op: padV2, in: []*nn.Tensor{q(nn.I8, 1, -5, []int{2}, 1, 2), nn.FromInts(nn.I32, []int{1, 2}, []int64{0, 2}), q(nn.I8, 1, -5, []int{}, 9)},
			shape: []int{4}, want: []int64{1, 2, 9, 9}},
		{name: "nearest", op: resizeNearest, in: []*nn.Tensor{seq(1, 2, 2, 1), ints(3, 4)}, shape: []int{1, 3, 4, 1},
			want: []int64{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3}},
		{name: "nearest with corners", op: resizeNearest, attrs: nn.Attrs{"align_corners": true}, in: []*nn.Tensor{seq(1, 1, 3, 1), ints(1, 5)}, shape: []int{1, 1, 5, 1},
			want: []int64{0, 1, 1, 2, 2}}, // 0, 0.5, 1, 1.5, 2: halves away from zero
		{name: "nearest with centers", op: resizeNearest, attrs: nn.Attrs{"half_pixel_centers": true}, in: []*nn.Tensor{seq(1, 1, 4, 1), ints(1, 2)}, shape: []int{1, 1, 2, 1},
			want: []int64{1, 3}},
		{name: "expand", op: expandDims, in: []*nn.Tensor{seq(2), ints(0)}, shape: []int{1, 2}, want: []int64{0, 1}},
		{name: "squeeze", op: squeeze, in: []*nn.Tensor{seq(1, 2, 1)}, shape: []int{2}, want: []int64{0, 1}},
		{name: "relu6", op: relu6, in: []*nn.Tensor{q(nn.I8, 0.5, 1, []int{4}, -3, 1, 12, 20)}, shape: []int{4}, want: []int64{1, 1, 12, 13}},
	}
}

// result is a place for the output of a call.
func (c moved) result() *nn.Tensor {
	zero := int64(0)
	if f := c.in[0].Format; f.Kind == nn.Scaled {
		zero = f.Zero(0)
	}
	return q(nn.I8, float32(c.in[0].Format.Scale(0)), zero, c.shape)
}

func TestMovementByHand(t *testing.T) {
	for _, c := range movements() {
		out := c.result()
		run(t, c.op, c.attrs, c.in, out)
		require.Equal(t, c.want, out.Ints, c.name)
	}

	index := &nn.Tensor{Type: nn.I32, Shape: []int{2}}
	run(t, argMax, nil, []*nn.Tensor{q(nn.I8, 1, 0, []int{2, 3}, 4, 7, 7, -1, -3, -2), ints(-1)}, index)
	require.Equal(t, []int64{1, 0}, index.Ints)
	parts := []*nn.Tensor{q(nn.I8, 1, 0, []int{2, 1}), q(nn.I8, 1, 0, []int{2, 2})}
	run(t, splitV, nn.Attrs{"num_splits": 2}, []*nn.Tensor{seq(2, 3), ints(1, 2), ints(1)}, parts...)
	require.Equal(t, [][]int64{{0, 3}, {1, 2, 4, 5}}, [][]int64{parts[0].Ints, parts[1].Ints})
	parts = []*nn.Tensor{q(nn.I8, 1, 0, []int{1, 2}), q(nn.I8, 1, 0, []int{1, 2})}
	run(t, split, nn.Attrs{"num_splits": 2}, []*nn.Tensor{ints(0), seq(2, 2)}, parts...)
	require.Equal(t, [][]int64{{0, 1}, {2, 3}}, [][]int64{parts[0].Ints, parts[1].Ints})
	parts = []*nn.Tensor{q(nn.I8, 1, 0, []int{2}), q(nn.I8, 1, 0, []int{2})}
	run(t, unpack, nn.Attrs{"num": 2, "axis": 1}, []*nn.Tensor{seq(2, 2)}, parts...)
	require.Equal(t, [][]int64{{0, 2}, {1, 3}}, [][]int64{parts[0].Ints, parts[1].Ints})
}

// near holds an output that was rounded once against the real result: at most half a step away, and a little for
// the multiplier's 31 bits. Two roundings may be further off.
func near(t *rapid.T, out *nn.Tensor, i int, real float64, slack float64) {
	exact := real/out.Format.Scale(0) + float64(out.Format.Zero(0))
	lo, hi := out.Type.Range()
	exact = max(float64(lo), min(exact, float64(hi)))
	require.LessOrEqual(t, math.Abs(float64(out.Ints[i])-exact), 0.5+slack, "element %d: %d for %v", i, out.Ints[i], exact)
}

// operand draws a tensor of 8-bit elements.
func operand(t *rapid.T, name string, shape ...int) *nn.Tensor {
	n := nn.Count(shape)
	return q(nn.I8, rapid.Float32Range(0.01, 0.2).Draw(t, name+" scale"), rapid.Int64Range(-128, 127).Draw(t, name+" zero"), shape,
		rapid.SliceOfN(rapid.Int64Range(-128, 127), n, n).Draw(t, name)...)
}

func TestArithmeticIsNearReals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := operand(t, "a", 2, 3), operand(t, "b", 3)
		out := func(shape ...int) *nn.Tensor {
			return q(nn.I8, rapid.Float32Range(0.02, 0.5).Draw(t, "out scale"), 3, shape)
		}
		relued := out(2, 3)
		runIn(t, nn.Single, relu, nil, []*nn.Tensor{a}, relued)
		slopes := out(2, 3)
		runIn(t, nn.Single, prelu, nil, []*nn.Tensor{a, b}, slopes)
		product := out(2, 3)
		runIn(t, nn.Single, mul, nil, []*nn.Tensor{a, b}, product)
		difference := out(2, 3)
		runIn(t, nn.Single, sub, nil, []*nn.Tensor{a, b}, difference)
		for i := range a.Len() {
			x, y := a.Value(i), b.Value(i%3)
			near(t, relued, i, max(x, 0), 1e-3)
			near(t, product, i, x*y, 1e-3)
			near(t, difference, i, x-y, 2e-3)
			if x < 0 {
				near(t, slopes, i, x*y, 1e-3)
			} else {
				near(t, slopes, i, x, 1e-3)
			}
		}
		for i, v := range b.Ints {
			if v == b.Format.Zero(0) {
				b.Ints[i] ^= 1 // no division by zero
			}
		}
		quotient := out(2, 3)
		runIn(t, nn.Single, div, nil, []*nn.Tensor{a, b}, quotient)
		for i := range a.Len() {
			near(t, quotient, i, a.Value(i)/b.Value(i%3), 1e-3)
		}
		total, average := out(2), out(2)
		runIn(t, nn.Single, sum, nil, []*nn.Tensor{a, ints(1)}, total)
		runIn(t, nn.Single, mean, nil, []*nn.Tensor{a, ints(-1)}, average)
		for i := range 2 {
			real := a.Value(3*i) + a.Value(3*i+1) + a.Value(3*i+2)
			near(t, total, i, real, 1e-3)
			near(t, average, i, real/3, 1e-3)
		}
	})
}

func TestMatricesBroadcast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		adjX, adjY := rapid.Bool().Draw(t, "adj_x"), rapid.Bool().Draw(t, "adj_y")
		shape := func(adj bool, rows, columns int) []int {
			if adj {
				rows, columns = columns, rows
			}
			return []int{rows, columns}
		}
		a := operand(t, "a", append([]int{2}, shape(adjX, 3, 4)...)...)
		b := operand(t, "b", append([]int{1}, shape(adjY, 4, 2)...)...)
		out := q(nn.I8, 0.5, -3, []int{2, 3, 2})
		runIn(t, nn.Single, batchMatmul, nn.Attrs{"adj_x": adjX, "adj_y": adjY}, []*nn.Tensor{a, b}, out)
		at := func(x *nn.Tensor, adj bool, batch, row, column int) float64 {
			if adj {
				row, column = column, row
			}
			return x.Value(nn.Index([]int{batch, row, column}, x.Shape))
		}
		for i := range out.Len() {
			p := nn.Coordinates(i, out.Shape)
			real := 0.0
			for k := range 4 {
				real += at(a, adjX, p[0], p[1], k) * at(b, adjY, 0, k, p[2])
			}
			near(t, out, i, real, 1e-3)
		}
	})
}

func TestInterpolationIsNearReals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, w := rapid.IntRange(1, 5).Draw(t, "h"), rapid.IntRange(1, 5).Draw(t, "w")
		oh, ow := rapid.IntRange(1, 9).Draw(t, "oh"), rapid.IntRange(1, 9).Draw(t, "ow")
		corners := rapid.Bool().Draw(t, "corners")
		in := operand(t, "in", 1, h, w, 1)
		out := q(nn.I8, float32(in.Format.Scale(0)), in.Format.Zero(0), []int{1, oh, ow, 1})
		run(t, resizeBilinear, nn.Attrs{"align_corners": corners}, []*nn.Tensor{in, ints(int64(oh), int64(ow))}, out)
		source := func(o, n, m int) (int, int, float64) {
			at := float64(o) * float64(n) / float64(m)
			if corners && m > 1 {
				at = float64(o) * float64(n-1) / float64(m-1)
			}
			low := min(int(at), n-1)
			return low, min(low+1, n-1), at - float64(low)
		}
		for y := range oh {
			y0, y1, dy := source(y, h, oh)
			for x := range ow {
				x0, x1, dx := source(x, w, ow)
				cell := func(y, x int) float64 { return float64(in.Ints[y*w+x]) }
				real := (cell(y0, x0)*(1-dx)+cell(y0, x1)*dx)*(1-dy) + (cell(y1, x0)*(1-dx)+cell(y1, x1)*dx)*dy
				// Steps have ten bits, so a position is off by up to one in 2^11 for each cell before it.
				require.LessOrEqual(t, math.Abs(float64(out.Ints[y*ow+x])-real), 0.5+255*2*9.0/2048)
			}
		}
	})
}

// float32 arithmetic in big.Float: every result is rounded to 24 bits.
func single32(f func(z, a, b *big.Float) *big.Float, a, b float32) float32 {
	z := new(big.Float).SetPrec(24).SetMode(big.ToNearestEven)
	v, _ := f(z, big.NewFloat(float64(a)), big.NewFloat(float64(b))).Float32()
	return v
}

func times(a, b float32) float32 { return single32((*big.Float).Mul, a, b) }
func over(a, b float32) float32  { return single32((*big.Float).Quo, a, b) }

// The recorded outputs hardly tell whether a product of scales is formed in single or double precision; these
// are the definitions.
func TestFactorsHaveTheStatedPrecision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := func(name string) float32 { return rapid.Float32Range(1e-3, 0.9).Draw(t, name) }
		a, b, s, out := scale("a"), scale("b"), scale("s"), scale("out")
		want := func(real float64) quant.Multiplier {
			m, err := quant.QuantizeMultiplier(real)
			require.NoError(t, err)
			return m
		}
		tensor := func(scale float32, shape ...int) *nn.Tensor { return q(nn.I8, scale, 0, shape) }
		call := func(op *nn.Operator, out *nn.Tensor, in ...*nn.Tensor) *nn.Call {
			return &nn.Call{Op: op, Rounding: nn.Double, In: in, Out: []*nn.Tensor{out}}
		}

		fc := call(fullyConnected, tensor(out, 1, 1), tensor(a, 1, 1), tensor(b, 1, 1))
		fc.Attrs = nn.Attrs{"fused_activation_function": "NONE", "weights_format": "DEFAULT"}
		dense := prepareFullyConnected(fc)
		require.Equal(t, want(float64(times(a, b))/float64(out)), dense.channels[0].factor)

		conv := call(conv2D, tensor(out, 1, 1, 1, 1), tensor(a, 1, 1, 1, 1), tensor(b, 1, 1, 1, 1))
		conv.Attrs = nn.Attrs{"padding": "VALID", "stride_w": 1, "stride_h": 1, "dilation_w_factor": 1, "dilation_h_factor": 1, "fused_activation_function": "NONE"}
		image := prepareConv(conv)
		require.Equal(t, want(float64(a)*float64(b)/float64(out)), image.channels[0].factor)

		m := prepareMatmul(call(batchMatmul, tensor(out, 1, 1), tensor(a, 1, 1), tensor(b, 1, 1)))
		require.Equal(t, want(float64(times(a, b))/float64(out)), m.factor)

		v := call(svdf, tensor(out, 1, 1), tensor(a, 1, 1), tensor(b, 1, 1), tensor(s, 1, 1), nil, tensor(0.25, 1, 1))
		v.Attrs = nn.Attrs{"rank": 1}
		memory := prepareSVDF(v)
		require.Equal(t, want(float64(over(times(a, b), 0.25))), memory.features.factor)
		require.Equal(t, want(float64(over(times(0.25, s), out))), memory.out.factor)

		l := call(LSTM, tensor(out, 1, 1, 1))
		l.Attrs = nn.Attrs{"fused_activation_function": "TANH"}
		l.In = make([]*nn.Tensor, LSTMPorts)
		l.In[LSTMIn] = tensor(a, 1, 1, 1)
		for g := range Gates {
			l.In[LSTMWeights+g], l.In[LSTMRecurrent+g], l.In[LSTMBias+g] = tensor(b, 1, 1), tensor(s, 1, 1), ints(0)
		}
		l.In[LSTMHidden], l.In[LSTMCell] = tensor(out, 1, 1), q(nn.I16, 1.0/2048, 0, []int{1, 1})
		cell := prepareLSTM(l)
		require.Equal(t, want(4096*float64(times(a, b))), cell.input[CellGate].factor)
		require.Equal(t, want(4096*float64(times(out, s))), cell.recurrent[OutputGate].factor)
	})
}

// A quotient and a product with the inverse differ in the last bit, and so in the integer when the quotient is
// a tie.
func TestFloatsAreDividedByTheScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := rapid.Float32Range(0.003, 0.3).Draw(t, "scale")
		k := rapid.Int64Range(-100, 100).Draw(t, "k")
		x := times(scale, float32(k)+0.5) // a tie, or next to one
		in := &nn.Tensor{Type: nn.F32, Shape: []int{1}, Floats: []float32{x}}
		out := q(nn.I8, scale, 0, []int{1})
		run(t, quantize, nil, []*nn.Tensor{in}, out)
		v := float64(over(x, scale))
		want := math.Trunc(v + math.Copysign(0.5, v))
		require.Equal(t, int64(want), out.Ints[0])
	})
}

func TestCastIsThatOfC(t *testing.T) {
	in := &nn.Tensor{Type: nn.F32, Shape: []int{6}, Floats: []float32{1.9, -1.9, 300, -300, float32(math.NaN()), float32(math.Inf(1))}}
	out := nn.New(nn.I8, 6)
	run(t, cast, nil, []*nn.Tensor{in}, out)
	require.Equal(t, []int64{1, -1, 127, -128, 0, 127}, out.Ints)
	out = nn.New(nn.I8, 2)
	run(t, cast, nil, []*nn.Tensor{nn.FromInts(nn.I32, []int{2}, []int64{300, -129})}, out)
	require.Equal(t, []int64{44, 127}, out.Ints)
}

func TestCallsSayWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name, want string
		call       nn.Call
	}{
		{name: "rounding", want: "rounding is up, the library has double and single",
			call: nn.Call{Op: relu, Rounding: nn.Up, In: []*nn.Tensor{q(nn.I8, 1, 0, []int{1})}, Out: []*nn.Tensor{q(nn.I8, 1, 0, []int{1})}}},
		{name: "scale", want: "in has no scale",
			call: nn.Call{Op: relu, In: []*nn.Tensor{nn.New(nn.I8, 1)}, Out: []*nn.Tensor{q(nn.I8, 1, 0, []int{1})}}},
		{name: "zero point", want: "zero point 4 of a tensor of i16, it must be 0",
			call: nn.Call{Op: add, In: []*nn.Tensor{q(nn.I16, 1, 4, []int{1}), q(nn.I16, 1, 0, []int{1})}, Out: []*nn.Tensor{q(nn.I16, 1, 0, []int{1})}}},
		{name: "broadcast", want: "[2] and [3] cannot be broadcast",
			call: nn.Call{Op: add, In: []*nn.Tensor{q(nn.I8, 1, 0, []int{2}), q(nn.I8, 1, 0, []int{3})}, Out: []*nn.Tensor{q(nn.I8, 1, 0, []int{3})}}},
		{name: "mask", want: "ellipsis_mask is 0x1, only 0 is supported",
			call: nn.Call{Op: stridedSlice, Attrs: nn.Attrs{"ellipsis_mask": 1}, In: []*nn.Tensor{q(nn.I8, 1, 0, []int{2}), ints(0), ints(1), ints(1)}, Out: []*nn.Tensor{q(nn.I8, 1, 0, []int{1})}}},
		{name: "requantizing concatenation", want: "scale and zero point change from 1, 0 to 2, 0",
			call: nn.Call{Op: concatenation, In: []*nn.Tensor{q(nn.I8, 1, 0, []int{2})}, Out: []*nn.Tensor{q(nn.I8, 2, 0, []int{2})}}},
		{name: "activation", want: "a fused TANH is not supported",
			call: nn.Call{Op: add, Attrs: nn.Attrs{"fused_activation_function": "TANH"}, In: []*nn.Tensor{q(nn.I8, 1, 0, []int{1}), q(nn.I8, 1, 0, []int{1})}, Out: []*nn.Tensor{q(nn.I8, 1, 0, []int{1})}}},
		{name: "transform", want: "fft_length 256, it must be twice a power of 4",
			call: nn.Call{Op: signalRfft, Attrs: nn.Attrs{"fft_length": 256}, In: []*nn.Tensor{nn.New(nn.I16, 256)}, Out: []*nn.Tensor{nn.New(nn.I16, 258)}}},
		{name: "size", want: "the steps run past the last cell",
			call: nn.Call{Op: resizeBilinear, In: []*nn.Tensor{q(nn.I8, 1, 0, []int{1, 3, 1, 1}), ints(5000, 1)}, Out: []*nn.Tensor{q(nn.I8, 1, 0, []int{1, 5000, 1, 1})}}},
	} {
		if c.call.Rounding == nn.Convergent {
			c.call.Rounding = nn.Double
		}
		require.ErrorContains(t, c.call.Prepare(), c.want, c.name)
	}
	zero := nn.Call{Op: div, Rounding: nn.Double, In: []*nn.Tensor{ints(1), ints(0)}, Out: []*nn.Tensor{nn.New(nn.I32, 1)}}
	require.NoError(t, zero.Prepare())
	require.Equal(t, nn.Unpredictable, nn.OutcomeOf(zero.Run()))
}

// The table is symmetric about its middle, within its unit, and close to the function.
func TestSigmoidTableIsTheLogisticFunction(t *testing.T) {
	for i, v := range quant.SigmoidTable {
		require.InDelta(t, 65536/(1+math.Exp(-float64(i)/24)), float64(v), 1.5, "entry %d", i)
	}
	require.True(t, slices.IsSorted(quant.SigmoidTable[:]))
}

// Spectra are those of the discrete transform, within the rounding of five stages.
func TestRealTransformIsFourier(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{8, 32, 128}).Draw(t, "n")
		samples := rapid.SliceOfN(rapid.Int64Range(-32768, 32767), n, n).Draw(t, "samples")
		for k, z := range realTransform(samples) {
			var re, im float64
			for i, x := range samples {
				re += float64(x) * math.Cos(2*math.Pi*float64(k*i)/float64(n))
				im -= float64(x) * math.Sin(2*math.Pi*float64(k*i)/float64(n))
			}
			require.InDelta(t, re/float64(n), float64(z.re), 8)
			require.InDelta(t, im/float64(n), float64(z.im), 8)
		}
	})
}

// The rounding map, by hand: the product rounds ties up, the shift behind it away from zero; one rounding is up.
func TestTiesOfRequantization(t *testing.T) {
	x := []int64{-7, -6, -5, -3, -2, -1, 1, 2, 3, 5, 6, 7}
	for _, c := range []struct {
		ratio float32
		r     nn.Rounding
		want  []int64
	}{
		{ratio: 0.5, r: nn.Double, want: []int64{-3, -3, -2, -1, -1, 0, 1, 1, 2, 3, 3, 4}},
		{ratio: 0.5, r: nn.Single, want: []int64{-3, -3, -2, -1, -1, 0, 1, 1, 2, 3, 3, 4}},
		{ratio: 0.25, r: nn.Double, want: []int64{-2, -2, -1, -1, -1, 0, 1, 1, 1, 2, 2, 2}},
		{ratio: 0.25, r: nn.Single, want: []int64{-2, -1, -1, -1, 0, 0, 0, 1, 1, 1, 2, 2}},
	} {
		out := q(nn.I8, 1, 0, []int{len(x)})
		runIn(t, c.r, quantize, nil, []*nn.Tensor{q(nn.I8, c.ratio, 0, []int{len(x)}, x...)}, out)
		require.Equal(t, c.want, out.Ints, "%v %v", c.ratio, c.r)
	}
}

func TestAutoScaleByHand(t *testing.T) {
	for _, c := range []struct {
		name    string
		samples []int64
		want    int
	}{
		{name: "silence", samples: []int64{0, 0}, want: 0},
		{name: "nine bits", samples: []int64{3, -300, 5}, want: 6},
		{name: "all bits", samples: []int64{3, 32767}, want: 0},
		{name: "the least sample", samples: []int64{5, -32768}, want: 0},
		{name: "a sample behind the least one", samples: []int64{-32768, 5}, want: 12},
	} {
		require.Equal(t, c.want, autoScale(c.samples), c.name)
	}
}
