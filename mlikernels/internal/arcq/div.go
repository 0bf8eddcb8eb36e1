package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// divParams is the parameter block of quotients of bytes.
var divParams = declared("arcq_div_params")

// quotients are the rows of DIV of tensors with scales.
func quotients() []row {
	op := operator(nn.TFLite, "DIV")
	return []row{{symbol: "arcq_div_s8", operator: "div", types: "s8", body: "div.inc", params: divParams, walks: 3, equ: []string{"IN_BYTES,1"},
		computes: []*nn.Operator{op}, doc: "quotient of two tensors with scales", rounds: bothRounds, fits: inputsOf(nn.I8), fill: fillDiv, grid: divGrid(op)}}
}

func fillDiv(p *params, c *nn.Call) {
	s := must(tflite.Multiplied(c, 0))
	p.pair(c)
	reciprocals := make([]int64, 256)
	for i := range reciprocals {
		mantissa, _ := quant.Reciprocal(int32(i), 31)
		reciprocals[i] = int64(mantissa)
	}
	p.table("reciprocals", nn.I32, reciprocals)
	p.set("in1_zero", s.InZeros[0])
	p.set("in2_zero", s.InZeros[1])
	p.set("out_zero", s.OutZero)
	p.set("multiplier", int64(s.Factor.Value))
	p.set("shift", int64(s.Factor.Shift))
	p.limits(s.Limits)
	if c.Rounding == nn.Single {
		p.set("once", 1)
	}
}

// divGrid has quotients of all sizes: around one, of which most leave the range, and of which most vanish.
func divGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		for i, s := range pairShapes() {
			size := []float32{1, 1 << 6, 1.0 / (1 << 12), 1 << 20, 1.0 / (1 << 24)}[i%5]
			g.add(fmt.Sprintf("%v_%v_%g", s[0], s[1], size), func(r *rand.Rand) *nn.Call {
				a, b, out := random(r, nn.I8, s[0]...), random(r, nn.I8, s[1]...), &nn.Tensor{Type: nn.I8, Shape: s[2]}
				a.Format, b.Format, out.Format = scaleOf(r, nn.I8, size), scaleOf(r, nn.I8, 1), scaleOf(r, nn.I8, 1)
				zero := b.Format.Zeros[0]
				for i, v := range b.Ints {
					if v>>1 == zero>>1 && r.IntN(2) == 0 {
						b.Ints[i] = zero ^ 1 // a divisor of one
					}
					if b.Ints[i] == zero {
						b.Ints[i] = zero ^ 2
					}
				}
				return &nn.Call{Op: op, In: []*nn.Tensor{a, b}, Out: []*nn.Tensor{out},
					Attrs: nn.Attrs{"fused_activation_function": []string{"NONE", "RELU", "RELU6", "RELU_N1_TO_1"}[r.IntN(4)]}}
			})
		}
	}
}
