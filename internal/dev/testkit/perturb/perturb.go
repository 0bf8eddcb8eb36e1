// Package perturb damages valid calls of operators a little: as a hostile file would hand them to an operator.
package perturb

import (
	"math/rand/v2"
	"slices"

	"arcv2dsp/nn"
)

// Call is a copy of a call with one to three changes. Inputs without elements get random ones.
func Call(r *rand.Rand, c *nn.Call) *nn.Call {
	d := &nn.Call{Op: c.Op, Attrs: nn.Attrs{}, Rounding: c.Rounding, In: clone(c.In), Out: clone(c.Out)}
	for name, v := range c.Attrs {
		d.Attrs[name] = v
	}
	for range 1 + r.IntN(3) {
		damage(r, d)
	}
	for _, t := range d.In {
		if t != nil && nn.CheckShape(t.Shape) == nil && len(t.Ints)+len(t.Floats) != t.Len() {
			fit(r, t)
		}
	}
	for _, t := range d.Out {
		if t != nil {
			t.Ints, t.Floats = nil, nil
		}
	}
	return d
}

func clone(list []*nn.Tensor) []*nn.Tensor {
	copies := make([]*nn.Tensor, len(list))
	for i, t := range list {
		if t != nil {
			copies[i] = t.Clone()
			copies[i].Format.Zeros, copies[i].Format.Scales = slices.Clone(t.Format.Zeros), slices.Clone(t.Format.Scales)
		}
	}
	return copies
}

// small are numbers that attributes and dimensions change to.
var small = []int{-2, -1, 0, 1, 2, 3, 4, 5, 7, 8, 100, 1 << 20}

func damage(r *rand.Rand, c *nn.Call) {
	list := c.In
	if r.IntN(3) == 0 {
		list = c.Out
	}
	if r.IntN(3) == 0 {
		damageAttr(r, c)
		return
	}
	if len(list) == 0 {
		return
	}
	i := r.IntN(len(list))
	t := list[i]
	if t == nil {
		return
	}
	switch r.IntN(6) {
	case 0:
		list[i] = nil
	case 1:
		if len(t.Shape) > 0 {
			t.Shape = slices.Delete(slices.Clone(t.Shape), 0, 1)
		}
	case 2:
		t.Shape = append([]int{1}, t.Shape...)
	case 3:
		if len(t.Ints) > 0 {
			t.Ints[r.IntN(len(t.Ints))] = t.Type.Clamp(int64(small[r.IntN(len(small))]))
		}
	case 4:
		if len(t.Format.Scales) > 0 {
			t.Format.Scales[r.IntN(len(t.Format.Scales))] = []float32{1e-30, 1e-9, 1, 1e9, 1e30}[r.IntN(5)]
		}
	default:
		if len(t.Shape) > 0 {
			t.Shape = slices.Clone(t.Shape)
			t.Shape[r.IntN(len(t.Shape))] = small[r.IntN(len(small)-1)] // no dimension of a million
		}
	}
}

func damageAttr(r *rand.Rand, c *nn.Call) {
	if len(c.Op.Attrs) == 0 {
		return
	}
	a := c.Op.Attrs[r.IntN(len(c.Op.Attrs))]
	switch a.Default.(type) {
	case int:
		c.Attrs[a.Name] = small[r.IntN(len(small))]
	case bool:
		c.Attrs[a.Name] = r.IntN(2) == 0
	case float64:
		c.Attrs[a.Name] = []float64{-1, 0, 1e-30, 1, 1e30}[r.IntN(5)]
	case string:
		if len(a.Values) > 0 {
			c.Attrs[a.Name] = a.Values[r.IntN(len(a.Values))]
		}
	default:
		delete(c.Attrs, a.Name)
	}
}

// fit gives a tensor as many elements as its shape has, the old ones first.
func fit(r *rand.Rand, t *nn.Tensor) {
	ints, floats := t.Ints, t.Floats
	t.Alloc()
	for i := range t.Ints {
		if t.Ints[i] = t.Type.Clamp(int64(r.IntN(256)) - 128); i < len(ints) {
			t.Ints[i] = ints[i]
		}
	}
	copy(t.Floats, floats)
}
