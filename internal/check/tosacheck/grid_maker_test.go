package tosacheck

import (
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"slices"

	"arcv2dsp/internal/dev/testkit/tosaexact"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// gridSeed is the seed of the recorded grid.
const gridSeed = 1

// made yields the cases of the grid that belong to one operator. The same seed gives the same cases.
func made(s *tosa.Spec, seed uint64) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		name := fnv.New64a()
		name.Write([]byte(s.Name))
		m := &maker{spec: s, rng: rand.New(rand.NewPCG(seed, name.Sum64())), yield: yield, count: map[string]int{}}
		families[s.Name](m)
		m.broken()
	}
}

// maker makes the cases of one operator.
type maker struct {
	spec    *tosa.Spec
	rng     *rand.Rand
	yield   func(*Case) bool
	stopped bool
	count   map[string]int
	base    *nn.Call // a small valid call of the operator: the broken ones start from it
}

// keep remembers the first call with elements enough to be broken in every way.
func (m *maker) keep(c *nn.Call) {
	if m.base == nil || m.base.Op != c.Op || m.base.Out[0].Len() < 4 && c.Out[0].Len() >= 4 {
		m.base = clone(c)
	}
}

// emit names a case by number and yields it.
func (m *maker) emit(kind string, c *Case) {
	if m.stopped {
		return
	}
	prefix := m.spec.Name + "/" + kind
	m.count[prefix]++
	c.Name = fmt.Sprintf("%s/%d", prefix, m.count[prefix])
	m.stopped = !m.yield(c)
}

// call makes a call of the operator; it has one output.
func (m *maker) call(attrs nn.Attrs, out *nn.Tensor, in ...*nn.Tensor) *nn.Call {
	c := &nn.Call{Op: &m.spec.Operator, Attrs: nn.Attrs{}, In: in, Out: []*nn.Tensor{{Type: out.Type, Shape: out.Shape}}}
	for _, row := range m.spec.Attrs {
		if !row.Required && row.Name != "nan_mode" { // which concerns floats alone
			c.Attrs[row.Name] = row.Default
		}
	}
	for name, v := range attrs {
		c.Attrs[name] = v
	}
	return c
}

// valid yields a legal call with the result of the second statement.
func (m *maker) valid(attrs nn.Attrs, out *nn.Tensor, in ...*nn.Tensor) {
	c := m.call(attrs, out, in...)
	m.keep(c)
	k := &Case{Target: tosa.Everything(), Graph: single(c), Inputs: c.In}
	if want, ok := tosaexact.Output(c); ok {
		k.Want = []*nn.Tensor{want}
		m.emit("valid", k)
		return
	}
	k.Expect = nn.Unpredictable
	m.emit("P", k)
}

func clone(c *nn.Call) *nn.Call {
	d := &nn.Call{Op: c.Op, Attrs: nn.Attrs{}}
	for name, v := range c.Attrs {
		if list, ok := v.([]int); ok {
			v = slices.Clone(list)
		}
		d.Attrs[name] = v
	}
	for _, t := range c.In {
		d.In = append(d.In, t.Clone())
	}
	for _, t := range c.Out {
		d.Out = append(d.Out, t.Clone())
	}
	return d
}

// fill is a way to choose elements.
type fill int

const (
	random fill = iota // of the whole type
	limits             // the ends of the type, zero and their neighbours
	small              // -4 to 4
	fills
)

// tensor makes a tensor filled in one way.
func (m *maker) tensor(t nn.Type, how fill, shape ...int) *nn.Tensor {
	lo, hi := t.Range()
	if t == nn.I4 {
		lo = -7
	}
	switch how {
	case small:
		return m.within(t, max(lo, -4), min(hi, 4), shape...)
	case limits:
		list := []int64{lo, hi, 0, lo + 1, hi - 1, 1, max(lo, -1)}
		x := nn.New(t, shape...)
		x.Shape = shape
		at := m.rng.IntN(len(list))
		for i := range x.Ints {
			x.Ints[i] = list[(at+i)%len(list)]
		}
		return x
	}
	return m.within(t, lo, hi, shape...)
}

// within makes a tensor of elements of a range.
func (m *maker) within(t nn.Type, lo, hi int64, shape ...int) *nn.Tensor {
	x := nn.New(t, shape...)
	x.Shape = shape
	for i := range x.Ints {
		x.Ints[i] = m.between(lo, hi)
	}
	return x
}

func (m *maker) between(lo, hi int64) int64 { return lo + int64(m.rng.Uint64N(uint64(hi-lo)+1)) }

// list makes a tensor of rank 1.
func list(t nn.Type, v ...int64) *nn.Tensor { return nn.FromInts(t, []int{len(v)}, v) }

// shaped is the type and shape of an output.
func shaped(t nn.Type, shape ...int) *nn.Tensor { return &nn.Tensor{Type: t, Shape: shape} }

// dims are the extents that shapes of every rank are made of.
var dims = []int{2, 3, 1, 4, 2, 3}

// maxGridRank is the greatest rank of the grid, the limit of level 8K.
const maxGridRank = 6
