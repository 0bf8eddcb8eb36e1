package arcq

import (
	"fmt"
	"math"
	"math/rand/v2"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// clampParams is the parameter block of the clamps.
var clampParams = declared("arcq_clamp_params")

// clamps are the rows of the clamps: TOSA's operator, and the rectifier of TensorFlow Lite that keeps the
// scale.
func clamps() []row {
	tosa, relu6 := operator(nn.TOSA, "CLAMP"), operator(nn.TFLite, "RELU6")
	r := row{
		operator: "clamp", body: "clamp.inc", params: clampParams, computes: []*nn.Operator{tosa, relu6},
		doc: "every element brought into a range",
		fill: func(p *params, c *nn.Call) {
			in := c.Op.Inputs[0].Role
			lo, hi := int64(c.Attrs.Int("min_val")), int64(c.Attrs.Int("max_val"))
			if c.Op == relu6 {
				lo, hi = sixRange(c.In[0])
			}
			p.input("in", in, kernel.Data)
			p.output("out", c.Op.Outputs[0].Role)
			p.set("count", int64(c.In[0].Len()))
			p.set("least", lo)
			p.set("greatest", hi)
		},
	}
	s8, s16 := r, r
	s8.symbol, s8.types, s8.equ, s8.fits, s8.grid = "arcq_clamp_s8", "s8", []string{"DATA_BYTES,1"}, inputsOf(nn.I8), clampGrid(nn.I8, tosa, relu6)
	s16.symbol, s16.types, s16.equ, s16.fits, s16.grid = "arcq_clamp_s16", "s16", []string{"DATA_BYTES,2"}, inputsOf(nn.I16), clampGrid(nn.I16, tosa, relu6)
	return []row{s8, s16}
}

// inputsOf is the rule of kernels whose first input has a type.
func inputsOf(t nn.Type) func(*nn.Call) error {
	return func(c *nn.Call) error {
		if got := c.In[0].Type; got != t {
			return fmt.Errorf("elements of %s, not %s", got, t)
		}
		return nil
	}
}

// sixRange is the range from 0 to 6 in the scale of a tensor, within its type. The quotient is rounded in
// single precision, ties away from zero.
func sixRange(t *nn.Tensor) (lo, hi int64) {
	lo, hi = t.Type.Range()
	zero := t.Format.Zero(0)
	six := zero + int64(math.Round(float64(float32(6)/float32(t.Format.Scale(0)))))
	return max(lo, zero), min(hi, six)
}

// clampGrid is the grid of a clamp.
func clampGrid(t nn.Type, tosa, relu6 *nn.Operator) func(*grid) {
	return func(g *grid) {
		lo, hi := t.Range()
		for _, n := range edges {
			for i, limits := range [][2]int64{{-7, 9}, {lo, hi}, {0, hi}, {lo, -1}, {3, 3}} {
				g.add(fmt.Sprintf("%d_%d", n, i), func(r *rand.Rand) *nn.Call {
					return &nn.Call{Op: tosa, Attrs: nn.Attrs{"min_val": int(limits[0]), "max_val": int(limits[1])},
						In: []*nn.Tensor{random(r, t, n)}, Out: []*nn.Tensor{{Type: t, Shape: []int{n}}}}
				})
			}
			g.add(fmt.Sprintf("%d_relu6", n), func(r *rand.Rand) *nn.Call {
				in := random(r, t, n)
				in.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{0.01 + r.Float32()/8}, Zeros: []int64{0}}
				if t == nn.I8 {
					in.Format.Zeros[0] = int64(r.IntN(256) - 128)
				}
				return &nn.Call{Op: relu6, In: []*nn.Tensor{in}, Out: []*nn.Tensor{{Type: t, Shape: []int{n}, Format: in.Format}}}
			})
		}
	}
}
