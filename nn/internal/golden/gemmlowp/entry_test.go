package gemmlowp_test

import "arcv2dsp/nn/internal/golden/gemmlowp"

// The C entry, as gemmlowp keeps it for old callers.

// eightBit are the arguments of EightBitIntGemm that both of its forms have: A is m x k, B k x n. A
// transposed matrix is row-major in memory, one that is not is column-major.
type eightBit struct {
	TransposeA, TransposeB, TransposeC bool
	M, N, K                            int
	A, B                               []int64
	OffsetA, OffsetB                   int32
	StrideA, StrideB, StrideC          int
}

func transposed(t bool) gemmlowp.Order {
	if t {
		return gemmlowp.RowMajor
	}
	return gemmlowp.ColMajor
}

// product is the matrix product behind the call. Both bit depths of the entry, A8B8 and A5B7, are exact.
func (e eightBit) product(stages []gemmlowp.Stage) gemmlowp.Product {
	return gemmlowp.Product{
		Lhs:        gemmlowp.Matrix{Rows: e.M, Cols: e.K, Order: transposed(e.TransposeA), Stride: e.StrideA, Data: e.A},
		Rhs:        gemmlowp.Matrix{Rows: e.K, Cols: e.N, Order: transposed(e.TransposeB), Stride: e.StrideB, Data: e.B},
		LhsOffsets: []int32{e.OffsetA},
		RhsOffsets: []int32{e.OffsetB},
		Stages:     stages,
	}
}

// bytes is the form with a result of bytes, written into c.
func (e eightBit) bytes(offset, multiplier int32, shift int, c []int64) error {
	out := gemmlowp.Matrix{Rows: e.M, Cols: e.N, Order: transposed(e.TransposeC), Stride: e.StrideC, Data: c}
	return e.product(gemmlowp.Legacy(offset, multiplier, shift)).Compute(out)
}

// floats is the form with a float result: the sums times factor.
func (e eightBit) floats(factor float32, c []float32) error {
	return e.product(nil).ComputeFloat(factor, transposed(e.TransposeC), e.StrideC, c)
}
