package golden

import "fmt"

// dense checks a fully connected layer and returns its number of inputs and outputs.
func dense(c *Case) (inputs, outputs int, err error) {
	in, w, b := c.Tensors["in"], c.Tensors["w"], c.Tensors["b"]
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

func fullyConnected(t typing) func(*Case, Rounding) (Result, error) {
	if t.data == SA8 {
		return fullyConnectedSA8
	}
	return func(c *Case, r Rounding) (Result, error) {
		inputs, outputs, err := dense(c)
		if err != nil {
			return Result{}, err
		}
		q, err := newRequant(c, t)
		if err != nil {
			return Result{}, err
		}
		in, w, b := c.Tensors["in"].Data, c.Tensors["w"].Data, c.Tensors["b"].Data
		out := q.out.like(outputs)
		var over []Overflow
		acc := newAccumulator(t.acc)
		for o := range outputs {
			acc.reset()
			acc.set(shiftLeft(int64(b[o]), q.biasShift))
			for i := range inputs {
				acc.add(int64(in[i]) * int64(w[o*inputs+i]))
			}
			over = acc.report(over, o)
			out.Data[o] = int32(q.store(acc.sum, r))
		}
		return c.one("out", out, over), nil
	}
}

func fullyConnectedSA8(c *Case, r Rounding) (Result, error) {
	inputs, outputs, err := dense(c)
	if err != nil {
		return Result{}, err
	}
	q, err := newAffine(c, r)
	if err != nil {
		return Result{}, err
	}
	in, w, b := c.Tensors["in"].Data, c.Tensors["w"].Data, c.Tensors["b"].Data
	out := q.out.like(outputs)
	var over []Overflow
	acc := newAccumulator(32)
	for o := range outputs {
		acc.reset()
		acc.set(int64(b[o]))
		for i := range inputs {
			acc.add((int64(in[i]) - q.zeroIn) * int64(w[o*inputs+i]))
		}
		over = acc.report(over, o)
		out.Data[o] = int32(saturate(q.store(acc.sum, o, r), 8))
	}
	return c.one("out", out, over), nil
}
