package gemmlowp_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/gemmlowp"
)

// line is a recorded product; testdata/quant/FORMAT.md explains it. Both files share it.
type line struct {
	Kind, Entry        string
	M, N, K            int
	LhsOrder           string  `json:"lhs_order"`
	RhsOrder           string  `json:"rhs_order"`
	OutOrder           string  `json:"out_order"`
	LhsStride          int     `json:"lhs_stride"`
	RhsStride          int     `json:"rhs_stride"`
	OutStride          int     `json:"out_stride"`
	LhsOffset          int32   `json:"lhs_offset"`
	RhsOffset          int32   `json:"rhs_offset"`
	LhsOffsets         []int32 `json:"lhs_offsets"`
	RhsOffsets         []int32 `json:"rhs_offsets"`
	Lhs, Rhs, Acc, Out []int64
	Pipeline           json.RawMessage
	OutType            string `json:"out_type"`
	ResultOffset       int32  `json:"result_offset"`
	ResultMult         int32  `json:"result_mult_int"`
	ResultShift        int    `json:"result_shift"`
	TransposeA         int    `json:"transpose_a"`
	TransposeB         int    `json:"transpose_b"`
	TransposeC         int    `json:"transpose_c"`
	A, B               []int64
	C                  []float64
	LDA, LDB, LDC      int
	OffsetA            int32   `json:"a_offset"`
	OffsetB            int32   `json:"b_offset"`
	COffset            float64 `json:"c_offset"`
	CMult              int32   `json:"c_mult_int"`
	CShift             int     `json:"c_shift"`
}

// The bytes of the recorded results between the elements.
const (
	gap      = 0x5a
	gapFloat = -7
)

func lines(t *testing.T, name string) []line {
	t.Helper()
	f, err := os.Open("../../../../testdata/quant/gemmlowp_" + name + ".jsonl.gz")
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	var list []line
	for d := json.NewDecoder(bufio.NewReader(z)); d.More(); {
		var v line
		require.NoError(t, d.Decode(&v))
		list = append(list, v)
	}
	require.NotEmpty(t, list)
	return list
}

func (v line) product(t *testing.T) gemmlowp.Product {
	t.Helper()
	order := func(s string) gemmlowp.Order {
		o, err := gemmlowp.ParseOrder(s)
		require.NoError(t, err)
		return o
	}
	p := gemmlowp.Product{
		Lhs:        gemmlowp.Matrix{Rows: v.M, Cols: v.K, Order: order(v.LhsOrder), Stride: v.LhsStride, Data: v.Lhs},
		Rhs:        gemmlowp.Matrix{Rows: v.K, Cols: v.N, Order: order(v.RhsOrder), Stride: v.RhsStride, Data: v.Rhs},
		LhsOffsets: []int32{v.LhsOffset},
		RhsOffsets: []int32{v.RhsOffset},
	}
	if v.LhsOffsets != nil {
		p.LhsOffsets, p.RhsOffsets = v.LhsOffsets, v.RhsOffsets
	}
	return p
}

func (v line) out(t *testing.T, data []int64) gemmlowp.Matrix {
	t.Helper()
	order, err := gemmlowp.ParseOrder(v.OutOrder)
	require.NoError(t, err)
	return gemmlowp.Matrix{Rows: v.M, Cols: v.N, Order: order, Stride: v.OutStride, Data: data}
}

func TestPipelinesAsGemmlowp(t *testing.T) {
	for i, v := range lines(t, "gemm_pipelines") {
		p := v.product(t)
		for j, want := range v.Acc {
			require.Equal(t, want, int64(p.Accumulator(j/v.N, j%v.N)), "%s, line %d", v.Kind, i+1)
		}
		var err error
		p.Stages, err = gemmlowp.ParsePipeline(v.Pipeline)
		require.NoError(t, err)
		require.Equal(t, v.OutType, p.Result().String())
		got := slices.Repeat([]int64{gap}, len(v.Out))
		require.NoError(t, p.Compute(v.out(t, got)))
		require.Equal(t, v.Out, got, "%s, line %d", v.Kind, i+1)

		text, err := gemmlowp.FormatPipeline(p.Stages)
		require.NoError(t, err)
		again, err := gemmlowp.ParsePipeline(text)
		require.NoError(t, err)
		require.Equal(t, p.Stages, again)
	}
}

func TestLegacyEntriesAsGemmlowp(t *testing.T) {
	seen := map[string]int{}
	for i, v := range lines(t, "legacy_gemm") {
		seen[v.Entry]++
		call := eightBit{
			TransposeA: v.TransposeA != 0, TransposeB: v.TransposeB != 0, TransposeC: v.TransposeC != 0,
			M: v.M, N: v.N, K: v.K, A: v.A, B: v.B, OffsetA: v.OffsetA, OffsetB: v.OffsetB,
			StrideA: v.LDA, StrideB: v.LDB, StrideC: v.LDC,
		}
		switch v.Entry {
		case "Gemm":
			p := v.product(t)
			p.Stages = gemmlowp.Legacy(v.ResultOffset, v.ResultMult, v.ResultShift)
			got := slices.Repeat([]int64{gap}, len(v.Out))
			require.NoError(t, p.Compute(v.out(t, got)))
			require.Equal(t, v.Out, got, "line %d", i+1)
		case "EightBitIntGemm":
			got := slices.Repeat([]int64{gap}, len(v.C))
			require.NoError(t, call.bytes(int32(v.COffset), v.CMult, v.CShift, got))
			for j, want := range v.C {
				require.Equal(t, int64(want), got[j], "line %d", i+1)
			}
		case "EightBitIntGemmFloat":
			got := slices.Repeat([]float32{gapFloat}, len(v.C))
			require.NoError(t, call.floats(float32(v.COffset), got))
			for j, want := range v.C {
				require.Equal(t, float32(want), got[j], "line %d", i+1)
			}
		default:
			t.Fatalf("entry %s", v.Entry)
		}
	}
	require.Len(t, seen, 3)
}

// The operators of the registry are the same model.
func TestOperatorsAsGemmlowp(t *testing.T) {
	registry := nn.NewRegistry(gemmlowp.Operators())
	op, ok := registry.Lookup(nn.Gemmlowp, "GemmWithOutputPipeline")
	require.True(t, ok)
	for i, v := range lines(t, "gemm_pipelines") {
		p := v.product(t)
		call := &nn.Call{
			Op: op,
			Attrs: nn.Attrs{
				"pipeline": string(v.Pipeline), "lhs_offset": int(v.LhsOffset), "rhs_offset": int(v.RhsOffset),
				"out_order": v.OutOrder, "out_stride": v.OutStride,
			},
			In: []*nn.Tensor{logical(p.Lhs), logical(p.Rhs)},
		}
		if v.LhsOffsets != nil {
			call.In = append(call.In, vector(v.LhsOffsets), vector(v.RhsOffsets))
		}
		require.NoError(t, call.Prepare())
		require.NoError(t, call.Run())
		require.Equal(t, int64(v.M)*int64(v.N)*int64(v.K), op.MACs(call))
		want := v.out(t, v.Out)
		for r := range v.M {
			for c := range v.N {
				require.Equal(t, want.At(r, c), call.Out[0].Ints[r*v.N+c], "line %d", i+1)
			}
		}
	}
}

func logical(m gemmlowp.Matrix) *nn.Tensor {
	x := nn.New(nn.U8, m.Rows, m.Cols)
	for i := range x.Ints {
		x.Ints[i] = m.At(i/m.Cols, i%m.Cols)
	}
	return x
}

func vector(v []int32) *nn.Tensor {
	x := nn.New(nn.I32, len(v))
	for i := range v {
		x.Ints[i] = int64(v[i])
	}
	return x
}
