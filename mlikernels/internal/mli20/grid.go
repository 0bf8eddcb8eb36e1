package mli20

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/mlikernels/internal/mli20/structs"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// point is one case of the standard grid: shapes and attributes, how the data is distributed and how the buffers lie.
// The data itself follows from the name and a seed. Attributes and tensors that the operator does not have are left
// out.
type point struct {
	name    string
	params  map[string]int
	lists   map[string][]int
	shapes  map[string][]int
	formats map[string]nn.Format // of tensors whose format is not chosen by the generator
	style   mli.Style
	holes   bool   // rows do not follow each other
	inPlace string // the input that the output is written over
	same    bool   // one tensor for the first two inputs
	offset  uint32
	atEnds  bool // inputs and weights where their memories end
	watch   bool // loads are looked at
	adjust  func(*nn.Call)
	convert *conversion // tensors of types of their own
}

// points is the standard grid of a function: each case in two of the styles of data, every second one with holes
// between its rows, some at odd addresses, at the ends of memories, with loads looked at, or over the input.
func (f *function) points() []kernel.Case {
	var all []kernel.Case
	for i, p := range f.grid(f) {
		p.holes, p.offset = p.holes || i%2 == 1, f.offset(i)
		p.atEnds, p.watch = i%5 == 4, i%2 == 0
		if f.InPlace && i%3 == 1 && p.inPlace == "" {
			p.inPlace = f.Inputs[0].Role
		}
		for _, s := range []mli.Style{mli.StyleOf(i), mli.StyleOf(i + 2)} {
			q := p
			q.style = s
			q.name = q.title()
			all = append(all, kernel.Case{Kernel: f.kernel, Name: q.name, Plain: q.inPlace == "" && q.offset == 0 && !q.atEnds && !q.holes && q.adjust == nil,
				Job: func(round nn.Rounding, seed uint64) (*kernel.Job, error) { return f.job(q, round, seed) }})
		}
	}
	return all
}

// title is the name of a point, followed by the properties of its buffers.
func (p point) title() string {
	name := p.name
	if p.inPlace != "" {
		name += "_over-" + p.inPlace
	}
	if p.same {
		name += "_same"
	}
	if p.holes {
		name += "_holes"
	}
	if p.offset != 0 {
		name += fmt.Sprintf("_at%d", p.offset)
	}
	return name + "_" + p.style.String()
}

// offset moves the buffers of every third point off a word boundary, by whole elements. Functions with words among
// their tensors stay.
func (f *function) offset(i int) uint32 {
	wide := slices.ContainsFunc(f.args, func(a mli.Argument) bool { return f.TypeOf(a.Label()).Element() == nn.I32 })
	if i%3 != 2 || wide || f.Suffix == "" {
		return 0
	}
	size := f.Data.Bits() / 8
	return uint32(size * (1 + i/3%(4/size)))
}

// generator makes calls of one function.
type generator struct {
	*function
	rand  *rand.Rand
	style mli.Style
}

// job makes the call of a point and computes what it must give.
func (f *function) job(p point, round nn.Rounding, seed uint64) (*kernel.Job, error) {
	g := &generator{function: f, rand: kernel.NewRand(f.Name+"/"+p.name, seed), style: p.style}
	c := g.call(p)
	c.Rounding = round
	if p.convert != nil {
		g.tensors(c, p.convert)
	}
	if p.adjust != nil {
		p.adjust(c)
	}
	job, err := kernel.NewJob(c)
	if job == nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	job.InPlace, job.Offset, job.AtEnds, job.WatchLoads = p.inPlace, p.offset, p.atEnds, p.watch
	if p.holes {
		job.Strides = g.strides(job)
	}
	if in := job.Input("in"); f.Family == "argmax" {
		golden.MLI20WithHoles(job.Want["out"].Ints, in.Shape, kernel.Steps(in.Shape, job.Strides["in"]))
	}
	return job, err
}

// call builds a call with tensors of the given shapes.
func (g *generator) call(p point) *nn.Call {
	c := &nn.Call{Op: g.Operator, Attrs: nn.Attrs{}}
	for name, v := range p.params {
		if _, ok := c.Op.Attr(name); ok {
			c.Attrs[name] = v
		}
	}
	for name, v := range p.lists {
		c.Attrs[name] = v
	}
	for _, port := range c.Op.Inputs {
		shape, ok := p.shapes[port.Role]
		if !ok && port.Optional {
			c.In = append(c.In, nil)
			continue
		}
		c.In = append(c.In, g.tensor(port.Role, shape, p))
	}
	if p.same {
		c.In[1] = c.In[0]
	}
	out := &nn.Tensor{Type: g.TypeOf("out").Element(), Shape: p.shapes["out"], Format: g.format("out", p)}
	c.Out = []*nn.Tensor{out}
	return c
}

// tensor makes an input.
func (g *generator) tensor(role string, shape []int, p point) *nn.Tensor {
	typ := g.TypeOf(role)
	t := &nn.Tensor{Type: typ.Element(), Shape: shape, Format: g.format(role, p)}
	t.Alloc()
	for i := range t.Ints {
		t.Ints[i] = g.element(t.Type)
	}
	return t
}

// format is the format of a tensor: the point's, or one in which outputs neither all vanish nor all saturate.
func (g *generator) format(role string, p point) nn.Format {
	if f, ok := p.formats[role]; ok {
		return f
	}
	typ := g.TypeOf(role)
	if typ.Affine() {
		f := nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{int32(1<<14 + g.rand.IntN(1<<14))}, ScaleFrac: 18 + g.rand.IntN(4)}
		f.Zeros = []int64{int64(g.rand.IntN(256) - 128)}
		if g.style == mli.Extreme {
			f.Zeros = []int64{[]int64{-128, 127, 0}[g.rand.IntN(3)]}
		}
		if role == "w" || role == "b" {
			f.Zeros = []int64{0}
		}
		return f
	}
	return nn.Format{Kind: nn.Fixed, Frac: typ.Bits()/2 - 1 + g.rand.IntN(4)}
}

// element is a random element in the style of the case.
func (g *generator) element(t nn.Type) int64 {
	lo, hi := t.Range()
	lo, hi = max(lo, -1<<15), min(hi, 1<<15-1)
	switch g.style {
	case mli.Bell:
		return int64(float64(hi) / 4 * g.rand.NormFloat64() / 2)
	case mli.Extreme:
		switch g.rand.IntN(6) {
		case 0:
			return lo
		case 1:
			return hi
		case 2:
			return 0
		case 3:
			return 1
		}
	case mli.Ties:
		return int64(g.rand.IntN(17) - 8)
	}
	return lo + g.rand.Int64N(hi-lo+1)
}

// strides are those of tensors with holes: every row is followed by some elements that belong to none. A tensor
// that the output lies over has those of the output.
func (g *generator) strides(job *kernel.Job) map[string][]int {
	all := map[string][]int{}
	add := func(role string, t *nn.Tensor) {
		if t == nil || len(t.Shape) < 2 || golden.SA32.Element() == t.Type || slices.Contains(g.whole, role) {
			return
		}
		s, n := make([]int, len(t.Shape)), 1
		for d := len(s) - 1; d >= 0; d-- {
			s[d] = n
			n *= t.Shape[d]
			if d == len(s)-1 || g.rand.IntN(2) == 0 {
				n += g.rand.IntN(4)
			}
		}
		all[role] = s
	}
	for _, a := range g.args {
		switch a.Kind {
		case mli.In, mli.State:
			add(a.Role, job.Input(a.Role))
		case mli.Out:
			add(a.Role, job.Out[0])
		case mli.Tensors:
			for i := range structs.MaxInputs {
				role := fmt.Sprintf("%s%d", a.Role, i)
				add(role, job.Input(role))
			}
		}
	}
	if job.InPlace != "" {
		all["out"] = all[job.InPlace]
	}
	return all
}

// flatShapes are shapes for functions that treat a tensor as rows of elements.
func flatShapes() [][]int {
	var all [][]int
	for _, n := range mli.Edges {
		all = append(all, []int{n})
	}
	return append(all, []int{3, 5}, []int{4, 8}, []int{2, 3, 7}, []int{2, 1, 4, 16}, []int{3, 2, 2, 5}, []int{1, 1, 1, 1}, []int{5, 1}, []int{128, 3}, []int{257})
}

func reluPoints(*function) []point {
	var all []point
	for i, shape := range flatShapes() {
		for kind := range 4 {
			if kind != i%4 && i > 3 {
				continue
			}
			all = append(all, point{name: fmt.Sprintf("%s_relu%d", mli.Join(shape), kind), params: map[string]int{"relu": kind},
				shapes: map[string][]int{"in": shape}})
		}
	}
	return all
}

// slopePoints vary the shape, and the axis where there is one. The longest rows go by a table, of neighbours and of elements that are apart.
func slopePoints(f *function) []point {
	var all []point
	_, axes := f.Attr("axis")
	for _, shape := range append(flatShapes(), []int{2, 263}, []int{260, 2}) {
		p := point{name: mli.Join(shape), shapes: map[string][]int{"in": shape, "slope": {1}}, params: map[string]int{"axis": -1}}
		all = append(all, p)
		for axis := range shape {
			if !axes {
				break
			}
			q := p
			slopes := slices.Repeat([]int{1}, len(shape))
			slopes[axis] = shape[axis]
			q.name += fmt.Sprintf("_axis%d", axis)
			q.params, q.shapes = map[string]int{"axis": axis}, map[string][]int{"in": shape, "slope": slopes}
			all = append(all, q)
		}
	}
	for i := range all {
		if f.Data.Affine() {
			continue
		}
		all[i].adjust = func(c *nn.Call) { c.Out[0].Format = c.Input("in").Format }
	}
	if f.Data.Affine() { // halves of odd distances from a zero point, between two bytes
		ties := all[len(all)-1]
		ties.name, ties.formats = "300_halves", map[string]nn.Format{}
		ties.shapes, ties.params = map[string][]int{"in": {300}, "slope": {1}}, map[string]int{"axis": -1}
		for role, zero := range map[string]int64{"in": 4, "slope": -64, "out": 7} {
			ties.formats[role] = nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{1 << 14}, ScaleFrac: 20, Zeros: []int64{zero}}
		}
		all = append(all, ties)
	}
	scalar := point{name: "7_scalar", shapes: map[string][]int{"in": {7}, "slope": {}}, params: map[string]int{"axis": -1}, adjust: all[0].adjust}
	return append(all, scalar)
}

// pairPoints vary the shape, and which of the operands is a scalar.
func pairPoints(f *function) []point {
	var all []point
	alike := func(c *nn.Call) { c.Input("in2").Format = c.Input("in1").Format }
	if f.Family != "eltwise_min" && f.Family != "eltwise_max" {
		alike = nil
	}
	for i, shape := range flatShapes() {
		p := point{name: mli.Join(shape), shapes: map[string][]int{"in1": shape, "in2": shape}, adjust: alike}
		p.same = i%7 == 3
		all = append(all, p)
		for _, scalar := range [][]int{{1}, {}} {
			for k, role := range []string{"in2", "in1"} {
				if (i+k)%3 != 0 || nn.Count(shape) == 1 {
					continue
				}
				q := p
				q.same = false
				q.name += fmt.Sprintf("_%s-scalar%d", role, len(scalar))
				q.shapes = map[string][]int{"in1": shape, "in2": shape}
				q.shapes[role] = scalar
				q.inPlace = map[string]string{"in1": "in2", "in2": "in1"}[role]
				all = append(all, q)
			}
		}
	}
	// formats that are farther apart than a half holds, and so far that sums of both are at their limit
	far := point{name: "34_apart", shapes: map[string][]int{"in1": {34}, "in2": {34}}, formats: map[string]nn.Format{}, adjust: alike}
	for i, role := range []string{"in1", "in2", "out"} {
		far.formats[role] = nn.Format{Kind: nn.Fixed, Frac: []int{0, 15, 7}[i]}
		if f.Data.Affine() {
			far.formats[role] = nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{21001}, ScaleFrac: []int{14, 14, 22}[i], Zeros: []int64{[]int64{-100, -90, 5}[i]}}
		}
	}
	all = append(all, far)
	if !f.Data.Affine() {
		limited := point{name: "35_limited", shapes: map[string][]int{"in1": {35}, "in2": {35}}, adjust: alike,
			formats: map[string]nn.Format{"in1": {Kind: nn.Fixed, Frac: -2}, "in2": {Kind: nn.Fixed, Frac: 20}, "out": {Kind: nn.Fixed, Frac: 0}}}
		all = append(all, limited)
	}
	return all
}
