package mli11

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/rule"
)

// maxConcat is the number of tensors concat takes at most.
const maxConcat = 8

// concat joins tensors along one axis; all other extents and the formats agree.
func concat() model {
	return model{
		format: func(_ Typing, c *nn.Call) (nn.Format, bool) { return c.In[0].Format, true },
		shape: func(_ Typing, c *nn.Call) []int {
			n, axis, first := len(c.In), c.Attrs.Int("axis"), c.In[0]
			rule.Refuse(n > maxConcat, "%d tensors, at most %d", n, maxConcat)
			rule.Refuse(axis < 0 || axis >= len(first.Shape), "axis %d of a tensor with %d dimensions", axis, len(first.Shape))
			shape := slices.Clone(first.Shape)
			shape[axis] = 0
			for i, p := range c.In {
				if len(p.Shape) != len(shape) || p.Format.Frac != first.Format.Frac {
					panic(fmt.Errorf("tensor %d does not match the first", i))
				}
				for d := range shape {
					if d != axis && p.Shape[d] != first.Shape[d] {
						panic(fmt.Errorf("tensor %d has shape %v, the first %v", i, p.Shape, first.Shape))
					}
				}
				shape[axis] += p.Shape[axis]
			}
			return shape
		},
		exact: func(_ Typing, c *nn.Call) {
			outer := nn.Count(c.In[0].Shape[:c.Attrs.Int("axis")])
			out := c.Out[0].Ints[:0]
			for o := range outer {
				for _, p := range c.In {
					run := p.Len() / outer
					out = append(out, p.Ints[o*run:(o+1)*run]...)
				}
			}
		},
	}
}

// axes checks the attribute perm: dimension d of the output is dimension perm[d] of the input.
func axes(c *nn.Call) []int {
	in, perm := c.Input("in"), c.Attrs.Ints("perm")
	rule.Refuse(len(perm) < len(in.Shape), "%d axes for %d dimensions", len(perm), len(in.Shape))
	perm = perm[:len(in.Shape)]
	sorted := slices.Clone(perm)
	slices.Sort(sorted)
	for d := range sorted {
		rule.Refuse(sorted[d] != d, "axes %v are not a permutation", perm)
	}
	return perm
}

// permute reorders the axes.
func permute() model {
	return model{
		format: inputFormat,
		shape: func(_ Typing, c *nn.Call) []int {
			perm := axes(c)
			shape := make([]int, len(perm))
			for d, p := range perm {
				shape[d] = c.Input("in").Shape[p]
			}
			return shape
		},
		exact: func(_ Typing, c *nn.Call) {
			perm := axes(c)
			in, out := c.Input("in"), c.Out[0]
			from := strides(in.Shape)
			for i := range out.Ints {
				src := 0
				for d, at := range nn.Coordinates(i, out.Shape) {
					src += at * from[perm[d]]
				}
				out.Ints[i] = in.Ints[src]
			}
		},
	}
}

// frame is the padding around a map.
type frame struct{ left, right, top, bottom int }

func newFrame(c *nn.Call) frame {
	var f frame
	for _, side := range []struct {
		name string
		v    *int
	}{{"pad_l", &f.left}, {"pad_r", &f.right}, {"pad_t", &f.top}, {"pad_b", &f.bottom}} {
		if *side.v = c.Attrs.Int(side.name); *side.v < 0 || *side.v > maxPad {
			panic(fmt.Errorf("%s is %d", side.name, *side.v))
		}
	}
	return f
}

// padding2D surrounds every channel with zeros.
func padding2D(l layout) model {
	return model{
		format: inputFormat,
		shape: func(_ Typing, c *nn.Call) []int {
			p := l.plane(c.Input("in").Shape)
			f := newFrame(c)
			return l.shape(p.h+f.top+f.bottom, p.w+f.left+f.right, p.c)
		},
		exact: func(_ Typing, c *nn.Call) {
			in, out := c.Input("in"), c.Out[0]
			p := l.plane(in.Shape)
			q := l.plane(out.Shape)
			f := newFrame(c)
			for y := range p.h {
				for x := range p.w {
					for ch := range p.c {
						out.Ints[(y+f.top)*q.sy+(x+f.left)*q.sx+ch*q.sc] = in.Ints[y*p.sy+x*p.sx+ch*p.sc]
					}
				}
			}
		},
	}
}
