package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// rescaleParams is the parameter block of a change of scale.
var rescaleParams = declared("arcq_rescale_params")

// factorRecord is the factor of an element of a row.
var factorRecord = declared("arcq_factor")

// The ways of the factors of a change of scale.
const (
	usualWay  = iota // all shifts are 1 to 31
	onceWay          // all are controls of a single rounding
	upWay            // one factor with bits up before its multiplier
	nudgedWay        // controls of a single rounding, behind a nudge
)

// rescales are the rows of changes of scale, one for each pair of types. An unsigned type is that of a
// flag of TOSA, or of the tensor.
func rescales() []row {
	quantize, relu, tosa := operator(nn.TFLite, "QUANTIZE"), operator(nn.TFLite, "RELU"), operator(nn.TOSA, "RESCALE")
	var all []row
	for _, from := range []nn.Type{nn.I8, nn.U8, nn.I16, nn.U16, nn.I32, nn.I48} {
		for _, to := range []nn.Type{nn.I8, nn.I16, nn.I32} {
			unsigned := 0
			if !from.Signed() {
				if to == nn.I32 {
					continue // neither library has it
				}
				unsigned = 1
			}
			r := row{symbol: "arcq_rescale_" + typeName(from) + "_" + typeName(to), operator: "rescale", types: fmt.Sprintf("s%d", 8*from.Bytes()),
				body: "rescale.inc", params: rescaleParams, records: factorRecord, computes: []*nn.Operator{quantize, relu, tosa},
				doc: fmt.Sprintf("a change of scale, %s to %s", typeName(from), typeName(to)), rounds: bothRounds, rank: 2,
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
	limits := tflite.Limits{Min: lo, Max: hi}
	n, step := c.In[0].Len(), int64(-8)
	var factors []factor
	var way int64
	if c.Op.Library == nn.TOSA {
		way, factors = tosaFactors(c)
		if c.Attrs.Bool("per_channel") {
			n, step = len(factors), 4
		}
		p.set("in_zero", int64(c.Attrs.Int("input_zp")))
		p.set("out_zero", int64(c.Attrs.Int("output_zp")))
	} else {
		s := must(tflite.Multiplied(c, 0))
		limits = s.Limits
		way, factors = tfliteFactor(s.Factor, c.Rounding)
		p.set("in_zero", s.InZeros[0])
		p.set("out_zero", s.OutZero)
	}
	p.limits(limits)
	p.set("rows", int64(c.In[0].Len()/n))
	p.set("count", int64(n))
	p.set("step", step)
	p.set("way", way)
	b := make([]byte, len(factors)*factorRecord.Size())
	for i, f := range factors {
		at := b[i*factorRecord.Size():]
		factorRecord.Put(at, "multiplier", f.multiplier)
		factorRecord.Put(at, "nudge", f.nudge)
		factorRecord.Put(at, "shift", f.shift)
	}
	p.pointer("scales", p.layout.Place(kernel.Buffer{Name: "scales", Memory: kernel.Weights, Bytes: b}))
}

// factor is a multiplier with its shift, as an arcq_factor holds them.
type factor struct{ multiplier, nudge, shift int64 }

// tfliteFactor is the factor of a call of TensorFlow Lite, which has one, and the way of rounding.
func tfliteFactor(m quant.Multiplier, round nn.Rounding) (int64, []factor) {
	f := factor{multiplier: int64(m.Value), shift: wordShift(m, round)}
	switch {
	case round == nn.Single:
		return onceWay, []factor{f}
	case usual(f.shift):
		return usualWay, []factor{f}
	}
	f.shift = int64(m.Shift)
	return upWay, []factor{f}
}

// The bits below the point of a first rounding, and what a product is nudged by before it.
const (
	firstBits = 31
	halfFirst = 1 << (firstBits - 1)
)

// tosaFactors are the factors of a call of RESCALE, and their way. double_round rounds at bit 31 and then the
// rest, as TensorFlow Lite does, where there is a rest; elsewhere it rounds once.
func tosaFactors(c *nn.Call) (way int64, list []factor) {
	double := c.Attrs.Bool("double_round")
	twice := 0
	for i, v := range c.In[1].Ints {
		m := quant.Multiplier{Value: int32(v), Shift: firstBits - int(c.In[2].Ints[i])}
		f := factor{multiplier: v, shift: wordShift(m, nn.Single)}
		if double && m.Down() > firstBits {
			f.nudge = halfFirst
			twice++
		}
		list = append(list, f)
	}
	switch twice {
	case 0:
		return onceWay, list
	case len(list):
		for i := range list {
			list[i].shift = c.In[2].Ints[i] - firstBits
		}
		return usualWay, list
	}
	return nudgedWay, list
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
					if from == nn.I32 { // the library leaves results beyond 32 bits undefined
						in.Format.Scales[0] = min(in.Format.Scales[0], 0.99*out.Format.Scales[0])
					}
					return &nn.Call{Op: op, In: []*nn.Tensor{in}, Out: []*nn.Tensor{out}}
				})
			}
			for flags := range 4 {
				channel, wide := flags&1 != 0, flags&2 != 0
				if wide && from == nn.I48 {
					continue // these have multipliers of 16 bits
				}
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
	} else if from.Bits() < 32 && to != nn.I32 && r.IntN(3) == 0 {
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
		s.Ints[i] = int64(least + r.IntN(min(40, 63-least)))
	}
	return &nn.Call{Op: tosa, In: []*nn.Tensor{random(r, in, shape...), m, s}, Out: []*nn.Tensor{{Type: out, Shape: shape}}, Attrs: attrs}
}
