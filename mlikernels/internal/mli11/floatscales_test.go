package mli11

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
)

// mantissa writes a float as a format of 31 bits does, with the fractional bits of the largest of several.
func mantissa(scales ...float32) nn.Format {
	f := nn.Format{Kind: nn.Mantissa, Axis: -1, ScaleFrac: math.MaxInt8}
	for _, s := range scales {
		_, exponent := math.Frexp(float64(s))
		f.ScaleFrac = min(f.ScaleFrac, 31-exponent)
	}
	for _, s := range scales {
		f.Mantissas = append(f.Mantissas, int32(math.Ldexp(float64(s), f.ScaleFrac)+0.5))
		f.Zeros = append(f.Zeros, 0)
	}
	return f
}

// TestScalesOfFloats: networks whose scales are floats come with 31 bits of each and with a bias scale that is a float
// itself. The kernels take them and compute what they mean; a bias scale that is another number is refused.
func TestScalesOfFloats(t *testing.T) {
	for _, core := range testCores {
		m := newTestMachine(t, core, nn.Convergent)
		for _, name := range []string{"conv2d_nhwc_sa8_sa8_sa32", "depthwise_conv2d_hwcn_sa8_sa8_sa32", "fully_connected_sa8_sa8_sa32"} {
			f := lookup(t, name)
			for i, in := range []float32{0.0235, 0.5, 0.99999994, 0.0039215689, 7.1e-3, 3.3} {
				for _, off := range []float64{0, 0x1p-26, 0x1p-20, -0x1p-18, 1} {
					t.Run(fmt.Sprintf("%s/%s/%v/%v", core, name, in, off), func(t *testing.T) {
						g := generator{function: f, rand: kernel.NewRand(name, kernel.Stream)}
						c := g.build(f.plainShapes())
						x, w, b, y := c.Input("in"), c.Input("w"), c.Input("b"), c.Out[0]
						weights := []float32{0.0117, 0.013, 0.0061, 0.0123456, 0.00987, 0.011}
						n := len(w.Format.Mantissas)
						if f.config != convConfiguration {
							n = 1
						}
						var ws, bs []float32
						for k := range n {
							ws = append(ws, weights[(k+i)%len(weights)])
							bs = append(bs, float32(float64(in*ws[k])*(1+off)))
						}
						zero := x.Format.Zeros[0]
						axis, biasAxis := w.Format.Axis, b.Format.Axis
						x.Format, w.Format, b.Format, y.Format = mantissa(in), mantissa(ws...), mantissa(bs...), mantissa(0.0717)
						x.Format.Zeros[0], w.Format.Axis, b.Format.Axis = zero, axis, biasAxis
						job, err := kernel.NewJob(c)
						require.NoError(t, err)
						rep, err := m.Run(context.Background(), f.kernel, job)
						require.NoError(t, err)
						if math.Abs(off) > 0x1p-22 {
							require.Equal(t, mli.StatusIncompatibleTensors.String(), rep.Status)
							return
						}
						require.True(t, rep.OK(), rep.Status)
						require.NoError(t, kernel.Difference(rep.Results["out"], job.Want["out"]))
					})
				}
			}
		}
	}
}
