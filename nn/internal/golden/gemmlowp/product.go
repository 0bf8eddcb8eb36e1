package gemmlowp

import (
	"fmt"

	"arcv2dsp/nn"
)

// Product is a matrix product with offsets and output stages:
//
//	sum over d of (Lhs[r][d] + LhsOffsets[r]) * (Rhs[d][c] + RhsOffsets[c])
//
// in 32 bits that wrap, then every stage in order. Offsets are added: they are zero points with the
// other sign, and any int32. One offset serves the whole matrix, or there is one for each row of Lhs and
// each column of Rhs.
type Product struct {
	Lhs, Rhs               Matrix
	LhsOffsets, RhsOffsets []int32
	Stages                 []Stage
}

// Check says why the product cannot be computed.
func (p Product) Check() error {
	if err := p.Lhs.Check("lhs"); err != nil {
		return err
	}
	if err := p.Rhs.Check("rhs"); err != nil {
		return err
	}
	if p.Lhs.Cols != p.Rhs.Rows {
		return fmt.Errorf("lhs has %d columns, rhs %d rows", p.Lhs.Cols, p.Rhs.Rows)
	}
	if n := len(p.LhsOffsets); n != 1 && n != p.Lhs.Rows {
		return fmt.Errorf("%d lhs offsets for %d rows", n, p.Lhs.Rows)
	}
	if n := len(p.RhsOffsets); n != 1 && n != p.Rhs.Cols {
		return fmt.Errorf("%d rhs offsets for %d columns", n, p.Rhs.Cols)
	}
	return checkStages(p.Stages, p.Lhs.Rows, p.Rhs.Cols)
}

// Accumulator is the sum for row r and column c, before the stages.
func (p Product) Accumulator(r, c int) int32 {
	lo, ro := p.LhsOffsets[0], p.RhsOffsets[0]
	if len(p.LhsOffsets) > 1 {
		lo = p.LhsOffsets[r]
	}
	if len(p.RhsOffsets) > 1 {
		ro = p.RhsOffsets[c]
	}
	var sum int32
	for d := range p.Lhs.Cols {
		sum += (int32(p.Lhs.At(r, d)) + lo) * (int32(p.Rhs.At(d, c)) + ro)
	}
	return sum
}

// Result is the type of the result's elements.
func (p Product) Result() nn.Type { return resultType(p.Stages) }

// Compute writes the result into the window out, whose gaps stay as they are.
func (p Product) Compute(out Matrix) error {
	if err := p.Check(); err != nil {
		return err
	}
	if err := out.Check("result"); err != nil {
		return err
	}
	if out.Rows != p.Lhs.Rows || out.Cols != p.Rhs.Cols {
		return fmt.Errorf("result is %d x %d, the product %d x %d", out.Rows, out.Cols, p.Lhs.Rows, p.Rhs.Cols)
	}
	for r := range out.Rows {
		for c := range out.Cols {
			v := p.Accumulator(r, c)
			for _, s := range p.Stages {
				v = s.apply(v, r, c)
			}
			out.Data[out.Index(r, c)] = int64(v)
		}
	}
	return nil
}

// ComputeFloat is the float result of the C entry: each sum times a factor, both in float32.
func (p Product) ComputeFloat(factor float32, order Order, stride int, out []float32) error {
	if len(p.Stages) > 0 {
		return fmt.Errorf("a float result has no output stages, there are %d", len(p.Stages))
	}
	if err := p.Check(); err != nil {
		return err
	}
	window := Matrix{Rows: p.Lhs.Rows, Cols: p.Rhs.Cols, Order: order, Stride: stride, Data: make([]int64, len(out))}
	if err := window.Check("result"); err != nil {
		return err
	}
	for r := range window.Rows {
		for c := range window.Cols {
			out[window.Index(r, c)] = float32(p.Accumulator(r, c)) * factor
		}
	}
	return nil
}
