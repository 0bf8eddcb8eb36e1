package mli11

import (
	"arcv2dsp/mlikernels/internal/mli"
	"math"
	"math/rand/v2"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// generator makes calls of one function.
type generator struct {
	*function
	rand  *rand.Rand
	style mli.Style
	round nn.Rounding

	call *nn.Call // that is being built
	// input is the number of fractional bits of the first input, which the others have as well unless
	// their formats may differ.
	input int
}

// build makes a call with tensors of the given shapes: data by style, formats so that the outputs
// neither all vanish nor all saturate and no accumulator overflows.
func (g *generator) build(ints map[string]int, lists map[string][]int, shapes map[string][]int) *nn.Call {
	c := &nn.Call{Op: g.Operator, Rounding: g.round, Attrs: nn.Attrs{}}
	for name, v := range ints {
		if _, ok := c.Op.Attr(name); ok {
			c.Attrs[name] = v
		}
	}
	for name, v := range lists {
		c.Attrs[name] = v
	}
	n := len(c.Op.Inputs)
	if last := c.Op.Inputs[n-1]; last.Variadic {
		n = len(shapes)
	}
	for _, name := range nn.Names(c.Op.Inputs, n) {
		typ := g.TypeOf(nn.Port{Role: name})
		t := &nn.Tensor{Type: typ.Element(), Shape: shapes[name], Format: formatOf(typ)}
		g.fill(t, typ, g.amplitude(name, typ, shapes))
		c.In = append(c.In, t)
	}
	c.Out = []*nn.Tensor{{Type: g.Data.Element(), Format: formatOf(g.Data)}}
	g.call = c
	g.chooseFormats()
	return c
}

// formatOf is an empty format of a type.
func formatOf(t golden.MLIType) nn.Format {
	if t.Affine() {
		return nn.Format{Kind: nn.Mantissa, Axis: -1}
	}
	return nn.Format{Kind: nn.Fixed}
}

// terms is the number of products one output sums.
func terms(shapes map[string][]int) int {
	if shapes["w"] == nil {
		return 1
	}
	return max(1, nn.Count(shapes["w"])/nn.Count(shapes["b"]))
}

// termsOf is the number of products that one output of a call sums.
func termsOf(c *nn.Call) int {
	return terms(map[string][]int{"w": c.Input("w").Shape, "b": c.Input("b").Shape})
}

// amplitude limits the elements of operands of MACs so that the accumulator holds the worst sum.
func (g *generator) amplitude(role string, t golden.MLIType, shapes map[string][]int) float64 {
	full := math.Ldexp(1, t.Bits()-1)
	if g.style == mli.Ties {
		full = min(full, 8)
	}
	if !g.weights() || role == mli.Bias.Role || role == "cell" {
		return full
	}
	// data * weights * terms must stay below half of the accumulator: the other half is the bias's.
	// Affine data moves by a zero point, which costs one more bit.
	spare := float64(g.AccBits-2) - float64(g.Data.Bits()-1) - float64(g.Weights.Bits()-1) -
		math.Ceil(math.Log2(float64(terms(shapes))))
	if g.Data == golden.SA8 {
		spare--
	}
	if spare < 0 {
		full = max(1, math.Ldexp(full, int(math.Floor(spare/2))))
	}
	return full
}

func (g *generator) fill(t *nn.Tensor, typ golden.MLIType, amplitude float64) {
	lo, hi := -amplitude, amplitude-1
	if typ == golden.SA32 {
		lo, hi = -(1 << 15), 1<<15
	}
	t.Alloc()
	for i := range t.Ints {
		var v float64
		switch g.style {
		case mli.Bell:
			v = g.rand.NormFloat64() * amplitude / 3
			if typ == golden.SA32 {
				v = g.rand.NormFloat64() * hi / 3
			}
		case mli.Extreme:
			v = [...]float64{lo, hi, 0, 1, -1, lo, hi}[g.rand.IntN(7)]
		default:
			v = lo + g.rand.Float64()*(hi-lo+1)
		}
		t.Ints[i] = int64(max(lo, min(hi, math.Floor(v))))
	}
}

// chooseFormats chooses fractional bits, or scales and zero points.
func (g *generator) chooseFormats() {
	if g.Data == golden.SA8 {
		g.affine()
		return
	}
	g.input = g.rand.IntN(g.Data.Bits())
	for _, t := range g.call.In {
		t.Format.Frac = g.input
	}
	g.call.Out[0].Format.Frac = g.input
	if g.formats != nil {
		g.formats(g)
	}
}

// tensor is the input of a role.
func (g *generator) tensor(role string) *nn.Tensor { return g.call.Input(role) }

// slopeFormats chooses the format of a slope.
func (g *generator) slopeFormats() { g.tensor("slope").Format.Frac = g.rand.IntN(g.Data.Bits()) }

// productFormats gives the second factor a format of its own; the product drops most of the bits both have.
func (g *generator) productFormats() {
	bits := g.Data.Bits()
	second := &g.tensor("in2").Format.Frac
	*second = g.rand.IntN(bits)
	g.call.Out[0].Format.Frac = max(0, g.input+*second-(bits-1)+g.rand.IntN(3))
}

// tableFormats keeps the input within reach of a table.
func (g *generator) tableFormats() {
	bits := g.Data.Bits()
	g.tensor("in").Format.Frac = bits - 1 - g.rand.IntN(6)
	g.call.Out[0].Format.Frac = bits - 1
}

// cellFormats chooses the formats of an LSTM cell.
func (g *generator) cellFormats() {
	g.macFormats()
	g.tensor("cell").Format.Frac = g.Data.Bits() - 1 - g.rand.IntN(4)
}

// macFormats chooses the formats of a function with products: the output drops as many bits as the sums
// have beyond the container, give or take a few.
func (g *generator) macFormats() {
	in, w, b, out := g.tensor("in"), g.tensor("w"), g.tensor("b"), g.call.Out[0]
	w.Format.Frac = g.rand.IntN(g.Weights.Bits())
	prev := g.tensor("prev_out")
	if prev != nil {
		// The sum over the input is shifted to the state's products: downwards, or it could overflow.
		in.Format.Frac = g.Data.Bits() - 1 - g.rand.IntN(2)
		prev.Format.Frac = in.Format.Frac - g.rand.IntN(3)
	}
	product := in.Format.Frac + w.Format.Frac
	var data, weights float64
	for _, v := range in.Ints {
		data += float64(v) * float64(v)
	}
	for _, v := range w.Ints {
		weights += float64(v) * float64(v)
	}
	rms := math.Sqrt(data/float64(len(in.Ints))*weights/float64(len(w.Ints))*float64(termsOf(g.call))) + 1
	drop := int(math.Round(math.Log2(rms))) - (g.Data.Bits() - 3) + g.rand.IntN(3)
	if g.style == mli.Ties {
		drop = 1 + g.rand.IntN(4)
	}
	out.Format.Frac = max(0, product-drop)
	// The bias takes at most half of the accumulator and is of the size of the sums.
	room := g.AccBits - 2 - (g.Bias.Bits() - 1)
	shift := max(0, min(room, int(math.Log2(rms))-g.Bias.Bits()+3, product))
	b.Format.Frac = product - shift
	if prev != nil {
		out.Format.Frac = prev.Format.Frac
	}
}

// affine chooses scales and zero points as a quantizer would: products of input and weight scales
// for the bias, an output scale that fits the sums.
func (g *generator) affine() {
	in, out := &g.tensor("in").Format, &g.call.Out[0].Format
	in.Zeros = []int64{int64(g.rand.IntN(256) - 128)}
	in.Mantissas, in.ScaleFrac = []int32{int32(400 + g.rand.IntN(3000))}, 16
	*out = *in
	if !g.weights() {
		return
	}
	w, b := &g.tensor("w").Format, &g.tensor("b").Format
	n := 1
	if g.scaleAxis >= 0 {
		n = g.tensor("b").Shape[0]
		w.Axis, b.Axis = g.scaleAxis, 0
	}
	w.ScaleFrac = 18
	b.ScaleFrac = in.ScaleFrac + w.ScaleFrac - 8
	for range n {
		s := int32(500 + g.rand.IntN(4000))
		w.Mantissas, w.Zeros = append(w.Mantissas, s), append(w.Zeros, 0)
		b.Mantissas = append(b.Mantissas, int32(int64(in.Mantissas[0])*int64(s)>>8))
		b.Zeros = append(b.Zeros, 0)
	}
	rms := math.Sqrt(float64(termsOf(g.call))) * 40 * 60
	real := rms * math.Ldexp(float64(in.Mantissas[0]), -in.ScaleFrac) * math.Ldexp(2500, -w.ScaleFrac)
	*out = nn.Format{Kind: nn.Mantissa, Axis: -1, Mantissas: []int32{int32(max(64, math.Ldexp(real/50, 20)))}, ScaleFrac: 20,
		Zeros: []int64{int64(g.rand.IntN(256) - 128)}}
}
