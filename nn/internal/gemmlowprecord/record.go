// Package gemmlowprecord reads recorded matrix products of gemmlowp: one JSON object per line, with
// the operands and the result as they lay in memory, gaps included. testdata/quant/FORMAT.md
// describes the fields.
package gemmlowprecord

import (
	"encoding/json"
	"fmt"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/gemmlowp"
)

// line has the fields of both kinds of files.
type line struct {
	ID           int             `json:"id"`
	Entry        string          `json:"entry"`
	M            int             `json:"m"`
	N            int             `json:"n"`
	K            int             `json:"k"`
	LhsOrder     string          `json:"lhs_order"`
	RhsOrder     string          `json:"rhs_order"`
	OutOrder     string          `json:"out_order"`
	LhsStride    int             `json:"lhs_stride"`
	RhsStride    int             `json:"rhs_stride"`
	OutStride    int             `json:"out_stride"`
	LhsOffset    int32           `json:"lhs_offset"`
	RhsOffset    int32           `json:"rhs_offset"`
	LhsOffsets   []int32         `json:"lhs_offsets"`
	RhsOffsets   []int32         `json:"rhs_offsets"`
	Lhs          []int64         `json:"lhs"`
	Rhs          []int64         `json:"rhs"`
	Out          []float64       `json:"out"`
	OutType      string          `json:"out_type"`
	Pipeline     json.RawMessage `json:"pipeline"`
	ResultOffset int32           `json:"result_offset"`
	ResultMult   int32           `json:"result_mult_int"`
	ResultShift  int             `json:"result_shift"`
	TransposeA   int             `json:"transpose_a"`
	TransposeB   int             `json:"transpose_b"`
	TransposeC   int             `json:"transpose_c"`
	A            []int64         `json:"a"`
	B            []int64         `json:"b"`
	C            []float64       `json:"c"`
	LDA          int             `json:"lda"`
	LDB          int             `json:"ldb"`
	LDC          int             `json:"ldc"`
	OffsetA      int32           `json:"a_offset"`
	OffsetB      int32           `json:"b_offset"`
	COffset      float64         `json:"c_offset"`
	CMult        int32           `json:"c_mult_int"`
	CShift       int             `json:"c_shift"`
}

// eightBit turns the fields of the C entries into those of the others. A transposed matrix is row-major.
func (l *line) eightBit() {
	order := func(transposed int) string {
		if transposed != 0 {
			return gemmlowp.RowMajor.String()
		}
		return gemmlowp.ColMajor.String()
	}
	l.LhsOrder, l.RhsOrder, l.OutOrder = order(l.TransposeA), order(l.TransposeB), order(l.TransposeC)
	l.LhsStride, l.RhsStride, l.OutStride = l.LDA, l.LDB, l.LDC
	l.LhsOffset, l.RhsOffset = l.OffsetA, l.OffsetB
	l.Lhs, l.Rhs, l.Out = l.A, l.B, l.C
}

// The entries of gemmlowp that a line may name.
const (
	entryGemm    = "Gemm"
	entryEight   = "EightBitIntGemm"
	entryFloat   = "EightBitIntGemmFloat"
	withPipeline = "GemmWithOutputPipeline"
	attrPipeline = "pipeline"
)

// Parse reads one line.
func Parse(text []byte, ops *nn.Registry) (*nn.Case, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, err
	}
	rec := &nn.Case{ID: l.ID}
	attrs, name := nn.Attrs{}, withPipeline
	var err error
	switch l.Entry {
	case "":
		attrs[attrPipeline] = string(l.Pipeline)
	case entryGemm:
		attrs[attrPipeline], err = legacy(l.ResultOffset, l.ResultMult, l.ResultShift)
	case entryEight:
		l.eightBit()
		attrs[attrPipeline], err = legacy(int32(l.COffset), l.CMult, l.CShift)
	case entryFloat:
		l.eightBit()
		name, attrs["factor"], l.OutType = entryFloat, l.COffset, "f32"
	default:
		return nil, fmt.Errorf("entry %q is none of gemmlowp's", l.Entry)
	}
	if err != nil {
		return nil, err
	}
	op, ok := ops.Lookup(nn.Gemmlowp, name)
	if !ok {
		return nil, fmt.Errorf("there is no operator %s", name)
	}
	return rec, l.call(rec, op, attrs)
}

// legacy is the pipeline of the oldest entries.
func legacy(offset, multiplier int32, shift int) (string, error) {
	text, err := gemmlowp.FormatPipeline(gemmlowp.Legacy(offset, multiplier, shift))
	return string(text), err
}

// call fills the record in: the logical matrices, and how they lay in memory.
func (l *line) call(rec *nn.Case, op *nn.Operator, attrs nn.Attrs) (err error) {
	defer steps.Return(&err)
	out := nn.U8
	if l.OutType != "" {
		t := steps.Must(nn.ParseType(l.OutType))
		out = t
	}
	lhs := steps.Must(tensor("lhs", nn.U8, l.M, l.K, l.LhsOrder, l.LhsStride, l.Lhs))
	rhs := steps.Must(tensor("rhs", nn.U8, l.K, l.N, l.RhsOrder, l.RhsStride, l.Rhs))
	elements := make([]int64, len(l.Out))
	for i, v := range l.Out {
		elements[i] = int64(v)
	}
	if out == nn.F32 {
		for i := range elements {
			elements[i] = int64(i) // places, for now
		}
	}
	want := steps.Must(tensor("out", out, l.M, l.N, l.OutOrder, l.OutStride, elements))
	if out == nn.F32 {
		want.Floats = make([]float32, len(want.Ints))
		for i, at := range want.Ints {
			want.Floats[i] = float32(l.Out[at])
		}
		want.Ints = nil
	}
	attrs["lhs_order"], attrs["rhs_order"], attrs["out_order"] = l.LhsOrder, l.RhsOrder, l.OutOrder
	attrs["lhs_stride"], attrs["rhs_stride"], attrs["out_stride"] = l.LhsStride, l.RhsStride, l.OutStride
	attrs["lhs_offset"], attrs["rhs_offset"] = int(l.LhsOffset), int(l.RhsOffset)
	rec.Want = map[string]*nn.Tensor{op.Outputs[0].Role: want}
	rec.Call = &nn.Call{Op: op, Rounding: nn.Double, Attrs: attrs, In: []*nn.Tensor{lhs, rhs}}
	if l.LhsOffsets != nil || l.RhsOffsets != nil {
		rec.Call.In = append(rec.Call.In, vector(l.LhsOffsets), vector(l.RhsOffsets))
	}
	steps.Check(rec.Call.Prepare())
	if got := rec.Call.Out[0].Type; got != out {
		return fmt.Errorf("the result is of %s, the pipeline gives %s", out, got)
	}
	return nil
}

// tensor is the logical matrix of stored elements.
func tensor(name string, t nn.Type, rows, cols int, order string, stride int, elements []int64) (_ *nn.Tensor, err error) {
	defer steps.Return(&err)
	o, err := gemmlowp.ParseOrder(order)
	steps.Check(steps.In(name, err))
	m := gemmlowp.Matrix{Rows: rows, Cols: cols, Order: o, Stride: stride, Data: elements}
	steps.Check(m.Check(name))
	x := &nn.Tensor{Type: t, Shape: []int{rows, cols}, Ints: make([]int64, 0, rows*cols)}
	for r := range rows {
		for c := range cols {
			x.Ints = append(x.Ints, m.At(r, c))
		}
	}
	if t == nn.F32 {
		return x, nil
	}
	steps.Check(steps.In(name, x.Check()))
	return x, nil
}

func vector(v []int32) *nn.Tensor {
	if v == nil {
		return nil
	}
	x := nn.New(nn.I32, len(v))
	for i, n := range v {
		x.Ints[i] = int64(n)
	}
	return x
}
