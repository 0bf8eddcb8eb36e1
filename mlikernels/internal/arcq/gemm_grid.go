package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// pipelines are the output stages of the grid behind a product of rows and columns, each stage at its limits too.
var pipelines = []struct {
	name   string
	stages func(r *rand.Rand, rows, columns int) []golden.GEMMStage
}{
	{name: "none", stages: func(*rand.Rand, int, int) []golden.GEMMStage { return nil }},
	{name: "usual", stages: func(r *rand.Rand, rows, _ int) []golden.GEMMStage {
		return []golden.GEMMStage{golden.GEMMBiasAddition{Shape: golden.GEMMCol, Bias: words(r, rows, 12)},
			golden.GEMMQuantizeDownByFixedPoint{Multiplier: 1<<30 + r.Int32N(1<<30), Shift: 1 + r.IntN(12), Offset: r.Int32N(256)},
			golden.GEMMClamp{Min: 3, Max: 250}, golden.GEMMCast{To: nn.U8}}
	}},
	{name: "unshifted", stages: func(r *rand.Rand, _, columns int) []golden.GEMMStage {
		return []golden.GEMMStage{golden.GEMMQuantizeDownByFixedPoint{Multiplier: -1 << 31, Shift: 0, Offset: -r.Int32()},
			golden.GEMMBiasAddition{Shape: golden.GEMMRow, Bias: words(r, columns, 0)}, golden.GEMMClamp{Min: 9, Max: -9}, golden.GEMMCast{To: nn.I16}}
	}},
	{name: "legacy", stages: func(r *rand.Rand, _, _ int) []golden.GEMMStage {
		return []golden.GEMMStage{golden.GEMMQuantizeDown{Offset: r.Int32() >> 12, Multiplier: r.Int32N(1 << 9), Shift: r.IntN(32)}, golden.GEMMCast{To: nn.U8}}
	}},
	{name: "legacy_rows", stages: func(r *rand.Rand, rows, _ int) []golden.GEMMStage {
		return []golden.GEMMStage{golden.GEMMQuantizeDownPC{Shape: golden.GEMMCol, Offset: words(r, rows, 0), Multiplier: words(r, rows, 20), Shift: r.IntN(3)},
			golden.GEMMCast{To: nn.I8}}
	}},
	{name: "legacy_columns", stages: func(r *rand.Rand, _, columns int) []golden.GEMMStage {
		return []golden.GEMMStage{golden.GEMMQuantizeDownPC{Shape: golden.GEMMRow, Offset: words(r, columns, 8), Multiplier: words(r, columns, 24), Shift: r.IntN(32)},
			golden.GEMMCast{To: nn.U8, Truncate: true}}
	}},
	{name: "exponent", stages: func(r *rand.Rand, _, _ int) []golden.GEMMStage {
		return []golden.GEMMStage{golden.GEMMScaleByExponent{Multiplier: r.Int32() - 1<<30, Exponent: r.IntN(63) - 31, Offset: r.Int32()}}
	}},
	{name: "exponent_rows", stages: func(r *rand.Rand, rows, _ int) []golden.GEMMStage {
		return []golden.GEMMStage{golden.GEMMScaleByExponentPC{Shape: golden.GEMMCol, Multiplier: words(r, rows, 0), Exponent: exponents(r, rows), Offset: 77}}
	}},
	{name: "exponent_columns", stages: func(r *rand.Rand, _, columns int) []golden.GEMMStage {
		return []golden.GEMMStage{golden.GEMMScaleByExponentPC{Shape: golden.GEMMRow, Multiplier: words(r, columns, 0), Exponent: exponents(r, columns), Offset: -7},
			golden.GEMMCast{To: nn.I16}}
	}},
	{name: "tanh", stages: func(r *rand.Rand, _, _ int) []golden.GEMMStage {
		amplitude := int32(1) << r.IntN(20)
		return []golden.GEMMStage{golden.GEMMTanh{Zero: r.Int32() >> 14, Amplitude: amplitude + r.Int32N(amplitude)}}
	}},
	{name: "clamps", stages: func(r *rand.Rand, _, _ int) []golden.GEMMStage {
		return []golden.GEMMStage{golden.GEMMClamp{Min: -r.Int32() >> 12, Max: r.Int32() >> 12}, golden.GEMMClamp{Min: -100, Max: 1 << 30}}
	}},
}

// words are numbers of 32 bits without their lowest down.
func words(r *rand.Rand, n, down int) []int32 {
	v := make([]int32, n)
	for i := range v {
		v[i] = int32(r.Uint32()) >> down
	}
	return v
}

func exponents(r *rand.Rand, n int) []int32 {
	v := make([]int32, n)
	for i := range v {
		v[i] = r.Int32N(63) - 31
	}
	return v
}

// factors are the factors of float results: usual, at both ends of the range, negative, zero.
var factors = []float64{0.0123, 1, -3.5e-7, 1e-40, 1.5e-45, 3e38, -1e30, 0, 7.1e-43, 2.3e-39}

// gemmCase is a case of a matrix product.
type gemmCase struct {
	rows, columns, depth int
	orders               [3]string
	gaps                 [3]int
	vectors              bool // offsets for every row and column
}

func (s gemmCase) name() string {
	name := fmt.Sprintf("%dx%dx%d_%.1s%.1s%.1s", s.rows, s.columns, s.depth, s.orders[0], s.orders[1], s.orders[2])
	if s.vectors {
		name += "_pc"
	}
	return name
}

// attrs are the attributes of layout; the strides are wider than they must be by the gaps.
func (s gemmCase) attrs() nn.Attrs {
	a := nn.Attrs{}
	for i, w := range []struct {
		side       string
		rows, cols int
	}{{side: "lhs", rows: s.rows, cols: s.depth}, {side: "rhs", rows: s.depth, cols: s.columns}, {side: "out", rows: s.rows, cols: s.columns}} {
		width := w.cols
		if s.orders[i] == golden.GEMMColMajor.String() {
			width = w.rows
		}
		a[w.side+"_order"] = s.orders[i]
		a[w.side+"_stride"] = width + s.gaps[i]
	}
	return a
}

// build makes a call of either operator.
func (s gemmCase) build(r *rand.Rand, op *nn.Operator, t nn.Type, offset int64) *nn.Call {
	c := &nn.Call{Op: op, Attrs: s.attrs(), In: []*nn.Tensor{random(r, t, s.rows, s.depth), random(r, t, s.depth, s.columns)}}
	value := func() int64 { return r.Int64N(2*offset+1) - offset }
	if s.vectors {
		for _, n := range []int{s.rows, s.columns} {
			v := nn.New(nn.I32, n)
			for i := range v.Ints {
				v.Ints[i] = value()
			}
			c.In = append(c.In, v)
		}
	} else {
		c.Attrs["lhs_offset"], c.Attrs["rhs_offset"] = int(value()), int(value())
	}
	return c
}

// gemmCases are all orders, then the depths and sizes around the unrolled 2, 4 and 32.
func gemmCases() []gemmCase {
	var all []gemmCase
	orders := []string{"row", "col"}
	for i := range 8 {
		all = append(all, gemmCase{rows: 5, columns: 6, depth: 13, orders: [3]string{orders[i&1], orders[i>>1&1], orders[i>>2]},
			gaps: [3]int{i % 3, i % 4, i % 5}, vectors: i%2 == 1})
	}
	straight := [3]string{"row", "col", "col"}
	for i, n := range edges {
		all = append(all, gemmCase{rows: 3, columns: 2, depth: n, orders: straight, gaps: [3]int{-n & 3, -n & 3, 1}, vectors: i%2 == 0},
			gemmCase{rows: n, columns: 3, depth: 8, orders: straight, vectors: i%2 == 1},
			gemmCase{rows: 4, columns: n, depth: 6, orders: [3]string{"col", "row", "row"}, vectors: i%2 == 0})
	}
	return all
}

// gemmGrid is the grid of matrix products with offsets up to a size: every layout and size, with every
// pipeline in turn.
func gemmGrid(pipeline, float *nn.Operator, greatest int64) func(*grid) {
	return func(g *grid) {
		offsets := []int64{0, 128, greatest}
		for i, s := range gemmCases() {
			t := []nn.Type{nn.U8, nn.I8}[i%2]
			offset := offsets[i%len(offsets)]
			for k := range 3 {
				p := pipelines[(3*i+k)%len(pipelines)]
				g.add(fmt.Sprintf("%s_%s_%s", s.name(), t, p.name), func(r *rand.Rand) *nn.Call {
					c := s.build(r, pipeline, t, offset)
					text, err := golden.FormatGEMMPipeline(p.stages(r, s.rows, s.columns))
					if err != nil {
						panic(fmt.Sprintf("mlikernels/internal/arcq: %s: %v", p.name, err)) // stages of ours have a text form
					}
					c.Attrs["pipeline"] = string(text)
					return c
				})
			}
			g.add(fmt.Sprintf("%s_%s_float", s.name(), t), func(r *rand.Rand) *nn.Call {
				c := s.build(r, float, t, offset)
				c.Attrs["factor"] = float64(float32(factors[i%len(factors)]))
				return c
			})
		}
	}
}
