package arcq

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// tableParams is the parameter block of functions of a byte.
var tableParams = declared("arcq_table_params")

// tabulated are the operators whose output byte depends on one input byte alone.
var tabulated = map[nn.Library][]string{
	nn.TFLite: {"LOGISTIC", "TANH", "HARD_SWISH", "LEAKY_RELU", "RELU", "RELU6", "QUANTIZE", "ABS", "ELU", "GELU", "RSQRT"},
	nn.TOSA:   {"TABLE", "NEGATE", "BITWISE_NOT"},
}

// tableEntries are the bytes of a table.
const tableEntries = 256

// isScaled reports whether a change of scale computes an operator as well (rescale.go): a table takes a third of its cycles,
// and calls of so many elements as it has entries.
func isScaled(op *nn.Operator) bool { return op.Name == "QUANTIZE" || op.Name == "RELU" }

// tables is the row of functions of a byte.
func tables() []row {
	r := row{symbol: "arcq_table_s8", operator: "table", types: "s8", body: "table.inc", params: tableParams,
		doc: "a function of a byte, by a table", rank: 1, rounds: bothRounds, fill: fillTable,
		fits: func(c *nn.Call) error {
			if in, out := c.In[0].Type, c.Out[0].Type; in.Bytes() != 1 || out.Bytes() != 1 {
				return fmt.Errorf("elements of %s to %s, not bytes", in, out)
			}
			if n := c.In[0].Len(); isScaled(c.Op) && n < tableEntries {
				return fmt.Errorf("%d elements, fewer than a table has", n)
			}
			return nil
		}}
	for _, lib := range []nn.Library{nn.TFLite, nn.TOSA} {
		for _, name := range tabulated[lib] {
			r.computes = append(r.computes, operator(lib, name))
		}
	}
	r.grid = func(g *grid) {
		for i, n := range edges {
			for k, op := range r.computes {
				if (i+k)%2 != 0 {
					continue
				}
				count := n
				if isScaled(op) {
					count += tableEntries
				}
				g.add(fmt.Sprintf("%s_%s_%d", op.Library, op.Name, count), func(r *rand.Rand) *nn.Call { return tableCall(r, op, count) })
			}
		}
	}
	return []row{r}
}

func fillTable(p *params, c *nn.Call) {
	p.input("in", c.Op.Inputs[0].Role, kernel.Data)
	p.output("out", c.Op.Outputs[0].Role)
	p.set("count", int64(c.In[0].Len()))
	t := must(everyByte(c))
	if !changesSigns(t) {
		p.table("entries", t.Type, t.Ints)
	}
}

// changesSigns reports whether the results for all bytes are these with another uppermost bit: a change between bytes with a sign and
// without one, in the same scale, is no more.
func changesSigns(results *nn.Tensor) bool {
	for i, v := range results.Ints {
		if byte(v) != byte(i-128)^0x80 {
			return false
		}
	}
	return true
}

// everyByte is the results of a call's operator for all bytes, in the order of their bits as signed
// numbers.
func everyByte(c *nn.Call) (*nn.Tensor, error) {
	all := *c.In[0]
	all.Shape, all.Ints = []int{tableEntries}, make([]int64, tableEntries)
	for i := range all.Ints {
		all.Ints[i] = all.Type.Wrap(int64(i) - 128)
	}
	t := *c
	t.Watch = nil
	t.In = append([]*nn.Tensor{&all}, c.In[1:]...)
	out := *c.Out[0]
	out.Shape, out.Ints = all.Shape, nil
	t.Out = []*nn.Tensor{&out}
	if err := t.Prepare(); err != nil {
		return nil, err
	}
	return &out, t.Run()
}

// tableCall is a call of an operator on n bytes.
func tableCall(r *rand.Rand, op *nn.Operator, n int) *nn.Call {
	in, out := random(r, nn.I8, n), &nn.Tensor{Type: nn.I8, Shape: []int{n}}
	c := &nn.Call{Op: op, In: []*nn.Tensor{in}, Out: []*nn.Tensor{out}, Attrs: nn.Attrs{}}
	if op.Library == nn.TFLite {
		in.Format, out.Format = scaleOf(r, nn.I8, 0.1), scaleOf(r, nn.I8, 0.1)
	}
	if slices.ContainsFunc(op.Types, func(s nn.Signature) bool { return s[0] == nn.U8 && s[1] == nn.U8 }) && n%4 == 0 {
		in, out = random(r, nn.U8, n), &nn.Tensor{Type: nn.U8, Shape: []int{n}, Format: scaleOf(r, nn.U8, 0.1)}
		in.Format = scaleOf(r, nn.U8, 0.1)
		c.In[0], c.Out[0] = in, out
	}
	switch op.Name {
	case "LOGISTIC":
		out.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{1.0 / 256}, Zeros: []int64{-128}}
	case "TANH":
		out.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{1.0 / 128}, Zeros: []int64{0}}
	case "LEAKY_RELU":
		c.Attrs["alpha"] = []float64{0.1, 0.01, -0.3, 1.5}[r.IntN(4)]
	case "RELU6":
		out.Format = in.Format
	case "QUANTIZE":
		if in.Type == nn.I8 && r.IntN(3) == 0 {
			out.Type, out.Format = nn.U8, scaleOf(r, nn.U8, 0.1)
			if n%2 == 1 { // the scale of the input, and its zero point without a sign
				out.Format = nn.Format{Kind: nn.Scaled, Scales: in.Format.Scales, Zeros: []int64{in.Format.Zero(0) + 128}}
			}
		}
	case "TABLE":
		c.In = append(c.In, random(r, nn.I8, 256))
	case "NEGATE":
		c.Attrs["input1_zp"], c.Attrs["output_zp"] = r.IntN(256)-128, r.IntN(256)-128
	}
	return c
}
