package mli11

import (
	"fmt"
	"slices"
	"sync"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/rule"
)

// Typing is one combination of element types, with the suffix the library gives it.
type Typing struct {
	Suffix              string
	Data, Weights, Bias Type
	AccBits             int // width of the accumulator of functions with products
}

// Function is one function of the library: an operator in one combination of element types.
type Function struct {
	*nn.Operator
	Family string // the operator without its types: "conv2d_hwc"
	Typing

	model model
}

// FixesFormat reports whether the function itself sets the format of its output for this call, whatever
// the caller wrote there.
func (f *Function) FixesFormat(c *nn.Call) bool {
	_, fixed := f.model.formatOf(f.Typing, c)
	return fixed
}

// TypeOf is the element type that a port has in this function.
func (f *Function) TypeOf(p nn.Port) Type { return f.typeOf(p.Role) }

func (t Typing) typeOf(role string) Type {
	switch role {
	case "w":
		return t.Weights
	case "b":
		return t.Bias
	default:
		return t.Data
	}
}

// model computes one operator in any combination of types.
type model struct {
	// format is the format the library gives the output, false when the caller chooses it; nil when the
	// caller always does.
	format func(Typing, *nn.Call) (nn.Format, bool)
	// shape checks the call and says what shape the output has.
	shape func(Typing, *nn.Call) []int
	// exact computes the output, and the new contents of states.
	exact func(Typing, *nn.Call)
	// scalars are the inputs that may have rank 0: the tensor holds its element in the place of the address.
	scalars []string
	// macs counts products with elements of the inputs; nil when there are none.
	macs func(*nn.Call) int64
}

func (m model) formatOf(t Typing, c *nn.Call) (nn.Format, bool) {
	if m.format == nil {
		return nn.Format{}, false
	}
	return m.format(t, c)
}

// inputFormat is the rule of functions whose output has the format of their input.
func inputFormat(_ Typing, c *nn.Call) (nn.Format, bool) { return c.Input("in").Format, true }

// unitFormat is the rule of functions whose output has all its bits below the point.
func unitFormat(t Typing, _ *nn.Call) (nn.Format, bool) {
	return nn.Format{Kind: nn.Fixed, Frac: t.Data.Bits() - 1}, true
}

func inputShape(_ Typing, c *nn.Call) []int { return c.Input("in").Shape }

// functions makes a function of every operator in each of its combinations of types.
var functions = sync.OnceValue(func() []*Function {
	var all []*Function
	for _, f := range families() {
		for _, t := range f.types {
			all = append(all, newFunction(f, t))
		}
	}
	return all
})

func newFunction(f family, t Typing) *Function {
	m := f.model
	op := &nn.Operator{
		Library: nn.MLI11,
		Name:    fmt.Sprintf("mli_krn_%s_%s", f.name, t.Suffix),
		Doc:     f.doc,
		Inputs:  f.inputs,
		Outputs: []nn.Port{{Role: "out"}},
		Attrs:   f.attrs,
		MACs:    m.macs,
		Check:   rule.Of(func(c *nn.Call) { rule.Hold(checkCall(t, m, c)) }),
		Shapes: rule.Of(func(c *nn.Call) {
			out := c.Out[0]
			out.Type = t.Data.Element()
			if format, fixed := m.formatOf(t, c); fixed {
				out.Format = format
			}
			if err := t.Data.CheckFormat(out.Format); err != nil {
				panic(fmt.Errorf("tensor \"out\": %w", err))
			}
			out.Shape = m.shape(t, c)
		}),
		Golden: rule.Of(func(c *nn.Call) {
			filled(c)
			m.exact(t, c)
		}),
	}
	var types nn.Signature
	for _, p := range f.inputs {
		types = append(types, t.typeOf(p.Role).Element())
	}
	op.Types = []nn.Signature{append(types, t.Data.Element())}
	return &Function{Operator: op, Family: f.name, Typing: t, model: m}
}

// checkCall states what all functions want: inputs in formats of their types, an output to write, and
// one of the two roundings.
func checkCall(t Typing, m model, c *nn.Call) error {
	if c.Rounding != nn.Convergent && c.Rounding != nn.Up {
		return fmt.Errorf("the library does not round %v", c.Rounding)
	}
	for i, x := range c.In {
		role := c.Op.Inputs[min(i, len(c.Op.Inputs)-1)].Role
		if x == nil {
			return fmt.Errorf("no tensor %q", role)
		}
		if err := t.typeOf(role).Check(x); err != nil {
			return fmt.Errorf("tensor %q: %w", role, err)
		}
		if len(x.Shape) == 0 && !slices.Contains(m.scalars, role) {
			return fmt.Errorf("tensor %q: no dimensions", role)
		}
	}
	if len(c.In) == 0 {
		return fmt.Errorf("no tensor %q", c.Op.Inputs[0].Role)
	}
	if len(c.Out) == 0 || c.Out[0] == nil {
		return fmt.Errorf("no format for output %q", "out")
	}
	return nil
}

// filled fails for a call with an input that has no elements.
func filled(c *nn.Call) {
	for i, x := range c.In {
		if !x.Filled() {
			panic(fmt.Errorf("tensor %q has no data", c.Op.Inputs[min(i, len(c.Op.Inputs)-1)].Role))
		}
	}
}

// Functions lists the functions of the library.
func Functions() []*Function { return functions() }

// FunctionOf is the function that an operator of the library is, nil for other operators.
func FunctionOf(op *nn.Operator) *Function { return index()[op] }

var index = sync.OnceValue(func() map[*nn.Operator]*Function {
	m := map[*nn.Operator]*Function{}
	for _, f := range functions() {
		m[f.Operator] = f
	}
	return m
})

// Operators lists the operators of the library.
func Operators() []*nn.Operator {
	var all []*nn.Operator
	for _, f := range functions() {
		all = append(all, f.Operator)
	}
	return all
}
