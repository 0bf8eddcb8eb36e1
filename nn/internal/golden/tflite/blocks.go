package tflite

import (
	"slices"

	"arcv2dsp/nn"
)

// Operators that move elements between dimensions, and such that repeat or reverse them. Each is stated by the
// place in the input that an element of the output comes from.

// origin is the coordinates in the input of the element at some coordinates of the output; ok is false for an element
// that comes from no place.
type origin func(at, from []int) (ok bool)

// relocate copies elements to where they belong; the others get the filling.
func relocate(c *nn.Call, in *nn.Tensor, filling int64, o origin) {
	out := c.Out[0]
	from := make([]int, len(in.Shape))
	for i := range out.Len() {
		switch {
		case o(nn.Coordinates(i, out.Shape), from):
			copyElements(out, i, in, nn.Index(from, in.Shape), 1)
		case !out.Type.Float():
			out.Ints[i] = filling
		}
	}
}

// relocating describes an operator on one tensor. plan gives the shape of the output and the origin of its elements.
func relocating(name, doc string, types []nn.Type, extra []nn.Port, attrs []nn.AttrSpec, plan func(*nn.Call) (shape []int, o origin)) *nn.Operator {
	op := &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc,
		Inputs: slices.Concat(inPort, extra), Outputs: outPort, Attrs: attrs,
		Check: ruled(func(c *nn.Call) {
			copied(c.In[0], c.Out[0])
			shape, _ := plan(c)
			sameShape("out", c.Out[0], shape)
		}),
		Golden: ruled(func(c *nn.Call) {
			_, o := plan(c)
			relocate(c, c.In[0], c.Out[0].Format.Zero(0), o)
		}),
	}
	op.Types = dataTypes(types, len(extra))
	return op
}

// dataTypes are signatures of one tensor of data, integers that describe the operation, and the output.
func dataTypes(types []nn.Type, extra int) []nn.Signature {
	var list []nn.Signature
	for _, t := range types {
		s := nn.Signature{t}
		for range extra {
			s = append(s, nn.I32)
		}
		list = append(list, append(s, t))
	}
	return list
}

// blockSize is the attribute of the size of blocks, and its value for a tensor of batch, height, width and channels.
var blockSize = []nn.AttrSpec{{Name: "block_size", Default: 0, Doc: "rows and columns of a block"}}

func blockOf(c *nn.Call) int {
	rank("in", c.In[0], 4)
	b := c.Attrs.Int("block_size")
	refuse(b <= 0 || b > 1<<12, "block", "blocks of %d rows", b)
	return b
}

var depthToSpace = relocating("DEPTH_TO_SPACE", "makes blocks of pixels from the channels of one", []nn.Type{nn.I8, nn.F32}, nil, blockSize,
	func(c *nn.Call) ([]int, origin) {
		b := blockOf(c)
		in := c.In[0].Shape
		if in[3]%(b*b) != 0 {
			panic(violation("block", "%d channels are no blocks of %d x %d", in[3], b, b))
		}
		channels := in[3] / (b * b)
		return []int{in[0], in[1] * b, in[2] * b, channels}, func(at, from []int) bool {
			from[0], from[1], from[2] = at[0], at[1]/b, at[2]/b
			from[3] = (at[1]%b*b+at[2]%b)*channels + at[3]
			return true
		}
	})

var spaceToDepth = relocating("SPACE_TO_DEPTH", "makes the channels of a pixel from a block of them", []nn.Type{nn.I8, nn.F32}, nil, blockSize,
	func(c *nn.Call) ([]int, origin) {
		b := blockOf(c)
		in := c.In[0].Shape
		if in[1]%b != 0 || in[2]%b != 0 {
			panic(violation("block", "%d x %d pixels are no blocks of %d x %d", in[1], in[2], b, b))
		}
		return []int{in[0], in[1] / b, in[2] / b, in[3] * b * b}, func(at, from []int) bool {
			cell := at[3] / in[3]
			from[0], from[1], from[2], from[3] = at[0], at[1]*b+cell/b, at[2]*b+cell%b, at[3]%in[3]
			return true
		}
	})

// batchBlocks are the sizes of blocks along the dimensions behind the first, and for each what is added or cut off
// before and after it.
func batchBlocks(c *nn.Call, what string) (blocks []int, around [][2]int) {
	for i, t := range c.In[1:] {
		constant([]string{"block_shape", what}[i], t)
	}
	n := len(c.In[0].Shape)
	refuse(n < 3 || n > 4, "rank", "in has %d dimensions, it must have 3 or 4", n)
	m := n - 2
	if c.In[1].Len() != m || c.In[2].Len() != 2*m {
		panic(violation("shape", "%d sizes of blocks and %d of %s, there must be %d and %d", c.In[1].Len(), c.In[2].Len(), what, m, 2*m))
	}
	for i, b := range c.In[1].Ints {
		before, after := c.In[2].Ints[2*i], c.In[2].Ints[2*i+1]
		if b <= 0 || b > 1<<12 || min(before, after) < 0 || max(before, after) > 1<<20 {
			panic(violation("block", "blocks of %d, %s %d and %d", b, what, before, after))
		}
		blocks, around = append(blocks, int(b)), append(around, [2]int{int(before), int(after)})
	}
	return blocks, around
}

// blocksIndex is the number of a cell of a block in the batch; the last dimension runs fastest.
func blocksIndex(at, blocks []int) int {
	i := 0
	for d, b := range blocks {
		i = i*b + at[d]%b
	}
	return i
}

var spaceToBatch = relocating("SPACE_TO_BATCH_ND", "pads, and makes a batch of each cell of a block", []nn.Type{nn.I8, nn.F32},
	[]nn.Port{{Role: "block_shape", Weights: true}, {Role: "paddings", Weights: true}}, nil,
	func(c *nn.Call) ([]int, origin) {
		blocks, pads := batchBlocks(c, "paddings")
		in := c.In[0].Shape
		shape := slices.Clone(in)
		shape[0] *= nn.Count(blocks)
		for d, b := range blocks {
			full := in[d+1] + pads[d][0] + pads[d][1]
			refuse(full%b != 0, "block", "%d cells are no blocks of %d", full, b)
			shape[d+1] = full / b
		}
		return shape, func(at, from []int) bool {
			copy(from, at)
			from[0] = at[0] % in[0]
			cell := nn.Coordinates(at[0]/in[0], blocks)
			for d, b := range blocks {
				from[d+1] = at[d+1]*b + cell[d] - pads[d][0]
				if from[d+1] < 0 || from[d+1] >= in[d+1] {
					return false
				}
			}
			return true
		}
	})

var batchToSpace = relocating("BATCH_TO_SPACE_ND", "makes blocks of the pictures of a batch, and crops", []nn.Type{nn.I8, nn.F32},
	[]nn.Port{{Role: "block_shape", Weights: true}, {Role: "crops", Weights: true}}, nil,
	func(c *nn.Call) ([]int, origin) {
		blocks, crops := batchBlocks(c, "crops")
		in := c.In[0].Shape
		if in[0]%nn.Count(blocks) != 0 {
			panic(violation("block", "a batch of %d is no blocks of %v", in[0], blocks))
		}
		shape := slices.Clone(in)
		shape[0] /= nn.Count(blocks)
		for d, b := range blocks {
			if shape[d+1] = in[d+1]*b - crops[d][0] - crops[d][1]; shape[d+1] <= 0 {
				panic(violation("block", "%d cells are cropped by %v", in[d+1]*b, crops[d]))
			}
		}
		batch := shape[0]
		return shape, func(at, from []int) bool {
			copy(from, at)
			cells := make([]int, len(blocks))
			for d, b := range blocks {
				cells[d] = at[d+1] + crops[d][0]
				from[d+1] = cells[d] / b
			}
			from[0] = blocksIndex(cells, blocks)*batch + at[0]
			return true
		}
	})

var mirrorPad = relocating("MIRROR_PAD", "surrounds a tensor with its mirror images", []nn.Type{nn.I8, nn.I32, nn.I64, nn.F32},
	[]nn.Port{{Role: "paddings", Weights: true}}, []nn.AttrSpec{{Name: "mode", Default: "REFLECT", Values: []string{"REFLECT", "SYMMETRIC"},
		Doc: "whether the element at the edge is the mirror, or part of the image"}},
	func(c *nn.Call) ([]int, origin) {
		constant("paddings", c.In[1])
		in := c.In[0].Shape
		if c.In[1].Len() != 2*len(in) {
			panic(violation("shape", "%d paddings of %d dimensions", c.In[1].Len(), len(in)))
		}
		edge := 1 // elements at the edge that are not repeated
		if c.Attrs.String("mode") == "SYMMETRIC" {
			edge = 0
		}
		shape := slices.Clone(in)
		for d := range in {
			before, after := c.In[1].Ints[2*d], c.In[1].Ints[2*d+1]
			if most := int64(in[d] - edge); min(before, after) < 0 || max(before, after) > most {
				panic(violation("padding", "dimension %d is padded by %d and %d, at most %d", d, before, after, most))
			}
			shape[d] += int(before + after)
		}
		return shape, func(at, from []int) bool {
			for d, n := range in {
				i := at[d] - int(c.In[1].Ints[2*d])
				if i < 0 {
					i = edge - 1 - i
				} else if i >= n {
					i = 2*n - 1 - edge - i
				}
				from[d] = i
			}
			return true
		}
	})

var reverse = relocating("REVERSE_V2", "reverses dimensions", []nn.Type{nn.Bool, nn.I8, nn.U8, nn.I16, nn.I32, nn.I64, nn.F32},
	[]nn.Port{{Role: "axis", Weights: true}}, nil,
	func(c *nn.Call) ([]int, origin) {
		reversed, _ := reducedAxes(c)
		in := c.In[0].Shape
		return in, func(at, from []int) bool {
			for d, n := range in {
				if from[d] = at[d]; reversed[d] {
					from[d] = n - 1 - at[d]
				}
			}
			return true
		}
	})

// repeats is a shape that an input of integers states, in a form that the output confirms.
func repeats(what string, t *nn.Tensor, n int) []int {
	constant(what, t)
	refuse(t.Len() != n, "shape", "%s has %d numbers, there must be %d", what, t.Len(), n)
	list := make([]int, n)
	for i, v := range t.Ints {
		refuse(v <= 0 || v > nn.MaxElements, "shape", "%s has the number %d", what, v)
		list[i] = int(v)
	}
	return list
}

var tile = relocating("TILE", "repeats a tensor along its dimensions", []nn.Type{nn.Bool, nn.I8, nn.U8, nn.I16, nn.I32, nn.I64, nn.F32},
	[]nn.Port{{Role: "multiples", Weights: true}}, nil,
	func(c *nn.Call) ([]int, origin) {
		in := c.In[0].Shape
		multiples := repeats("multiples", c.In[1], len(in))
		shape := make([]int, len(in))
		for d := range in {
			if multiples[d] > nn.MaxElements/in[d] {
				panic(violation("shape", "%d times %d elements", multiples[d], in[d]))
			}
			shape[d] = in[d] * multiples[d]
		}
		return shape, func(at, from []int) bool {
			for d, n := range in {
				from[d] = at[d] % n
			}
			return true
		}
	})

var broadcastTo = relocating("BROADCAST_TO", "repeats a tensor along dimensions of size 1 and new ones", nil,
	[]nn.Port{{Role: "shape", Weights: true}}, nil,
	func(c *nn.Call) ([]int, origin) {
		in := c.In[0].Shape
		shape := repeats("shape", c.In[1], len(c.Out[0].Shape))
		for i := range in {
			if n := dimFromEnd(in, i); i >= len(shape) || n != 1 && n != dimFromEnd(shape, i) {
				panic(violation("shape", "%v does not broadcast to %v", in, shape))
			}
		}
		return shape, func(at, from []int) bool {
			for d, n := range in {
				from[d] = min(at[len(at)-len(in)+d], n-1)
			}
			return true
		}
	})

var fillOf = &nn.Operator{
	Library: nn.TFLite, Name: "FILL", Doc: "a tensor of one element again and again",
	Inputs: []nn.Port{{Role: "dims", Weights: true}, {Role: "value"}}, Outputs: outPort,
	Check: ruled(func(c *nn.Call) {
		if t := c.In[0].Type; t != nn.I32 && t != nn.I64 {
			panic(violation("types", "dimensions of %s, there are i32 and i64", t))
		}
		if c.In[1].Len() != 1 {
			panic(violation("shape", "%d elements to fill with, there must be one", c.In[1].Len()))
		}
		shape := repeats("dims", c.In[0], c.In[0].Len())
		copied(c.In[1], c.Out[0])
		sameShape("out", c.Out[0], shape)
	}),
	Golden: ruled(func(c *nn.Call) {
		for i := range c.Out[0].Len() {
			copyElements(c.Out[0], i, c.In[1], 0, 1)
		}
	}),
}

var broadcastArgs = &nn.Operator{
	Library: nn.TFLite, Name: "BROADCAST_ARGS", Doc: "the shape of an operation on two tensors that broadcast, from their shapes",
	Inputs: pairPorts, Outputs: outPort, Types: sameTypes(3, nn.I32, nn.I64),
	Check: ruled(func(c *nn.Call) {
		for i, what := range []string{"a", "b"} {
			rank(what, c.In[i], 1)
		}
		sameShape("out", c.Out[0], []int{max(c.In[0].Len(), c.In[1].Len())})
	}),
	Golden: ruled(func(c *nn.Call) {
		n := c.Out[0].Len()
		for i := range n {
			x, y := int64(1), int64(1)
			if k := i - n + c.In[0].Len(); k >= 0 {
				x = c.In[0].Ints[k]
			}
			if k := i - n + c.In[1].Len(); k >= 0 {
				y = c.In[1].Ints[k]
			}
			refuse(x != y && x != 1 && y != 1, "shape", "dimensions %d and %d cannot be broadcast", x, y)
			if x == 1 {
				x = y
			}
			c.Out[0].Ints[i] = x
		}
	}),
}
