package golden

import (
	"fmt"
	"slices"
)

// maxConcat is the number of tensors concat takes at most.
const maxConcat = 8

// concat joins tensors along one axis; all other extents and the formats agree.
func concat(t typing) func(*Case, Rounding) (Result, error) {
	return func(c *Case, _ Rounding) (Result, error) {
		n, axis := c.Params.Int("tensors_num"), c.Params.Int("axis")
		if n < 1 || n > maxConcat {
			return Result{}, fmt.Errorf("%d tensors, at most %d", n, maxConcat)
		}
		first := c.Tensors["in0"]
		if axis < 0 || axis >= len(first.Shape) {
			return Result{}, fmt.Errorf("axis %d of a tensor with %d dimensions", axis, len(first.Shape))
		}
		shape := slices.Clone(first.Shape)
		shape[axis] = 0
		parts := make([]*Tensor, n)
		for i := range parts {
			p := c.Tensors[fmt.Sprintf("in%d", i)]
			if len(p.Shape) != len(shape) || p.Frac != first.Frac {
				return Result{}, fmt.Errorf("tensor %d does not match the first", i)
			}
			for d := range shape {
				if d != axis && p.Shape[d] != first.Shape[d] {
					return Result{}, fmt.Errorf("tensor %d has shape %v, the first %v", i, p.Shape, first.Shape)
				}
			}
			shape[axis] += p.Shape[axis]
			parts[i] = p
		}

		outer := 1
		for _, d := range shape[:axis] {
			outer *= d
		}
		out := first.like(shape...)
		out.Data = out.Data[:0]
		for o := range outer {
			for _, p := range parts {
				run := p.Len() / outer
				out.Data = append(out.Data, p.Data[o*run:(o+1)*run]...)
			}
		}
		return c.one("out", out, nil), nil
	}
}

// permute reorders the axes: dimension d of the output is dimension perm[d] of the input.
func permute(t typing) func(*Case, Rounding) (Result, error) {
	return func(c *Case, _ Rounding) (Result, error) {
		in, perm := c.Tensors["in"], c.Params.Lists["perm"]
		if len(perm) < len(in.Shape) {
			return Result{}, fmt.Errorf("%d axes for %d dimensions", len(perm), len(in.Shape))
		}
		perm = perm[:len(in.Shape)]
		sorted := slices.Clone(perm)
		slices.Sort(sorted)
		shape, step := make([]int, len(perm)), make([]int, len(perm))
		from := strides(in.Shape)
		for d, p := range perm {
			if sorted[d] != d {
				return Result{}, fmt.Errorf("axes %v are not a permutation", perm)
			}
			shape[d], step[d] = in.Shape[p], from[p]
		}
		out := in.like(shape...)
		at := make([]int, len(shape))
		for i := range out.Data {
			src := 0
			for d := range at {
				src += at[d] * step[d]
			}
			out.Data[i] = in.Data[src]
			for d := len(at) - 1; d >= 0; d-- {
				if at[d]++; at[d] < shape[d] {
					break
				}
				at[d] = 0
			}
		}
		return c.one("out", out, nil), nil
	}
}

// padding2D surrounds every channel with zeros.
func padding2D(l layout) func(typing) func(*Case, Rounding) (Result, error) {
	return func(t typing) func(*Case, Rounding) (Result, error) {
		return func(c *Case, _ Rounding) (Result, error) {
			in := c.Tensors["in"]
			p, err := l.plane(in.Shape)
			if err != nil {
				return Result{}, err
			}
			var side [4]int
			for i, name := range []string{"pad_l", "pad_r", "pad_t", "pad_b"} {
				if side[i] = c.Params.Int(name); side[i] < 0 || side[i] > maxPad {
					return Result{}, fmt.Errorf("%s is %d", name, side[i])
				}
			}
			left, right, top, bottom := side[0], side[1], side[2], side[3]
			if err := checkWork(p.h+top+bottom, p.w+left+right, p.c, maxWork/maxElements); err != nil {
				return Result{}, err
			}
			out := in.like(l.shape(p.h+top+bottom, p.w+left+right, p.c)...)
			q, err := l.plane(out.Shape)
			if err != nil {
				return Result{}, err
			}
			for y := range p.h {
				for x := range p.w {
					for ch := range p.c {
						out.Data[(y+top)*q.sy+(x+left)*q.sx+ch*q.sc] = in.Data[y*p.sy+x*p.sx+ch*p.sc]
					}
				}
			}
			return c.one("out", out, nil), nil
		}
	}
}
