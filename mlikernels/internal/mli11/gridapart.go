package mli11

import (
	"fmt"
	"maps"
	"slices"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
)

// Tensors with holes. The functions take them where MLI 1.1 does: maps and outputs of pooling operators and of
// convolutions over HWC maps, weights of these and of fully connected layers. Neighbours in the innermost dimension are
// neighbours in memory.

// spreadable are the inputs of a function that may have holes.
func (f *function) spreadable() []string {
	switch {
	case f.config == mli.Pool:
		return []string{"in"}
	case f.config == convConfiguration && !f.order.channelsFirst:
		return []string{"in", "w"}
	case f.weights() && f.gates == 0 && f.order == nil:
		return []string{"w"}
	}
	return nil
}

// gaps are the elements left out behind an index of each dimension but the innermost, 0 for a stride that is not
// spelled out.
type gaps [3]int

// apart lists the points with holes.
func (f *function) apart() []point {
	var all []point
	add := func(p point, role string, g gaps) {
		shape := p.shapes[role]
		strides := spreadBy(shape, g)
		p.name = fmt.Sprintf("apart_%s_%s%s", p.name, role, mli.Join(strides))
		p.strides = map[string][]int{role: strides}
		p.offset = f.offset(len(all))
		p.atEnds, p.watch = len(all)%2 == 0, len(all)%3 == 0
		p.style = mli.StyleOf(len(all))
		all = append(all, p)
	}
	variants := []gaps{{5, 0, 0}, {0, 3, 0}, {7, 2, 0}, {0, 0, 3}, {4, 1, 2}}
	for _, role := range f.spreadable() {
		for _, p := range f.apartShapes() {
			for _, g := range variants {
				rank := len(p.shapes[role])
				if spread := spreadBy(p.shapes[role], g); !slices.Equal(spread[:rank-1], make([]int, rank-1)) {
					add(p, role, g)
				}
			}
		}
	}
	if roles := f.spreadable(); len(roles) == 2 {
		for i, p := range f.apartShapes() {
			p.strides = map[string][]int{"in": spreadBy(p.shapes["in"], gaps{1 + i, i % 2}), "w": spreadBy(p.shapes["w"], gaps{2, 1, i})}
			p.name, p.style = fmt.Sprintf("apart_%s_both", p.name), mli.StyleOf(i)
			all = append(all, p)
		}
	}
	return append(all, f.apartOutputs()...)
}

// sliced reports whether a function writes outputs with holes: slices of a larger tensor.
func (f *function) sliced() bool {
	return f.config == mli.Pool || f.config == convConfiguration && !f.order.channelsFirst
}

// apartOutputs lists the points whose outputs have holes, then some whose inputs have them as well.
func (f *function) apartOutputs() []point {
	if !f.sliced() {
		return nil
	}
	var all []point
	for _, p := range slices.Concat(f.apartShapes(), f.outputShapes()) {
		for _, g := range []gaps{{5, 0}, {0, 3}, {7, 2}, {0, 4}, {1, 1}} {
			q := p
			q.outGaps = &g
			q.name = fmt.Sprintf("apart_%s_out%d.%d", p.name, g[0], g[1])
			q.offset = f.offset(len(all))
			q.atEnds, q.watch = len(all)%2 == 0, len(all)%3 == 0
			q.style = mli.StyleOf(len(all))
			all = append(all, q)
		}
	}
	for i, p := range f.apartShapes() {
		p.outGaps = &gaps{2 * i, 1 + i%2}
		p.strides = map[string][]int{}
		for _, role := range f.spreadable() {
			p.strides[role] = spreadBy(p.shapes[role], gaps{3, i % 3, i % 2})
		}
		p.name, p.style = fmt.Sprintf("apart_%s_all", p.name), mli.StyleOf(i)
		all = append(all, p)
	}
	return all
}

// outputShapes are calls that are long enough for what a kernel prepares.
func (f *function) outputShapes() []point {
	list := []slide{
		{h: 12, w: 13, c: 8, o: 8, kh: 3, kw: 3, sh: 1, sw: 1, l: 1, r: 1, t: 1, b: 1},
		{h: 10, w: 11, c: 5, o: 6, kh: 1, kw: 1, sh: 1, sw: 1, relu: 2},
		{h: 9, w: 12, c: 7, o: 7, kh: 3, kw: 3, sh: 2, sw: 2, r: 1, b: 1, relu: 1},
		{h: 11, w: 10, c: 16, o: 12, kh: 4, kw: 2, sh: 1, sw: 2, t: 3, relu: 3},
	}
	if f.config == mli.Pool {
		return f.windowPoints(list)
	}
	return f.slidePoints(list)
}

// spreadBy makes strides of gaps; gaps beyond the dimensions of the shape are left out.
func spreadBy(shape []int, g gaps) []int {
	strides := make([]int, len(shape))
	for d := len(shape) - 2; d >= 0; d-- {
		if g[d] != 0 {
			strides[d] = shape[d+1]*kernel.Steps(shape, strides)[d+1] + g[d]
		}
	}
	return strides
}

// apartShapes are small calls with borders, strides, and channels that fill words or do not.
func (f *function) apartShapes() []point {
	list := []slide{
		{h: 6, w: 7, c: 4, o: 3, kh: 3, kw: 3, sh: 1, sw: 1, l: 1, r: 1, t: 1, b: 1, relu: 1},
		{h: 5, w: 9, c: 3, o: 4, kh: 2, kw: 3, sh: 2, sw: 3, r: 2},
		{h: 7, w: 6, c: 8, o: 5, kh: 1, kw: 1, sh: 1, sw: 1},
		{h: 9, w: 8, c: 2, o: 2, kh: 5, kw: 4, sh: 1, sw: 2, l: 3, t: 2, b: 4, relu: 3},
		{h: 4, w: 1, c: 17, o: 1, kh: 2, kw: 1, sh: 1, sw: 1},
	}
	switch {
	case f.config == mli.Pool:
		return f.windowPoints(list)
	case f.order != nil:
		return f.slidePoints(list)
	}
	var all []point
	for _, n := range [][2]int{{1, 5}, {7, 3}, {12, 4}, {33, 6}, {5, 1}} {
		all = append(all, point{name: fmt.Sprintf("%d-%d", n[0], n[1]),
			shapes: map[string][]int{"in": {n[0]}, "w": {n[1], n[0]}, "b": {n[1]}}})
	}
	return all
}

// values lists the points with operands of rank 0.
func (f *function) values() []point {
	var all []point
	add := func(name string, shapes map[string][]int) {
		all = append(all, point{name: "value_" + name, shapes: shapes, style: mli.StyleOf(len(all)), watch: len(all)%2 == 0})
	}
	for _, shape := range [][]int{{1}, {1, 1, 1, 1}, {5}, {3, 4}, {33}} {
		with := func(values ...string) map[string][]int {
			shapes := map[string][]int{"in": shape, "in1": shape, "in2": shape, "slope": {1}}
			for _, role := range values {
				shapes[role] = []int{}
			}
			return shapes
		}
		for _, role := range slices.Sorted(maps.Keys(f.scalars())) {
			add(mli.Join(shape)+"_"+role, with(role))
		}
		switch {
		case len(f.scalars()) < 2 || nn.Count(shape) > 1:
		case len(shape) == 1:
			add("both", with("in1", "in2"))
		default:
			one := with()
			one["in1"] = []int{1}
			add("1_"+mli.Join(shape), one)
			two := with()
			two["in2"] = []int{1}
			add(mli.Join(shape)+"_1", two)
		}
	}
	return all
}

// scalars are the inputs that may have rank 0.
func (f *function) scalars() map[string]bool {
	switch f.source.body {
	case "eltwise.inc":
		return map[string]bool{"in1": true, "in2": true}
	case "leaky_relu.inc":
		return map[string]bool{"slope": true}
	}
	return nil
}
