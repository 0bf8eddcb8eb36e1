package mli11

import (
	"fmt"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
)

// dense checks a fully connected layer and returns its number of inputs and outputs.
func dense(c *nn.Call) (inputs, outputs int, err error) {
	in, w, b := c.Input("in"), c.Input("w"), c.Input("b")
	if len(w.Shape) != 2 {
		return 0, 0, fmt.Errorf("weights of shape %v", w.Shape)
	}
	outputs, inputs = w.Shape[0], w.Shape[1]
	if in.Len() != inputs {
		return 0, 0, fmt.Errorf("weights for %d inputs, input has %d", inputs, in.Len())
	}
	if b.Len() != outputs {
		return 0, 0, fmt.Errorf("%d biases for %d outputs", b.Len(), outputs)
	}
	return inputs, outputs, nil
}

func fullyConnected() model {
	return model{
		shape: func(t Typing, c *nn.Call) ([]int, error) {
			_, outputs, err := dense(c)
			if err != nil {
				return nil, err
			}
			_, err = newSums(t, c)
			return []int{outputs}, err
		},
		exact: func(t Typing, c *nn.Call) error {
			inputs, outputs, err := dense(c)
			if err != nil {
				return err
			}
			s, err := newSums(t, c)
			if err != nil {
				return err
			}
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
			return mli.Overflowed(over)
		},
		macs: denseMACs,
	}
}

// denseMACs counts the products of a layer: every weight is used once.
func denseMACs(c *nn.Call) int64 { return int64(c.Input("w").Len()) }
