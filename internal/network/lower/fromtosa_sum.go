package lower

import (
	"fmt"
	"math"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// term is one input of a sum: two RESCALEs, the first of which shifts to the left.
type term struct {
	in       int
	zero     int64
	left     quant.Multiplier
	factor   quant.Multiplier
	rounding nn.Rounding
}

// term takes in the two RESCALEs before a value.
func (g *back) term(v int) term {
	second := g.writer(v)
	if second == nil || second.Op.Name != "RESCALE" || second.Attrs.Int("output_zp") != 0 {
		panic(unlowered{fmt.Errorf("a term of the sum is not rescaled")})
	}
	first := g.writer(second.In[0])
	if first == nil || first.Op.Name != "RESCALE" || first.Attrs.Int("output_zp") != 0 {
		panic(unlowered{fmt.Errorf("a term of the sum is not shifted to the left")})
	}
	f, rounding := g.factors(second)
	left, _ := g.factors(first)
	if len(f) != 1 || len(left) != 1 {
		panic(unlowered{fmt.Errorf("a term of the sum has a multiplier for each channel")})
	}
	g.take(first)
	g.take(second)
	t := term{in: first.In[0], zero: int64(first.Attrs.Int("input_zp")), left: left[0], factor: f[0], rounding: rounding}
	g.scaled(t.in)
	return t
}

// writer is the node that computes a value.
func (g *back) writer(v int) *nn.Node {
	for i := range g.from.Nodes {
		if slices.Contains(g.from.Nodes[i].Out, v) {
			return &g.from.Nodes[i]
		}
	}
	return nil
}

// sum makes ADD or SUB. It starts at the first RESCALE of the first term.
func (g *back) sum() {
	v := g.node.Out[0]
	if n := g.next(v, "RESCALE"); n != nil {
		v = n.Out[0]
	}
	n := g.next(v, "ADD", "SUB")
	if n == nil {
		panic(unlowered{fmt.Errorf("it requantizes nothing that TensorFlow Lite has")})
	}
	a := g.term(n.In[0])
	b := g.term(n.In[1])
	r := g.requantized(g.take(n))
	function := fused(r.limits, g.old(r.out))
	attrs := nn.Attrs{fusedAttr: function}
	c := g.call(n.Op.Name, attrs, r.rounding, g.old(r.out), g.old(a.in), g.old(b.in))
	p := must(tflite.Summed(c))
	shift := math.Ldexp(1, p.LeftShift)
	if a.left.Real() != shift || b.left.Real() != shift || a.factor != p.A || b.factor != p.B || len(r.factors) != 1 || r.factors[0] != p.Out ||
		a.zero != p.AZero || b.zero != p.BZero || r.outZero != p.OutZero || a.rounding != r.rounding || b.rounding != r.rounding {
		panic(unlowered{fmt.Errorf("the scales of its values do not give its multipliers and zero points")})
	}
	g.emit(n.Op.Name, attrs, r.rounding, r.out, g.value(a.in), g.value(b.in))
}
