package arcq

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// mapParams is the parameter block of operators on one tensor.
var mapParams = declared("arcq_map_params")

// unaryOperation is one operation on a tensor.
type unaryOperation struct {
	name, doc, code string
	in, out         nn.Type
	ops             []*nn.Operator
	numbers         bool // it has parameters
}

func unaryOperations() []unaryOperation {
	tosa := func(names ...string) []*nn.Operator {
		var all []*nn.Operator
		for _, n := range names {
			all = append(all, operator(nn.TOSA, n))
		}
		return all
	}
	all := []unaryOperation{
		{name: "abs", doc: "the magnitude", code: "IS_ABS,1", in: nn.I32, out: nn.I32, ops: tosa("ABS")},
		{name: "abs", doc: "the magnitude, in another scale", code: "IS_MAGNITUDE,1", in: nn.I16, out: nn.I16, numbers: true, ops: []*nn.Operator{operator(nn.TFLite, "ABS")}},
		{name: "clz", doc: "the number of zeros before the first one", code: "IS_CLZ,1", in: nn.I32, out: nn.I32, ops: tosa("CLZ")},
		{name: "logical_not", doc: "the other truth value", code: "IS_LOGICAL_NOT,1", in: nn.Bool, out: nn.Bool, ops: append(tosa("LOGICAL_NOT"), operator(nn.TFLite, "LOGICAL_NOT"))},
		{name: "leaky_relu", doc: "negative elements with a factor of their own", code: "IS_LEAKY_RELU,1", in: nn.I16, out: nn.I16, numbers: true,
			ops: []*nn.Operator{operator(nn.TFLite, "LEAKY_RELU")}},
		{name: "logistic", doc: "the logistic function", code: "IS_SIGMOID,1", in: nn.I16, out: nn.I16, numbers: true,
			ops: []*nn.Operator{operator(nn.TFLite, "LOGISTIC")}},
		{name: "tanh", doc: "the hyperbolic tangent", code: "IS_SIGMOID,2", in: nn.I16, out: nn.I16, numbers: true,
			ops: []*nn.Operator{operator(nn.TFLite, "TANH")}},
		{name: "table", doc: "a function by a table with interpolation", code: "IS_TABLE,1", in: nn.I16, out: nn.I32, numbers: true, ops: tosa("TABLE")},
	}
	for _, t := range []nn.Type{nn.I16, nn.I32} {
		all = append(all,
			unaryOperation{name: "not", doc: "all bits inverted", code: "IS_NOT,1", in: t, out: t, ops: tosa("BITWISE_NOT")},
			unaryOperation{name: "negate", doc: "the negative", code: "IS_NEGATE,1", in: t, out: t, numbers: true, ops: tosa("NEGATE")})
	}
	cast := []*nn.Operator{operator(nn.TFLite, "CAST"), operator(nn.TOSA, "CAST")}
	for _, from := range []nn.Type{nn.I8, nn.U8, nn.I16, nn.U16, nn.I32} {
		for _, to := range []nn.Type{nn.I8, nn.I16, nn.I32} {
			if from.Bytes() != to.Bytes() && (from.Signed() || from.Bytes() < to.Bytes()) {
				all = append(all, unaryOperation{name: "cast", doc: "another width", code: "IS_CAST,1", in: from, out: to, ops: cast})
			}
		}
		if from.Signed() {
			all = append(all, unaryOperation{name: "truth", doc: "whether elements are not zero", code: "IS_TRUTH,1", in: from, out: nn.Bool, ops: cast[1:]})
		}
	}
	return all
}

// unaries are the rows of operators on one tensor.
func unaries() []row {
	var all []row
	for _, o := range unaryOperations() {
		all = append(all, o.row())
	}
	return all
}

func (o unaryOperation) row() row {
	flag := map[bool]int{true: 1}
	name := o.name + "_" + typeName(o.in)
	if o.name == "cast" {
		name += "_" + typeName(o.out)
	}
	return row{symbol: "arcq_" + name, operator: o.name, types: fmt.Sprintf("s%d", 8*o.in.Bytes()), body: "unary.inc", params: mapParams,
		computes: o.ops, doc: o.doc + ", of every element", rounds: map[bool][]nn.Rounding{true: bothRounds}[o.name == "leaky_relu" || o.code == "IS_MAGNITUDE,1"],
		equ: []string{o.code, fmt.Sprintf("PLAIN,%d", flag[!o.numbers]), fmt.Sprintf("IN_BYTES,%d", o.in.Bytes()),
			unsigned("IN", o.in), fmt.Sprintf("OUT_BYTES,%d", o.out.Bytes())},
		fill: fillUnary, grid: o.grid,
		fits: func(c *nn.Call) error {
			in, out := c.In[0].Type, c.Out[0].Type
			if o.name == "cast" && in.Bytes() < out.Bytes() && in.Signed() != o.in.Signed() || in.Bytes() != o.in.Bytes() ||
				out.Bytes() != o.out.Bytes() || in.Float() || out.Float() || (out == nn.Bool) != (o.out == nn.Bool) {
				return fmt.Errorf("elements of %s to %s, not %s to %s", in, out, o.in, o.out)
			}
			return nil
		}}
}

func fillUnary(p *params, c *nn.Call) {
	p.input("in", c.Op.Inputs[0].Role, kernel.Data)
	p.output("out", c.Op.Outputs[0].Role)
	p.set("count", int64(c.In[0].Len()))
	var numbers []int64
	switch c.Op.Name {
	case "TABLE":
		p.input("table", "table", kernel.Weights)
	case "LOGISTIC", "TANH":
		s := must(tflite.Tabled(c))
		entries := make([]int64, len(quant.SigmoidTable))
		for i, v := range quant.SigmoidTable {
			entries[i] = int64(v)
		}
		p.table("table", nn.U16, entries)
		numbers = []int64{s.Factor, int64(s.Shift), int64(len(entries) - 2)}
		if s.Factor == 0 {
			numbers[0], numbers[1] = 3<<s.Shift, 0
		}
	case "NEGATE":
		lo, hi := c.Out[0].Type.Range()
		numbers = []int64{int64(c.Attrs.Int("input1_zp")) + int64(c.Attrs.Int("output_zp")), lo, hi}
	case "ABS":
		if c.Op.Library == nn.TFLite {
			numbers = magnitude(c)
		}
	case "LEAKY_RELU":
		s := must(tflite.Multiplied(c, 0))
		numbers = []int64{int64(s.Factor.Value), wordShift(s.Factor, c.Rounding), int64(s.Negative.Value), wordShift(s.Negative, c.Rounding), 0}
		if s.Negate {
			numbers[4] = -1
		}
	}
	for i, v := range numbers {
		p.row.params.PutAt(p.block, "numbers", i, v)
	}
}

// magnitude are the factor and the limits of magnitudes with a scale; without one they wrap.
func magnitude(c *nn.Call) []int64 {
	if c.In[0].Format.Kind == nn.Plain {
		m := must(quant.QuantizeMultiplier(1))
		return []int64{int64(m.Value), wordShift(m, c.Rounding), math.MinInt32, math.MaxInt32}
	}
	s := must(tflite.Multiplied(c, 0))
	lo, hi := c.Out[0].Type.Range()
	return []int64{int64(s.Factor.Value), wordShift(s.Factor, c.Rounding), lo, hi}
}

// grid has every size twice.
func (o unaryOperation) grid(g *grid) {
	for i, n := range slices.Concat(edges, edges) {
		op := o.ops[i%len(o.ops)]
		if op.Library == nn.TOSA && op.Name == "CAST" && !o.in.Signed() {
			op = o.ops[0]
		}
		g.add(fmt.Sprintf("%s_%d_%d", op.Library, i, n), func(r *rand.Rand) *nn.Call {
			in, out := random(r, o.in, n), &nn.Tensor{Type: o.out, Shape: []int{n}}
			c := &nn.Call{Op: op, In: []*nn.Tensor{in}, Out: []*nn.Tensor{out}, Attrs: nn.Attrs{}}
			for k := range in.Ints {
				switch r.IntN(8) {
				case 0:
					in.Ints[k] = 0
				case 1:
					in.Ints[k] >>= r.IntN(o.in.Bits())
				}
			}
			switch op.Name {
			case "ABS", "NEGATE":
				if op.Library == nn.TFLite {
					if k := i % 3; k > 0 {
						in.Format = scaleOf(r, nn.I16, 0.1)
						if out.Format = in.Format; k == 2 {
							out.Format = scaleOf(r, nn.I16, 0.1)
						}
					}
					break
				}
				lo, _ := o.in.Range()
				for i := range in.Ints { // the least has no magnitude
					in.Ints[i] = max(in.Ints[i], lo+1)
				}
			case "LEAKY_RELU":
				c.Attrs["alpha"] = []float64{0.1, 0.01, -0.3, 1.5}[r.IntN(4)]
				in.Format, out.Format = scaleOf(r, nn.I16, 0.1), scaleOf(r, nn.I16, 0.1)
			case "LOGISTIC", "TANH":
				in.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{[]float32{1.0 / 4096, 1.0 / 2048, 0.001, 0.00003, 0.7}[i%5]}, Zeros: []int64{0}}
				out.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{1.0 / 32768}, Zeros: []int64{0}}
			case "TABLE":
				t := random(r, nn.I16, 513)
				for i := range t.Ints {
					t.Ints[i] >>= 1 // differences are halves
				}
				c.In = append(c.In, t)
			}
			return c
		})
	}
}
