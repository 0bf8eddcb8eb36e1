package mli20

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// realEdges are real numbers where a conversion changes: halves and their neighbours, where a sum with a half is a tie, the limits of
// words, and what is no number.
var realEdges = []float32{
	0, 0.5, 1.5, 2.5, math.Float32frombits(0x3effffff), math.Float32frombits(0x3effffff - 1), math.Float32frombits(0x3f000001),
	1<<22 + 0.5, 1<<22 + 1.5, 1<<23 - 0.5, 1 << 23, 1<<23 + 1, 1<<23 + 2, 1<<24 - 1, 1 << 24, 1<<24 + 2, 1 << 30, 1 << 31, 1<<31 - 128, 1 << 32,
	32767, 32767.5, 127.5, 128.5, 1e-45, 3e38, float32(math.Inf(1)), float32(math.NaN()),
}

// TestRealNumbers converts edges and any bits from and to real numbers, in formats of all kinds.
func TestRealNumbers(t *testing.T) {
	i := slices.IndexFunc(functions(), func(f *function) bool { return f.Name == "mli_hlp_convert_tensor" })
	f := functions()[i]
	for _, core := range testCores {
		for _, round := range Collection().Roundings {
			m := newTestMachine(t, core, round)
			g := &generator{function: f, rand: kernel.NewRand("real numbers", 1)}
			for n := range level.Count(2000, 400, 40) {
				v := &conversion{from: golden.FP32, to: convertible[n%4], in: -1, out: -1}
				if n%8 >= 4 {
					v.from, v.to = v.to, v.from
				}
				c := g.call(point{shapes: map[string][]int{"in": {3 * len(realEdges)}}})
				c.Rounding = round
				g.tensors(c, v)
				g.realNumbers(c)
				job, err := kernel.NewJob(c)
				require.NoError(t, err)
				require.NoError(t, check(m, f, job), "%s %v: %v to %v, %+v, %+v", core, round, v.from, v.to, c.In[0].Format, c.Out[0].Format)
			}
		}
	}
}

// realNumbers fills the input of a conversion: edges of both signs and any bits; every other format has one as its unit.
func (g *generator) realNumbers(c *nn.Call) {
	x := c.In[0]
	for _, f := range []*nn.Format{&c.In[0].Format, &c.Out[0].Format} {
		plain := g.rand.IntN(2) == 0
		f.Frac = g.rand.IntN(227) - 100 // beyond lie numbers below the least normal one
		if plain {
			f.Frac = 0
		}
		for i := range f.Mantissas {
			f.ScaleFracs[i] = f.Frac
			if plain {
				f.Mantissas[i] = 1
			}
		}
	}
	for i := range x.Len() {
		if x.Type.Float() {
			x.Floats[i] = math.Float32frombits(g.rand.Uint32())
			if math.Abs(float64(x.Floats[i])) < 0x1p-126 {
				x.Floats[i] = 0
			}
			if i < 2*len(realEdges) {
				x.Floats[i] = realEdges[i/2] * float32(1-2*(i%2))
			}
			continue
		}
		x.Ints[i] = x.Type.Clamp(int64(int32(g.rand.Uint32())) >> g.rand.IntN(32))
	}
}
