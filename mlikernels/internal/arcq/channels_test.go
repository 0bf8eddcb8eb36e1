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

// channelCall is a call of an operator with nine output channels, their factors given, and biases of so many bits.
func channelCall(r *rand.Rand, name, activation string, in, weights, out []int, factor func(channel int) float32, bits int) *nn.Call {
	c := &nn.Call{Op: operator(nn.TFLite, name), Attrs: nn.Attrs{"fused_activation_function": activation}}
	x, w, b := random(r, nn.I8, in...), random(r, nn.I8, weights...), random(r, nn.I32, 9)
	x.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{5}}
	w.Format = nn.Format{Kind: nn.Scaled, Zeros: []int64{0}, Axis: channelAxis(c)}
	for i := range b.Ints {
		b.Ints[i] >>= 32 - bits
		w.Format.Scales = append(w.Format.Scales, factor(i))
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

// testChannels: every kernel that takes such calls gives what the golden function gives: by chains and by lines, by output and by
// row, in short windows and long ones, for pairs of channels and the last. Calls are changed before, if there is a way.
func testChannels(t *testing.T, activation string, factor func(channel int) float32, bits int, change func(*nn.Call)) {
	for _, core := range append(slices.Clone(testCores), smallCore) {
		m := newTestMachine(t, core)
		r := rand.New(rand.NewPCG(1, 1))
		for _, c := range []*nn.Call{
			channelCall(r, "FULLY_CONNECTED", activation, []int{6, 9}, []int{9, 9}, []int{6, 9}, factor, bits),
			channelCall(r, "FULLY_CONNECTED", activation, []int{24, 8}, []int{9, 8}, []int{24, 9}, factor, bits),
			channelCall(r, "CONV_2D", activation, []int{1, 2, 3, 4}, []int{9, 3, 3, 4}, []int{1, 2, 3, 9}, factor, bits),
			channelCall(r, "CONV_2D", activation, []int{1, 2, 3, 9}, []int{9, 3, 3, 9}, []int{1, 2, 3, 9}, factor, bits),
			channelCall(r, "DEPTHWISE_CONV_2D", activation, []int{1, 2, 3, 9}, []int{1, 3, 3, 9}, []int{1, 2, 3, 9}, factor, bits),
		} {
			for _, round := range []nn.Rounding{nn.Double, nn.Single} {
				c := c.Clone()
				c.Rounding = round
				if change != nil {
					change(c)
				}
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

// TestFactorsFarDown: kernels that take a product as a whole where factors are usual hold at the end of what is. Factors are
// between 2^-20 and 2^-27, so that some are usual and some are not, and biases reach the ends of 32 bits. Some of the biases lie
// where one element ends and factors need all their bits, so that no usual factor takes the place of one that is not.
func TestFactorsFarDown(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	factor := func(channel int) float32 { return (1 + r.Float32()) / float32(int(2)<<(20+channel%7)) }
	testChannels(t, "NONE", factor, 32, nil)
	testChannels(t, "NONE", factor, 32, func(c *nn.Call) {
		in := &c.In[0].Format.Scales[0]
		*in = 1.3
		for ch, scale := range c.In[1].Format.Scales {
			each := 1 / (float64(*in) * float64(scale)) // sums for an element
			least, greatest := max(-50, int(-1<<30/each)), min(200, int(1<<30/each))
			c.In[2].Ints[ch] = int64((float64(least+r.IntN(greatest-least)) + 0.5) * each)
		}
	})
}

// TestTiesOfChannels: sums of both signs that are often half way between two elements, without limits and with those of an
// activation.
func TestTiesOfChannels(t *testing.T) {
	for _, activation := range []string{"NONE", "RELU"} {
		testChannels(t, activation, func(channel int) float32 { return 1 / float32(int(8)<<(channel%4)) }, 8, nil)
	}
}
