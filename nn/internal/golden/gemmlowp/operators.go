package gemmlowp

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
)

// Operators are the rows of the library. Tensors hold the logical matrices; the attributes of order and
// stride say how a kernel is to find and leave them in memory, and change no value.
func Operators() []*nn.Operator {
	return []*nn.Operator{
		{
			Library: nn.Gemmlowp,
			Name:    "GemmWithOutputPipeline",
			Doc:     "matrix product of bytes with offsets, then output stages",
			Inputs:  operands,
			Outputs: []nn.Port{{Role: "out"}},
			Types:   signatures(nn.NoType),
			Attrs: append(layout(),
				nn.AttrSpec{Name: "pipeline", Default: "[]", Doc: "the stages as a JSON list"}),
			Check: func(c *nn.Call) error {
				_, err := newProduct(c)
				return err
			},
			Shapes: func(c *nn.Call) error {
				p, err := newProduct(c)
				if err == nil {
					c.Out = []*nn.Tensor{outTensor(c, p, p.Result())}
				}
				return err
			},
			Golden: func(c *nn.Call) error {
				p, err := newProduct(c)
				if err != nil {
					return err
				}
				return p.Compute(Dense(p.Lhs.Rows, p.Rhs.Cols, c.Out[0].Ints))
			},
			MACs: macs,
		},
		{
			Library: nn.Gemmlowp,
			Name:    "EightBitIntGemmFloat",
			Doc:     "matrix product of bytes with offsets, the sums times a factor in float32",
			Inputs:  operands,
			Outputs: []nn.Port{{Role: "out"}},
			Types:   signatures(nn.F32),
			Attrs: append(layout(),
				nn.AttrSpec{Name: "factor", Default: float64(1), Doc: "what the sums are multiplied by"}),
			Check: func(c *nn.Call) error {
				if f := c.Attrs.Float("factor"); math.IsNaN(f) || math.IsInf(f, 0) {
					return fmt.Errorf("factor %g is not finite", f)
				}
				_, err := newProduct(c)
				return err
			},
			Shapes: func(c *nn.Call) error {
				p, err := newProduct(c)
				if err == nil {
					c.Out = []*nn.Tensor{outTensor(c, p, nn.F32)}
				}
				return err
			},
			Golden: func(c *nn.Call) error {
				p, err := newProduct(c)
				if err != nil {
					return err
				}
				return p.ComputeFloat(float32(c.Attrs.Float("factor")), RowMajor, p.Rhs.Cols, c.Out[0].Floats)
			},
			MACs: macs,
		},
	}
}

var operands = []nn.Port{
	{Role: "lhs"},
	{Role: "rhs", Weights: true},
	{Role: "lhs_offsets", Optional: true},
	{Role: "rhs_offsets", Optional: true},
}

func signatures(out nn.Type) []nn.Signature {
	return []nn.Signature{
		{nn.U8, nn.U8, nn.I32, nn.I32, out},
		{nn.I8, nn.I8, nn.I32, nn.I32, out},
	}
}

// layout are the attributes that both operators have.
func layout() []nn.AttrSpec {
	orders := []string{"row", "col"}
	return []nn.AttrSpec{
		{Name: "lhs_offset", Default: 0, Doc: "added to every element of lhs; unused with lhs_offsets"},
		{Name: "rhs_offset", Default: 0, Doc: "added to every element of rhs; unused with rhs_offsets"},
		{Name: "lhs_order", Default: "row", Values: orders, Doc: "order of lhs in memory"},
		{Name: "rhs_order", Default: "row", Values: orders, Doc: "order of rhs in memory"},
		{Name: "out_order", Default: "row", Values: orders, Doc: "order of the result in memory"},
		{Name: "lhs_stride", Default: 0, Doc: "distance of rows or columns of lhs, 0 without gaps"},
		{Name: "rhs_stride", Default: 0, Doc: "distance of rows or columns of rhs, 0 without gaps"},
		{Name: "out_stride", Default: 0, Doc: "distance of rows or columns of the result, 0 without gaps"},
	}
}

// newProduct reads a call. It also checks the strides, which the golden model itself does not need.
func newProduct(c *nn.Call) (Product, error) {
	var p Product
	lhs, rhs := c.Input("lhs"), c.Input("rhs")
	for role, t := range map[string]*nn.Tensor{"lhs": lhs, "rhs": rhs} {
		if len(t.Shape) != 2 {
			return p, fmt.Errorf("%s has %d dimensions, a matrix has 2", role, len(t.Shape))
		}
	}
	p.Lhs, p.Rhs = Dense(lhs.Shape[0], lhs.Shape[1], lhs.Ints), Dense(rhs.Shape[0], rhs.Shape[1], rhs.Ints)
	var err error
	if p.LhsOffsets, err = offsets(c, "lhs"); err != nil {
		return p, err
	}
	if p.RhsOffsets, err = offsets(c, "rhs"); err != nil {
		return p, err
	}
	if pipeline := c.Attrs.String("pipeline"); pipeline != "" {
		if p.Stages, err = ParsePipeline([]byte(pipeline)); err != nil {
			return p, err
		}
	}
	for _, w := range []struct {
		name       string
		rows, cols int
	}{
		{name: "lhs", rows: p.Lhs.Rows, cols: p.Lhs.Cols},
		{name: "rhs", rows: p.Rhs.Rows, cols: p.Rhs.Cols},
		{name: "out", rows: p.Lhs.Rows, cols: p.Rhs.Cols},
	} {
		width := w.cols
		if c.Attrs.String(w.name+"_order") == "col" {
			width = w.rows
		}
		if s := c.Attrs.Int(w.name + "_stride"); s != 0 && (s < width || s > nn.MaxElements) {
			return p, fmt.Errorf("%s_stride is %d (0, or %d to %d)", w.name, s, width, nn.MaxElements)
		}
	}
	if !lhs.Filled() || !rhs.Filled() {
		return p, checkStages(p.Stages, p.Lhs.Rows, p.Rhs.Cols)
	}
	return p, p.Check()
}

// offsets are the offsets of one side: a vector where the call has one, else the attribute.
func offsets(c *nn.Call, side string) ([]int32, error) {
	v := c.Input(side + "_offsets")
	if v == nil {
		o := c.Attrs.Int(side + "_offset")
		if int(int32(o)) != o {
			return nil, fmt.Errorf("%s_offset %d does not fit 32 bits", side, o)
		}
		return []int32{int32(o)}, nil
	}
	list := make([]int32, len(v.Ints))
	for i, o := range v.Ints {
		list[i] = int32(o)
	}
	return list, nil
}

// outTensor is the result without elements, in the format the caller gave it.
func outTensor(c *nn.Call, p Product, t nn.Type) *nn.Tensor {
	out := &nn.Tensor{Type: t, Shape: []int{p.Lhs.Rows, p.Rhs.Cols}}
	if len(c.Out) > 0 && c.Out[0] != nil {
		out.Format = c.Out[0].Format
	}
	return out
}

func macs(c *nn.Call) int64 {
	lhs, rhs := c.Input("lhs"), c.Input("rhs")
	return int64(lhs.Len()) * int64(rhs.Dim(1))
}
