package tosa

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
)

// rescale is the one operator that knows unsigned numbers: by its flags, on tensors without a sign.
func rescale() *Spec {
	return &Spec{
		Operator: nn.Operator{
			Name: "RESCALE", Doc: "change of scale and zero point: multiplier and shift for the tensor or each channel, then saturation",
			Inputs: []nn.Port{{Role: "input"}, {Role: "multiplier", Weights: true}, {Role: "shift", Weights: true}}, Outputs: outPort,
			Attrs: []nn.AttrSpec{
				inputZPAttr, outputZPAttr,
				{Name: "scale32", Default: false, Doc: "multipliers have 32 bits, not 16"},
				{Name: "double_round", Default: false, Doc: "round twice where the shift exceeds 31"},
				{Name: "inexact_round", Default: false, Doc: "any rounding will do; this one rounds once"},
				{Name: "per_channel", Default: false, Doc: "a multiplier and shift for each element of the last dimension"},
				{Name: "input_unsigned", Default: false, Doc: "the input's bits are an unsigned number"},
				{Name: "output_unsigned", Default: false, Doc: "the output's bits are an unsigned number"},
			},
			Golden: rescaleGolden,
		},
		Chapter: conversionChapter, Sets: rescaleTypes(), Ranks: []Rank{rankFrom(0), rank(1), rank(1), rankFrom(0)},
		Conditions: []Condition{
			sameShape,
			{
				Name: "multiplier type", Text: "multipliers are i32 with scale32, else i16", Outcome: nn.Error,
				Broken: func(c *nn.Call) string {
					want := nn.I16
					if c.Attrs.Bool("scale32") {
						want = nn.I32
					}
					return differ("the multiplier's type", c.In[1].Type, want)
				},
			},
			rescaleZeroPoint("input_zp", "input_unsigned", input(0)),
			rescaleZeroPoint("output_zp", "output_unsigned", output),
			{
				Name: "scale32 with i48", Text: "an input of type i48 is scaled with 16 bits", Outcome: nn.Error,
				Broken: func(c *nn.Call) string {
					if c.Attrs.Bool("scale32") && c.In[0].Type == nn.I48 {
						return "scale32 is set for i48"
					}
					return ""
				},
			},
			{
				Name: "double_round with scale32", Text: "only scaling with 32 bits rounds twice", Outcome: nn.Error,
				Broken: func(c *nn.Call) string {
					if c.Attrs.Bool("double_round") && !c.Attrs.Bool("scale32") {
						return "double_round is set without scale32"
					}
					return ""
				},
			},
			{
				Name: "unsigned", Text: "at most one side is unsigned, and then neither side is wider than 16 bits",
				Outcome: nn.Error, Broken: unsignedSides,
			},
			{
				Name: "channels", Text: "multiplier and shift have one element, or with per_channel one for each of the last dimension", Outcome: nn.Error,
				Broken: func(c *nn.Call) string {
					want := 1
					if c.Attrs.Bool("per_channel") {
						if len(c.In[0].Shape) == 0 {
							return "per_channel is set for rank 0"
						}
						want = c.In[0].Dim(-1)
					}
					return differ("the lengths of multiplier and shift", []int{c.In[1].Dim(0), c.In[2].Dim(0)}, []int{want, want})
				},
			},
			withElements(scaleMultiplier, func(c *nn.Call) string { return outside(c.In[1], 0, 1<<31-1) }),
			withElements(scaleShift, func(c *nn.Call) string { return outside(c.In[2], minShift, maxShift) }),
			scaleValue, scaleResult, rescaleResult,
		},
		Modes: []Extension{DoubleRound, InexactRound},
		Needs: func(c *nn.Call) (list []Extension) {
			if c.Attrs.Bool("double_round") {
				list = append(list, DoubleRound)
			}
			if c.Attrs.Bool("inexact_round") {
				list = append(list, InexactRound)
			}
			return list
		},
	}
}

// withElements gives a condition of a scaling its predicate over the operands of RESCALE.
func withElements(c Condition, broken func(*nn.Call) string) Condition {
	c.Elements, c.Broken = true, broken
	return c
}

var rescaleResult = Condition{
	Name: "result", Text: "the scaled value plus the output's zero point fits i32", Outcome: nn.Unpredictable,
}

// rescaleTypes is every pair of types, with multipliers of either width.
func rescaleTypes() []TypeSet {
	var sets []TypeSet
	for _, in := range []nn.Type{nn.I8, nn.I16, nn.I32, nn.I48} {
		for _, out := range []nn.Type{nn.I8, nn.I16, nn.I32} {
			for _, m := range []nn.Type{nn.I32, nn.I16} {
				set := TypeSet{Types: nn.Signature{in, m, nn.I8, out}}
				if in == nn.I48 {
					set.Extension = Int16
				}
				sets = append(sets, set)
			}
		}
	}
	return sets
}

// rescaleZeroPoint allows zero points for i8, and for i16 under the unsigned flag 0 and 32768.
func rescaleZeroPoint(attr, flag string, of func(*nn.Call) *nn.Tensor) Condition {
	return Condition{
		Name: attr, Text: attr + " is zero unless its side is i8 or unsigned i16; unsigned i16 has 0 or 32768", Outcome: nn.Error,
		Broken: func(c *nn.Call) string {
			zp, t, unsigned := int64(c.Attrs.Int(attr)), of(c).Type, c.Attrs.Bool(flag)
			var allowed bool
			switch {
			case t == nn.I8:
				allowed = side(t, unsigned).Holds(zp)
			case t == nn.I16 && unsigned:
				allowed = zp == 0 || zp == 1<<15
			default:
				allowed = zp == 0
			}
			if !allowed {
				return fmt.Sprintf("%s is %d for %s", attr, zp, side(t, unsigned))
			}
			return ""
		},
	}
}

func unsignedSides(c *nn.Call) string {
	in, out := c.In[0].Type, c.Out[0].Type
	inU, outU := c.Attrs.Bool("input_unsigned"), c.Attrs.Bool("output_unsigned")
	wide := func(t nn.Type) bool { return t == nn.I32 || t == nn.I48 }
	switch {
	case inU && outU:
		return "both sides are unsigned"
	case inU && (wide(in) || wide(out)), outU && (wide(in) || wide(out)):
		return fmt.Sprintf("%s to %s", side(in, inU), side(out, outU))
	}
	return ""
}

// side is the type a flag makes of a type without a sign.
func side(t nn.Type, unsigned bool) nn.Type {
	if !unsigned {
		return t
	}
	switch t {
	case nn.I8:
		return nn.U8
	case nn.I16:
		return nn.U16
	case nn.I32:
		return nn.U32
	}
	return t
}

func rescaleGolden(c *nn.Call) error {
	in, out := c.In[0], c.Out[0]
	from, to := side(in.Type, c.Attrs.Bool("input_unsigned")), side(out.Type, c.Attrs.Bool("output_unsigned"))
	inZP, outZP := int64(c.Attrs.Int("input_zp")), int64(c.Attrs.Int("output_zp"))
	scale32, double := c.Attrs.Bool("scale32"), c.Attrs.Bool("double_round")
	channels := c.In[1].Len()
	for i, raw := range in.Ints {
		v := from.Wrap(raw) - inZP
		m, shift := c.In[1].Ints[i%channels], int(c.In[2].Ints[i%channels])
		var r int64
		var err error
		if scale32 {
			r, err = applyScale32(v, m, shift, double)
		} else {
			r, err = applyScale16(v, m, shift)
		}
		if err != nil {
			return fmt.Errorf("output %s: %w", at(c, i), err)
		}
		if r += outZP; !nn.I32.Holds(r) {
			return rescaleResult.breach("output %s: %d", at(c, i), r)
		}
		out.Ints[i] = out.Type.Wrap(c.Watch.Clamp(to, r, i))
	}
	return nil
}

func cast() *Spec {
	types := []nn.Type{nn.Bool, nn.I8, nn.I16, nn.I32}
	var sets []TypeSet // of integers
	for _, from := range types {
		for _, to := range types {
			if from != to {
				sets = append(sets, TypeSet{Types: nn.Signature{from, to}})
			}
		}
	}
	s := &Spec{
		Operator: nn.Operator{
			Name: "CAST", Doc: "change of type: to bool tells zero from the rest, narrowing drops the upper bits, of floats it rounds",
			Inputs: []nn.Port{{Role: "input"}}, Outputs: outPort,
			Golden: func(c *nn.Call) error {
				for i, v := range c.In[0].Ints {
					if c.Out[0].Type == nn.Bool {
						c.Out[0].Ints[i] = truth(v != 0)
					} else {
						c.Out[0].Ints[i] = c.Out[0].Type.Wrap(v)
					}
				}
				return nil
			},
		},
		Chapter: conversionChapter, Sets: sets, Ranks: []Rank{rankFrom(0), rankFrom(0)}, Conditions: []Condition{sameShape},
	}
	return s.withFloats(castFloats, floatCasts()...)
}

const conversionChapter = "type conversion"

func conversions() []*Spec { return []*Spec{cast(), rescale()} }

// truth is a bool as an element.
func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// everyType lists signatures of n ports that all have one of the types.
func everyType(n int, types ...nn.Type) []TypeSet {
	var sets []TypeSet
	for _, t := range types {
		sets = append(sets, TypeSet{Types: slices.Repeat(nn.Signature{t}, n)})
	}
	return sets
}
