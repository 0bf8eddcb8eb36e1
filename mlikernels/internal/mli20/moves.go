package mli20

import (
	"arcv2dsp/mlikernels/internal/mli"
	"fmt"
	"math"
	"slices"

	"arcv2dsp/mlikernels/internal/mli20/structs"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// moveRows are the functions that give places and copies of elements.
func moveRows() []row {
	return []row{
		{family: "argmax", args: []mli.Argument{mli.Input, mli.Cfg, mli.Output}, grid: argmaxPoints,
			config: &mli.Configuration{Struct: structs.ArgMax, Attrs: map[string]string{"axis": "axis", "topk": "topk"}},
			source: source{title: "Places of the greatest elements", body: "argmax.inc"}},
		{family: "permute", args: []mli.Argument{mli.Input, mli.Cfg, mli.Output}, grid: permutePoints,
			config: mli.Permute,
			source: source{title: "Permutation of axes", body: "permute.inc"}},
		{family: "mli_hlp_convert_tensor", args: []mli.Argument{mli.Input, mli.Output}, grid: convertPoints,
			source: source{title: "Conversion of formats", body: "convert/convert.inc"}},
	}
}

// argmaxPoints vary the shape, the axis and how many are wanted.
func argmaxPoints(*function) []point {
	var all []point
	for i, shape := range flatShapes() {
		for axis := -1; axis < len(shape); axis++ {
			n := nn.Count(shape)
			if axis >= 0 {
				n /= shape[axis]
			}
			for _, k := range []int{1, 1 + i%max(1, n), n} {
				if k > n || k > 40 {
					continue
				}
				all = append(all, point{name: fmt.Sprintf("%s_axis%d_top%d", mli.Join(shape), axis, k), shapes: map[string][]int{"in": shape},
					params: map[string]int{"axis": axis, "topk": k}})
			}
		}
	}
	return slices.CompactFunc(all, func(a, b point) bool { return a.name == b.name })
}

// permutations of four dimensions and fewer.
var permutations = [][]int{{0}, {0, 1}, {1, 0}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}, {3, 1, 0, 2}, {1, 3, 2, 0}, {0, 1, 3, 2}, {2, 3, 0, 1}}

// permutePoints vary shape and permutation, and scales along an axis.
func permutePoints(f *function) []point {
	var all []point
	for i, perm := range permutations {
		for _, base := range [][]int{{3, 5, 2, 4}, {1, 8, 3, 7}, {4, 1, 6, 1}} {
			shape := base[:len(perm)]
			p := point{name: fmt.Sprintf("%s_perm%s", mli.Join(shape), mli.Join(perm)), shapes: map[string][]int{"in": shape},
				lists: map[string][]int{"perm": perm}}
			all = append(all, p)
			axis := i % len(shape)
			if !f.Data.Affine() || shape[axis] == 1 {
				continue
			}
			p.name += fmt.Sprintf("_scales%d", axis)
			p.adjust = func(c *nn.Call) {
				n := shape[axis]
				format := nn.Format{Kind: nn.Mantissa, Axis: axis}
				for k := range n {
					format.Mantissas = append(format.Mantissas, int32(100+k))
					format.Zeros = append(format.Zeros, int64(k-2))
					format.ScaleFracs = append(format.ScaleFracs, 5+k)
				}
				c.In[0].Format = format
			}
			all = append(all, p)
		}
	}
	return all
}

// convertPoints are conversions from every type to every other, with scales along an axis on either side.
func convertPoints(*function) []point {
	var all []point
	types := convertible
	for i, from := range types {
		for k, to := range types {
			for n, shape := range [][]int{{17}, {3, 5}, {2, 3, 4, 2}} {
				for axes := range 4 {
					a, b := -1, -1
					if axes&1 != 0 && from.Affine() {
						a = (i + k + n) % len(shape)
					}
					if axes&2 != 0 && to.Affine() {
						b = (i + k + n) % len(shape)
					}
					if axes != 0 && (axes&1 != 0 && a < 0 || axes&2 != 0 && b < 0) {
						continue
					}
					all = append(all, point{name: fmt.Sprintf("%v-%v_%s_scales%d.%d", from, to, mli.Join(shape), a, b),
						shapes: map[string][]int{"in": shape}, convert: &conversion{from: from, to: to, in: a, out: b}})
				}
			}
		}
	}
	for _, to := range []golden.MLIType{golden.FP32, golden.FX16} { // the least and greatest words, and zero points on the other side
		for _, zero := range []int64{-30000, 30000} {
			all = append(all, point{name: fmt.Sprintf("%v-%v_ends%d", golden.SA32, to, zero), shapes: map[string][]int{"in": {8}},
				convert: &conversion{from: golden.SA32, to: to, in: -1, out: -1}, adjust: func(c *nn.Call) {
					c.In[0].Format.Zeros[0] = zero
					for i := range c.In[0].Ints {
						c.In[0].Ints[i] = []int64{math.MinInt32, math.MaxInt32}[i%2] + int64(i*(1-i%2*2))*5000
					}
				}})
		}
	}
	return all
}

// conversion has the two formats of a case and the axes of their scales.
type conversion struct {
	from, to golden.MLIType
	in, out  int
}

// tensors makes the input and the output of a call that converts.
func (g *generator) tensors(c *nn.Call, v *conversion) {
	shape := c.In[0].Shape
	x := &nn.Tensor{Type: v.from.Element(), Shape: shape, Format: g.scales(v.from, v.in, shape)}
	x.Alloc()
	for i := range x.Len() {
		if v.from == golden.FP32 {
			x.Floats[i] = float32(g.rand.NormFloat64() * 4)
		} else {
			x.Ints[i] = g.element(x.Type)
		}
	}
	c.In[0], c.Out[0] = x, &nn.Tensor{Type: v.to.Element(), Shape: shape, Format: g.scales(v.to, v.out, shape)}
}

// scales is a format with one scale, or with one for each position along an axis.
func (g *generator) scales(t golden.MLIType, axis int, shape []int) nn.Format {
	switch {
	case t == golden.FP32:
		return nn.Format{}
	case !t.Affine():
		return nn.Format{Kind: nn.Fixed, Frac: g.rand.IntN(t.Bits()+3) - 1}
	}
	f, n := nn.Format{Kind: nn.Mantissa, Axis: axis}, 1
	if axis >= 0 {
		n = shape[axis]
	}
	for range n {
		f.Mantissas = append(f.Mantissas, int32(1+g.rand.IntN(1<<15-1)))
		f.ScaleFracs = append(f.ScaleFracs, 12+g.rand.IntN(9))
		f.Zeros = append(f.Zeros, int64(g.rand.IntN(256)-128))
	}
	return f
}
