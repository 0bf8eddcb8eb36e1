package arcq

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// Floats is the library of TOSA's operators in single precision, for cores with a floating-point unit that
// multiplies and adds, divides and takes roots.
var Floats = sync.OnceValue(func() *kernel.Collection {
	c := kernel.Collection{
		Name: "arcf", Title: "arcf: single precision", Prefix: "arcf_", Tree: tree, Include: []string{"shared"},
		Texts: map[string]string{paramsInclude: include()}, Types: []string{"f32"}, Roundings: []nn.Rounding{nn.Double}, Symbols: "ARCF",
		Floats: true,
	}
	for _, r := range floatRows() {
		c.Kernels = append(c.Kernels, r.kernel())
	}
	return kernel.NewCollection(c)
})

// floatRows lists the kernels in single precision.
func floatRows() []row {
	all := slices.Concat(floatPairs(), floatMaps(), floatReductions(), floatSums(), floatPools())
	for i := range all {
		r := &all[i]
		r.types, r.symbol = "f32", "arcf_"+r.operator
		fits := r.fits
		r.fits = func(c *nn.Call) error {
			for _, t := range append(slices.Clone(c.In[:1]), c.Out...) {
				if t.Type != nn.F32 {
					return fmt.Errorf("elements of %s, not f32", t.Type)
				}
			}
			if mode := c.Attrs.String("nan_mode"); mode == "IGNORE" {
				return fmt.Errorf("nan_mode %s", mode)
			}
			if fits != nil {
				return fits(c)
			}
			return nil
		}
	}
	return all
}

var (
	floatPairParams   = declared("arcf_pair_params")
	floatMapParams    = declared("arcf_map_params")
	floatReduceParams = declared("arcf_reduce_params")
	floatConvParams   = declared("arcf_conv_params")
	floatPoolParams   = declared("arcf_pool_params")
	tapsRecord        = declared("arcf_taps")
	runRecord         = declared("arcf_run")
)

// macro is a symbolic operation of a source: PAIR or MAP with its instructions.
func macro(name, arguments string, lines ...string) string {
	text := "\t.macro\t" + name + "\t" + arguments + "\n"
	for _, l := range lines {
		text += "\t" + l + "\n"
	}
	return text + "\t.endm\n"
}

// pairOf is the operation on two elements, the first of which takes the result.
func pairOf(line string) string { return macro("PAIR", "d,v", line) }

// floatOperation is an operation on elements.
type floatOperation struct{ operator, name, doc, code string }

// row starts the row of an operation.
func (o floatOperation) row(body string) row {
	return row{operator: o.name, doc: o.doc, body: body, text: o.code, computes: []*nn.Operator{operator(nn.TOSA, o.operator)}}
}

func floatPairs() []row {
	var all []row
	for _, o := range []floatOperation{
		{operator: "ADD", name: "add", doc: "the sum of two tensors", code: pairOf("fsadd\t\\d,\\d,\\v")},
		{operator: "SUB", name: "sub", doc: "the difference of two tensors", code: pairOf("fssub\t\\d,\\d,\\v")},
		{operator: "MUL", name: "mul", doc: "the product of two tensors", code: pairOf("fsmul\t\\d,\\d,\\v")},
		{operator: "MAXIMUM", name: "maximum", doc: "the greater elements of two tensors", code: pairOf("GREATER\t\\d,\\v")},
		{operator: "MINIMUM", name: "minimum", doc: "the smaller elements of two tensors", code: pairOf("SMALLER\t\\d,\\v")},
	} {
		r := o.row("f_pair.inc")
		r.params, r.records, r.fill, r.grid = floatPairParams, runRecord, fillFloatPair, floatPairGrid(r.computes[0])
		all = append(all, r)
	}
	return all
}

// fillFloatPair splits the output into runs along its last dimensions: as many of them as both operands have whole, or
// one element of.
func fillFloatPair(p *params, c *nn.Call) {
	a, b, out := c.In[0].Shape, c.In[1].Shape, c.Out[0].Shape
	length, split := 1, len(out)
	steps := [2]int{4, 4}
	for split > 0 {
		d := split - 1
		var s [2]int
		for i, shape := range [][]int{a, b} {
			if shape[d] == out[d] {
				s[i] = 4
			}
		}
		if out[d] > 1 {
			if length > 1 && s != steps {
				break
			}
			steps = s
		}
		length *= out[d]
		split = d
	}
	runs := nn.Count(out[:split])
	block := make([]byte, runs*runRecord.Size())
	for i := range runs {
		at := nn.Coordinates(i, out[:split])
		for k, shape := range [][]int{a, b} {
			place := slices.Clone(at)
			for d := range place {
				place[d] %= shape[d]
			}
			offset := 4 * nn.Index(place, shape[:split]) * nn.Count(shape[split:])
			runRecord.Put(block[i*runRecord.Size():], []string{"in1", "in2"}[k], int64(offset))
		}
	}
	p.input("in1", c.Op.Inputs[0].Role, kernel.Data)
	p.input("in2", c.Op.Inputs[1].Role, kernel.Data)
	p.output("out", c.Op.Outputs[0].Role)
	p.pointer("runs", p.layout.Place(kernel.Buffer{Name: "runs", Memory: kernel.Structs, Bytes: block}))
	p.set("count", int64(runs))
	p.set("length", int64(length))
	p.set("step1", int64(steps[0]))
	p.set("step2", int64(steps[1]))
}

func floatMaps() []row {
	one := "\t.equ\tHAS_ONE,1\n"
	var all []row
	for _, o := range []floatOperation{
		{operator: "ABS", name: "abs", doc: "the magnitude", code: macro("MAP", "d", "bclr\t\\d,\\d,SIGN_BIT")},
		{operator: "NEGATE", name: "negate", doc: "the negative", code: macro("MAP", "d", "bxor\t\\d,\\d,SIGN_BIT")},
		{operator: "CLAMP", name: "clamp", doc: "every element brought into a range",
			code: "\t.equ\tIS_CLAMP,1\n" + macro("MAP", "d", "GREATER\t\\d,r8", "SMALLER\t\\d,r9")},
		{operator: "RECIPROCAL", name: "reciprocal", doc: "1 divided by the element", code: one + macro("MAP", "d", "fsdiv\t\\d,r10,\\d")},
		{operator: "RSQRT", name: "rsqrt", doc: "1 divided by the root of the element", code: one + macro("MAP", "d", "fssqrt\t\\d,\\d", "fsdiv\t\\d,r10,\\d")},
		{operator: "EXP", name: "exp", doc: "e to the power of the element", code: "\t.equ\tIS_EXP,1\n"},
	} {
		r := o.row("f_map.inc")
		r.params, r.fill, r.grid = floatMapParams, fillFloatMap, floatMapGrid(r.computes[0])
		all = append(all, r)
	}
	return all
}

func fillFloatMap(p *params, c *nn.Call) {
	p.input("in", c.Op.Inputs[0].Role, kernel.Data)
	p.output("out", c.Op.Outputs[0].Role)
	p.set("count", int64(c.In[0].Len()))
	if c.Op.Name == "CLAMP" {
		p.real("least", c.Attrs.Float("min_val"))
		p.real("greatest", c.Attrs.Float("max_val"))
	}
}

func floatReductions() []row {
	var all []row
	for _, o := range []floatOperation{
		{operator: "REDUCE_SUM", name: "reduce_sum", doc: "the sum along a dimension", code: pairOf("fsadd\t\\d,\\d,\\v")},
		{operator: "REDUCE_PRODUCT", name: "reduce_product", doc: "the product along a dimension", code: pairOf("fsmul\t\\d,\\d,\\v")},
		{operator: "REDUCE_MAX", name: "reduce_max", doc: "the greatest element along a dimension", code: pairOf("GREATER\t\\d,\\v")},
		{operator: "REDUCE_MIN", name: "reduce_min", doc: "the smallest element along a dimension", code: pairOf("SMALLER\t\\d,\\v")},
	} {
		r := o.row("f_reduce.inc")
		r.params, r.grid = floatReduceParams, floatReduceGrid(r.computes[0])
		r.fill = func(p *params, c *nn.Call) {
			shape, axis := c.In[0].Shape, c.Attrs.Int("axis")
			p.input("in", "input", kernel.Data)
			p.output("out", "output")
			p.set("outer", int64(nn.Count(shape[:axis])))
			p.set("count", int64(shape[axis]))
			p.set("inner", int64(nn.Count(shape[axis+1:])))
		}
		all = append(all, r)
	}
	return all
}

// floatSums are the rows of sums of products.
func floatSums() []row {
	var all []row
	for _, o := range []floatOperation{
		{operator: "CONV2D", name: "conv2d", doc: "convolution of maps"},
		{operator: "DEPTHWISE_CONV2D", name: "depthwise_conv2d", doc: "convolution of each channel by itself"},
		{operator: "FULLY_CONNECTED", name: "fully_connected", doc: "product of rows with weights"},
		{operator: "MATMUL", name: "matmul", doc: "product of two matrices in each batch"},
	} {
		r := o.row("f_conv.inc")
		r.params, r.records, r.fill, r.grid, r.macs = floatConvParams, tapsRecord, fillFloatSums, floatSumGrid(r.computes[0]), true
		all = append(all, r)
	}
	return all
}

func floatPools() []row {
	var all []row
	for _, o := range []floatOperation{
		{operator: "AVG_POOL2D", name: "avg_pool2d", doc: "mean of the cells of a window", code: "\t.equ\tIS_MAX,0\n"},
		{operator: "MAX_POOL2D", name: "max_pool2d", doc: "greatest of the cells of a window", code: "\t.equ\tIS_MAX,1\n"},
	} {
		r := o.row("f_pool.inc")
		r.params, r.records, r.fill, r.grid = floatPoolParams, tapsRecord, fillFloatPool, floatPoolGrid(r.computes[0])
		all = append(all, r)
	}
	return all
}

// direction is the walk of a window along rows or columns.
type direction struct {
	in, out, kernel, before, stride, dilation int
	inBytes, weightBytes                      int // from one cell to the next
}

// taps places the records of a direction: for each output the cells of the window on the map.
func (p *params) taps(member string, d direction) {
	block := make([]byte, d.out*tapsRecord.Size())
	for o := range d.out {
		first, end := d.kernel, 0
		for k := range d.kernel {
			if at := o*d.stride - d.before + k*d.dilation; at >= 0 && at < d.in {
				first, end = min(first, k), k+1
			}
		}
		record := block[o*tapsRecord.Size():]
		if end == 0 {
			continue // no cell, and so no place
		}
		tapsRecord.Put(record, "count", int64(end-first))
		tapsRecord.Put(record, "in", int64((o*d.stride-d.before+first*d.dilation)*d.inBytes))
		tapsRecord.Put(record, "weights", int64(first*d.weightBytes))
	}
	p.pointer(member, p.layout.Place(kernel.Buffer{Name: member, Memory: kernel.Structs, Bytes: block}))
}

// fillFloatSums fills the block of a convolution in, or of a product of matrices as one.
func fillFloatSums(p *params, c *nn.Call) {
	const size = 4
	in, weights, out := c.In[0], c.In[1], c.Out[0]
	p.input("in", c.Op.Inputs[0].Role, kernel.Data)
	p.input("weights", c.Op.Inputs[1].Role, kernel.Weights)
	if len(c.In) > 2 {
		p.input("bias", c.Op.Inputs[2].Role, kernel.Weights)
		if c.In[2].Len() > 1 {
			p.set("bias_step", size)
		}
	}
	p.output("out", c.Op.Outputs[0].Role)
	p.set("channels", int64(out.Dim(-1)))
	if c.Op.Name == "FULLY_CONNECTED" || c.Op.Name == "MATMUL" {
		depth := in.Dim(-1)
		rows := direction{in: 1, out: 1, kernel: 1, stride: 1, dilation: 1}
		columns := direction{in: in.Dim(-2), out: in.Dim(-2), kernel: 1, stride: 1, dilation: 1, inBytes: size * depth}
		p.taps("rows", rows)
		p.taps("columns", columns)
		p.set("out_rows", 1)
		p.set("out_columns", int64(in.Dim(-2)))
		p.set("depth", int64(depth))
		p.set("in_step", size)
		if c.Op.Name == "MATMUL" {
			p.set("batches", int64(in.Dim(0)))
			p.set("in_size", int64(size*in.Dim(1)*depth))
			p.set("weight_size", int64(size*depth*weights.Dim(2)))
			p.set("weight_step", int64(size*weights.Dim(2)))
			p.set("weight_channel", size)
		} else {
			p.set("batches", 1)
			p.set("weight_step", size)
			p.set("weight_channel", int64(size*depth))
		}
		return
	}
	pad, stride, dilation := c.Attrs.Ints("pad"), c.Attrs.Ints("stride"), c.Attrs.Ints("dilation")
	cell := size * in.Dim(3)
	kh, kw := weights.Dim(1), weights.Dim(2)
	depth, weightCell, channel, multiplier := in.Dim(3), cell, size*kh*kw*in.Dim(3), 0
	if c.Op.Name == "DEPTHWISE_CONV2D" {
		kh, kw, multiplier = weights.Dim(0), weights.Dim(1), weights.Dim(3)
		depth, weightCell, channel = 1, size*out.Dim(3), size
	}
	p.taps("rows", direction{in: in.Dim(1), out: out.Dim(1), kernel: kh, before: pad[0], stride: stride[0], dilation: dilation[0],
		inBytes: cell * in.Dim(2), weightBytes: weightCell * kw})
	p.taps("columns", direction{in: in.Dim(2), out: out.Dim(2), kernel: kw, before: pad[2], stride: stride[1], dilation: dilation[1],
		inBytes: cell, weightBytes: weightCell})
	p.set("batches", int64(in.Dim(0)))
	p.set("out_rows", int64(out.Dim(1)))
	p.set("out_columns", int64(out.Dim(2)))
	p.set("in_size", int64(cell*in.Dim(1)*in.Dim(2)))
	p.set("in_row", int64(cell*in.Dim(2)*dilation[0]))
	p.set("in_column", int64(cell*dilation[1]))
	p.set("weight_row", int64(weightCell*kw))
	p.set("weight_column", int64(weightCell))
	p.set("weight_channel", int64(channel))
	p.set("depth", int64(depth))
	p.set("in_step", size)
	p.set("weight_step", size)
	p.set("multiplier", int64(multiplier))
}

func fillFloatPool(p *params, c *nn.Call) {
	in, out := c.In[0], c.Out[0]
	pad, stride, window := c.Attrs.Ints("pad"), c.Attrs.Ints("stride"), c.Attrs.Ints("kernel")
	cell := 4 * in.Dim(3)
	p.input("in", "input", kernel.Data)
	p.output("out", "output")
	p.taps("rows", direction{in: in.Dim(1), out: out.Dim(1), kernel: window[0], before: pad[0], stride: stride[0], dilation: 1, inBytes: cell * in.Dim(2)})
	p.taps("columns", direction{in: in.Dim(2), out: out.Dim(2), kernel: window[1], before: pad[2], stride: stride[1], dilation: 1, inBytes: cell})
	p.set("batches", int64(in.Dim(0)))
	p.set("out_rows", int64(out.Dim(1)))
	p.set("out_columns", int64(out.Dim(2)))
	p.set("channels", int64(in.Dim(3)))
	p.set("in_size", int64(cell*in.Dim(1)*in.Dim(2)))
	p.set("in_row", int64(cell*in.Dim(2)))
	p.set("in_column", int64(cell))
}

// real gives a member the bits of a number.
func (p *params) real(member string, v float64) {
	p.row.params.Put(p.block, member, int64(int32(math.Float32bits(float32(v)))))
}

// reals is a tensor of numbers of a few binary orders around 1, of either sign.
func reals(r *rand.Rand, shape ...int) *nn.Tensor {
	x := nn.New(nn.F32, shape...)
	for i := range x.Floats {
		x.Floats[i] = float32(math.Ldexp(r.Float64()*2-1, r.IntN(8)-4))
	}
	return x
}

func realOut(shape ...int) []*nn.Tensor { return []*nn.Tensor{{Type: nn.F32, Shape: shape}} }

func floatPairGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		for _, s := range [][3][]int{
			{{1}, {1}, {1}}, {{7}, {7}, {7}}, {{257}, {257}, {257}}, {{3, 5}, {3, 1}, {3, 5}}, {{1, 5}, {3, 5}, {3, 5}}, {{1}, {9}, {9}},
			{{2, 1, 4}, {2, 3, 4}, {2, 3, 4}}, {{2, 3, 4}, {1, 3, 1}, {2, 3, 4}}, {{}, {}, {}}, {{4, 1}, {1, 6}, {4, 6}},
			{{2, 3, 1, 5}, {1, 3, 4, 1}, {2, 3, 4, 5}}, {{1, 1, 1}, {2, 2, 3}, {2, 2, 3}},
		} {
			g.add(fmt.Sprint(s), func(r *rand.Rand) *nn.Call {
				c := &nn.Call{Op: op, In: []*nn.Tensor{reals(r, s[0]...), reals(r, s[1]...)}, Out: realOut(s[2]...)}
				if op.Name == "MUL" {
					c.In = append(c.In, nn.FromInts(nn.I8, []int{1}, []int64{0}))
				}
				special(r, c.In[0], c.In[1])
				return c
			})
		}
	}
}

// special puts infinities, zeros and NaN among the elements of tensors.
func special(r *rand.Rand, tensors ...*nn.Tensor) {
	list := []float32{float32(math.Inf(1)), float32(math.Inf(-1)), 0, float32(math.Copysign(0, -1)), float32(math.NaN())}
	for _, t := range tensors {
		for i := range t.Floats {
			if r.IntN(12) == 0 {
				t.Floats[i] = list[r.IntN(len(list))]
			}
		}
	}
}

func floatMapGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		for i, n := range edges {
			g.add(fmt.Sprint(n), func(r *rand.Rand) *nn.Call {
				c := &nn.Call{Op: op, In: []*nn.Tensor{reals(r, n)}, Out: realOut(n), Attrs: nn.Attrs{}}
				switch op.Name {
				case "CLAMP":
					c.Attrs["min_val"], c.Attrs["max_val"] = []float64{-1, 0, -0.25, 3}[i%4], []float64{1, 6, 0.5, 3}[i%4]
				case "EXP":
					for k := range c.In[0].Floats {
						c.In[0].Floats[k] = float32(r.Float64()*200 - 105)
					}
				}
				special(r, c.In[0])
				return c
			})
		}
	}
}

func floatReduceGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		for _, shape := range [][]int{{1}, {7}, {257}, {3, 5}, {2, 3, 4}, {1, 9, 1}, {2, 1, 3, 5}} {
			for axis := range shape {
				g.add(fmt.Sprintf("%v_%d", shape, axis), func(r *rand.Rand) *nn.Call {
					out := slices.Clone(shape)
					out[axis] = 1
					c := &nn.Call{Op: op, In: []*nn.Tensor{reals(r, shape...)}, Out: realOut(out...), Attrs: nn.Attrs{"axis": axis}}
					if op.Name != "REDUCE_PRODUCT" && len(shape) == 2 {
						special(r, c.In[0])
					}
					return c
				})
			}
		}
	}
}

// windowsOf are geometries of windows: extent, kernel, stride, dilation, padding before and behind.
var windowsOf = [][6]int{{1, 1, 1, 1, 0, 0}, {4, 3, 1, 1, 1, 1}, {5, 2, 3, 1, 0, 0}, {6, 3, 1, 2, 1, 2}, {7, 3, 2, 1, 1, 1}, {3, 3, 1, 1, 2, 2}, {2, 1, 1, 1, 1, 0}}

func floatSumGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		if op.Name == "MATMUL" || op.Name == "FULLY_CONNECTED" {
			for i, n := range edges {
				batch, rows, depth, columns := 1+i%2, 1+i%4, n, 1+i%5
				g.add(fmt.Sprintf("%dx%dx%dx%d", batch, rows, depth, columns), func(r *rand.Rand) *nn.Call {
					if op.Name == "MATMUL" {
						return &nn.Call{Op: op, In: []*nn.Tensor{reals(r, batch, rows, depth), reals(r, batch, depth, columns)}, Out: realOut(batch, rows, columns)}
					}
					return &nn.Call{Op: op, In: []*nn.Tensor{reals(r, rows, depth), reals(r, columns, depth), reals(r, []int{1, columns}[i%2])},
						Out: realOut(rows, columns)}
				})
			}
			return
		}
		for i, h := range windowsOf {
			for k, w := range windowsOf {
				ic, oc, batch := 1+(i+k)%4, 1+(i+2*k)%3, 1+(i*k)%2
				extent := func(w [6]int) int { return (w[0]-1+w[4]+w[5]-(w[1]-1)*w[3])/w[2] + 1 }
				g.add(fmt.Sprintf("%v_%v", h, w), func(r *rand.Rand) *nn.Call {
					weights, channels := []int{oc, h[1], w[1], ic}, oc
					if op.Name == "DEPTHWISE_CONV2D" {
						weights, channels = []int{h[1], w[1], ic, oc}, ic*oc
					}
					return &nn.Call{Op: op, Out: realOut(batch, extent(h), extent(w), channels),
						In:    []*nn.Tensor{reals(r, batch, h[0], w[0], ic), reals(r, weights...), reals(r, []int{1, channels}[k%2])},
						Attrs: nn.Attrs{"pad": []int{h[4], h[5], w[4], w[5]}, "stride": []int{h[2], w[2]}, "dilation": []int{h[3], w[3]}}}
				})
			}
		}
	}
}

func floatPoolGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		for i, h := range windowsOf {
			for k, w := range windowsOf {
				if max(h[4], h[5]) >= h[1] || max(w[4], w[5]) >= w[1] || h[3]*w[3] != 1 {
					continue
				}
				channels, batch := 1+(i+k)%4, 1+(i*k)%2
				extent := func(w [6]int) int { return (w[0]+w[4]+w[5]-w[1])/w[2] + 1 }
				g.add(fmt.Sprintf("%v_%v", h, w), func(r *rand.Rand) *nn.Call {
					c := &nn.Call{Op: op, Out: realOut(batch, extent(h), extent(w), channels), In: []*nn.Tensor{reals(r, batch, h[0], w[0], channels)},
						Attrs: nn.Attrs{"pad": []int{h[4], h[5], w[4], w[5]}, "stride": []int{h[2], w[2]}, "kernel": []int{h[1], w[1]}}}
					if i == 1 {
						special(r, c.In[0])
					}
					return c
				})
			}
		}
	}
}
