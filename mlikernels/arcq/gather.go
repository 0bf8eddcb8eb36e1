package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/mlikernels/cstruct"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
)

// The parameter blocks of operators that pick elements by others.
var (
	selectParams = &cstruct.Struct{
		Name: "arcq_select_params", Doc: "Elements of one tensor or another by a condition.",
		Fields: []cstruct.Field{{Name: "walk", Of: walkStructs[4], Doc: "condition, where it is true, where it is not"}},
	}
	gatherParams = &cstruct.Struct{
		Name: "arcq_gather_params", Doc: "Slices picked by index.",
		Fields: []cstruct.Field{
			{Name: "in", Type: cstruct.Pointer, C: "const void *", Asm: "GATHER_IN"},
			{Name: "indices", Type: cstruct.Pointer, C: "const int32_t *", Asm: "GATHER_INDICES"},
			{Name: "out", Type: cstruct.Pointer, Asm: "GATHER_OUT", Doc: "apart from in"},
			{Name: "groups", Type: cstruct.I32, Asm: "GATHER_GROUPS", Doc: "of blocks that share indices"},
			{Name: "blocks", Type: cstruct.I32, Asm: "GATHER_BLOCKS", Doc: "of a group"},
			{Name: "picks", Type: cstruct.I32, Asm: "GATHER_PICKS", Doc: "indices of a group"},
			{Name: "slices", Type: cstruct.I32, Asm: "GATHER_SLICES", Doc: "of a block"},
			{Name: "bytes", Type: cstruct.I32, Asm: "GATHER_BYTES", Doc: "of a slice"},
		},
	}
)

// pickers are the rows of SELECT and GATHER.
func pickers() []row {
	var all []row
	op := operator(nn.TOSA, "SELECT")
	for _, t := range integerTypes {
		all = append(all, row{symbol: "arcq_select_" + typeName(t), operator: "select", types: typeName(t), body: "select.inc", params: selectParams,
			walks: 4, doc: "elements of one tensor or another by a condition", equ: []string{fmt.Sprintf("BYTES,%d", t.Bytes())},
			computes: []*nn.Operator{op}, grid: selectGrid(op, t),
			fits: func(c *nn.Call) error {
				if got := c.Out[0].Type; got.Bytes() != t.Bytes() {
					return fmt.Errorf("elements of %s, not %s", got, t)
				}
				return nil
			},
			fill: func(p *params, c *nn.Call) {
				p.input("walk.in1", "input1", kernel.Data)
				p.input("walk.in2", "input2", kernel.Data)
				p.input("walk.in3", "input3", kernel.Weights)
				p.output("walk.out", c.Op.Outputs[0].Role)
				size := t.Bytes()
				p.walk(broadcastWalk(c.In[0].Shape, c.In[1].Shape, c.In[2].Shape, c.Out[0].Shape), 1, size, size, size)
			}})
	}
	tflite, tosa := operator(nn.TFLite, "GATHER"), operator(nn.TOSA, "GATHER")
	return append(all, row{symbol: "arcq_gather_s8", operator: "gather", types: "s8", body: "gather.inc", params: gatherParams,
		doc: "slices of a tensor, picked by index; elements of any width", computes: []*nn.Operator{tflite, tosa},
		fits: func(*nn.Call) error { return nil }, fill: fillGather, grid: gatherGrid(tflite, tosa)})
}

func fillGather(p *params, c *nn.Call) {
	in, indices := c.In[0], c.In[1]
	axis, batch := 1, 1
	if c.Op.Library == nn.TFLite {
		axis, batch = c.Attrs.Int("axis"), c.Attrs.Int("batch_dims")
		if axis < 0 {
			axis += len(in.Shape)
		}
	}
	p.input("in", c.Op.Inputs[0].Role, kernel.Data)
	p.input("indices", c.Op.Inputs[1].Role, kernel.Weights)
	p.output("out", c.Op.Outputs[0].Role)
	p.set("groups", int64(nn.Count(in.Shape[:batch])))
	p.set("blocks", int64(nn.Count(in.Shape[batch:axis])))
	p.set("picks", int64(nn.Count(indices.Shape[batch:])))
	p.set("slices", int64(in.Dim(axis)))
	p.set("bytes", int64(nn.Count(in.Shape[axis+1:])*in.Type.Bytes()))
}

func selectGrid(op *nn.Operator, t nn.Type) func(*grid) {
	return func(g *grid) {
		for i, s := range pairShapes() {
			g.add(fmt.Sprintf("%v_%v_%d", s[0], s[1], i%3), func(r *rand.Rand) *nn.Call {
				shapes := [][]int{s[i%3], s[(i+1)%3], s[(i+2)%3]} // one of the inputs has the shape of the output
				return &nn.Call{Op: op, In: []*nn.Tensor{random(r, nn.Bool, shapes[0]...), random(r, t, shapes[1]...), random(r, t, shapes[2]...)},
					Out: []*nn.Tensor{{Type: t, Shape: s[2]}}}
			})
		}
	}
}

func gatherGrid(tflite, tosa *nn.Operator) func(*grid) {
	return func(g *grid) {
		types := integerTypes
		pick := func(r *rand.Rand, n int, shape ...int) *nn.Tensor {
			x := nn.New(nn.I32, shape...)
			for i := range x.Ints {
				x.Ints[i] = r.Int64N(int64(n))
			}
			return x
		}
		for i, n := range edges {
			t := types[i%len(types)]
			g.add(fmt.Sprintf("tosa_%d", n), func(r *rand.Rand) *nn.Call {
				return &nn.Call{Op: tosa, In: []*nn.Tensor{random(r, t, 2, 6, n), pick(r, 6, 2, 5)}, Out: []*nn.Tensor{{Type: t, Shape: []int{2, 5, n}}}}
			})
			g.add(fmt.Sprintf("tflite_%d", n), func(r *rand.Rand) *nn.Call {
				return &nn.Call{Op: tflite, In: []*nn.Tensor{random(r, t, 3, n, 4), pick(r, n, 2, 3)}, Attrs: nn.Attrs{"axis": -2},
					Out: []*nn.Tensor{{Type: t, Shape: []int{3, 2, 3, 4}}}}
			})
			g.add(fmt.Sprintf("tflite_batch_%d", n), func(r *rand.Rand) *nn.Call {
				return &nn.Call{Op: tflite, In: []*nn.Tensor{random(r, t, 2, 3, 5, n), pick(r, 5, 2, 4)}, Attrs: nn.Attrs{"axis": 2, "batch_dims": 1},
					Out: []*nn.Tensor{{Type: t, Shape: []int{2, 3, 4, n}}}}
			})
		}
	}
}
