package mli11

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// randomCase makes a legal case with shapes that follow no plan and, one time in three, formats that
// nobody would choose: many or no fractional bits, biases that need long shifts.
func randomCase(r *rand.Rand, f *function, round nn.Rounding) *nn.Call {
	within := func(lo, hi int) int { return lo + r.IntN(hi-lo+1) }
	g := generator{function: f, rand: r, round: round, style: mli.StyleOf(r.IntN(int(mli.Styles)))}
	c := g.build(randomShapes(r, f, within))
	if within(0, 2) == 0 {
		if f.Data == golden.SA8 {
			wildScales(f, c, within)
		} else {
			wildFormats(f, c, within)
		}
	}
	return c
}

func randomShapes(r *rand.Rand, f *function, within func(lo, hi int) int) (
	ints map[string]int, lists map[string][]int, shapes map[string][]int) {
	size := []int{3, 6, 9, 18}[within(0, 3)]
	c, h, w, o := within(1, size), within(1, size+3), within(1, size+3), within(1, size)
	kh, kw := within(1, 8), within(1, 8)
	if within(0, 1) == 0 {
		kh, kw = within(1, 3), within(1, 3)
	}
	ints = map[string]int{"relu": within(0, 3), "stride_w": 1, "stride_h": 1, "kernel_w": kw, "kernel_h": kh,
		"pad_l": within(0, kw-1), "pad_r": within(0, kw-1), "pad_t": within(0, kh-1), "pad_b": within(0, kh-1)}
	if within(0, 1) == 0 {
		ints["stride_w"], ints["stride_h"] = within(1, 4), within(1, 4)
	}
	h = max(h, kh-ints["pad_t"]-ints["pad_b"])
	w = max(w, kw-ints["pad_l"]-ints["pad_r"])
	switch {
	case f.config == convConfiguration:
		if f.order.depthwise && (c != 1 || f.order.channelsFirst) {
			o = c
		}
		shapes = map[string][]int{"in": f.order.maps(h, w, c), "w": f.order.weights(o, c, kh, kw), "b": {o}}
	case f.order != nil:
		shapes = map[string][]int{"in": f.order.maps(h, w, c)}
	case f.gates > 0:
		ints = map[string]int{"mode": within(0, 2), "act": within(0, 2)}
		n := within(1, 20)
		shapes = map[string][]int{"in": {within(1, 4), n}, "prev_out": {o}, "w": append(f.gateDims(), o, n+o),
			"b": append(f.gateDims(), o), "cell": {o}}
		if ints["mode"] == 0 {
			shapes["in"] = []int{n}
		}
	case f.weights():
		n := within(1, 80)
		shapes = map[string][]int{"in": {n}, "w": {o, n}, "b": {o}}
	case f.config == concatConfiguration:
		axis, base := within(0, 2), []int{within(1, 4), within(1, 4), within(1, 4)}
		ints = map[string]int{"axis": axis}
		shapes = map[string][]int{}
		for i := range within(1, 8) {
			s := append([]int(nil), base...)
			s[axis] = within(1, 5)
			shapes[fmt.Sprintf("in%d", i)] = s
		}
	case f.config == mli.Permute:
		rank := within(1, 4)
		shapes = map[string][]int{"in": []int{within(1, 6), within(1, 6), within(1, 6), within(1, 6)}[:rank]}
		lists = map[string][]int{"perm": r.Perm(rank)}
	default:
		n := []int{within(1, 40), within(1, 4)}
		shapes = map[string][]int{"in": n, "in1": n, "in2": n, "slope": {1}}
		if scalar := within(0, 4); scalar == 1 || scalar == 2 {
			shapes[fmt.Sprintf("in%d", scalar)] = []int{1}
		}
	}
	return ints, lists, shapes
}

func wildFormats(f *function, c *nn.Call, within func(lo, hi int) int) {
	for _, x := range c.In { // in this order: the case must follow from its seed
		x.Format.Frac = within(0, 31)
		if x.Type == nn.I8 || within(0, 1) == 0 {
			x.Format.Frac = within(0, 9)
		}
	}
	switch {
	case f.config == concatConfiguration:
		for _, x := range c.In {
			x.Format.Frac = 5
		}
	case c.Input("in2") != nil && f.formats == nil: // all but the product want one format
		c.Input("in2").Format.Frac = c.Input("in1").Format.Frac
	}
	if b := c.Input("b"); b != nil {
		b.Format.Frac = within(0, c.Input("in").Format.Frac+c.Input("w").Format.Frac)
		if within(0, 1) == 0 {
			for i := range b.Ints {
				b.Ints[i] >>= 6
			}
		}
	}
	if prev := c.Input("prev_out"); prev != nil {
		prev.Format.Frac = min(prev.Format.Frac, c.Input("in").Format.Frac)
	}
	c.Out[0].Format.Frac = within(0, 40)
}

// wildScales gives the tensors of an affine function scales over their whole range, zero points that no
// element has, and bias scales that are the products of the others only just.
func wildScales(f *function, c *nn.Call, within func(lo, hi int) int) {
	scale := func(bits int) int32 { return int32(1<<within(0, bits-1) + within(0, 1<<within(0, bits-1)-1)) }
	affine := func(bits, lo, hi int) nn.Format {
		return nn.Format{Kind: nn.Mantissa, Axis: -1, Zeros: []int64{int64(within(-32767, 32767))}, Mantissas: []int32{scale(bits)},
			ScaleFrac: within(lo, hi)}
	}
	in := &c.Input("in").Format
	*in = affine(14, -20, 31)
	if !f.weights() {
		return
	}
	w, b := &c.Input("w").Format, &c.Input("b").Format
	dropped := within(0, 20)
	w.ScaleFrac = within(-20, 31)
	b.ScaleFrac = in.ScaleFrac + w.ScaleFrac - dropped
	for i := range w.Mantissas {
		w.Mantissas[i] = scale(16)
		b.Mantissas[i] = max(1, in.Mantissas[0]*w.Mantissas[i]>>dropped+int32(within(-1, 1)))
	}
	c.Out[0].Format = affine(31, -40, 60)
}

// TestRandom: cases without a plan, at any alignment, agree with the golden model. A case whose sums
// overflow has no right answer and is left out.
func TestRandom(t *testing.T) {
	cases := level.Count(60, 6, 1)
	for _, core := range testCores {
		for _, round := range Collection().Roundings {
			t.Run(fmt.Sprintf("%s/%v", core, round), func(t *testing.T) {
				t.Parallel()
				m := newTestMachine(t, core, round)
				ran := 0
				for _, f := range functions() {
					for seed := range uint64(cases) {
						r := kernel.NewRand(fmt.Sprintf("%s %s %v %d", core, f.Name, round, seed), kernel.Stream)
						c := randomCase(r, f, round)
						job, err := kernel.NewJob(c)
						require.NotNil(t, job, "%s seed %d: %v", f.Name, seed, err)
						if err != nil {
							continue
						}
						if f.Bias != golden.SA32 || !f.weights() { // biases of words stay aligned
							size := uint32(f.Data.Bits() / 8)
							job.Offset, job.Skew = size*r.Uint32N(4/size), size*r.Uint32N(4/size)
						}
						job.Strides = randomStrides(r, f, c)
						ran++
						require.NoError(t, check(m, f, job), "%s seed %d: %v %v offset %d skew %d", f.Name, seed,
							c.Attrs, shapesOf(c), job.Offset, job.Skew)
					}
				}
				require.Greater(t, ran, cases*len(functions())*9/10, "cases without overflow")
			})
		}
	}
}

// randomStrides gives one of three calls holes where they may be.
func randomStrides(r *rand.Rand, f *function, c *nn.Call) map[string][]int {
	strides := map[string][]int{}
	for _, role := range f.spreadable() {
		if r.IntN(3) == 0 {
			strides[role] = spreadBy(c.Input(role).Shape, gaps{r.IntN(5), r.IntN(4), r.IntN(3)})
		}
	}
	return strides
}

func shapesOf(c *nn.Call) map[string][]int {
	m := map[string][]int{}
	for role, x := range c.Inputs() {
		m[role] = x.Shape
	}
	return m
}
