package mlikernels

import (
	"hash/fnv"
	"math"
	"math/rand/v2"

	"arcv2dsp/mlikernels/golden"
)

// newRand is a generator of its own for every name, so that a case does not change when others are
// added.
func newRand(name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(h.Sum64(), 0x9e3779b97f4a7c15))
}

// style is how the elements of a generated case are distributed.
type style uint8

const (
	styleBell    style = iota // most values small
	styleUniform              // the whole range
	styleExtreme              // minimum, maximum, zero and one often
	styleTies                 // small values and small shifts, so that halves are frequent
	styleCount
)

// generator makes cases for one kernel.
type generator struct {
	kernel *Kernel
	rand   *rand.Rand
	style  style
	round  golden.Rounding
}

// build makes a case of the given shapes: data by style, formats so that the outputs neither all
// vanish nor all saturate and no accumulator overflows.
func (g *generator) build(ints map[string]int, lists map[string][]int, shapes map[string][]int) *golden.Case {
	k := g.kernel.Golden
	c := &golden.Case{Lib: k.Lib, Kernel: k.Name, Round: g.round, Tensors: map[string]*golden.Tensor{},
		Params: golden.Params{Ints: map[string]int{}, Lists: map[string][]int{}}, Engine: "generated"}
	for name, v := range ints {
		c.Params.Ints[name] = v
	}
	for name, v := range lists {
		c.Params.Lists[name] = v
	}
	for _, role := range k.InputNames(c) {
		t := &golden.Tensor{Type: k.TypeOf(role), Shape: shapes[role], Dim: -1}
		g.fill(t, g.amplitude(role, shapes))
		c.Tensors[role] = t
	}
	g.formats(c, shapes)
	return c
}

// terms is the number of products one output sums.
func terms(shapes map[string][]int) int {
	w := shapes["w"]
	if w == nil {
		return 1
	}
	outputs := 1
	for _, d := range shapes["b"] {
		outputs *= d
	}
	n := 1
	for _, d := range w {
		n *= d
	}
	return max(1, n/outputs)
}

// amplitude limits the elements of operands of MACs so that the accumulator holds the worst sum.
func (g *generator) amplitude(role string, shapes map[string][]int) float64 {
	k := g.kernel.Golden
	full := math.Ldexp(1, k.TypeOf(role).Bits()-1)
	if g.style == styleTies {
		full = min(full, 8)
	}
	if shapes["w"] == nil || role == "b" || role == "cell_in" {
		return full
	}
	// data * weights * terms must stay below half of the accumulator: the other half is the bias's.
	// Affine data moves by a zero point, which costs one more bit.
	spare := float64(k.AccBits-2) - float64(k.Data.Bits()-1) - float64(k.Weights.Bits()-1) -
		math.Ceil(math.Log2(float64(terms(shapes))))
	if k.Data == golden.SA8 {
		spare--
	}
	if spare < 0 {
		full = max(1, math.Ldexp(full, int(math.Floor(spare/2))))
	}
	return full
}

func (g *generator) fill(t *golden.Tensor, amplitude float64) {
	lo, hi := -amplitude, amplitude-1
	if t.Type == golden.SA32 {
		lo, hi = -(1 << 15), 1<<15
	}
	t.Data = make([]int32, t.Len())
	for i := range t.Data {
		var v float64
		switch g.style {
		case styleBell:
			v = g.rand.NormFloat64() * amplitude / 3
			if t.Type == golden.SA32 {
				v = g.rand.NormFloat64() * hi / 3
			}
		case styleExtreme:
			v = [...]float64{lo, hi, 0, 1, -1, lo, hi}[g.rand.IntN(7)]
		default:
			v = lo + g.rand.Float64()*(hi-lo+1)
		}
		t.Data[i] = int32(max(lo, min(hi, math.Floor(v))))
	}
}

// formats chooses fractional bits, or scales and zero points.
func (g *generator) formats(c *golden.Case, shapes map[string][]int) {
	k := g.kernel.Golden
	if k.Data == golden.SA8 {
		g.affine(c, shapes)
		return
	}
	bits := k.Data.Bits()
	in := g.rand.IntN(bits)
	for role, t := range c.Tensors {
		t.Frac = in // operands of one format; changed below where they may differ
		_ = role
	}
	out := &golden.Tensor{Type: k.Data, Dim: -1, Frac: bits - 1}
	c.Tensors["out"] = out
	switch {
	case shapes["w"] != nil:
		g.macFormats(c, shapes, out)
	case c.Tensors["slope"] != nil:
		slope := c.Tensors["slope"]
		slope.Frac = g.rand.IntN(bits)
		out.Frac = in
	case g.kernel.Family == "eltwise_mul":
		c.Tensors["in2"].Frac = g.rand.IntN(bits)
		out.Frac = in + c.Tensors["in2"].Frac - (bits - 1) + g.rand.IntN(3)
		out.Frac = max(0, out.Frac)
	case g.kernel.Family == "sigm" || g.kernel.Family == "tanh" || g.kernel.Family == "softmax":
		c.Tensors["in"].Frac = bits - 1 - g.rand.IntN(6)
	default:
		out.Frac = in
	}
	if g.kernel.Family == "lstm_cell" {
		c.Tensors["cell_in"].Frac = bits - 1 - g.rand.IntN(4)
		c.Tensors["cell_out"] = &golden.Tensor{Type: k.Data, Dim: -1, Frac: c.Tensors["cell_in"].Frac}
	}
}

// macFormats chooses the formats of a MAC kernel: the output drops as many bits as the sums have
// beyond the container, give or take a few.
func (g *generator) macFormats(c *golden.Case, shapes map[string][]int, out *golden.Tensor) {
	k := g.kernel.Golden
	in, w, b := c.Tensors["in"], c.Tensors["w"], c.Tensors["b"]
	w.Frac = g.rand.IntN(k.Weights.Bits())
	prev := c.Tensors["prev_out"]
	if prev != nil {
		// The sum over the input is shifted to the state's products: downwards, or it could overflow.
		in.Frac = k.Data.Bits() - 1 - g.rand.IntN(2)
		prev.Frac = in.Frac - g.rand.IntN(3)
	}
	product := in.Frac + w.Frac
	var data, weights float64
	for _, v := range in.Data {
		data += float64(v) * float64(v)
	}
	for _, v := range w.Data {
		weights += float64(v) * float64(v)
	}
	rms := math.Sqrt(data/float64(len(in.Data))*weights/float64(len(w.Data))*float64(terms(shapes))) + 1
	drop := int(math.Round(math.Log2(rms))) - (k.Data.Bits() - 3) + g.rand.IntN(3)
	if g.style == styleTies {
		drop = 1 + g.rand.IntN(4)
	}
	out.Frac = max(0, product-drop)
	// The bias takes at most half of the accumulator and is of the size of the sums.
	room := k.AccBits - 2 - (k.Bias.Bits() - 1)
	shift := max(0, min(room, int(math.Log2(rms))-k.Bias.Bits()+3, product))
	b.Frac = product - shift
	if prev != nil {
		out.Frac = prev.Frac
	}
}

// affine chooses scales and zero points as a quantizer would: products of input and weight scales
// for the bias, an output scale that fits the sums.
func (g *generator) affine(c *golden.Case, shapes map[string][]int) {
	in := c.Tensors["in"]
	in.Zero, in.Scale, in.ScaleFrac = []int32{int32(g.rand.IntN(256) - 128)}, []int32{int32(400 + g.rand.IntN(3000))}, 16
	out := &golden.Tensor{Type: golden.SA8, Dim: -1, Zero: in.Zero, Scale: in.Scale, ScaleFrac: in.ScaleFrac}
	c.Tensors["out"] = out
	w := c.Tensors["w"]
	if w == nil {
		return
	}
	b := c.Tensors["b"]
	n := 1
	if g.kernel.Family != "fully_connected" {
		n = shapes["b"][0]
		w.Dim, b.Dim = 0, 0
		if g.kernel.Family == "depthwise_conv2d_hwcn" {
			w.Dim = 3
		}
	}
	w.ScaleFrac = 18
	b.ScaleFrac = in.ScaleFrac + w.ScaleFrac - 8
	for range n {
		s := int32(500 + g.rand.IntN(4000))
		w.Scale, w.Zero = append(w.Scale, s), append(w.Zero, 0)
		b.Scale = append(b.Scale, int32(int64(in.Scale[0])*int64(s)>>8))
		b.Zero = append(b.Zero, 0)
	}
	rms := math.Sqrt(float64(terms(shapes))) * 40 * 60
	real := rms * math.Ldexp(float64(in.Scale[0]), -in.ScaleFrac) * math.Ldexp(2500, -w.ScaleFrac)
	out.Scale = []int32{int32(max(64, math.Ldexp(real/50, 20)))}
	out.ScaleFrac = 20
	out.Zero = []int32{int32(g.rand.IntN(256) - 128)}
}
