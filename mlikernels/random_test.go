package mlikernels

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/golden"
)

// randomCase makes a legal case with shapes that follow no plan and, one time in three, formats that
// nobody would choose: many or no fractional bits, biases that need long shifts.
func randomCase(r *rand.Rand, k *Kernel, round golden.Rounding) *golden.Case {
	within := func(lo, hi int) int { return lo + r.IntN(hi-lo+1) }
	g := generator{kernel: k, rand: r, round: round, style: style(r.IntN(int(styleCount)))}
	c := g.build(randomShapes(r, k, within))
	if within(0, 2) == 0 {
		if k.Golden.Data == golden.SA8 {
			wildScales(k, c, within)
		} else {
			wildFormats(k, c, within)
		}
	}
	return c
}

func randomShapes(r *rand.Rand, k *Kernel, within func(lo, hi int) int) (
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
	switch k.Family {
	case "conv2d_chw":
		shapes = map[string][]int{"in": {c, h, w}, "w": {o, c, kh, kw}, "b": {o}}
	case "conv2d_hwc", "conv2d_nhwc":
		shapes = map[string][]int{"in": {h, w, c}, "w": {o, kh, kw, c}, "b": {o}}
	case "depthwise_conv2d_chw":
		shapes = map[string][]int{"in": {c, h, w}, "w": {c, 1, kh, kw}, "b": {c}}
	case "depthwise_conv2d_hwcn":
		shapes = map[string][]int{"in": {h, w, c}, "w": {1, kh, kw, c}, "b": {c}}
	case "fully_connected":
		n := within(1, 80)
		shapes = map[string][]int{"in": {n}, "w": {o, n}, "b": {o}}
	case "maxpool_chw", "avepool_chw":
		shapes = map[string][]int{"in": {c, h, w}}
	case "maxpool_hwc", "avepool_hwc":
		shapes = map[string][]int{"in": {h, w, c}}
	case "basic_rnn_cell", "lstm_cell":
		ints = map[string]int{"mode": within(0, 2), "act": within(0, 2)}
		n := within(1, 20)
		shapes = map[string][]int{"in": {within(1, 4), n}, "prev_out": {o}, "w": {o, n + o}, "b": {o}, "cell_in": {o}}
		if ints["mode"] == 0 {
			shapes["in"] = []int{n}
		}
		if k.Family == "lstm_cell" {
			shapes["w"], shapes["b"] = []int{4, o, n + o}, []int{4, o}
		}
	case "concat":
		axis, base := within(0, 2), []int{within(1, 4), within(1, 4), within(1, 4)}
		ints = map[string]int{"axis": axis, "tensors_num": within(1, 8)}
		shapes = map[string][]int{}
		for i := range ints["tensors_num"] {
			s := append([]int(nil), base...)
			s[axis] = within(1, 5)
			shapes[fmt.Sprintf("in%d", i)] = s
		}
	case "permute":
		rank := within(1, 4)
		shapes = map[string][]int{"in": []int{within(1, 6), within(1, 6), within(1, 6), within(1, 6)}[:rank]}
		lists = map[string][]int{"perm": r.Perm(rank)}
	case "padding2d_chw", "padding2d_hwc":
		shapes = map[string][]int{"in": {h, w, c}}
	default:
		n := []int{within(1, 40), within(1, 4)}
		shapes = map[string][]int{"in": n, "in1": n, "in2": n, "slope": {1}}
		if scalar := within(0, 4); scalar == 1 || scalar == 2 {
			shapes[fmt.Sprintf("in%d", scalar)] = []int{1}
		}
	}
	return ints, lists, shapes
}

func wildFormats(k *Kernel, c *golden.Case, within func(lo, hi int) int) {
	for _, role := range k.Golden.InputNames(c) { // in this order: the case must follow from its seed
		x := c.Tensors[role]
		x.Frac = within(0, 31)
		if x.Type == golden.FX8 || within(0, 1) == 0 {
			x.Frac = within(0, 9)
		}
	}
	switch {
	case k.Config == ConfigConcat:
		for _, x := range c.Tensors {
			x.Frac = 5
		}
	case strings.HasPrefix(k.Family, "eltwise") && k.Family != "eltwise_mul":
		c.Tensors["in2"].Frac = c.Tensors["in1"].Frac
	}
	if b := c.Tensors["b"]; b != nil {
		b.Frac = within(0, c.Tensors["in"].Frac+c.Tensors["w"].Frac)
		if within(0, 1) == 0 {
			for i := range b.Data {
				b.Data[i] >>= 6
			}
		}
	}
	if prev := c.Tensors["prev_out"]; prev != nil {
		prev.Frac = min(prev.Frac, c.Tensors["in"].Frac)
	}
	c.Tensors["out"].Frac = within(0, 40)
	if cell := c.Tensors["cell_out"]; cell != nil {
		cell.Frac = c.Tensors["cell_in"].Frac
	}
}

// wildScales gives the tensors of an affine kernel scales over their whole range, zero points that no
// element has, and bias scales that are the products of the others only just.
func wildScales(k *Kernel, c *golden.Case, within func(lo, hi int) int) {
	scale := func(bits int) int32 { return int32(1<<within(0, bits-1) + within(0, 1<<within(0, bits-1)-1)) }
	wide := func() []int32 { return []int32{int32(within(-32767, 32767))} }
	in, out := c.Tensors["in"], c.Tensors["out"]
	in.Zero, in.Scale, in.ScaleFrac = wide(), []int32{scale(14)}, within(-20, 31)
	if !k.MACs() {
		return
	}
	w, b := c.Tensors["w"], c.Tensors["b"]
	dropped := within(0, 20)
	w.ScaleFrac = within(-20, 31)
	b.ScaleFrac = in.ScaleFrac + w.ScaleFrac - dropped
	for i := range w.Scale {
		w.Scale[i] = scale(16)
		b.Scale[i] = max(1, in.Scale[0]*w.Scale[i]>>dropped+int32(within(-1, 1)))
	}
	out.Zero, out.Scale, out.ScaleFrac = wide(), []int32{scale(31)}, within(-40, 60)
}

// TestRandom: cases without a plan, at any alignment, agree with the golden model. A case whose sums
// overflow has no right answer and is left out.
func TestRandom(t *testing.T) {
	cases := 60
	if testing.Short() {
		cases = 12
	}
	for _, core := range []string{"em9d", "em7d"} {
		for _, round := range []golden.Rounding{golden.Convergent, golden.Up} {
			t.Run(fmt.Sprintf("%s/%v", core, round), func(t *testing.T) {
				t.Parallel()
				m := newTestMachine(t, core, round)
				ran := 0
				for _, k := range Kernels() {
					for seed := range uint64(cases) {
						r := newRand(fmt.Sprintf("%s %s %v %d", core, k.Symbol, round, seed))
						c := randomCase(r, k, round)
						want, err := golden.Run(c)
						require.NoError(t, err, "%s seed %d", k.Symbol, seed)
						if len(want.Overflows) > 0 {
							continue
						}
						job := &Job{Case: c}
						if k.Golden.Bias != golden.SA32 || !k.MACs() { // biases of words stay aligned
							size := uint32(k.Golden.Data.Bits() / 8)
							job.Offset, job.Skew = size*r.Uint32N(4/size), size*r.Uint32N(4/size)
						}
						ran++
						require.NoError(t, check(m, k, job, want), "%s seed %d: %v %v offset %d skew %d", k.Symbol, seed,
							c.Params, shapesOf(c), job.Offset, job.Skew)
					}
				}
				require.Greater(t, ran, cases*len(Kernels())*9/10, "cases without overflow")
			})
		}
	}
}

func shapesOf(c *golden.Case) map[string][]int {
	m := map[string][]int{}
	for role, x := range c.Tensors {
		m[role] = x.Shape
	}
	return m
}
