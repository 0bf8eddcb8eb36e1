// Package gemm computes what a .gemm file describes: matrix products of gemmlowp on a simulated core, their
// cycles by part, and what offsets cost in two ways.
package gemm

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// Spec is a matrix product. Operands that are nil are made from the seed.
type Spec struct {
	Rows, Columns, Depth int
	Type                 nn.Type // of the operands that are made
	Seed                 uint64
	Lhs, Rhs             *nn.Tensor
	LhsOffset, RhsOffset []int64 // one, or one for every row of Lhs or column of Rhs
	Layout               nn.Attrs
	Stages               []golden.GEMMStage
	// Factor makes the result floats: the sums times it. There are no stages then.
	Factor *float64
}

// MaxSize bounds the extents of a product: one fits the memory of a core.
const MaxSize = 1 << 20

// operand is a matrix given, or made.
func (s *Spec) operand(name string, t *nn.Tensor, rows, cols int, stream uint64) (*nn.Tensor, error) {
	if t != nil {
		if len(t.Shape) != 2 || t.Type != nn.U8 && t.Type != nn.I8 {
			return nil, fmt.Errorf("%s is %s of shape %v, not a matrix of u8 or i8", name, t.Type, t.Shape)
		}
		return t, nil
	}
	if rows < 1 || cols < 1 || rows > MaxSize/cols {
		return nil, fmt.Errorf("%s: %d x %d elements, 1 to %d are possible", name, rows, cols, MaxSize)
	}
	t = nn.New(s.Type, rows, cols)
	lo, hi := s.Type.Range()
	r := rand.New(rand.NewPCG(s.Seed, stream))
	for i := range t.Ints {
		t.Ints[i] = lo + r.Int64N(hi-lo+1)
	}
	return t, nil
}

// Call is the product as a call of an operator, checked.
func (s *Spec) Call() (_ *nn.Call, err error) {
	defer steps.Return(&err)
	lhs := steps.Must(s.operand("lhs", s.Lhs, s.Rows, s.Depth, 1))
	rhs := steps.Must(s.operand("rhs", s.Rhs, s.Depth, s.Columns, 2))
	attrs := nn.Attrs{}
	for k, v := range s.Layout {
		attrs[k] = v
	}
	name := "GemmWithOutputPipeline"
	if s.Factor != nil {
		if len(s.Stages) > 0 {
			return nil, fmt.Errorf("a float result has no output stages, there are %d", len(s.Stages))
		}
		name, attrs["factor"] = "EightBitIntGemmFloat", *s.Factor
	} else {
		text := steps.Must(golden.FormatGEMMPipeline(s.Stages))
		attrs["pipeline"] = string(text)
	}
	op, ok := golden.Operators().Lookup(nn.Gemmlowp, name)
	if !ok {
		return nil, fmt.Errorf("there is no operator %s", name)
	}
	c := &nn.Call{Op: op, Attrs: attrs, In: []*nn.Tensor{lhs, rhs,
		offsets(attrs, "lhs_offset", s.LhsOffset), offsets(attrs, "rhs_offset", s.RhsOffset)}}
	return c, c.Prepare()
}

// offsets are an attribute when there is one, else a tensor.
func offsets(attrs nn.Attrs, name string, v []int64) *nn.Tensor {
	switch len(v) {
	case 0:
		return nil
	case 1:
		attrs[name] = int(v[0])
		return nil
	}
	return nn.FromInts(nn.I32, []int{len(v)}, v)
}
