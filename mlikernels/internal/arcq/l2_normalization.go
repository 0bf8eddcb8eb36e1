package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/nn"
)

// l2Params is the parameter block of L2_NORMALIZATION.
var l2Params = declared("arcq_l2_normalization_params")

// normalizations are the rows of L2_NORMALIZATION.
func normalizations() []row {
	op := operator(nn.TFLite, "L2_NORMALIZATION")
	return []row{{symbol: "arcq_l2_normalization_s8", operator: "l2_normalization", types: "s8", body: "l2_normalization.inc", params: l2Params,
		computes: []*nn.Operator{op}, doc: "rows of bytes divided by the root of the sum of their squares", rounds: bothRounds, fits: inputsOf(nn.I8), fill: fillL2, grid: l2Grid(op)}}
}

func fillL2(p *params, c *nn.Call) {
	p.lines(c)
	p.set("in_zero", c.In[0].Format.Zero(0))
	if c.Rounding == nn.Single {
		p.set("control", getUpper)
	}
}

// l2Grid has rows of all lengths: of any elements, of small ones, of the greatest, of zeros and with a single one
// that is not zero.
func l2Grid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		add := func(rows, n int, kind string) {
			g.add(fmt.Sprintf("%dx%d_%s", rows, n, kind), func(r *rand.Rand) *nn.Call {
				in := random(r, nn.I8, rows, n)
				zero := int64(r.IntN(256) - 128)
				for i := range in.Ints {
					switch kind {
					case "small":
						in.Ints[i] = nn.I8.Clamp(zero + in.Ints[i]>>6)
					case "greatest":
						in.Ints[i], zero = 127, -128
					case "zero":
						in.Ints[i] = zero
					case "single":
						in.Ints[i] = zero
						if i%n == n/2 {
							in.Ints[i] = nn.I8.Clamp(zero + 1 + int64(i/n))
						}
					}
				}
				in.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{0.1}, Zeros: []int64{zero}}
				out := &nn.Tensor{Type: nn.I8, Shape: in.Shape, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{1.0 / 128}, Zeros: []int64{0}}}
				return &nn.Call{Op: op, In: []*nn.Tensor{in}, Out: []*nn.Tensor{out}, Attrs: nn.Attrs{}}
			})
		}
		for i, n := range edges {
			add(1+i%3, n, "any")
			add(2, n, "small")
			add(1, n, []string{"greatest", "zero"}[i%2])
			add(4, n, "single")
		}
		add(1, 20000, "greatest")
		add(1, 1000, "any")
	}
}
