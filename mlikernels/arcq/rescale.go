package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/mlikernels/cstruct"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite/prepare"
	"arcv2dsp/quant"
)

// rescaleParams is the parameter block of a change of scale.
var rescaleParams = &cstruct.Struct{
	Name: "arcq_rescale_params", Doc: "Elements with another scale, zero point or type.",
	Fields: []cstruct.Field{
		{Name: "in", Type: cstruct.Pointer, C: "const void *", Asm: "RESCALE_IN"},
		{Name: "out", Type: cstruct.Pointer, Asm: "RESCALE_OUT", Doc: "apart from in, or the same when elements are as wide"},
		{Name: "rows", Type: cstruct.I32, Asm: "RESCALE_ROWS"},
		{Name: "count", Type: cstruct.I32, Asm: "RESCALE_COUNT", Doc: "elements of a row"},
		{Name: "scales", Type: cstruct.Pointer, C: "const struct arcq_scale *", Asm: "RESCALE_SCALES", Doc: "one, or one for each element of a row"},
		{Name: "step", Type: cstruct.I32, Asm: "RESCALE_STEP", Doc: "4 for one of each element, else -4"},
		{Name: "in_zero", Type: cstruct.I32, Asm: "RESCALE_IN_ZERO"},
		{Name: "out_zero", Type: cstruct.I32, Asm: "RESCALE_OUT_ZERO"},
		{Name: "least", Type: cstruct.I32, Asm: "RESCALE_LEAST", Doc: "of an output element"},
		{Name: "greatest", Type: cstruct.I32, Asm: "RESCALE_GREATEST"},
		{Name: "way", Type: cstruct.I32, Asm: "RESCALE_WAY", Doc: "0 when all shifts are 1 to 31, 1 when all are controls, 2 for any, 3 when bit 31 says to nudge a product"},
	},
}

// The ways of the factors of a change of scale.
const (
	usualWay  = iota // all shifts are 1 to 31
	onceWay          // all are controls of a single rounding
	anyWay           // neither
	nudgedWay        // some have nudgeBit
)

// nudgeBit marks the shift of a product that is nudged.
const nudgeBit = -1 << 31

// rescales are the rows of changes of scale, one for each pair of types. An unsigned type is that of a
// flag of TOSA, or of the tensor.
func rescales() []row {
	quantize, relu, tosa := operator(nn.TFLite, "QUANTIZE"), operator(nn.TFLite, "RELU"), operator(nn.TOSA, "RESCALE")
	var all []row
	for _, from := range []nn.Type{nn.I8, nn.U8, nn.I16, nn.U16, nn.I32} {
		for _, to := range []nn.Type{nn.I8, nn.I16, nn.I32} {
			unsigned := 0
			if !from.Signed() {
				if to == nn.I32 {
					continue // neither library has it
				}
				unsigned = 1
			}
			r := row{symbol: "arcq_rescale_" + typeName(from) + "_" + typeName(to), operator: "rescale", types: fmt.Sprintf("s%d", from.Bits()),
				body: "rescale.inc", params: rescaleParams, records: scaleRecord, computes: []*nn.Operator{quantize, relu, tosa},
				doc: fmt.Sprintf("a change of scale, %s to %s", typeName(from), typeName(to)), rounds: bothRounds,
				equ:  []string{fmt.Sprintf("IN_BYTES,%d", from.Bytes()), fmt.Sprintf("IN_UNSIGNED,%d", unsigned), fmt.Sprintf("OUT_BYTES,%d", to.Bytes())},
				fill: fillRescale,
				fits: func(c *nn.Call) error {
					in, out := rescaleSides(c)
					if in != from || out.Bytes() != to.Bytes() || out.Float() {
						return fmt.Errorf("elements of %s to %s, not %s to %s", in, out, from, to)
					}
					return nil
				}}
			r.grid = rescaleGrid(quantize, relu, tosa, from, to)
			all = append(all, r)
		}
	}
	return all
}

// rescaleSides are the types of a change of scale as numbers.
func rescaleSides(c *nn.Call) (from, to nn.Type) {
	unsigned := map[nn.Type]nn.Type{nn.I8: nn.U8, nn.I16: nn.U16}
	from, to = c.In[0].Type, c.Out[0].Type
	if c.Op.Library == nn.TOSA {
		if t, ok := unsigned[from]; ok && c.Attrs.Bool("input_unsigned") {
			from = t
		}
		if t, ok := unsigned[to]; ok && c.Attrs.Bool("output_unsigned") {
			to = t
		}
	}
	return from, to
}

func fillRescale(p *params, c *nn.Call) {
	p.input("in", c.Op.Inputs[0].Role, kernel.Data)
	p.output("out", c.Op.Outputs[0].Role)
	_, to := rescaleSides(c)
	lo, hi := to.Range()
	limits := prepare.Limits{Min: lo, Max: hi}
	n, per, round, step := c.In[0].Len(), 1, c.Rounding, int64(-4)
	var factors []quant.Multiplier
	nudged := false
	if c.Op.Library == nn.TOSA {
		per, round, nudged = c.In[1].Len(), nn.Single, c.Attrs.Bool("double_round")
		if c.Attrs.Bool("per_channel") {
			n, step = per, 4
		}
		for i := range per {
			factors = append(factors, quant.Multiplier{Value: int32(c.In[1].Ints[i]), Shift: 31 - int(c.In[2].Ints[i])})
		}
		p.set("in_zero", int64(c.Attrs.Int("input_zp")))
		p.set("out_zero", int64(c.Attrs.Int("output_zp")))
	} else {
		s, err := prepare.Multiplied(c, 0)
		if err != nil {
			p.fail(err)
			return
		}
		factors, limits = []quant.Multiplier{s.Factor}, s.Limits
		p.set("in_zero", s.InZeros[0])
		p.set("out_zero", s.OutZero)
	}
	p.limits(limits)
	p.set("rows", int64(c.In[0].Len()/n))
	p.set("count", int64(n))
	p.set("step", step)
	way := int64(usualWay)
	if round == nn.Single {
		way = onceWay
	}
	b := make([]byte, len(factors)*scaleRecord.Size())
	for i, m := range factors {
		at, shift := b[i*scaleRecord.Size():], wordShift(m, round)
		if !usual(shift) && way == usualWay {
			way = anyWay
		}
		if nudged {
			way = nudgedWay
			if m.Down() > 31 {
				shift |= nudgeBit
			}
		}
		scaleRecord.Put(at, "multiplier", int64(m.Value))
		scaleRecord.Put(at, "shift", shift)
	}
	p.set("way", way)
	p.pointer("scales", p.layout.Place(kernel.Buffer{Name: "scales", Memory: kernel.Weights, Bytes: b}))
}

// rescaleGrid is the grid of a change of scale: TensorFlow Lite's where it has the types, TOSA's with all flags.
func rescaleGrid(quantize, relu, tosa *nn.Operator, from, to nn.Type) func(*grid) {
	return func(g *grid) {
		for i, n := range edges {
			for _, op := range []*nn.Operator{quantize, relu} {
				if c := (&nn.Call{Op: op, In: []*nn.Tensor{{Type: from}}, Out: []*nn.Tensor{{Type: to}}}); !hasTypes(c) {
					continue
				}
				kind := factorKinds[i%len(factorKinds)]
				g.add(fmt.Sprintf("%s_%d_%s", op.Name, n, kind), func(r *rand.Rand) *nn.Call {
					in := random(r, from, n)
					in.Format = scaleOf(r, from, factorOf(r, kind, 1))
					out := &nn.Tensor{Type: to, Shape: []int{n}, Format: scaleOf(r, to, 1)}
					if from == nn.I32 || kind == "large" && to == nn.I32 {
						in.Format.Scales[0] /= 1 << 14
					}
					return &nn.Call{Op: op, In: []*nn.Tensor{in}, Out: []*nn.Tensor{out}}
				})
			}
			for flags := range 4 {
				channel, wide := flags&1 != 0, flags&2 != 0
				g.add(fmt.Sprintf("tosa_%d_%d", n, flags), func(r *rand.Rand) *nn.Call { return rescaleCall(r, tosa, from, to, n, channel, wide) })
			}
		}
	}
}

// hasTypes reports whether the operator of a call exists for its types.
func hasTypes(c *nn.Call) bool {
	for _, s := range c.Op.Types {
		if c.Has(s) {
			return true
		}
	}
	return false
}

// rescaleCall is a call of TOSA's RESCALE. Shifts leave results within 32 bits, where the operator is
// defined.
func rescaleCall(r *rand.Rand, tosa *nn.Operator, from, to nn.Type, n int, channel, wide bool) *nn.Call {
	in, out := from, to
	attrs := nn.Attrs{"per_channel": channel, "scale32": wide, "double_round": wide && r.IntN(2) == 0}
	if !from.Signed() {
		attrs["input_unsigned"], in = true, map[nn.Type]nn.Type{nn.U8: nn.I8, nn.U16: nn.I16}[from]
	} else if from != nn.I32 && to != nn.I32 && r.IntN(3) == 0 {
		attrs["output_unsigned"] = true
	}
	zero := func(name string, t nn.Type, unsigned bool) {
		switch {
		case t == nn.I8 && unsigned:
			attrs[name] = r.IntN(256)
		case t == nn.I8:
			attrs[name] = r.IntN(256) - 128
		case t == nn.I16 && unsigned:
			attrs[name] = r.IntN(2) << 15
		}
	}
	zero("input_zp", in, !from.Signed())
	zero("output_zp", out, attrs["output_unsigned"] == true)
	shape, count := []int{1 + r.IntN(3), n}, 1
	if channel {
		count = n
	}
	t, lo, bits := nn.I16, int64(1), 15
	if wide {
		t, lo, bits = nn.I32, 1<<30, 31
	}
	m, s := nn.New(t, count), nn.New(nn.I8, count)
	least := max(2, bits+from.Bits()-29, from.Bits()+2)
	for i := range count {
		m.Ints[i] = lo + r.Int64N(1<<bits-lo)
		s.Ints[i] = int64(least + r.IntN(min(20, 63-least)))
	}
	return &nn.Call{Op: tosa, In: []*nn.Tensor{random(r, in, shape...), m, s}, Out: []*nn.Tensor{{Type: out, Shape: shape}}, Attrs: attrs}
}
