package mli20

import (
	"fmt"
	"slices"
	"sync"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// Typing is one combination of element types, with the suffix the library gives it.
type Typing struct {
	Suffix              string
	Data, Weights, Bias mli.Type
	AccBits             int // width of the accumulator of functions with products
}

func (t Typing) typeOf(role string) mli.Type {
	switch role {
	case "b":
		return t.Bias
	case "tanh_lut", "sigm_lut", "lut":
		return mli.FX16
	}
	if role[0] == 'w' {
		return t.Weights
	}
	return t.Data
}

// Function is one function of the library: an operator in one combination of element types.
type Function struct {
	*nn.Operator
	Family string // the operator without its types: "conv2d_hwcn"
	Typing

	model model
}

// FixesFormat reports whether the function itself sets the format of its output.
func (f *Function) FixesFormat() bool { return f.model.format != nil }

// TypeOf is the element type that a port has in this function, given the tensor it has in a call.
func (f *Function) TypeOf(role string) mli.Type {
	if role == "out" && f.model.result != nil {
		return *f.model.result
	}
	return f.typeOf(role)
}

// model computes one operator in any combination of types.
type model struct {
	// format is the format the function gives its output; nil when the caller chooses it.
	format func(Typing, *nn.Call) nn.Format
	// result is the type of the output where it differs from the type of the data.
	result *mli.Type
	// shape checks the shapes of the inputs and says what shape an output has that the caller leaves open.
	shape func(Typing, *nn.Call) []int
	// check states the rules of the function; the output has its shape and format.
	check func(Typing, *nn.Call)
	// exact computes the output, and the new contents of states.
	exact func(Typing, *nn.Call)
	// macs counts products with elements of the inputs; nil when there are none.
	macs func(Typing, *nn.Call) int64
	// inPlace: the output may lie over the input.
	inPlace bool
}

// The statuses that rules give.
const (
	badTensor    = "BAD_TENSOR"
	shapeWrong   = "SHAPE_MISMATCH"
	incompatible = "INCOMPATEBLE_TENSORS"
	badConfig    = "BAD_FUNC_CFG"
	unsupported  = "NOT_SUPPORTED"
	badParams    = "SPEC_PARAM_MISMATCH"
	wrongSize    = "SIZE_MISMATCH"
)

// violation is the error of a broken rule.
func violation(status, format string, args ...any) error {
	return &nn.Violation{Outcome: nn.Error, Condition: status, Detail: fmt.Sprintf(format, args...)}
}

// refuse is a rule: it refuses a call where something holds.
func refuse(when bool, status, format string, args ...any) {
	if when {
		panic(violation(status, format, args...))
	}
}

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
	fn := &Function{Family: f.name, Typing: t, model: m}
	op := &nn.Operator{
		Library: nn.MLI20,
		Name:    f.symbol(t),
		Doc:     f.doc,
		Inputs:  f.inputs,
		Outputs: []nn.Port{{Role: "out"}},
		Attrs:   f.attrs,
		InPlace: m.inPlace,
		Check:   rule.Of(func(c *nn.Call) { rule.Hold(checkCall(fn, c)) }),
		Shapes:  rule.Of(func(c *nn.Call) { shapes(fn, c) }),
		Golden: rule.Of(func(c *nn.Call) {
			for i, x := range c.In {
				if x != nil && !x.Filled() {
					panic(fmt.Errorf("tensor %q has no data", c.Op.Inputs[i].Role))
				}
			}
			m.exact(t, c)
		}),
	}
	if m.macs != nil {
		op.MACs = rule.Counted(func(c *nn.Call) int64 { return m.macs(t, c) })
	}
	if !f.anyType {
		var types nn.Signature
		for _, p := range f.inputs {
			types = append(types, t.typeOf(p.Role).Element())
		}
		op.Types = []nn.Signature{append(types, fn.TypeOf("out").Element())}
	}
	fn.Operator = op
	return fn
}

// checkCall states what all functions want: tensors in formats of their types, an output to write, and one of
// the two roundings.
func checkCall(f *Function, c *nn.Call) error {
	if c.Rounding != nn.Convergent && c.Rounding != nn.Up {
		return fmt.Errorf("the library does not round %v", c.Rounding)
	}
	for i, x := range c.In {
		role := c.Op.Inputs[i].Role
		if x == nil || c.Op.Types == nil {
			continue
		}
		typ := f.typeOf(role)
		if x.Type != typ.Element() {
			return fmt.Errorf("tensor %q: elements are %s, they must be %s", role, x.Type, typ.Element())
		}
		if err := checkFormat(typ, x.Format); err != nil {
			return fmt.Errorf("tensor %q: %w", role, err)
		}
	}
	if len(c.Out) == 0 || c.Out[0] == nil {
		return fmt.Errorf("no format for output %q", "out")
	}
	return nil
}

// checkFormat says what is wrong with the format of a tensor of a type: a scale has 16 bits, fractional bits 8.
func checkFormat(t mli.Type, f nn.Format) error {
	if err := t.CheckFormat(f); err != nil {
		return err
	}
	for i, m := range f.Mantissas {
		if int32(int16(m)) != m || m <= 0 {
			return violation(badTensor, "scale %d is %d", i, m)
		}
		if n := mli.ScaleFrac(f, i); n != int(int8(n)) {
			return violation(badTensor, "scale %d has %d fractional bits", i, n)
		}
		if z := f.Zero(i); z != int64(int16(z)) {
			return violation(badTensor, "zero point %d is %d", i, z)
		}
	}
	if f.Kind == nn.Fixed && f.Frac != int(int8(f.Frac)) {
		return violation(badTensor, "%d fractional bits", f.Frac)
	}
	return nil
}

// shapes completes the output and checks the whole call.
func shapes(f *Function, c *nn.Call) {
	out := c.Out[0]
	if f.Types != nil {
		out.Type = f.TypeOf("out").Element()
	}
	if f.model.format != nil {
		out.Format = f.model.format(f.Typing, c)
	}
	if f.Types != nil {
		if err := checkFormat(f.TypeOf("out"), out.Format); err != nil {
			panic(fmt.Errorf("tensor \"out\": %w", err))
		}
	}
	shape := f.model.shape(f.Typing, c)
	if out.Shape == nil {
		out.Shape = slices.Clone(shape)
	}
	if f.model.check == nil {
		return
	}
	f.model.check(f.Typing, c)
}

// Functions lists the functions of the library.
func Functions() []*Function { return functions() }

// FunctionOf is the function that an operator of the library is, nil for other operators.
func FunctionOf(op *nn.Operator) *Function {
	i := slices.IndexFunc(functions(), func(f *Function) bool { return f.Operator == op })
	if i < 0 {
		return nil
	}
	return functions()[i]
}

// Operators lists the operators of the library.
func Operators() []*nn.Operator {
	var all []*nn.Operator
	for _, f := range functions() {
		all = append(all, f.Operator)
	}
	return all
}
