package arcq

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
)

// farDown is a call of an operator with nine output channels whose factors are between 2^-20 and 2^-29, so that some are usual
// and some are not, and with biases that reach the ends of 32 bits, so that sums have both signs and elements many values.
func farDown(r *rand.Rand, name string, in, weights, out []int) *nn.Call {
	c := &nn.Call{Op: operator(nn.TFLite, name), Attrs: nn.Attrs{"fused_activation_function": "NONE"}}
	x, w, b := random(r, nn.I8, in...), random(r, nn.I8, weights...), random(r, nn.I32, 9)
	x.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{5}}
	w.Format = nn.Format{Kind: nn.Scaled, Zeros: []int64{0}, Axis: channelAxis(c)}
	for i := range b.Len() {
		w.Format.Scales = append(w.Format.Scales, (1+r.Float32())/float32(int(2)<<(20+i)))
	}
	c.In = []*nn.Tensor{x, w, b}
	c.Out = []*nn.Tensor{{Type: nn.I8, Shape: out, Format: nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{-77}}}}
	if name == "FULLY_CONNECTED" {
		return c
	}
	c.Attrs["padding"] = "SAME"
	for _, attr := range []string{"stride_h", "stride_w", "dilation_h_factor", "dilation_w_factor"} {
		c.Attrs[attr] = 1
	}
	if name == "DEPTHWISE_CONV_2D" {
		c.Attrs["depth_multiplier"] = 1
	}
	return c
}

// TestFactorsFarDown: kernels that take a product as a whole where factors are usual hold at the end of what is.
func TestFactorsFarDown(t *testing.T) {
	for _, core := range testCores {
		m := newTestMachine(t, core)
		r := rand.New(rand.NewPCG(1, 1))
		for _, c := range []*nn.Call{
			farDown(r, "FULLY_CONNECTED", []int{6, 9}, []int{9, 9}, []int{6, 9}),
			farDown(r, "CONV_2D", []int{1, 2, 3, 4}, []int{9, 3, 3, 4}, []int{1, 2, 3, 9}),
			farDown(r, "CONV_2D", []int{1, 2, 3, 9}, []int{9, 3, 3, 9}, []int{1, 2, 3, 9}),
			farDown(r, "DEPTHWISE_CONV_2D", []int{1, 2, 3, 9}, []int{1, 3, 3, 9}, []int{1, 2, 3, 9}),
		} {
			for _, round := range []nn.Rounding{nn.Double, nn.Single} {
				c := c.Clone()
				c.Rounding = round
				require.NoError(t, c.Prepare())
				want, err := c.Expect()
				require.NoError(t, err)
				for _, k := range Collection().Kernels {
					if !slices.Contains(k.Computes, c.Op) || k.Fits(c) != nil {
						continue
					}
					rep, err := m.Run(context.Background(), k, &kernel.Job{Call: c})
					require.NoError(t, err)
					require.NoError(t, kernel.Difference(rep.Results["out"], want.Out[0]), "%s on %s, %v", k.Symbol, core, round)
				}
			}
		}
	}
}
