package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/mlikernels/cstruct"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite/prepare"
	"arcv2dsp/quant"
)

// softmaxParams is the parameter block of softmax.
var softmaxParams = &cstruct.Struct{
	Name: "arcq_softmax_params", Doc: "Softmax of rows of bytes.",
	Fields: []cstruct.Field{
		{Name: "in", Type: cstruct.Pointer, C: "const int8_t *", Asm: "SOFTMAX_IN"},
		{Name: "out", Type: cstruct.Pointer, Asm: "SOFTMAX_OUT", Doc: "apart from in, or the same when it has bytes"},
		{Name: "rows", Type: cstruct.I32, Asm: "SOFTMAX_ROWS"},
		{Name: "count", Type: cstruct.I32, Asm: "SOFTMAX_COUNT", Doc: "elements of a row"},
		{Name: "exponentials", Type: cstruct.Pointer, C: "const int32_t *", Asm: "SOFTMAX_EXPONENTIALS",
			Doc: "of the distance 0 below the greatest element; 255 others are before it"},
		{Name: "shift", Type: cstruct.I32, Asm: "SOFTMAX_SHIFT", Doc: "31 less the bits of an output element"},
		{Name: "least", Type: cstruct.I32, Asm: "SOFTMAX_LEAST", Doc: "output element"},
		{Name: "greatest", Type: cstruct.I32, Asm: "SOFTMAX_GREATEST"},
	},
}

// softmaxes are the rows of softmax.
func softmaxes() []row {
	op := operator(nn.TFLite, "SOFTMAX")
	var all []row
	for _, t := range []nn.Type{nn.I8, nn.I16} {
		symbol := "arcq_softmax_s8"
		if t != nn.I8 {
			symbol += "_" + typeName(t)
		}
		all = append(all, row{symbol: symbol, operator: "softmax", types: "s8", body: "softmax.inc", params: softmaxParams,
			computes: []*nn.Operator{op}, doc: "softmax of rows of bytes, outputs of " + typeName(t), rounds: bothRounds,
			equ: []string{fmt.Sprintf("OUT_BYTES,%d", t.Bytes())}, fill: fillSoftmax, grid: softmaxGrid(op, t),
			fits: func(c *nn.Call) error {
				if in, out := c.In[0].Type, c.Out[0].Type; in != nn.I8 || out != t {
					return fmt.Errorf("elements of %s to %s, not %s to %s", in, out, nn.I8, t)
				}
				return nil
			}})
	}
	return all
}

// softmaxInteger are the integer bits of the exponential's argument.
const softmaxInteger = 5

func fillSoftmax(p *params, c *nn.Call) {
	a, err := prepare.Softmaxed(c)
	if err != nil {
		p.fail(err)
		return
	}
	format, err := quant.NewFixed[int32](softmaxInteger)
	if err != nil {
		p.fail(err)
		return
	}
	p.input("in", "in", kernel.Data)
	p.output("out", "out")
	n := c.In[0].Dim(-1)
	p.set("rows", int64(c.In[0].Len()/n))
	p.set("count", int64(n))
	exps := make([]int64, 256)
	for i := range exps {
		if d := int32(i) - 255; int64(d) >= -a.Reach { // beyond it they count as nothing
			exps[i] = int64(format.ExpNegative(scaling(c).Apply(d, a.Factor)))
		}
	}
	table := nn.FromInts(nn.I32, []int{len(exps)}, exps)
	p.pointer("exponentials", p.layout.Input("exponentials", table, kernel.Weights)+255*4)
	lo, hi := c.Out[0].Type.Range()
	p.limits(prepare.Limits{Min: lo, Max: hi})
	p.set("shift", int64(31-c.Out[0].Type.Bits()))
}

// softmaxGrid is the grid of softmax: rows of all lengths, flat and steep, with equal elements and with one
// that stands out.
func softmaxGrid(op *nn.Operator, t nn.Type) func(*grid) {
	return func(g *grid) {
		add := func(rows, n int, beta float64, scale float32, kind string) {
			g.add(fmt.Sprintf("%dx%d_%g_%g_%s", rows, n, beta, scale, kind), func(r *rand.Rand) *nn.Call {
				in := random(r, nn.I8, rows, n)
				in.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{scale}, Zeros: []int64{int64(r.IntN(256) - 128)}}
				for i := range in.Ints {
					switch kind {
					case "equal":
						in.Ints[i] = in.Ints[0]
					case "peak":
						in.Ints[i] = min(in.Ints[i], -100)
						if i%n == n/2 {
							in.Ints[i] = 127
						}
					case "near":
						in.Ints[i] = 100 + in.Ints[i]>>4
					}
				}
				lo, _ := t.Range()
				out := &nn.Tensor{Type: t, Shape: in.Shape, Format: nn.Format{Kind: nn.Scaled, Zeros: []int64{lo},
					Scales: []float32{1 / float32(int(1)<<t.Bits())}}}
				return &nn.Call{Op: op, In: []*nn.Tensor{in}, Out: []*nn.Tensor{out}, Attrs: nn.Attrs{"beta": beta}}
			})
		}
		for i, n := range edges {
			add(1+i%3, n, 1, 0.1, "any")
			add(1, n, 1, 0.03, "near")
			add(2, n, 0.7, 1.5, "peak")
			add(1, n, 1, 0.01, "equal")
		}
		add(1, 1000, 1, 0.05, "any")
		add(1, 600, 1, 0.05, "equal")
		add(1, 4, 10, 10, "any")
	}
}
