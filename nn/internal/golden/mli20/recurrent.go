package mli20

import (
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// Activations of the output of an LSTM, as the library numbers them.
const (
	actNone = 0
	actTanh = 1
	actSigm = 2
)

// cellKind has the properties in which the two recurrent cells differ.
type cellKind struct {
	gates    int
	innerMax int       // greatest number of fractional bits between the sums and the activations
	inner    nn.Format // the affine format there
}

var (
	lstmKind = cellKind{gates: 4, innerMax: 10, inner: nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{1}, ScaleFrac: 4, Zeros: []int64{0}}}
	gruKind  = cellKind{gates: 3, innerMax: 11, inner: nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{21}, ScaleFrac: 9, Zeros: []int64{0}}}
)

// cell is a recurrent function resolved to numbers.
type cell struct {
	cellKind
	t                      Typing
	call                   *nn.Call
	steps, inputs, outputs int
	inner                  nn.Format
	over                   mli.Overflows
}

func newCell(t Typing, c *nn.Call, kind cellKind) *cell {
	in, prev, wi, wo, b, out := c.Input("in"), c.Input("prev_out"), c.Input("w_in"), c.Input("w_out"), c.Input("b"), c.Out[0]
	if len(in.Shape) != 2 || len(prev.Shape) != 1 || len(wi.Shape) != 3 || len(wo.Shape) != 3 || len(b.Shape) != 2 {
		panic(violation(shapeWrong, "shapes %v, %v, %v, %v, %v have not 2, 1, 3, 3 and 2 dimensions", in.Shape, prev.Shape, wi.Shape, wo.Shape, b.Shape))
	}
	cl := &cell{cellKind: kind, t: t, call: c, steps: in.Shape[0], inputs: in.Shape[1], outputs: prev.Shape[0], inner: kind.inner}
	for _, w := range []struct{ got, want []int }{
		{wi.Shape, []int{kind.gates, cl.inputs, cl.outputs}},
		{wo.Shape, []int{kind.gates, cl.outputs, cl.outputs}},
		{b.Shape, []int{kind.gates, cl.outputs}},
	} {
		refuse(!slices.Equal(w.got, w.want), shapeWrong, "weights or biases of shape %v, they must be %v", w.got, w.want)
	}
	if cells := c.Input("cell"); cells != nil && !slices.Equal(cells.Shape, prev.Shape) {
		panic(violation(shapeWrong, "cell of shape %v, state %v", cells.Shape, prev.Shape))
	}
	if want := cl.shape(); out.Shape != nil && out.Shape[len(out.Shape)-1] != cl.outputs || out.Shape != nil && nn.Count(out.Shape) != nn.Count(want) {
		panic(violation(shapeWrong, "output of shape %v, it must be %v", out.Shape, want))
	}
	for name, most := range map[string]int{"direction": 1, "results": 1, "act": 2} {
		if v := c.Attrs.Int(name); v < 0 || v > most {
			panic(violation(badConfig, "%s is %d", name, v))
		}
	}
	if !t.Data.Affine() {
		cl.inner = nn.Format{Kind: nn.Fixed, Frac: min(kind.innerMax, in.Format.Frac+wi.Format.Frac)}
	}
	rule.Hold(mli.CheckWork(cl.steps, wi.Len()+wo.Len()))
	return cl
}

// check states the rules for formats.
func (cl *cell) check() {
	c := cl.call
	in, wi, wo, b := c.Input("in").Format, c.Input("w_in").Format, c.Input("w_out").Format, c.Input("b").Format
	if !cl.t.Data.Affine() {
		if product := in.Frac + wi.Frac; b.Frac > product {
			panic(violation(incompatible, "bias has %d fractional bits, products only %d", b.Frac, product))
		}
		return
	}
	if mli.PerTensor(wi) != mli.PerTensor(b) || mli.PerTensor(wo) != mli.PerTensor(b) {
		panic(violation(incompatible, "scales of weights and of biases differ in number"))
	}
	for _, f := range []nn.Format{wi, wo, b} {
		refuse(!mli.PerTensor(f) && f.Axis != 0, incompatible, "scales along dimension %d", f.Axis)
		for _, z := range f.Zeros {
			refuse(z != 0, incompatible, "weights or biases with zero point %d", z)
		}
	}
	for _, role := range []string{"in", "prev_out", "cell"} {
		if x := c.Input(role); x != nil && (!mli.PerTensor(x.Format) || !byteZero(x.Format.Zero(0))) {
			panic(violation(incompatible, "%s has scales per axis or a zero point that is no byte", role))
		}
	}
	if out := c.Out[0].Format; !mli.PerTensor(out) || !byteZero(out.Zero(0)) {
		panic(violation(incompatible, "out has scales per axis or a zero point that is no byte"))
	}
	checkBiasScale(in, wi, b)
}

// shape is the shape of the output: all steps or the last one.
func (cl *cell) shape() []int {
	if cl.call.Attrs.Int("results") == 1 {
		return []int{cl.steps, cl.outputs}
	}
	return []int{1, cl.outputs}
}

// gate computes the sums of gate k from an input and a state in a format.
func (cl *cell) gate(k int, x, state []int64, stateFormat nn.Format) []int64 {
	c := cl.call
	wi, wo := c.Input("w_in"), c.Input("w_out")
	prev := *c.Input("prev_out")
	prev.Format = stateFormat
	g := gate{t: cl.t, round: c.Rounding, out: cl.inner, parts: []part{{c.Input("in"), wi}, {&prev, wo}},
		weights: []int{k * cl.inputs * cl.outputs, k * cl.outputs * cl.outputs}, b: c.Input("b"), bias: k * cl.outputs, outputs: cl.outputs}
	if mli.PerTensor(wi.Format) {
		// DEVIATION(381): with one scale for all weights the third gate of a GRU has the scale the library reads, which is
		// 4 more and has 2 more fractional bits.
		g.wrap = cl.gates == gruKind.gates && k == 2
	} else {
		g.scale = k
	}
	return g.compute([][]int64{x, state}, &cl.over)
}

// each applies a table to every element of a gate.
func (cl *cell) each(table *mli.Table, x []int64, out nn.Format) []int64 {
	y := make([]int64, len(x))
	for i, v := range x {
		y[i] = activate(cl.t, table, v, cl.inner, out, cl.call.Rounding)
	}
	return y
}

// combine applies an elementwise operator to two lists in their formats.
func (cl *cell) combine(name string, a, b []int64, f, g, out nn.Format) []int64 {
	i := slices.IndexFunc(elementwiseOps, func(op elementwiseOp) bool { return op.name == name })
	exact := elementwiseOps[i].element(cl.t, cl.call.Rounding, f, g, out)
	y := make([]int64, len(a))
	for i := range a {
		y[i] = exact(a[i], b[i])
	}
	return y
}

// run goes through the steps; step computes the next state from an input.
func (cl *cell) run(step func(x, state []int64, f nn.Format) []int64) {
	c := cl.call
	in, prev, out := c.Input("in"), c.Input("prev_out"), c.Out[0]
	state, format := slices.Clone(prev.Ints), prev.Format
	results := out.Ints[:0]
	for n := range cl.steps {
		at := n
		if c.Attrs.Int("direction") == 1 {
			at = cl.steps - 1 - n
		}
		state = step(in.Ints[at*cl.inputs:(at+1)*cl.inputs], state, format)
		format = out.Format
		if c.Attrs.Int("results") == 1 || n == cl.steps-1 {
			results = append(results, state...)
		}
	}
	rule.Hold(mli.Overflowed(cl.over))
}

// cellModel is a recurrent function whose state is computed by step.
func cellModel(kind cellKind, start func(cl *cell) func(x, state []int64, f nn.Format) []int64) model {
	return model{
		shape: func(t Typing, c *nn.Call) []int {
			return newCell(t, c, kind).shape()
		},
		check: func(t Typing, c *nn.Call) {
			newCell(t, c, kind).check()
		},
		exact: func(t Typing, c *nn.Call) {
			cl := newCell(t, c, kind)
			cl.run(start(cl))
		},
		macs: func(_ Typing, c *nn.Call) int64 {
			return int64(c.Input("in").Shape[0]) * int64(c.Input("w_in").Len()+c.Input("w_out").Len())
		},
	}
}

// lstm has the gates input, new cell, forget and output.
func lstm() model {
	return cellModel(lstmKind, func(cl *cell) func(x, state []int64, f nn.Format) []int64 {
		c := cl.call
		cells, out := c.Input("cell"), c.Out[0].Format
		fsigm, ftanh := sigmUnit(cl.t, c), tanhUnit(cl.t, c)
		tanhs, sigms := tableOf(c, "tanh_lut", tanhTable), tableOf(c, "sigm_lut", sigmTable)
		return func(x, state []int64, f nn.Format) []int64 {
			i := cl.each(sigms, cl.gate(0, x, state, f), fsigm)
			g := cl.each(tanhs, cl.gate(1, x, state, f), ftanh)
			forget := cl.each(sigms, cl.gate(2, x, state, f), fsigm)
			o := cl.each(sigms, cl.gate(3, x, state, f), fsigm)
			kept := cl.combine("mul", cells.Ints, forget, cells.Format, fsigm, cells.Format)
			g = cl.combine("mul", g, i, ftanh, fsigm, ftanh)
			cells.Ints = cl.combine("add", kept, g, cells.Format, ftanh, cells.Format)
			v, fv := slices.Clone(cells.Ints), cells.Format
			if act := c.Attrs.Int("act"); act != actNone {
				table, to := tanhs, ftanh
				if act == actSigm {
					table, to = sigms, fsigm
				}
				for k := range v {
					v[k] = activate(cl.t, table, v[k], fv, to, c.Rounding)
				}
				fv = to
			}
			return cl.combine("mul", v, o, fv, fsigm, out)
		}
	})
}

// gru has the gates update, reset and new state.
func gru() model {
	return cellModel(gruKind, func(cl *cell) func(x, state []int64, f nn.Format) []int64 {
		c := cl.call
		out := c.Out[0].Format
		fsigm, ftanh := sigmUnit(cl.t, c), tanhUnit(cl.t, c)
		tanhs, sigms := tableOf(c, "tanh_lut", tanhTable), tableOf(c, "sigm_lut", sigmTable)
		_, most := cl.t.Data.Element().Range()
		ones := slices.Repeat([]int64{most}, cl.outputs)
		return func(x, state []int64, f nn.Format) []int64 {
			z := cl.each(sigms, cl.gate(0, x, state, f), fsigm)
			r := cl.each(sigms, cl.gate(1, x, state, f), fsigm)
			rh := cl.combine("mul", r, state, fsigm, f, f)
			zh := cl.combine("mul", state, z, f, fsigm, f)
			w := cl.combine("sub", ones, z, fsigm, fsigm, fsigm)
			n := cl.each(tanhs, cl.gate(2, x, rh, f), ftanh)
			t := cl.combine("mul", n, w, ftanh, fsigm, out)
			return cl.combine("add", t, zh, out, f, out)
		}
	})
}
