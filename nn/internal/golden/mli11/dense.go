package mli11

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// dense checks a fully connected layer and returns its number of inputs and outputs.
func dense(c *nn.Call) (inputs, outputs int) {
	in, w, b := c.Input("in"), c.Input("w"), c.Input("b")
	rule.Refuse(len(w.Shape) != 2, "weights of shape %v", w.Shape)
	outputs, inputs = w.Shape[0], w.Shape[1]
	rule.Refuse(in.Len() != inputs, "weights for %d inputs, input has %d", inputs, in.Len())
	rule.Refuse(b.Len() != outputs, "%d biases for %d outputs", b.Len(), outputs)
	return inputs, outputs
}

func fullyConnected() model {
	return model{
		shape: func(t Typing, c *nn.Call) []int {
			_, outputs := dense(c)
			newSums(t, c)
			return []int{outputs}
		},
		exact: func(t Typing, c *nn.Call) {
			inputs, outputs := dense(c)
			s := newSums(t, c)
			in, w, b, out := c.Input("in").Ints, c.Input("w").Ints, c.Input("b").Ints, c.Out[0].Ints
			var over mli.Overflows
			acc := mli.NewAccumulator(t.AccBits)
			for o := range outputs {
				acc.Reset()
				acc.Set(mli.ShiftLeft(b[o], s.biasShift))
				for i := range inputs {
					acc.Add((in[i] - s.zero) * w[o*inputs+i])
				}
				over = acc.Report(over, o)
				out[o] = s.store(acc.Sum, o)
			}
			rule.Hold(mli.Overflowed(over))
		},
		macs: denseMACs,
	}
}

// denseMACs counts the products of a layer: every weight is used once.
func denseMACs(c *nn.Call) int64 { return int64(c.Input("w").Len()) }
