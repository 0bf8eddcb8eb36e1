package quant_test

import (
	"math"
	"testing"

	"arcv2dsp/quant"

	"github.com/stretchr/testify/require"
)

func TestFakeQuantAsTensorFlow(t *testing.T) {
	type line struct {
		Variant   string
		NumBits   int  `json:"num_bits"`
		Narrow    bool `json:"narrow_range"`
		Min, Max  []float32
		NudgedMin []float32 `json:"nudged_min"`
		NudgedMax []float32 `json:"nudged_max"`
		Scale     []float32
		ZeroPoint []int `json:"nudged_zero_point"`
		Channels  int
		X, Output []float32
		Old       []float32 `json:"output_pre2021"`
		Level     []int
		GradIn    []float32 `json:"grad_in"`
		GradX     []float32 `json:"grad_x"`
		GradMin   []float32 `json:"grad_min"`
		GradMax   []float32 `json:"grad_max"`
	}
	for _, v := range vectors[line](t, "mlir_tf_fake_quant") {
		old := quant.FakeOld
		if v.Variant == "vars" {
			old = quant.FakeOldVars
		}
		toLo, toHi := make([]float32, v.Channels), make([]float32, v.Channels)
		for i, x := range v.X {
			c := i % v.Channels
			f, err := quant.NewFakeQuant(v.Min[c], v.Max[c], v.NumBits, v.Narrow)
			require.NoError(t, err)
			require.Equal(t, v.NudgedMin[c], f.Lo)
			require.Equal(t, v.NudgedMax[c], f.Hi)
			require.Equal(t, v.Scale[c], f.Scale)
			require.Equal(t, v.ZeroPoint[c], f.ZeroPoint)
			require.Equal(t, v.Level[i], f.Level(x), "%s: %g", v.Variant, x)
			require.Equal(t, v.Output[i], f.Forward(x, quant.FakeCurrent), "%s: %g", v.Variant, x)
			require.Equal(t, v.Old[i], f.Forward(x, old), "%s: %g", v.Variant, x)
			dx, lo, hi := f.Backward(x, v.GradIn[i])
			require.Equal(t, v.GradX[i], dx)
			toLo[c] += lo
			toHi[c] += hi
		}
		if v.GradMin != nil {
			require.Equal(t, v.GradMin, toLo)
			require.Equal(t, v.GradMax, toHi)
		}
	}
}

func TestFakeQuantAsTFLite(t *testing.T) {
	type line struct {
		Op        string
		QuantMin  int `json:"quant_min"`
		QuantMax  int `json:"quant_max"`
		Min, Max  float32
		NudgedMin float32 `json:"nudged_min"`
		NudgedMax float32 `json:"nudged_max"`
		Scale     float64
		X, Output []float32
	}
	compared := 0
	for _, v := range vectors[line](t, "tflm_quantize_params") {
		if v.Op != "tflite_fake_quantize" {
			continue
		}
		bits := int(math.Log2(float64(v.QuantMax + 1)))
		f, err := quant.NewFakeQuant(v.Min, v.Max, bits, v.QuantMin == 1)
		require.NoError(t, err)
		require.Equal(t, v.NudgedMin, f.Lo)
		require.Equal(t, v.NudgedMax, f.Hi)
		require.Equal(t, float32(v.Scale), f.Scale)
		for i, x := range v.X {
			require.Equal(t, v.Output[i], f.Forward(x, quant.FakeTFLite))
			compared++
		}
	}
	require.Positive(t, compared)
}

func TestFakeQuantRefuses(t *testing.T) {
	nan := float32(math.NaN())
	for _, v := range []struct {
		lo, hi float32
		bits   int
		want   string
	}{
		{lo: nan, hi: 1, bits: 8, want: "range NaN to 1 is not finite"},
		{lo: 1, hi: -1, bits: 8, want: "range 1 to -1 is empty"},
		{lo: 1, hi: 1, bits: 8, want: "range 1 to 1 has no scale in float32"},
		{lo: -3e38, hi: 3e38, bits: 8, want: "range -3e+38 to 3e+38 has no scale in float32"},
		{lo: 0, hi: 1, bits: 1, want: "fake quantization to 1 bits (2 to 16)"},
		{lo: 0, hi: 1, bits: 17, want: "fake quantization to 17 bits (2 to 16)"},
	} {
		_, err := quant.NewFakeQuant(v.lo, v.hi, v.bits, false)
		require.EqualError(t, err, v.want)
	}
	f, err := quant.NewFakeQuant(-1, 1, 8, false)
	require.NoError(t, err)
	require.Equal(t, f.ZeroPoint, f.Level(nan))
	dx, lo, hi := f.Backward(nan, 1)
	require.Zero(t, dx+lo+hi)
}
