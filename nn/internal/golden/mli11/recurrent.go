package mli11

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// Modes of a recurrent cell over a sequence, and its output activations, as the library numbers
// them.
const (
	oneToOne    = 0 // one step
	batchToAll  = 1 // every step gives an output
	batchToLast = 2 // only the last step's output is kept

	actNone = 0
	actTanh = 1
	actSigm = 2
)

// innerIntegerBits is the number of integer bits of the format between the dense part of a cell and
// its activations.
const innerIntegerBits = 3

// cell is a recurrent function resolved to numbers: gates of outputs rows over [input, state].
type cell struct {
	t                      Typing
	r                      nn.Rounding
	steps, inputs, outputs int
	gates                  int
	act                    int
	keepAll                bool
	in, w, b               *nn.Tensor
	over                   mli.Overflows
}

func newCell(t Typing, c *nn.Call, gates int) *cell {
	in, w, b, prev := c.Input("in"), c.Input("w"), c.Input("b"), c.Input("prev_out")
	cl := &cell{t: t, r: c.Rounding, gates: gates, in: in, w: w, b: b, outputs: prev.Len(), steps: 1,
		inputs: in.Len(), act: c.Attrs.Int("act")}
	switch mode := c.Attrs.Int("mode"); mode {
	case oneToOne:
	case batchToAll, batchToLast:
		cl.steps = in.Shape[0]
		cl.inputs /= cl.steps
		cl.keepAll = mode == batchToAll
	default:
		panic(fmt.Errorf("mode %d is unknown", mode))
	}
	rule.Refuse(cl.act < actNone || cl.act > actSigm, "activation %d is unknown", cl.act)
	if want := gates * cl.outputs * (cl.inputs + cl.outputs); w.Len() != want {
		panic(fmt.Errorf("%d weights, %d inputs and %d outputs need %d", w.Len(), cl.inputs, cl.outputs, want))
	}
	rule.Refuse(b.Len() != gates*cl.outputs, "%d biases for %d rows", b.Len(), gates*cl.outputs)
	if product := in.Format.Frac + w.Format.Frac; b.Format.Frac > product {
		panic(fmt.Errorf("bias has %d fractional bits, products only %d", b.Format.Frac, product))
	}
	rule.Hold(mli.CheckWork(cl.steps, w.Len()))
	return cl
}

// inner is the number of fractional bits before an activation.
func (cl *cell) inner() int { return cl.t.Data.Bits() - 1 - innerIntegerBits }

// dense computes one row of the cell: the input part in the input's product format, then, after a
// shift of the sum, the state part in the state's. The library scales the state by the format that prev_out
// declares in every step, also when the output of the step before has another.
func (cl *cell) dense(step, row int, state []int64, stateFrac, outFrac int) int64 {
	acc := mli.NewAccumulator(cl.t.AccBits)
	width := cl.inputs + cl.outputs
	inFrac, wFrac := cl.in.Format.Frac, cl.w.Format.Frac
	acc.Set(mli.ShiftLeft(cl.b.Ints[row], inFrac+wFrac-cl.b.Format.Frac))
	for i := range cl.inputs {
		acc.Add(cl.in.Ints[step*cl.inputs+i] * cl.w.Ints[row*width+i])
	}
	if shift := inFrac - stateFrac; shift > 0 && cl.t.AccBits == 40 {
		acc.Set(acc.Sum >> shift) // a 40-bit accumulator is shifted without rounding
	} else {
		acc.Set(mli.Shift(cl.r, acc.Sum, shift))
	}
	for i, s := range state {
		acc.Add(s * cl.w.Ints[row*width+cl.inputs+i])
	}
	cl.over = acc.Report(cl.over, step*cl.gates*cl.outputs+row)
	return mli.Saturate(mli.Shift(cl.r, acc.Sum, stateFrac+wFrac-outFrac), cl.t.Data.Bits())
}

// activate applies the output activation to a value with frac fractional bits; the result has
// cl.activated(frac) of them.
func (cl *cell) activate(v int64, frac int) int64 {
	switch cl.act {
	case actTanh:
		return narrow(tanhTable().At(v, frac, cl.r), cl.t.Data, cl.r)
	case actSigm:
		return narrow(sigmTable().At(v, frac, cl.r), cl.t.Data, cl.r)
	}
	return v
}

func (cl *cell) activated(frac int) int {
	if cl.act == actNone {
		return frac
	}
	return cl.t.Data.Bits() - 1
}

// shape is the output shape for the cell's mode.
func (cl *cell) shape() []int {
	if cl.keepAll {
		return []int{cl.steps, cl.outputs}
	}
	return []int{cl.outputs}
}

// cellMACs counts the products of all steps.
func cellMACs(gates int) func(*nn.Call) int64 {
	return rule.Counted(func(c *nn.Call) int64 {
		cl := newCell(Typing{}, c, gates)
		return int64(cl.steps) * int64(cl.w.Len())
	})
}

// activatedFormat is the rule of cells: behind an activation the output has all its bits below the point,
// without one the caller chooses.
func activatedFormat(t Typing, c *nn.Call) (nn.Format, bool) {
	f, _ := unitFormat(t, c)
	return f, c.Attrs.Int("act") != actNone
}

func basicRNN() model {
	const gates = 1
	return model{
		format: activatedFormat,
		shape: func(t Typing, c *nn.Call) []int {
			return newCell(t, c, gates).shape()
		},
		exact: func(t Typing, c *nn.Call) {
			cl := newCell(t, c, gates)
			out := c.Out[0]
			denseFrac := cl.inner()
			if cl.act == actNone {
				denseFrac = out.Format.Frac
			}
			prev := c.Input("prev_out")
			state, results := prev.Ints, out.Ints[:0]
			for step := range cl.steps {
				next := make([]int64, cl.outputs)
				for o := range next {
					next[o] = cl.activate(cl.dense(step, o, state, prev.Format.Frac, denseFrac), denseFrac)
				}
				state = next
				if cl.keepAll || step == cl.steps-1 {
					results = append(results, next...)
				}
			}
			rule.Hold(mli.Overflowed(cl.over))
		},
		macs: cellMACs(gates),
	}
}

// lstm computes input gate, new cell value, forget gate and output gate, in this order of weights.
func lstm() model {
	const gates = 4
	return model{
		format: activatedFormat,
		shape: func(t Typing, c *nn.Call) []int {
			cl := newCell(t, c, gates)
			if n := c.Input("cell").Len(); n != cl.outputs {
				panic(fmt.Errorf("cell of %d elements for %d outputs", n, cl.outputs))
			}
			return cl.shape()
		},
		exact: func(t Typing, c *nn.Call) {
			cl := newCell(t, c, gates)
			cl.lstm(c)
			rule.Hold(mli.Overflowed(cl.over))
		},
		macs: cellMACs(gates),
	}
}

// lstm computes all steps; the cell of the call is the one after the last step.
func (cl *cell) lstm(c *nn.Call) {
	width, unit := cl.t.Data.Bits(), cl.t.Data.Bits()-1
	sigm, tanh := sigmTable(), tanhTable()
	prev, out := c.Input("prev_out"), c.Out[0]
	cells, cellFrac := slices.Clone(c.Input("cell").Ints), c.Input("cell").Format.Frac
	state, results := prev.Ints, out.Ints[:0]
	for step := range cl.steps {
		gate := func(g, o int, table *mli.Table) int64 {
			d := cl.dense(step, g*cl.outputs+o, state, prev.Format.Frac, cl.inner())
			return narrow(table.At(d, cl.inner(), cl.r), cl.t.Data, cl.r)
		}
		next := make([]int64, cl.outputs)
		for o := range next {
			input, fresh := gate(0, o, sigm), gate(1, o, tanh)
			forget, output := gate(2, o, sigm), gate(3, o, sigm)

			sum := mli.Shift(cl.r, input*fresh, unit-cellFrac) + forget*cells[o]
			v := mli.Saturate(mli.Shift(cl.r, sum, unit), width)
			cells[o] = v
			shift := cl.activated(cellFrac) + unit - out.Format.Frac
			next[o] = mli.Saturate(mli.Shift(cl.r, cl.activate(v, cellFrac)*output, shift), width)
		}
		state = next
		if cl.keepAll || step == cl.steps-1 {
			results = append(results, next...)
		}
	}
	c.Input("cell").Ints = cells
}
