package tflite

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
)

// Operators that pick or replace parts of a tensor by numbers that are known in a run alone.

var gatherND = &nn.Operator{
	Library: nn.TFLite, Name: "GATHER_ND", Doc: "picks elements, or slices of the last dimensions, by their coordinates",
	Inputs: []nn.Port{{Role: "in"}, {Role: "indices"}}, Outputs: outPort,
	Types: []nn.Signature{{nn.I8, nn.I32, nn.I8}, {nn.F32, nn.I32, nn.F32}},
	Check: ruled(func(c *nn.Call) {
		copied(c.In[0], c.Out[0])
		in, indices := c.In[0].Shape, c.In[1].Shape
		if len(indices) == 0 || indices[len(indices)-1] > min(len(in), 5) {
			panic(violation("shape", "coordinates %v of a tensor with %d dimensions, at most 5", indices, len(in)))
		}
		last := len(indices) - 1
		sameShape("out", c.Out[0], slices.Concat(indices[:last], in[indices[last]:]))
	}),
	Golden: ruled(func(c *nn.Call) {
		in, indices, out := c.In[0], c.In[1], c.Out[0]
		n := indices.Dim(-1)
		size := nn.Count(in.Shape[n:])
		for i := range indices.Len() / n {
			from := 0
			for d := range n {
				v := indices.Ints[i*n+d]
				if v < 0 || v >= int64(in.Dim(d)) {
					panic(outside(v, in.Dim(d)))
				}
				from = from*in.Dim(d) + int(v)
			}
			copyElements(out, i*size, in, from*size, size)
		}
	}),
}

// outside is the error of an index that a tensor does not have. The library fails, or reads what lies there.
func outside(index int64, n int) error {
	return &nn.Violation{Outcome: nn.Unpredictable, Condition: "index", Detail: fmt.Sprintf("index %d of %d", index, n)}
}

var embeddingLookup = &nn.Operator{
	Library: nn.TFLite, Name: "EMBEDDING_LOOKUP", Doc: "picks rows of a table; 8-bit rows may become floats",
	Inputs: []nn.Port{{Role: "indices"}, {Role: "in", Weights: true}}, Outputs: outPort,
	Types: []nn.Signature{{nn.I32, nn.I8, nn.I8}, {nn.I32, nn.I8, nn.F32}, {nn.I32, nn.F32, nn.F32}},
	Check: ruled(func(c *nn.Call) {
		indices, table, out := c.In[0], c.In[1], c.Out[0]
		rank("indices", indices, 1)
		refuse(len(table.Shape) < 2, "rank", "the table has %d dimensions, it must have 2 or more", len(table.Shape))
		if table.Type != out.Type {
			scale("in", table)
			if z := table.Format.Zero(0); z != 0 {
				panic(violation("zero point", "the table has a zero point of %d, it must be 0", z))
			}
		} else {
			copied(table, out)
		}
		sameShape("out", out, slices.Concat(indices.Shape, table.Shape[1:]))
	}),
	Golden: ruled(func(c *nn.Call) {
		indices, table, out := c.In[0], c.In[1], c.Out[0]
		size := nn.Count(table.Shape[1:])
		for i, v := range indices.Ints {
			switch {
			case v < 0 || v >= int64(table.Dim(0)):
				panic(outside(v, table.Dim(0)))
			case table.Type == out.Type:
				copyElements(out, i*size, table, int(v)*size, size)
			default:
				for k := range size {
					out.Floats[i*size+k] = float32(table.Format.Scale(0) * float64(table.Ints[int(v)*size+k]))
				}
			}
		}
	}),
}

var dynamicUpdateSlice = &nn.Operator{
	Library: nn.TFLite, Name: "DYNAMIC_UPDATE_SLICE", Doc: "a tensor with a part of it replaced, at a place that is known in a run",
	Inputs: []nn.Port{{Role: "in"}, {Role: "update"}, {Role: "start"}}, Outputs: outPort,
	Check: ruled(func(c *nn.Call) {
		in, update, start := c.In[0], c.In[1], c.In[2]
		if !slices.Contains([]nn.Type{nn.I8, nn.I16, nn.I32, nn.F32}, in.Type) || start.Type != nn.I32 && start.Type != nn.I64 {
			panic(violation("types", "elements of %s at places of %s, there are i8, i16, i32 and f32, and i32 and i64", in.Type, start.Type))
		}
		copied(in, c.Out[0])
		copied(update, c.Out[0])
		if len(start.Shape) != 1 || start.Len() != len(in.Shape) || len(update.Shape) != len(in.Shape) {
			panic(violation("rank", "%v is replaced from %v, at a place of %v", in.Shape, update.Shape, start.Shape))
		}
		for d, n := range update.Shape {
			refuse(n > in.Dim(d), "shape", "%v does not fit into %v", update.Shape, in.Shape)
		}
		sameShape("out", c.Out[0], in.Shape)
	}),
	// A place from which the part would leave the tensor is moved to the nearest that it does not leave from.
	Golden: ruled(func(c *nn.Call) {
		in, update, out := c.In[0], c.In[1], c.Out[0]
		copyElements(out, 0, in, 0, in.Len())
		first := make([]int, len(in.Shape))
		for d, n := range in.Shape {
			first[d] = int(max(0, min(c.In[2].Ints[d], int64(n-update.Dim(d)))))
		}
		for i := range update.Len() {
			at := nn.Coordinates(i, update.Shape)
			for d := range at {
				at[d] += first[d]
			}
			copyElements(out, nn.Index(at, in.Shape), update, i, 1)
		}
	}),
}
