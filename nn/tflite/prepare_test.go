package tflite_test

import (
	"math"
	"math/big"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	_ "arcv2dsp/internal/dev/testkit/nofiles"
	"arcv2dsp/internal/dev/testkit/records"
	"arcv2dsp/nn"
	golden "arcv2dsp/nn/internal/golden/tflite"
	"arcv2dsp/nn/internal/tflmrecord"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

var operators = nn.NewRegistry(golden.Operators())

// The parameters that the reference kernels got, from the reference library's own preparation.
func TestParametersEqualRecordedOnes(t *testing.T) {
	files, err := filepath.Glob("../../testdata/tflm/*.jsonl.gz")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	parse := func(line []byte) (*tflmrecord.Record, error) { return tflmrecord.Parse(line, operators) }
	seen := map[string]int{}
	for _, path := range files {
		for _, r := range records.Each(t, path, parse) {
			if r == nil { // a table
				continue
			}
			for _, c := range r.Calls {
				require.NoError(t, c.Call.Prepare())
			}
			if compare(t, r) {
				seen[r.Op]++
			}
		}
	}
	require.Len(t, seen, 27) // all kernels but l2norm_s8 and those of a table of 256 elements, which need no parameters
}

func compare(t *testing.T, r *tflmrecord.Record) bool {
	c := r.Calls[0].Call
	name := []any{"%s %d %s", r.Op, r.ID, r.Rounding}
	switch c.Op.Name {
	case "CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED":
		f, err := tflite.Filtered(c)
		require.NoError(t, err)
		for i, m := range f.Factors {
			j := min(i, len(r.Multipliers)-1)
			require.Equal(t, quant.Multiplier{Value: r.Multipliers[j], Shift: r.Shifts[j]}, m, name...)
		}
		require.Equal(t, tflite.Limits{Min: r.ActMin, Max: r.ActMax}, f.Limits, name...)
		if c.Op.Name != "FULLY_CONNECTED" {
			padded(t, r, c)
		}
	case "TRANSPOSE_CONV":
		for ch, one := range r.Calls {
			f, err := tflite.Filtered(one.Call)
			require.NoError(t, err)
			require.Equal(t, []quant.Multiplier{{Value: r.Multipliers[ch], Shift: r.Shifts[ch]}}, f.Factors, name...)
		}
		padded(t, r, c)
	case "AVERAGE_POOL_2D", "MAX_POOL_2D":
		padded(t, r, c)
	case "ADD":
		p, err := tflite.Summed(c)
		require.NoError(t, err)
		require.Equal(t, []quant.Multiplier{{Value: r.Multiplier1, Shift: r.Shift1}, {Value: r.Multiplier2, Shift: r.Shift2},
			{Value: r.MultiplierOut, Shift: r.ShiftOut}}, []quant.Multiplier{p.A, p.B, p.Out}, name...)
		require.Equal(t, tflite.Limits{Min: r.ActMin, Max: r.ActMax}, p.Limits, name...)
	case "MUL":
		p, err := tflite.Multiplied(c, 0)
		require.NoError(t, err)
		require.Equal(t, quant.Multiplier{Value: r.MultiplierOut, Shift: r.ShiftOut}, p.Factor, name...)
		require.Equal(t, tflite.Limits{Min: r.ActMin, Max: r.ActMax}, p.Limits, name...)
	case "QUANTIZE":
		p, err := tflite.Multiplied(c, 0)
		require.NoError(t, err)
		require.Equal(t, quant.Multiplier{Value: r.Multiplier, Shift: r.Shift}, p.Factor, name...)
	case "LEAKY_RELU":
		p, err := tflite.Multiplied(c, 0)
		require.NoError(t, err)
		require.Equal(t, []quant.Multiplier{{Value: r.MultiplierOne, Shift: r.ShiftOne}, {Value: r.MultiplierSlope, Shift: r.ShiftSlope}},
			[]quant.Multiplier{p.Factor, p.Negative}, name...)
	case "SOFTMAX":
		p, err := tflite.Softmaxed(c)
		require.NoError(t, err)
		require.Equal(t, quant.Multiplier{Value: r.MultiplierIn, Shift: r.ShiftIn}, p.Factor, name...)
		require.Equal(t, int64(-r.DiffMin), p.Reach, name...)
	case "LOGISTIC", "TANH":
		if c.In[0].Type != nn.I16 {
			return false
		}
		p, err := tflite.Tabled(c)
		require.NoError(t, err)
		require.Equal(t, tflite.TableStep{Factor: int64(r.MultiplierIn), Shift: r.ShiftIn}, p, name...)
	default:
		return false
	}
	return true
}

func padded(t *testing.T, r *tflmrecord.Record, c *nn.Call) {
	w, err := tflite.Windowed(c)
	require.NoError(t, err)
	require.Equal(t, []int{r.PadTop, r.PadLeft}, []int{w.PadTop, w.PadLeft}, "%s %d", r.Op, r.ID)
}

// Quotients and products of scales, with the precision of every step stated, in big.Float.
func exact(precision uint, f func(a, b *big.Float) *big.Float, a, b float64) float64 {
	v, _ := f(new(big.Float).SetPrec(precision).SetMode(big.ToNearestEven).SetFloat64(a), new(big.Float).SetFloat64(b)).Float64()
	return v
}

func times(precision uint, a, b float64) float64 {
	return exact(precision, func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Mul(a, b) }, a, b)
}

func over(precision uint, a, b float64) float64 {
	return exact(precision, func(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(precision).Quo(a, b) }, a, b)
}

func TestRecurrentFactorsArePreciseAsStated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scale := func(name string) float32 { return rapid.Float32Range(1e-4, 0.9).Draw(t, name) }
		tensor := func(typ nn.Type, s float32) *nn.Tensor {
			return &nn.Tensor{Type: typ, Shape: []int{1, 1}, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{s}}}
		}
		quantized := func(real float64) quant.Multiplier {
			m, err := quant.QuantizeMultiplier(real)
			require.NoError(t, err)
			return m
		}
		in, feature, time, state, out := scale("in"), scale("feature"), scale("time"), scale("state"), scale("out")
		op, _ := operators.Lookup(nn.TFLite, "SVDF")
		m, err := tflite.SVDF(&nn.Call{Op: op, Rounding: nn.Double, In: []*nn.Tensor{tensor(nn.I8, in), tensor(nn.I8, feature),
			tensor(nn.I8, time), nil, tensor(nn.I8, state)}, Out: []*nn.Tensor{tensor(nn.I8, out)}})
		require.NoError(t, err)
		require.Equal(t, quantized(over(24, times(24, float64(in), float64(feature)), float64(state))), m.Features)
		require.Equal(t, quantized(over(24, times(24, float64(state), float64(time)), float64(out))), m.Time)

		power := rapid.IntRange(-16, -6).Draw(t, "power")
		op, _ = operators.Lookup(nn.TFLite, "UNIDIRECTIONAL_SEQUENCE_LSTM")
		lstm := &nn.Call{Op: op, Rounding: nn.Double, Attrs: nn.Attrs{"cell_clip": 10.0}, In: make([]*nn.Tensor, 24)}
		for i := range 9 {
			lstm.In[i] = tensor(nn.I8, scale("weights"))
		}
		lstm.In[18], lstm.In[19] = tensor(nn.I8, out), tensor(nn.I16, float32(math.Ldexp(1, power)))
		p, err := tflite.LSTM(lstm)
		require.NoError(t, err)
		for g := range tflite.Gates {
			w, r := float64(lstm.In[1+g].Format.Scales[0]), float64(lstm.In[5+g].Format.Scales[0])
			require.Equal(t, quantized(4096*times(24, float64(lstm.In[0].Format.Scales[0]), w)), p.Input[g])
			require.Equal(t, quantized(4096*times(24, float64(out), r)), p.Recurrent[g])
		}
		require.Equal(t, quantized(math.Ldexp(1, -30-power)), p.Take)
		require.Equal(t, quantized(over(53, math.Ldexp(1, -30), float64(out))), p.Hidden)
		require.Equal(t, min(int64(10*math.Ldexp(1, -power)), math.MaxInt16), p.Clip)
	})
}

func TestFoldedBiasTakesTheZeroPointOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		byte8 := rapid.Int64Range(-128, 127)
		n := rapid.IntRange(1, 6).Draw(t, "cells")
		w := nn.FromInts(nn.I8, []int{3, n}, rapid.SliceOfN(byte8, 3*n, 3*n).Draw(t, "weights"))
		bias := nn.FromInts(nn.I32, []int{3}, rapid.SliceOfN(rapid.Int64Range(-1<<31, 1<<31-1), 3, 3).Draw(t, "bias"))
		x := rapid.SliceOfN(byte8, n, n).Draw(t, "x")
		zero := byte8.Draw(t, "zero")
		folded := tflite.FoldedBias(w, bias, 0, zero, false)
		for ch := range 3 {
			plain, with := folded[ch], bias.Ints[ch]
			for i, v := range x {
				plain += v * w.Ints[ch*n+i]
				with += (v - zero) * w.Ints[ch*n+i]
			}
			require.Equal(t, int32(with), int32(plain))
		}
	})
}

// TestMeanOfATinyFactor: the factor 2^-31 has a shift of -30, which leaves one bit for the division by 8 elements. TensorFlow
// Lite's preparation shifts the multiplier up by min(3, 32, 31 - 30).
func TestMeanOfATinyFactor(t *testing.T) {
	op, ok := operators.Lookup(nn.TFLite, "MEAN")
	require.True(t, ok)
	tensor := func(scale float32) *nn.Tensor {
		return &nn.Tensor{Type: nn.I8, Shape: []int{8}, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{0}}}
	}
	s, err := tflite.Multiplied(&nn.Call{Op: op, Rounding: nn.Double, In: []*nn.Tensor{tensor(1.0 / (1 << 31))}, Out: []*nn.Tensor{tensor(1)}}, 8)
	require.NoError(t, err)
	require.Equal(t, quant.Multiplier{Value: 1 << 30 << 1 / 8, Shift: -31}, s.Factor)
}
