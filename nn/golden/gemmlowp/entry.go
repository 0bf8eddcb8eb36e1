package gemmlowp

import "arcv2dsp/nn"

// The C entry, as gemmlowp keeps it for old callers.

// EightBit are the arguments of EightBitIntGemm that both of its forms have: A is m x k, B k x n. A
// transposed matrix is row-major in memory, one that is not is column-major.
type EightBit struct {
	TransposeA, TransposeB, TransposeC bool
	M, N, K                            int
	A, B                               []int64
	OffsetA, OffsetB                   int32
	StrideA, StrideB, StrideC          int
}

func transposed(t bool) Order {
	if t {
		return RowMajor
	}
	return ColMajor
}

// product is the matrix product behind the call. Both bit depths of the entry, A8B8 and A5B7, are exact.
func (e EightBit) product(stages []Stage) Product {
	return Product{
		Lhs:        Matrix{Rows: e.M, Cols: e.K, Order: transposed(e.TransposeA), Stride: e.StrideA, Data: e.A},
		Rhs:        Matrix{Rows: e.K, Cols: e.N, Order: transposed(e.TransposeB), Stride: e.StrideB, Data: e.B},
		LhsOffsets: []int32{e.OffsetA},
		RhsOffsets: []int32{e.OffsetB},
		Stages:     stages,
	}
}

// Legacy is the pipeline of the oldest entries: down to bytes.
func Legacy(offset, multiplier int32, shift int) []Stage {
	return []Stage{QuantizeDown{Offset: offset, Multiplier: multiplier, Shift: shift}, Cast{To: nn.U8}}
}

// Bytes is the form with a result of bytes, written into c.
func (e EightBit) Bytes(offset, multiplier int32, shift int, c []int64) error {
	out := Matrix{Rows: e.M, Cols: e.N, Order: transposed(e.TransposeC), Stride: e.StrideC, Data: c}
	return e.product(Legacy(offset, multiplier, shift)).Compute(out)
}

// Floats is the form with a float result: the sums times factor.
func (e EightBit) Floats(factor float32, c []float32) error {
	return e.product(nil).ComputeFloat(factor, transposed(e.TransposeC), e.StrideC, c)
}
