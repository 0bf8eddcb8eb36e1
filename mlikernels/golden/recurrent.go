package golden

import "fmt"

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

// cell is a recurrent kernel resolved to numbers: gates of outputs rows over [input, state].
type cell struct {
	t                      typing
	r                      Rounding
	steps, inputs, outputs int
	gates                  int
	act                    int
	keepAll                bool
	in, w, b               *Tensor
	over                   []Overflow
}

func newCell(c *Case, t typing, r Rounding, gates int) (*cell, error) {
	in, w, b, prev := c.Tensors["in"], c.Tensors["w"], c.Tensors["b"], c.Tensors["prev_out"]
	cl := &cell{t: t, r: r, gates: gates, in: in, w: w, b: b, outputs: prev.Len(), steps: 1, inputs: in.Len(),
		act: c.Params.Int("act")}
	switch mode := c.Params.Int("mode"); mode {
	case oneToOne:
	case batchToAll, batchToLast:
		cl.steps = in.Shape[0]
		cl.inputs /= cl.steps
		cl.keepAll = mode == batchToAll
	default:
		return nil, fmt.Errorf("mode %d is unknown", mode)
	}
	if cl.act < actNone || cl.act > actSigm {
		return nil, fmt.Errorf("activation %d is unknown", cl.act)
	}
	if want := gates * cl.outputs * (cl.inputs + cl.outputs); w.Len() != want {
		return nil, fmt.Errorf("%d weights, %d inputs and %d outputs need %d", w.Len(), cl.inputs, cl.outputs, want)
	}
	if b.Len() != gates*cl.outputs {
		return nil, fmt.Errorf("%d biases for %d rows", b.Len(), gates*cl.outputs)
	}
	if b.Frac > in.Frac+w.Frac {
		return nil, fmt.Errorf("bias has %d fractional bits, products only %d", b.Frac, in.Frac+w.Frac)
	}
	return cl, checkWork(cl.steps, w.Len())
}

// inner is the number of fractional bits before an activation.
func (cl *cell) inner() int { return cl.t.data.Bits() - 1 - innerIntegerBits }

// dense computes one row of the cell: the input part in the input's product format, then, after a
// shift of the sum, the state part in the state's.
func (cl *cell) dense(step, row int, state []int32, stateFrac, outFrac int) int64 {
	acc := newAccumulator(cl.t.acc)
	width := cl.inputs + cl.outputs
	acc.set(shiftLeft(int64(cl.b.Data[row]), cl.in.Frac+cl.w.Frac-cl.b.Frac))
	for i := range cl.inputs {
		acc.add(int64(cl.in.Data[step*cl.inputs+i]) * int64(cl.w.Data[row*width+i]))
	}
	if shift := cl.in.Frac - stateFrac; shift > 0 && cl.t.acc == 40 {
		acc.set(acc.sum >> shift) // a 40-bit accumulator is shifted without rounding
	} else {
		acc.set(cl.r.Shift(acc.sum, shift))
	}
	for i, s := range state {
		acc.add(int64(s) * int64(cl.w.Data[row*width+cl.inputs+i]))
	}
	cl.over = acc.report(cl.over, step*cl.gates*cl.outputs+row)
	return saturate(cl.r.Shift(acc.sum, stateFrac+cl.w.Frac-outFrac), cl.t.data.Bits())
}

// activate applies the output activation to a value with frac fractional bits; the result has
// cl.activated(frac) of them.
func (cl *cell) activate(v int64, frac int) int64 {
	switch cl.act {
	case actTanh:
		return narrow(tanhTable().at(v, frac, cl.r), cl.t.data, cl.r)
	case actSigm:
		return narrow(sigmTable().at(v, frac, cl.r), cl.t.data, cl.r)
	}
	return v
}

func (cl *cell) activated(frac int) int {
	if cl.act == actNone {
		return frac
	}
	return cl.t.data.Bits() - 1
}

// shape is the output shape for the cell's mode.
func (cl *cell) shape() []int {
	if cl.keepAll {
		return []int{cl.steps, cl.outputs}
	}
	return []int{cl.outputs}
}

func basicRNN(t typing) func(*Case, Rounding) (Result, error) {
	return func(c *Case, r Rounding) (Result, error) {
		cl, err := newCell(c, t, r, 1)
		if err != nil {
			return Result{}, err
		}
		prev := c.Tensors["prev_out"]
		out := c.outFormat("out", t.data).like(cl.shape()...)
		denseFrac := cl.inner()
		if cl.act == actNone {
			denseFrac = out.Frac
		}
		out.Frac = cl.activated(denseFrac)
		out.Data = out.Data[:0]
		state, stateFrac := prev.Data, prev.Frac
		for step := range cl.steps {
			next := make([]int32, cl.outputs)
			for o := range next {
				next[o] = int32(cl.activate(cl.dense(step, o, state, stateFrac, denseFrac), denseFrac))
			}
			state, stateFrac = next, out.Frac
			if cl.keepAll || step == cl.steps-1 {
				out.Data = append(out.Data, next...)
			}
		}
		return c.one("out", out, cl.over), nil
	}
}

// lstm computes input gate, new cell value, forget gate and output gate, in this order of weights.
func lstm(t typing) func(*Case, Rounding) (Result, error) {
	return func(c *Case, r Rounding) (Result, error) {
		cl, err := newCell(c, t, r, 4)
		if err != nil {
			return Result{}, err
		}
		prev, cellIn := c.Tensors["prev_out"], c.Tensors["cell_in"]
		if cellIn.Len() != cl.outputs {
			return Result{}, fmt.Errorf("cell of %d elements for %d outputs", cellIn.Len(), cl.outputs)
		}
		width, unit := t.data.Bits(), t.data.Bits()-1
		sigm, tanh := sigmTable(), tanhTable()
		out := c.outFormat("out", t.data).like(cl.shape()...)
		out.Data = out.Data[:0]
		cells := cellIn.like(cellIn.Shape...)
		copy(cells.Data, cellIn.Data)

		state, stateFrac := prev.Data, prev.Frac
		for step := range cl.steps {
			gate := func(g, o int, table *lookupTable) int64 {
				d := cl.dense(step, g*cl.outputs+o, state, stateFrac, cl.inner())
				return narrow(table.at(d, cl.inner(), r), t.data, r)
			}
			next := make([]int32, cl.outputs)
			for o := range next {
				input, fresh := gate(0, o, sigm), gate(1, o, tanh)
				forget, output := gate(2, o, sigm), gate(3, o, sigm)

				sum := r.Shift(input*fresh, unit-cells.Frac) + forget*int64(cells.Data[o])
				v := saturate(r.Shift(sum, unit), width)
				cells.Data[o] = int32(v)
				shift := cl.activated(cells.Frac) + unit - out.Frac
				next[o] = int32(saturate(r.Shift(cl.activate(v, cells.Frac)*output, shift), width))
			}
			state, stateFrac = next, out.Frac
			if cl.keepAll || step == cl.steps-1 {
				out.Data = append(out.Data, next...)
			}
		}
		return Result{Outputs: map[string]*Tensor{"out": out, "cell_out": cells}, Overflows: cl.over}, nil
	}
}
