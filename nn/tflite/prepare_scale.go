package tflite

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Which quotients and products of scales are formed in single precision decides the last bit of a
// multiplier:
//
//	double in*w[c]/out               filters with a scale per channel, convolutions with one scale
//	single in*w, then double /out    FULLY_CONNECTED with one scale, BATCH_MATMUL, gates of the LSTM
//	double a/t, b/t, t/(2^L out)     ADD, t = 2 max(a,b); MUL a*b/out; QUANTIZE, RELU, MEAN, SUM in/out; PRELU
//	single, every step               SUB, DIV, LEAKY_RELU, SVDF, HARD_SWISH

// factor quantizes a real factor for the rounding of a call.
func factor(c *nn.Call, real float64) (quant.Multiplier, error) {
	switch c.Rounding {
	case nn.Double:
		return quant.QuantizeMultiplier(real)
	case nn.Single:
		return quant.QuantizeMultiplierSingle(real)
	}
	return quant.Multiplier{}, fmt.Errorf("%s: rounding %s, the library has double and single", c.Op.Name, c.Rounding)
}

// factors quantizes several real factors.
func factors(c *nn.Call, real ...float64) ([]quant.Multiplier, error) {
	list := make([]quant.Multiplier, len(real))
	for i, r := range real {
		var err error
		if list[i], err = factor(c, r); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// step is the scale of a tensor.
func step(t *nn.Tensor) float32 {
	if len(t.Format.Scales) == 0 {
		return 0
	}
	return t.Format.Scales[0]
}

// single is a float of double precision after rounding to single.
func single(v float32) float64 { return float64(v) }

// Limits are the least and the greatest element of an output.
type Limits struct{ Min, Max int64 }

// fused is the name of the attribute of fused functions.
const fused = "fused_activation_function"

// bounds are the fused functions by the real values they clamp to.
var bounds = map[string]struct{ lo, hi float64 }{
	"NONE":         {math.Inf(-1), math.Inf(1)},
	"RELU":         {0, math.Inf(1)},
	"RELU6":        {0, 6},
	"RELU_N1_TO_1": {-1, 1},
}

// Activation are the limits of an output behind a fused function. Outputs without a scale hold whole
// numbers, which are clamped as they are.
func Activation(function string, out *nn.Tensor) (Limits, error) {
	b, ok := bounds[function]
	if !ok {
		return Limits{}, fmt.Errorf("a fused %s is not supported", function)
	}
	lo, hi := out.Type.Range()
	quantize := func(v float64) int64 {
		if math.IsInf(v, 0) || out.Type == nn.I32 {
			return int64(max(float64(lo), min(v, float64(hi))))
		}
		q := math.Round(float64(float32(v)/step(out))) + float64(out.Format.Zero(0))
		return int64(max(math.MinInt32, min(q, math.MaxInt32)))
	}
	return Limits{Min: max(lo, quantize(b.lo)), Max: min(hi, quantize(b.hi))}, nil
}
