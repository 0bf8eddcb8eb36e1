package arcq

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// The parameter blocks of operators that pick elements by others.
var (
	selectParams  = declared("arcq_select_params")
	gatherParams  = declared("arcq_gather_params")
	scatterParams = declared("arcq_scatter_params")
	updateParams  = declared("arcq_update_params")
)

// pickers are the rows of SELECT, GATHER and SCATTER.
func pickers() []row {
	var all []row
	ops := []*nn.Operator{operator(nn.TOSA, "SELECT"), operator(nn.TFLite, "SELECT_V2")}
	for _, t := range integerTypes {
		all = append(all, row{symbol: "arcq_select_" + typeName(t), operator: "select", types: typeName(t), body: "select.inc", params: selectParams,
			walks: 4, doc: "elements of one tensor or another by a condition", equ: []string{fmt.Sprintf("BYTES,%d", t.Bytes())},
			computes: ops, grid: selectGrid(ops, t),
			fits: func(c *nn.Call) error {
				if got := c.Out[0].Type; got.Bytes() != t.Bytes() || got.Float() {
					return fmt.Errorf("elements of %s, not %s", got, t)
				}
				return nil
			},
			fill: func(p *params, c *nn.Call) {
				for i, m := range []kernel.Memory{kernel.Data, kernel.Data, kernel.Weights} {
					p.input(fmt.Sprintf("walk.in%d", i+1), c.Op.Inputs[i].Role, m)
				}
				p.output("walk.out", c.Op.Outputs[0].Role)
				size := t.Bytes()
				p.walk(broadcastWalk(c.In[0].Shape, c.In[1].Shape, c.In[2].Shape, c.Out[0].Shape), 1, size, size, size)
			}})
	}
	tflite, tosa := operator(nn.TFLite, "GATHER"), operator(nn.TOSA, "GATHER")
	table, parts := operator(nn.TFLite, "EMBEDDING_LOOKUP"), operator(nn.TFLite, "GATHER_ND")
	nearest, resize := operator(nn.TFLite, "RESIZE_NEAREST_NEIGHBOR"), operator(nn.TOSA, "RESIZE")
	return append(all, row{symbol: "arcq_gather_s8", operator: "gather", types: "s8", body: "gather.inc", params: gatherParams,
		doc: "slices of a tensor, picked by index; elements of any width", computes: []*nn.Operator{tflite, tosa, nearest, resize, table, parts},
		fits: gatherFits, fill: fillGather, grid: gatherGrid(tflite, tosa, nearest, resize)}, scatter(operator(nn.TOSA, "SCATTER")), updates(operator(nn.TFLite, "DYNAMIC_UPDATE_SLICE")))
}

// scatter is the row of SCATTER.
func scatter(op *nn.Operator) row {
	return row{symbol: "arcq_scatter_s8", operator: "scatter", types: "s8", body: "scatter.inc", params: scatterParams,
		doc: "slices written over those of a tensor, by index; elements of any width", computes: []*nn.Operator{op},
		fits: func(*nn.Call) error { return nil }, fill: fillScatter, grid: scatterGrid(op)}
}

func fillScatter(p *params, c *nn.Call) {
	values, roles := c.In[0], c.Op.Inputs
	p.input("in", roles[0].Role, kernel.Data)
	p.input("indices", roles[1].Role, kernel.Weights)
	p.input("written", roles[2].Role, kernel.Data)
	p.output("out", c.Op.Outputs[0].Role)
	p.set("blocks", int64(values.Dim(0)))
	p.set("writes", int64(c.In[1].Dim(1)))
	p.set("slices", int64(values.Dim(1)))
	p.set("bytes", int64(values.Dim(2)*values.Type.Bytes()))
}

// updates is the row of DYNAMIC_UPDATE_SLICE.
func updates(op *nn.Operator) row {
	return row{symbol: "arcq_update_s8", operator: "update", types: "s8", body: "update.inc", params: updateParams,
		doc: "a tensor with a part replaced, at a place along one dimension; elements of any width", computes: []*nn.Operator{op},
		fits: updateFits, fill: fillUpdate, grid: updateGrid(op)}
}

// updated is the first dimension along which a part is smaller than the whole; the first of all when there is none.
func updated(c *nn.Call) int {
	for d, n := range c.In[0].Shape {
		if n != c.In[1].Dim(d) {
			return d
		}
	}
	return 0
}

func updateFits(c *nn.Call) error {
	in, part := c.In[0].Shape, c.In[1].Shape
	d := updated(c)
	switch {
	case c.In[0].Type.Float() || c.In[2].Type != nn.I32:
		return fmt.Errorf("elements of %s at places of %s", c.In[0].Type, c.In[2].Type)
	case !slices.Equal(in[d+1:], part[d+1:]):
		return fmt.Errorf("parts of %v of %v, smaller along more than one dimension", part, in)
	}
	return nil
}

func fillUpdate(p *params, c *nn.Call) {
	in, part := c.In[0], c.In[1]
	d := updated(c)
	for i, member := range []string{"in", "part", "place"} {
		p.input(member, c.Op.Inputs[i].Role, kernel.Data)
	}
	p.output("out", c.Op.Outputs[0].Role)
	inner := nn.Count(in.Shape[d+1:]) * in.Type.Bytes()
	p.set("dimension", int64(4*d))
	p.set("blocks", int64(nn.Count(in.Shape[:d])))
	p.set("last", int64(in.Dim(d)-part.Dim(d)))
	p.set("slice", int64(inner))
	p.set("part_bytes", int64(inner*part.Dim(d)))
	p.set("block_bytes", int64(inner*in.Dim(d)))
}

// updateGrid has every length of a slice, at places inside, before and behind the tensor.
func updateGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		for i, n := range edges {
			for k, s := range [][2][]int{{{2, 6, n}, {2, 1, n}}, {{1, 3 + i, n}, {1, 2, n}}, {{n + 2, 3}, {n, 3}}, {{4, n}, {4, n}}} {
				t := integerTypes[i%len(integerTypes)]
				g.add(fmt.Sprintf("%v_%v", s[0], s[1]), func(r *rand.Rand) *nn.Call {
					place := nn.New(nn.I32, len(s[0]))
					for d, size := range s[0] {
						place.Ints[d] = r.Int64N(int64(size)+2) - 1
					}
					if k == 0 {
						place.Ints[1] = []int64{-1 << 31, 1<<31 - 1, 0, 5}[i%4]
					}
					c := &nn.Call{Op: op, In: []*nn.Tensor{random(r, t, s[0]...), random(r, t, s[1]...), place}, Out: []*nn.Tensor{{Type: t, Shape: s[0]}}}
					return c
				})
			}
		}
	}
}

// scatterGrid has every length of a slice, and from one slice to all of a block written.
func scatterGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		for i, n := range edges {
			for _, s := range [][3]int{{2, 6, 5}, {1 + i%3, 3 + i, 1}, {1, 7, 7}} {
				t := integerTypes[i%len(integerTypes)]
				g.add(fmt.Sprintf("%v_%d", s, n), func(r *rand.Rand) *nn.Call {
					indices := nn.New(nn.I32, s[0], s[2])
					for b := range s[0] {
						for k, v := range r.Perm(s[1])[:s[2]] {
							indices.Ints[b*s[2]+k] = int64(v)
						}
					}
					return &nn.Call{Op: op, In: []*nn.Tensor{random(r, t, s[0], s[1], n), indices, random(r, t, s[0], s[2], n)},
						Out: []*nn.Tensor{{Type: t, Shape: []int{s[0], s[1], n}}}}
				})
			}
		}
	}
}

// gatherFits refuses the samples of RESIZE that are no cells.
func gatherFits(c *nn.Call) error {
	if mode, ok := c.Attrs["mode"]; ok && mode != "NEAREST" {
		return fmt.Errorf("RESIZE of mode %v", mode)
	}
	switch c.Op.Name {
	case "EMBEDDING_LOOKUP":
		if c.In[1].Type != c.Out[0].Type || c.Out[0].Type.Float() {
			return fmt.Errorf("rows of %s that become %s", c.In[1].Type, c.Out[0].Type)
		}
	case "GATHER_ND":
		if n := c.In[1].Dim(-1); n != 1 || c.Out[0].Type.Float() {
			return fmt.Errorf("%d coordinates of elements of %s", n, c.Out[0].Type)
		}
	}
	return nil
}

// nearestCells are the cells of an image that a change of its size takes, row by row: the operator's result for an
// image of numbered cells.
func nearestCells(c *nn.Call) ([]int64, error) {
	image := func(t *nn.Tensor) *nn.Tensor { return nn.New(nn.I64, 1, t.Dim(1), t.Dim(2), 1) }
	numbered, cells := image(c.In[0]), image(c.Out[0])
	for i := range numbered.Ints {
		numbered.Ints[i] = int64(i)
	}
	t := *c
	t.Watch = nil
	t.In, t.Out = append([]*nn.Tensor{numbered}, c.In[1:]...), []*nn.Tensor{cells}
	return cells.Ints, t.Op.Golden(&t)
}

func fillGather(p *params, c *nn.Call) {
	if !slices.Contains([]string{"GATHER", "GATHER_ND", "EMBEDDING_LOOKUP"}, c.Op.Name) { // which may have no second input
		fillNearest(p, c)
		return
	}
	in, indices := c.In[0], c.In[1]
	axis, batch := 1, 1
	switch {
	case c.Op.Name == "EMBEDDING_LOOKUP":
		in, indices, axis, batch = c.In[1], c.In[0], 0, 0
	case c.Op.Name == "GATHER_ND":
		axis, batch = 0, 0
	case c.Op.Library == nn.TFLite:
		axis, batch = c.Attrs.Int("axis"), c.Attrs.Int("batch_dims")
		if axis < 0 {
			axis += len(in.Shape)
		}
	}
	roles := []string{c.Op.Inputs[0].Role, c.Op.Inputs[1].Role}
	if in == c.In[1] {
		slices.Reverse(roles)
	}
	p.input("in", roles[0], kernel.Data)
	p.input("indices", roles[1], kernel.Weights)
	p.output("out", c.Op.Outputs[0].Role)
	p.set("groups", int64(nn.Count(in.Shape[:batch])))
	p.set("blocks", int64(nn.Count(in.Shape[batch:axis])))
	p.set("picks", int64(nn.Count(indices.Shape[batch:])))
	p.set("slices", int64(in.Dim(axis)))
	p.set("bytes", int64(nn.Count(in.Shape[axis+1:])*in.Type.Bytes()))
}

// fillNearest lays out RESIZE_NEAREST_NEIGHBOR as a gather of cells: all images have the same indices.
func fillNearest(p *params, c *nn.Call) {
	in := c.In[0]
	cells := must(nearestCells(c))
	p.input("in", c.Op.Inputs[0].Role, kernel.Data)
	p.table("indices", nn.I32, cells)
	p.output("out", c.Op.Outputs[0].Role)
	p.set("groups", 1)
	p.set("blocks", int64(in.Dim(0)))
	p.set("picks", int64(len(cells)))
	p.set("slices", int64(in.Dim(1)*in.Dim(2)))
	p.set("bytes", int64(in.Dim(3)*in.Type.Bytes()))
}

func selectGrid(ops []*nn.Operator, t nn.Type) func(*grid) {
	return func(g *grid) {
		for i, s := range pairShapes() {
			op := ops[i%len(ops)]
			if !hasType(op, t) {
				op = ops[0]
			}
			g.add(fmt.Sprintf("%v_%v_%d", s[0], s[1], i%3), func(r *rand.Rand) *nn.Call {
				shapes := [][]int{s[i%3], s[(i+1)%3], s[(i+2)%3]} // one of the inputs has the shape of the output
				return &nn.Call{Op: op, In: []*nn.Tensor{random(r, nn.Bool, shapes[0]...), random(r, t, shapes[1]...), random(r, t, shapes[2]...)},
					Out: []*nn.Tensor{{Type: t, Shape: s[2]}}}
			})
		}
	}
}

func gatherGrid(tflite, tosa, nearest, resize *nn.Operator) func(*grid) {
	return func(g *grid) {
		for i, s := range [][2][2]int{{{3, 4}, {6, 8}}, {{7, 5}, {3, 9}}, {{1, 1}, {5, 5}}, {{8, 8}, {3, 3}}, {{2, 5}, {9, 4}}} {
			for _, attr := range []string{"align_corners", "half_pixel_centers", ""} {
				g.add(fmt.Sprintf("nearest_%v_%s", s, attr), func(r *rand.Rand) *nn.Call {
					in := random(r, nn.I8, 1+i%2, s[0][0], s[0][1], 1+3*i)
					in.Format = scaleOf(r, nn.I8, 1)
					c := &nn.Call{Op: nearest, In: []*nn.Tensor{in, nn.FromInts(nn.I32, []int{2}, []int64{int64(s[1][0]), int64(s[1][1])})},
						Out: []*nn.Tensor{{Type: nn.I8, Shape: []int{1 + i%2, s[1][0], s[1][1], 1 + 3*i}, Format: in.Format}}, Attrs: nn.Attrs{}}
					if attr != "" {
						c.Attrs[attr] = true
					}
					return c
				})
			}
			g.add(fmt.Sprintf("resize_%v", s), func(r *rand.Rand) *nn.Call {
				h, w := s[0][0], s[0][1]
				return &nn.Call{Op: resize, In: []*nn.Tensor{random(r, nn.I16, 2, h, w, 3)}, Out: []*nn.Tensor{{Type: nn.I16, Shape: []int{2, 2*h - 1, 3*w - 2, 3}}},
					Attrs: nn.Attrs{"scale": []int{4, 2, 3, 1}, "offset": []int{0, 0}, "border": []int{0, 0}, "mode": "NEAREST"}}
			})
		}
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
			g.add(fmt.Sprintf("tflite_rows_%d", n), func(r *rand.Rand) *nn.Call {
				rows := []*nn.Tensor{pick(r, 6, 5), random(r, nn.I8, 6, n)}
				if i%2 != 0 {
					return &nn.Call{Op: operator(nn.TFLite, "EMBEDDING_LOOKUP"), In: rows, Out: []*nn.Tensor{{Type: nn.I8, Shape: []int{5, n}}}}
				}
				rows[0].Shape = []int{5, 1}
				return &nn.Call{Op: operator(nn.TFLite, "GATHER_ND"), In: []*nn.Tensor{rows[1], rows[0]}, Out: []*nn.Tensor{{Type: nn.I8, Shape: []int{5, n}}}}
			})
			g.add(fmt.Sprintf("tflite_batch_%d", n), func(r *rand.Rand) *nn.Call {
				return &nn.Call{Op: tflite, In: []*nn.Tensor{random(r, t, 2, 3, 5, n), pick(r, 5, 2, 4)}, Attrs: nn.Attrs{"axis": 2, "batch_dims": 1},
					Out: []*nn.Tensor{{Type: t, Shape: []int{2, 3, 4, n}}}}
			})
		}
	}
}
