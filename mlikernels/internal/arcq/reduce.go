package arcq

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// The parameter blocks of reductions.
var (
	reduceParams = declared("arcq_reduce_params")
	argmaxParams = declared("arcq_argmax_params")
)

// reducedLoops are the loops over the elements of an output.
const reducedLoops = 3

// reductions are the rows of reductions.
func reductions() []row {
	var all []row
	for _, t := range integerTypes {
		for _, k := range []struct{ name, doc, code string }{{"max", "greatest", "IS_MAX"}, {"min", "least", "IS_MIN"}} {
			ops := []*nn.Operator{operator(nn.TOSA, map[string]string{"max": "REDUCE_MAX", "min": "REDUCE_MIN"}[k.name])}
			ops = append(ops, operator(nn.TFLite, "REDUCE_"+strings.ToUpper(k.name)))
			if t == nn.I8 && k.name == "min" {
				ops = append(ops, operator(nn.TFLite, "REDUCE_ALL"))
			}
			if t == nn.I8 { // of truth values, any is the greatest and all is the least
				ops = append(ops, operator(nn.TOSA, map[string]string{"max": "REDUCE_ANY", "min": "REDUCE_ALL"}[k.name]))
			}
			all = append(all, reduction("reduce_"+k.name, "the "+k.doc+" element along some dimensions", k.code, t, false, ops...))
		}
		if t == nn.I32 {
			all = append(all, reduction("reduce_prod", "the product along some dimensions", "IS_PROD", t, false, operator(nn.TFLite, "REDUCE_PROD")))
			all = append(all, reduction("reduce_sum", "the sum along some dimensions", "IS_SUM", t, false, operator(nn.TOSA, "REDUCE_SUM")))
		} else {
			all = append(all, reduction("mean", "the mean or the sum along some dimensions, with scales", "IS_SUM", t, true,
				operator(nn.TFLite, "MEAN"), operator(nn.TFLite, "SUM")))
		}
	}
	all = append(all, reduction("mean", "the mean or the sum along some dimensions, with scales", "IS_SUM", nn.U8, true,
		operator(nn.TFLite, "MEAN"), operator(nn.TFLite, "SUM")))
	return append(all, indices()...)
}

// indices are the rows of the places of extremes.
func indices() []row {
	var all []row
	for _, k := range []struct{ name, doc, code, tosa string }{{"argmax", "greatest", "IS_MIN,0", "ARGMAX"}, {"argmin", "least", "IS_MIN,1", ""}} {
		for _, t := range []nn.Type{nn.I8, nn.I16, nn.U8} {
			for _, out := range []nn.Type{nn.I32, nn.I64} {
				r := row{symbol: "arcq_" + k.name + "_" + typeName(t), operator: k.name, types: typeName(t), body: "argmax.inc", params: argmaxParams, walks: 2,
					doc:      "the index of the first " + k.doc + " element along a dimension",
					equ:      []string{fmt.Sprintf("BYTES,%d", t.Bytes()), k.code, unsigned("IN", t), fmt.Sprintf("OUT_BYTES,%d", out.Bytes())},
					computes: []*nn.Operator{operator(nn.TFLite, "ARG_"+strings.ToUpper(k.name[3:]))}, fill: fillArgmax,
					fits: func(c *nn.Call) error {
						if in, o := c.In[0].Type, c.Out[0].Type; in != t || o != out {
							return fmt.Errorf("places of %s as %s, not of %s as %s", in, o, t, out)
						}
						return nil
					}}
				if out == nn.I64 {
					r.symbol, r.operator = "arcq_"+k.name+"_wide_"+typeName(t), k.name+"_wide"
				}
				if k.tosa != "" && t.Signed() && out == nn.I32 {
					r.computes = append(r.computes, operator(nn.TOSA, k.tosa))
				}
				r.grid = reductionGrid(t, r.computes, out)
				all = append(all, r)
			}
		}
	}
	return all
}

func reduction(name, doc, code string, t nn.Type, scaled bool, ops ...*nn.Operator) row {
	r := row{symbol: "arcq_" + name + "_" + typeName(t), operator: name, types: typeName(t), body: "reduce.inc", params: reduceParams, walks: 2,
		doc: doc, equ: []string{code + ",1", fmt.Sprintf("BYTES,%d", t.Bytes()), "SCALED,0", unsigned("IN", t)}, computes: ops, fill: fillReduce,
		fits: func(c *nn.Call) error {
			if in := c.In[0].Type; in.Bytes() != t.Bytes() || in.Float() || in.Signed() != t.Signed() && in != nn.Bool {
				return fmt.Errorf("elements of %s, not %s", in, t)
			}
			_, inner := reduced(c)
			if n := len(inner.shape); n > reducedLoops {
				return fmt.Errorf("%d dimensions apart are reduced, at most %d", n, reducedLoops)
			}
			return nil
		}}
	if scaled {
		r.equ[2], r.rounds = "SCALED,1", bothRounds
	}
	r.grid = reductionGrid(t, ops, nn.I32)
	return r
}

// reducedAxes says which dimensions of the input a call reduces.
func reducedAxes(c *nn.Call) []bool {
	axes := []int64{}
	if t := c.Input("axis"); t != nil {
		axes = t.Ints
	} else {
		axes = append(axes, int64(c.Attrs.Int("axis")))
	}
	list := make([]bool, len(c.In[0].Shape))
	for _, a := range axes {
		if a < 0 {
			a += int64(len(list))
		}
		list[a] = true
	}
	return list
}

// reduced is the walk of a reduction over its outputs, and over the elements of one, in as few dimensions as
// possible.
func reduced(c *nn.Call) (outer, inner walk) {
	in := c.In[0].Shape
	outer = walk{steps: make([][]int, 2), first: []int{0, 0}}
	inner = walk{steps: make([][]int, 1), first: []int{0}}
	for d, away := range reducedAxes(c) {
		step := nn.Count(in[d+1:])
		if away {
			inner.shape, inner.steps[0] = append(inner.shape, in[d]), append(inner.steps[0], step)
		} else {
			outer.shape, outer.steps[0] = append(outer.shape, in[d]), append(outer.steps[0], step)
		}
	}
	outer.steps[1] = dense(outer.shape)
	return outer, inner.folded()
}

// reduction fills the walk over the outputs in.
func (p *params) reduction(c *nn.Call, outer walk) {
	p.input("walk.in1", c.Op.Inputs[0].Role, kernel.Data)
	p.output("walk.out", c.Op.Outputs[0].Role)
	p.walk(outer, c.In[0].Type.Bytes(), c.Out[0].Type.Bytes())
}

func fillReduce(p *params, c *nn.Call) {
	outer, inner := reduced(c)
	p.reduction(c, outer)
	elements, size := 1, c.In[0].Type.Bytes()
	for i := range reducedLoops {
		n, step := 1, 0
		if d := i - (reducedLoops - len(inner.shape)); d >= 0 {
			n, step = inner.shape[d], inner.steps[0][d]
		}
		elements *= n
		p.row.params.PutAt(p.block, "counts", i, int64(n))
		p.row.params.PutAt(p.block, "steps", i, int64(step*size))
	}
	if c.Op.Name != "MEAN" && c.Op.Name != "SUM" {
		return
	}
	s := must(tflite.Multiplied(c, elements))
	p.set("multiplier", int64(s.Factor.Value))
	p.set("shift", wordShift(s.Factor, c.Rounding))
	p.set("offset", -int64(elements)*s.InZeros[0])
	p.set("out_zero", s.OutZero)
}

func fillArgmax(p *params, c *nn.Call) {
	outer, inner := reduced(c)
	p.reduction(c, outer)
	p.set("count", int64(inner.shape[0]))
	p.set("step", int64(inner.steps[0][0]*c.In[0].Type.Bytes()))
}

// reductionGrid is the grid of a reduction: every dimension of shapes of all ranks, and several at once where
// the operator can.
func reductionGrid(t nn.Type, ops []*nn.Operator, out nn.Type) func(*grid) {
	return func(g *grid) {
		i := 0
		add := func(shape []int, axes ...int) {
			op := ops[i%len(ops)]
			i++
			if _, several := op.Attr("keep_dims"); len(axes) > 1 && !several {
				return
			}
			name := op.Name
			if op.Library == nn.TFLite && strings.HasPrefix(name, "REDUCE_") { // TOSA has operators of these names
				name = "tflite_" + name
			}
			g.add(fmt.Sprintf("%v_%v_%s", shape, axes, name), func(r *rand.Rand) *nn.Call { return reductionCall(r, op, t, out, shape, axes) })
		}
		for _, n := range edges {
			add([]int{n}, 0)
			add([]int{3, n, 5}, 1)
			add([]int{n, 6}, 0)
		}
		shape := []int{2, 3, 4, 5}
		for d := range shape {
			for range ops {
				add(shape, d)
			}
		}
		for range ops {
			add([]int{1, 7, 7, 12}, 1, 2)
			add([]int{2, 7, 5, 3}, 1, 2)
			add(shape, 0, 2)
			add(shape, 1, 3)
			add(shape, 0, 1, 2, 3)
			add([]int{2, 3, 2, 3, 2, 3}, 0, 2, 4)
			add([]int{2, 3, 2, 3, 2, 3}, 1, 3, 5)
		}
	}
}

func reductionCall(r *rand.Rand, op *nn.Operator, t, place nn.Type, shape, axes []int) *nn.Call {
	if op.Types != nil && op.Types[0][0] == nn.Bool {
		t = nn.Bool
	}
	in, out := random(r, t, shape...), &nn.Tensor{Type: t}
	c := &nn.Call{Op: op, In: []*nn.Tensor{in}, Out: []*nn.Tensor{out}, Attrs: nn.Attrs{}}
	keep := op.Library == nn.TOSA && op.Name != "ARGMAX"
	if op.Library == nn.TFLite {
		list := nn.New(nn.I32, len(axes))
		for i, a := range axes {
			list.Ints[i] = int64(a)
			if r.IntN(2) == 0 {
				list.Ints[i] -= int64(len(shape))
			}
		}
		c.In = append(c.In, list)
		if _, ok := op.Attr("keep_dims"); ok {
			keep = r.IntN(2) == 0
			c.Attrs["keep_dims"] = keep
			if op.Name == "MEAN" || op.Name == "SUM" {
				in.Format, out.Format = scaleOf(r, t, 0.1), scaleOf(r, t, 0.2)
			}
		}
	} else {
		c.Attrs["axis"] = axes[0]
	}
	if strings.HasPrefix(op.Name, "ARG") {
		out.Type = place
		for i := range in.Ints { // many are equal
			in.Ints[i] >>= r.IntN(8)
		}
	}
	if op.Name == "ARG_MAX" || op.Name == "ARG_MIN" {
		c.Attrs["output_type"] = place
	}
	if op.Name == "REDUCE_SUM" {
		for i := range in.Ints {
			in.Ints[i] >>= 9 // sums fit
		}
	}
	for d, n := range shape {
		switch {
		case !slices.Contains(axes, d):
			out.Shape = append(out.Shape, n)
		case keep:
			out.Shape = append(out.Shape, 1)
		}
	}
	return c
}
