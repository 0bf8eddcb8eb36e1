package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// placeRecord is where the matrices of a batch lie.
var placeRecord = declared("arcq_matrices")

// matmulParams is the parameter block of products of matrices that are both data. Steps are in bytes.
var matmulParams = declared("arcq_matmul_params")

// matrixProducts are the rows of products of matrices.
func matrixProducts() []row {
	lite, spec := operator(nn.TFLite, "BATCH_MATMUL"), operator(nn.TOSA, "MATMUL")
	general := func(r row) row {
		r.body, r.params, r.records = "matmul.inc", matmulParams, placeRecord
		r.macs = true
		return r
	}
	fits := func(data nn.Type) func(*nn.Call) error {
		return func(c *nn.Call) error {
			if t := c.In[0].Type; t != data {
				return fmt.Errorf("matrices of %s, not %s", t, data)
			}
			return nil
		}
	}
	return []row{
		general(row{
			symbol: "arcq_matmul_s8", operator: "matmul", types: "s8", computes: []*nn.Operator{lite}, accBits: 32,
			doc: "product of matrices, 8-bit data, 32-bit sums", equ: []string{"DATA_BYTES,1", "SUMS,0"},
			rounds: []nn.Rounding{nn.Double, nn.Single}, fits: fits(nn.I8), fill: fillBatchMatmul, grid: batchMatmulGrid(lite, nn.I8),
		}),
		general(row{
			symbol: "arcq_matmul_s16", operator: "matmul", types: "s16", computes: []*nn.Operator{lite}, accBits: 64,
			doc: "product of matrices, 16-bit data, 64-bit sums", equ: []string{"DATA_BYTES,2", "SUMS,0"},
			fits: fits(nn.I16), fill: fillBatchMatmul, grid: batchMatmulGrid(lite, nn.I16),
		}),
		general(row{
			symbol: "arcq_matmul_sums_s8", operator: "matmul_sums", types: "s8", computes: []*nn.Operator{spec}, accBits: 32,
			doc: "product of matrices, 8-bit data, the 32-bit sums themselves", equ: []string{"DATA_BYTES,1", "SUMS,1"},
			fits: fits(nn.I8), fill: fillMatmul, grid: matmulGrid(spec, nn.I8, nn.I32),
		}),
		general(row{
			symbol: "arcq_matmul_sums_s16", operator: "matmul_sums", types: "s16", computes: []*nn.Operator{spec}, accBits: 48,
			doc: "product of matrices, 16-bit data, the sums themselves in 64 bits", equ: []string{"DATA_BYTES,2", "SUMS,1"},
			fits: fits(nn.I16), fill: fillMatmul, grid: matmulGrid(spec, nn.I16, nn.I48),
		}),
	}
}

// matrixShape is the shape of a product and how its operands lie.
type matrixShape struct {
	rows, depth, columns int
	adjA, adjB           bool // an operand is written with rows and columns exchanged
}

// matrices fills in what all products have. a and b are the roles of the operands; of are the numbers of
// the matrices of every batch.
func (p *params) matrices(s matrixShape, a, b, out string, of [2][]int, aZero, bZero int64) {
	in1, in2 := p.call.Input(a), p.call.Input(b)
	size, outSize := in1.Type.Bytes(), p.call.Out[0].Type.Bytes()
	p.input("a", a, kernel.Data)
	p.input("b", b, kernel.Weights)
	table := make([]byte, placeRecord.Size()*len(of[0]))
	for i := range of[0] {
		placeRecord.Put(table[i*placeRecord.Size():], "a", int64(of[0][i]*s.rows*s.depth*size))
		placeRecord.Put(table[i*placeRecord.Size():], "b", int64(of[1][i]*s.depth*s.columns*size))
	}
	p.pointer("matrices", p.layout.Place(kernel.Buffer{Name: "matrices", Memory: kernel.Structs, Bytes: table}))
	rowA, stepA := s.depth, 1
	if s.adjA {
		rowA, stepA = 1, s.rows
	}
	columnB, stepB := 1, s.columns
	if s.adjB {
		columnB, stepB = s.depth, 1
	}
	if stepA != 1 {
		p.scratch("packed_a", in1.Type, s.rows*s.depth)
	}
	if stepB != 1 {
		p.pointer("packed_b", p.layout.Place(kernel.Buffer{Name: "packed_b", Memory: kernel.Weights, Size: s.depth * in2.Type.Bytes()}))
	}
	if in1.Type == nn.I8 {
		p.scratch("terms", nn.I32, s.rows)
	}
	p.output("out", out)
	for name, v := range map[string]int{
		"batches": len(of[0]), "rows": s.rows, "depth": s.depth, "columns": s.columns,
		"a_row": rowA * size, "a_step": stepA * size, "b_column": columnB * size, "b_step": stepB * size,
		"out_row": s.columns * outSize, "out_step": s.rows * s.columns * outSize,
	} {
		p.set(name, int64(v))
	}
	p.set("a_zero", aZero)
	p.set("b_zero", bZero)
	p.set("zeros", nn.I32.Wrap(int64(s.depth)*aZero*bZero))
}

func fillBatchMatmul(p *params, c *nn.Call) {
	f := must(tflite.Filtered(c))
	a, b, out := c.In[0], c.In[1], c.Out[0]
	s := matrixShape{rows: out.Dim(-2), columns: out.Dim(-1), depth: a.Dim(-1), adjA: c.Attrs.Bool("adj_x"), adjB: c.Attrs.Bool("adj_y")}
	if s.adjA {
		s.depth = a.Dim(-2)
	}
	batches := out.Shape[:len(out.Shape)-2]
	of := [2][]int{spreadMatrices(a.Shape, batches), spreadMatrices(b.Shape, batches)}
	p.matrices(s, "a", "b", "out", of, f.InZero, f.WeightZero)
	p.set("out_zero", f.OutZero)
	p.set("least", f.Min)
	p.set("greatest", f.Max)
	m := f.Factors[0]
	if f.Wide {
		if m.Shift > greatestWideShift {
			panic(unfit{fmt.Errorf("a factor of %g for sums of 64 bits, 2^%d or more", m.Real(), greatestWideShift)})
		}
		short := m.Reduce16()
		p.set("multiplier", int64(short.Value))
		p.set("shift", wideShiftWord(short))
		return
	}
	p.factor("multiplier", "shift", m)
	p.set("rare", anyShifts(f.Factors[:1], c.Rounding))
}

// spreadMatrices numbers the matrices of a tensor for every batch of the output: a dimension of one is
// broadcast.
func spreadMatrices(shape, batches []int) []int {
	of := []int{0}
	lead := len(batches) - (len(shape) - 2)
	for i, n := range batches {
		d := 1
		if i >= lead {
			d = shape[i-lead]
		}
		var next []int
		for _, v := range of {
			for j := range n {
				next = append(next, v*d+min(j, d-1))
			}
		}
		of = next
	}
	return of
}

func fillMatmul(p *params, c *nn.Call) {
	a, b := c.In[0], c.In[1]
	s := matrixShape{rows: a.Dim(1), depth: a.Dim(2), columns: b.Dim(2)}
	batches := []int{a.Dim(0)}
	of := [2][]int{spreadMatrices(a.Shape, batches), spreadMatrices(b.Shape, batches)}
	p.matrices(s, "A", "B", "output", of, int64(c.Attrs.Int("a_zp")), int64(c.Attrs.Int("b_zp")))
}

// matrixCases are the shapes of the grids: batches of both operands, and a shape.
func matrixCases() []struct {
	a, b []int
	matrixShape
} {
	type c = struct {
		a, b []int
		matrixShape
	}
	var all []c
	for i, n := range edges {
		all = append(all,
			c{a: []int{1}, b: []int{1}, matrixShape: matrixShape{rows: 3, depth: n, columns: 4, adjA: i%2 == 1, adjB: i%3 != 0}},
			c{a: []int{2}, b: []int{2}, matrixShape: matrixShape{rows: min(n, 33), depth: 6 + i%2, columns: 3, adjB: i%2 == 0}},
			c{a: []int{1}, b: []int{1}, matrixShape: matrixShape{rows: 2, depth: 5 + i%2, columns: min(n, 33), adjA: i%2 == 0, adjB: i%4 == 0}})
	}
	return append(all,
		c{a: []int{2, 1}, b: []int{1, 3}, matrixShape: matrixShape{rows: 4, depth: 7, columns: 5, adjB: true}},
		c{a: []int{3}, b: []int{2, 3}, matrixShape: matrixShape{rows: 4, depth: 8, columns: 5}},
		c{a: []int{1}, b: []int{2}, matrixShape: matrixShape{rows: 32, depth: 64, columns: 32, adjB: true}},
		c{a: []int{1}, b: []int{1}, matrixShape: matrixShape{rows: 32, depth: 64, columns: 32}},
	)
}

// operand is the shape of an operand: batches, rows and columns, or columns before rows where they are exchanged.
func operand(batches []int, rows, columns int, exchanged bool) []int {
	if exchanged {
		rows, columns = columns, rows
	}
	return append(append([]int{}, batches...), rows, columns)
}

// batchMatmulGrid is the grid of BATCH_MATMUL.
func batchMatmulGrid(op *nn.Operator, data nn.Type) func(*grid) {
	return func(g *grid) {
		for i, m := range matrixCases() {
			kind := factorKinds[i%len(factorKinds)]
			name := fmt.Sprintf("%d_%v_%v_%dx%dx%d_%t_%t_%s", i, m.a, m.b, m.rows, m.depth, m.columns, m.adjA, m.adjB, kind)
			g.add(name, func(r *rand.Rand) *nn.Call {
				zero := func() []int64 {
					if data == nn.I16 {
						return []int64{0}
					}
					return []int64{[]int64{-128, 127, 0, int64(r.IntN(256) - 128)}[r.IntN(4)]}
				}
				f := factorOf(r, kind, m.depth) / float32(1+m.depth/64) // scaled sums keep to 32 bits
				if data == nn.I16 {
					f /= 1 << 16
				}
				a, b := random(r, data, operand(m.a, m.rows, m.depth, m.adjA)...), random(r, data, operand(m.b, m.depth, m.columns, m.adjB)...)
				a.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: zero()}
				b.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{f}, Zeros: zero()}
				batches := m.b
				if len(m.a) > len(batches) {
					batches = m.a
				}
				batches = append([]int{}, batches...)
				for j := range batches {
					for _, s := range [][]int{m.a, m.b} {
						if k := j - (len(batches) - len(s)); k >= 0 {
							batches[j] = max(batches[j], s[k])
						}
					}
				}
				out := &nn.Tensor{Type: data, Shape: append(batches, m.rows, m.columns),
					Format: nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: zero()}}
				return &nn.Call{Op: op, In: []*nn.Tensor{a, b}, Out: []*nn.Tensor{out}, Attrs: nn.Attrs{"adj_x": m.adjA, "adj_y": m.adjB}}
			})
		}
	}
}

// matmulGrid is the grid of MATMUL.
func matmulGrid(op *nn.Operator, data, sum nn.Type) func(*grid) {
	return func(g *grid) {
		for i, m := range matrixCases() {
			batches := 1 + i%3
			g.add(fmt.Sprintf("%d_%dx%dx%d_%d", batches, m.rows, m.depth, m.columns, i), func(r *rand.Rand) *nn.Call {
				zero := func() int {
					if data == nn.I16 {
						return 0
					}
					return []int{-128, 127, 0, r.IntN(256) - 128}[r.IntN(4)]
				}
				return &nn.Call{Op: op,
					In:    []*nn.Tensor{random(r, data, batches, m.rows, m.depth), random(r, data, batches, m.depth, m.columns)},
					Out:   []*nn.Tensor{{Type: sum, Shape: []int{batches, m.rows, m.columns}}},
					Attrs: nn.Attrs{"a_zp": zero(), "b_zp": zero()}}
			})
		}
	}
}
