package mli20

import (
	"fmt"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// dense checks a fully connected layer and returns its number of inputs and outputs.
func dense(c *nn.Call) (inputs, outputs int) {
	in, w, b, out := c.Input("in"), c.Input("w"), c.Input("b"), c.Out[0]
	if len(w.Shape) != 2 || len(b.Shape) != 1 || out.Shape != nil && len(out.Shape) != 1 {
		panic(violation(shapeWrong, "shapes %v, %v, %v have not 2, 1 and 1 dimensions", w.Shape, b.Shape, out.Shape))
	}
	inputs, outputs = w.Shape[0], w.Shape[1]
	if in.Len() != inputs || b.Shape[0] != outputs || out.Shape != nil && out.Shape[0] != outputs {
		panic(violation(shapeWrong, "weights of shape %v, %d inputs, %d biases, output of shape %v", w.Shape, in.Len(), b.Shape[0], out.Shape))
	}
	return inputs, outputs
}

// fullyConnected sums all inputs for every output. The biases of the extended form contain the zero point of
// the input, which then counts as 0.
func fullyConnected(extended bool) model {
	return model{
		shape: func(t Typing, c *nn.Call) []int {
			checkFixedFirst(t, c)
			_, outputs := dense(c)
			return []int{outputs}
		},
		check: checkAffineLast(1),
		exact: func(t Typing, c *nn.Call) {
			inputs, outputs := dense(c)
			s := newStore(t, c)
			if extended {
				s.affine.zeroIn = 0
			}
			in, w, b, out := c.Input("in").Ints, c.Input("w").Ints, c.Input("b").Ints, c.Out[0].Ints
			var over mli.Overflows
			acc := mli.NewAccumulator(t.AccBits)
			for o := range outputs {
				acc.Reset()
				for i := range inputs {
					acc.Add((in[i] - s.zero()) * w[i*outputs+o])
				}
				out[o] = s.element(&acc, b[o], o)
				over = acc.Report(over, o)
			}
			rule.Hold(mli.Overflowed(over))
		},
		macs: func(_ Typing, c *nn.Call) int64 { return int64(c.Input("w").Len()) },
	}
}

// maxInputs is the number of inputs rnn_dense takes at most.
const maxInputs = 4

// part is one input of rnn_dense with the weights of that input.
type part struct{ in, w *nn.Tensor }

// parts are the inputs of a call of rnn_dense, each with as many weights as it needs.
func parts(c *nn.Call) []part {
	var all []part
	b := c.Input("b")
	for i := range maxInputs {
		p := part{c.Input(fmt.Sprintf("in%d", i)), c.Input(fmt.Sprintf("w%d", i))}
		if p.in == nil && p.w == nil {
			break
		}
		if p.in == nil || p.w == nil || len(p.w.Shape) != 2 || p.in.Len() != p.w.Shape[0] || p.w.Shape[1] != b.Len() {
			panic(violation(shapeWrong, "input %d, its weights and the biases do not match", i))
		}
		all = append(all, p)
	}
	if n := c.Attrs.Int("inputs"); n != len(all) {
		panic(violation(badConfig, "%d inputs, there are %d", n, len(all)))
	}
	return all
}

// gate computes outputs that sum over several inputs, of which each is rounded on its own.
type gate struct {
	t     Typing
	round nn.Rounding
	out   nn.Format
	parts []part
	// weights is where the weights of this gate begin in each part; scale is the index of their scale.
	weights []int
	scale   int
	b       *nn.Tensor
	bias    int // where the biases begin
	outputs int
	// wrap is the defect of the library in the third gate of a GRU with one scale for all weights.
	wrap bool
}

// compute gives every output; state data may take the place of what a part holds.
func (g gate) compute(data [][]int64, over *mli.Overflows) []int64 {
	out := make([]int64, g.outputs)
	for o := range out {
		total := int64(0)
		for k, p := range g.parts {
			acc := mli.NewAccumulator(g.t.AccBits)
			zero := zeroOf(p.in.Format, 0)
			for i, x := range data[k] {
				acc.Add((x - zero) * p.w.Ints[g.weights[k]+i*g.outputs+o])
			}
			total = g.add(total, &acc, k, o)
			*over = acc.Report(*over, o)
		}
		if g.t.Data.Affine() {
			out[o] = mli.Saturate(mli.Saturate(mli.Saturate(total, 16)+g.out.Zero(0), 16), 8)
		} else {
			out[o] = mli.Saturate(total, g.t.Data.Bits())
		}
	}
	return out
}

// add brings the sum of a part into the format of the output and adds it to those before.
func (g gate) add(total int64, acc *mli.Accumulator, k, o int) int64 {
	in, w := g.parts[k].in.Format, g.parts[k].w.Format
	if !g.t.Data.Affine() {
		product := in.Frac + w.Frac
		if k == 0 {
			acc.Add(mli.ShiftLeft(g.b.Ints[g.bias+o], product-g.b.Format.Frac))
		}
		// DEVIATION(382): the sums are rounded as the build says.
		return mli.Saturate(total+rounded(g.round, acc.Sum, product-g.out.Frac, g.t.AccBits), g.t.AccBits)
	}
	if k == 0 {
		acc.Add(g.b.Ints[g.bias+o])
	}
	m, frac := mli.Mantissa(w, g.scale), fracOf(w, g.scale)
	if g.wrap {
		m, frac = int64(int16(m+4)), int(int8(frac+2))
	}
	ratio, shift := quotient(g.round, mli.Mantissa(in, 0), mli.Mantissa(g.out, 0))
	n := shift + fracOf(in, 0) - fracOf(g.out, 0) + frac
	v := mli.Saturate(rounded(g.round, mli.Saturate(acc.Sum, 32)*ratio*m, min(n, 63), 64), 32)
	return mli.Saturate(total+v, 32)
}

func rnnDense() model {
	return model{
		shape: func(t Typing, c *nn.Call) []int {
			ps := parts(c)
			b, out := c.Input("b"), c.Out[0]
			if len(b.Shape) != 1 || out.Shape != nil && (len(out.Shape) != 1 || out.Shape[0] != b.Len()) {
				panic(violation(shapeWrong, "biases of shape %v, output of shape %v", b.Shape, out.Shape))
			}
			for i, p := range ps {
				checkPart(t, p, b, out.Format, i)
			}
			return []int{b.Len()}
		},
		exact: func(t Typing, c *nn.Call) {
			ps := parts(c)
			g := gate{t: t, round: c.Rounding, out: c.Out[0].Format, parts: ps, weights: make([]int, len(ps)), b: c.Input("b"),
				outputs: c.Input("b").Len()}
			var data [][]int64
			for _, p := range ps {
				data = append(data, p.in.Ints)
			}
			var over mli.Overflows
			copy(c.Out[0].Ints, g.compute(data, &over))
			rule.Hold(mli.Overflowed(over))
		},
		macs: func(_ Typing, c *nn.Call) (n int64) {
			for _, p := range parts(c) {
				n += int64(p.w.Len())
			}
			return n
		},
	}
}

// checkPart states the rules for the formats of input i.
func checkPart(t Typing, p part, b *nn.Tensor, out nn.Format, i int) {
	if !t.Data.Affine() {
		if product := p.in.Format.Frac + p.w.Format.Frac; out.Frac > product || i == 0 && b.Format.Frac > product {
			panic(violation(incompatible, "bias has %d fractional bits, output %d, products only %d", b.Format.Frac, out.Frac, product))
		}
		return
	}
	for _, f := range []nn.Format{p.in.Format, p.w.Format, b.Format, out} {
		refuse(!mli.PerTensor(f), incompatible, "scales per axis")
	}
	if i > 0 {
		if !byteZero(p.in.Format.Zero(0)) || p.w.Format.Zero(0) != 0 {
			panic(violation(incompatible, "zero points %d and %d of input %d", p.in.Format.Zero(0), p.w.Format.Zero(0), i))
		}
		return
	}
	checkSums(p.in.Format, p.w.Format, b.Format, out, -1)
}
