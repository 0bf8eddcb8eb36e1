package arcq

import (
	"fmt"
	"slices"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// gemmParams is the parameter block of matrix products with offsets. A matrix may be row-major or
// column-major and have gaps: the block has the distance of neighbours in both directions.
var gemmParams = declared("arcq_gemm_params")

// gemms are the rows of matrix products with offsets.
func gemms() []row {
	pipeline, float := operator(nn.Gemmlowp, "GemmWithOutputPipeline"), operator(nn.Gemmlowp, "EightBitIntGemmFloat")
	updates := row{
		symbol: "arcq_gemm_u8", operator: "gemm", types: "u8", body: "gemm.inc", equ: gemmSymbols(false),
		params: gemmParams, records: gemmStage, computes: []*nn.Operator{pipeline, float},
		doc:  "matrix product of bytes with offsets as updates of rank one, then output stages",
		fits: func(*nn.Call) error { return nil }, fill: fillGemm, accBits: 32,
		macs: true,
		grid: gemmGrid(pipeline, float, 1<<31-1),
	}
	naive := updates
	naive.symbol, naive.operator, naive.equ = "arcq_gemm_naive_u8", "gemm_naive", gemmSymbols(true)
	naive.doc = "the same with the offsets added inside the loop, to measure against"
	naive.rank, naive.fits, naive.grid = 1, naiveFits, gemmGrid(pipeline, float, naiveOffset-signBias)
	return []row{updates, naive}
}

func gemmSymbols(naive bool) []string {
	symbols := []string{"NAIVE,0", fmt.Sprintf("STAGE_STORES,%d", store8), fmt.Sprintf("STAGE_CODES,%d", stageCodes)}
	if naive {
		symbols[0] = "NAIVE,1"
	}
	return symbols
}

// signBias turns unsigned bytes into signed ones: its bit is flipped, and offsets grow by it.
const signBias = 128

// naiveOffset is the greatest offset of a signed byte whose sum with it is a half.
const naiveOffset = 1<<15 - 1 - signBias

// naiveFits refuses offsets that do not leave halves.
func naiveFits(c *nn.Call) error {
	for _, side := range []string{"lhs", "rhs"} {
		for _, o := range signedOffsets(c, side) {
			if o < -naiveOffset || o > naiveOffset {
				return fmt.Errorf("an offset of %d for signed bytes: the sums in the loop are halves", o)
			}
		}
	}
	return nil
}

// signedOffsets are the offsets of a side when its elements are signed bytes. They wrap as the sums do.
func signedOffsets(c *nn.Call, side string) []int64 {
	list := []int64{int64(c.Attrs.Int(side + "_offset"))}
	if v := c.Input(side + "_offsets"); v != nil {
		list = slices.Clone(v.Ints)
	}
	for i := range list {
		if c.Input(side).Type == nn.U8 {
			list[i] = int64(int32(list[i] + signBias))
		}
	}
	return list
}

func fillGemm(p *params, c *nn.Call) {
	lhs, rhs := c.Input("lhs"), c.Input("rhs")
	rows, depth, columns := lhs.Dim(0), lhs.Dim(1), rhs.Dim(1)
	p.set("rows", int64(rows))
	p.set("columns", int64(columns))
	p.set("depth", int64(depth))
	p.matrix("lhs", "lhs_row_step", "lhs_depth_step", kernel.Data)
	p.matrix("rhs", "rhs_depth_step", "rhs_column_step", kernel.Weights)
	p.storedResult()
	offsets := false
	for _, side := range []string{"lhs", "rhs"} {
		list := signedOffsets(c, side)
		p.words(side+"_offsets", list)
		if len(list) > 1 {
			p.set(side+"_offset_step", int64(nn.I32.Bytes()))
		}
		offsets = offsets || slices.ContainsFunc(list, func(o int64) bool { return o != 0 })
	}
	if offsets {
		p.set("offsets", 1)
	}
	if lhs.Type == nn.U8 {
		p.set("bias", signBias*0x01010101)
	}
	p.stages(c, rows, columns)
	// Elements go from one memory to the other while they are packed, and lines while stages work.
	packed := (depth + 3) &^ 3
	p.room("lhs_packed", kernel.Weights, rows*packed)
	p.room("rhs_packed", kernel.Data, packed)
	line := (rows + 1) * nn.I32.Bytes()
	p.room("row_sums", kernel.Out, line)
	p.room("line", kernel.Data, line)
	p.room("other_line", kernel.Weights, line)
}

// room places memory the function may use.
func (p *params) room(member string, m kernel.Memory, bytes int) {
	p.pointer(member, p.layout.Place(kernel.Buffer{Name: member, Memory: m, Size: bytes, Writable: true}))
}

// words places numbers that the function reads one at a time.
func (p *params) words(member string, v []int64) {
	t := nn.FromInts(nn.I32, []int{len(v)}, v)
	p.pointer(member, p.layout.Place(kernel.Buffer{Name: member, Memory: kernel.Structs, Bytes: kernel.Elements(t)}))
}

// stored is a matrix as it lies in memory: in the order and with the stride that attributes say.
func stored(c *nn.Call, side string, rows, columns int) golden.GEMMMatrix {
	m := golden.GEMMMatrix{Rows: rows, Cols: columns, Stride: columns}
	if c.Attrs.String(side+"_order") == golden.GEMMColMajor.String() {
		m.Order, m.Stride = golden.GEMMColMajor, rows
	}
	if s := c.Attrs.Int(side + "_stride"); s != 0 {
		m.Stride = s
	}
	return m
}

// steps are the distances in bytes of two rows and of two columns of elements of n bytes.
func steps(m golden.GEMMMatrix, n int) (row, column int64) {
	if m.Order == golden.GEMMColMajor {
		return int64(n), int64(m.Stride * n)
	}
	return int64(m.Stride * n), int64(n)
}

// matrix places an operand. The bytes in its gaps follow from the place and must not matter.
func (p *params) matrix(side, rowStep, columnStep string, m kernel.Memory) {
	t := p.call.Input(side)
	s := stored(p.call, side, t.Dim(0), t.Dim(1))
	if !t.Filled() || s.Extent() > kernel.MaxBuffer {
		panic(unfit{fmt.Errorf("input %s: %d bytes with elements, 1 to %d are possible", side, s.Extent(), kernel.MaxBuffer)})
	}
	memory := make([]int64, s.Extent())
	for i := range memory {
		memory[i] = t.Type.Wrap(int64(i*151 + 89))
	}
	for r := range s.Rows {
		for c := range s.Cols {
			memory[s.Index(r, c)] = t.Ints[r*s.Cols+c]
		}
	}
	p.pointer(side, p.layout.Input(side, nn.FromInts(t.Type, []int{len(memory)}, memory), m))
	row, column := steps(s, t.Type.Bytes())
	p.set(rowStep, row)
	p.set(columnStep, column)
}

// storedResult places room for the result, and reads it back. The gaps must keep their bytes.
func (p *params) storedResult() {
	t := p.call.Output("out")
	if t == nil {
		panic(unfit{fmt.Errorf("output out is missing")})
	}
	s, size := stored(p.call, "out", t.Dim(0), t.Dim(1)), t.Type.Bytes()
	n := s.Extent() * size
	if n > kernel.MaxBuffer {
		panic(unfit{fmt.Errorf("output out: %d bytes, %d are possible", n, kernel.MaxBuffer)})
	}
	addr := p.layout.Scratch("out", n, size)
	before := slices.Clone(p.layout.Bytes(addr, n))
	p.pointer("out", addr)
	row, column := steps(s, size)
	p.set("out_row_step", row)
	p.set("out_column_step", column)
	typ, shape, format := t.Type, slices.Clone(t.Shape), t.Format
	p.layout.Result("out", func(r kernel.Reader) (*nn.Tensor, error) {
		after := make([]byte, n)
		if err := r.ReadMemory(addr, after); err != nil {
			return nil, err
		}
		elements := make([]byte, 0, s.Rows*s.Cols*size)
		gaps := slices.Clone(after)
		for i := range s.Rows {
			for j := range s.Cols {
				at := s.Index(i, j) * size
				elements = append(elements, after[at:at+size]...)
				copy(gaps[at:at+size], before[at:at+size])
			}
		}
		for i := range gaps {
			if gaps[i] != before[i] {
				return nil, fmt.Errorf("write to byte %d, which is in a gap between lines", i)
			}
		}
		out := kernel.Decode(typ, shape, elements)
		out.Format = format
		return out, nil
	})
}
