package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// productParams is the parameter block of matrix products.
var productParams = declared("arcq_fully_connected_params")

// products are the rows of matrix products.
func products() []row {
	op, conv := operator(nn.TFLite, "FULLY_CONNECTED"), operator(nn.TFLite, "CONV_2D")
	return []row{{
		symbol: "arcq_fully_connected_s8", operator: "fully_connected", types: "s8", body: "fully_connected.inc",
		params: productParams, records: channelRecord, computes: []*nn.Operator{op, conv},
		doc:  "matrix product, 8-bit data and weights, 32-bit sums",
		fits: productFits, fill: fillProduct, macs: true, accBits: 32,
		rounds: []nn.Rounding{nn.Double, nn.Single}, grid: productGrid(op),
	}}
}

// productFits refuses calls of other types, and convolutions whose windows are not rows that lie one behind the other.
func productFits(c *nn.Call) error {
	in, weights := c.In[0], c.In[1]
	switch {
	case in.Type != nn.I8 || weights.Type != nn.I8:
		return fmt.Errorf("data of %s and weights of %s, not i8", in.Type, weights.Type)
	case c.Op.Name == "CONV_2D" && (in.Dim(3) != weights.Dim(3) || !rowsOfWindows(c)):
		return fmt.Errorf("a window of several cells, strides or groups")
	}
	return nil
}

// rowsOfWindows reports whether the windows of a convolution are rows of a matrix: each is a cell, and the next one is that of the
// next window, or each is a whole map.
func rowsOfWindows(c *nn.Call) bool {
	c = seen(c)
	h, v, _, err := convSpans(c)
	isDense := c.Attrs.Int("dilation_h_factor") == 1 && c.Attrs.Int("dilation_w_factor") == 1
	return err == nil && (h.isCell() && v.isCell() || isDense && h.isWhole() && v.isWhole())
}

func fillProduct(p *params, c *nn.Call) {
	weights, out := c.In[1], c.Out[0]
	f := must(filtered(c))
	p.input("in", "in", kernel.Data)
	if taken := seen(c).In[1]; taken != weights {
		weights = taken
		p.table("weights", nn.I8, weights.Ints)
	} else {
		p.input("weights", "weights", kernel.Weights)
	}
	folded := tflite.FoldedBias(weights, c.Input("bias"), 0, f.InZero, f.Wide)
	p.channels("channels", biases(c, len(folded)), folded, f.Factors)
	p.output("out", "out")
	p.set("rows", int64(out.Len()/weights.Dim(0)))
	p.set("inputs", int64(weights.Len()/weights.Dim(0)))
	p.set("outputs", int64(weights.Dim(0)))
	p.set("in_zero", f.InZero)
	p.set("weight_zero", f.WeightZero)
	p.set("out_zero", f.OutZero)
	p.set("least", f.Min)
	p.set("greatest", f.Max)
	if p.set("rare", rareChannels(f.Factors, c.Rounding)); f.WeightZero != 0 {
		p.set("rare", 1)
	}
}

// productGrid is the grid of matrix products.
func productGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		add := func(rows, in, out int, kind string, perChannel bool, zero int64) {
			g.add(fmt.Sprintf("%dx%d-%d_%s_z%d", rows, in, out, kind, zero), func(r *rand.Rand) *nn.Call {
				x, w, b := random(r, nn.I8, rows, in), random(r, nn.I8, out, in), random(r, nn.I32, out)
				x.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{int64(r.IntN(256) - 128)}}
				w.Format = nn.Format{Kind: nn.Scaled, Zeros: []int64{zero}}
				n := 1
				if perChannel {
					n = out
				}
				for range n {
					w.Format.Scales = append(w.Format.Scales, factorOf(r, kind, in))
				}
				for i := range b.Ints {
					b.Ints[i] >>= 16
				}
				y := &nn.Tensor{Type: nn.I8, Shape: []int{rows, out},
					Format: nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{int64(r.IntN(256) - 128)}}}
				return &nn.Call{Op: op, In: []*nn.Tensor{x, w, b}, Out: []*nn.Tensor{y},
					Attrs: nn.Attrs{"fused_activation_function": []string{"NONE", "RELU", "RELU6"}[r.IntN(3)]}}
			})
		}
		for i, n := range edges {
			add(1, n, 5, factorKinds[i%len(factorKinds)], i%2 == 0, 0)
			add(1, 12, n, factorKinds[(i+1)%len(factorKinds)], i%2 == 1, 0)
			add(1+i%3, n, 3, factorKinds[(i+2)%len(factorKinds)], false, int64(i%2*255-128))
		}
		for _, n := range []int{8, 16, 24, 32, 40} { // rows that stay in registers by loads, and the first that do not
			add(3, n, 7, "usual", true, 0)
		}
		// Many rows and one, whole and in blocks of what registers hold, and more of them than are taken at once.
		for i, n := range [][3]int{{7, 8, 5}, {9, 16, 3}, {13, 32, 9}, {14, 40, 6}, {16, 48, 11}, {20, 56, 4}, {300, 24, 3}, {20, 104, 5},
			{1, 40, 9}, {1, 48, 300}, {2, 104, 12}, {3, 136, 8}} {
			add(n[0], n[1], n[2], factorKinds[i%len(factorKinds)], i%2 == 0, 0)
		}
		add(4, 640, 128, "usual", false, 0)
		add(1, 2048, 33, "usual", true, 0)
	}
}
