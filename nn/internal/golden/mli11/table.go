package mli11

import (
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
)

func sigmTable() *mli.Table {
	return mli.Table{InFrac: 3, OutFrac: 15, Offset: 90}.Sampled(180, sigmoid)
}
func tanhTable() *mli.Table { return mli.Table{InFrac: 4, OutFrac: 15, Offset: 89}.Sampled(178, tanh) }
func expnegTable() *mli.Table {
	return mli.Table{InFrac: 4, OutFrac: 15, Offset: 179}.Sampled(181, expneg)
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
func tanh(x float64) float64    { return math.Tanh(x) }
func expneg(x float64) float64  { return math.Exp(min(x, 0)) }

// narrow reduces a table result to the element type.
func narrow(y int64, t Type, r nn.Rounding) int64 {
	return mli.Saturate(mli.Shift(r, y, 16-t.Bits()), t.Bits())
}

// tableActivation evaluates a table for every element. The output has all its bits below the point.
func tableActivation(newTable func() *mli.Table) model {
	return model{
		format: unitFormat,
		shape:  inputShape,
		exact: func(t Typing, c *nn.Call) {
			in, out := c.Input("in"), c.Out[0]
			table := newTable()
			for i, v := range in.Ints {
				out.Ints[i] = narrow(table.At(v, in.Format.Frac, c.Rounding), t.Data, c.Rounding)
			}
		},
	}
}
