package nn

import (
	"fmt"
	"slices"
	"strings"
)

// Library names the definition an operator follows: whose types, attributes and arithmetic.
type Library string

// The libraries.
const (
	MLI11    Library = "mli11"
	MLI20    Library = "mli20"
	TFLite   Library = "tflite"
	TOSA     Library = "tosa"
	Gemmlowp Library = "gemmlowp"
)

// Operator is one row of the registry: all facts about an operation that do not depend on the way
// in which it is computed.
type Operator struct {
	Library Library
	Name    string // as the library spells it: "CONV_2D", "mli_krn_relu_fx8"
	Doc     string // one line about its result
	Inputs  []Port
	Outputs []Port
	Types   []Signature // the combinations of element types it exists in; nil when Check decides
	Attrs   []AttrSpec

	// Check states the rules of the library beyond types and attributes. It sees a call whose ports
	// and types are right, with the defaults of its attributes filled in; the outputs are among them when
	// there is no shape rule.
	Check func(*Call) error
	// Shapes gives each output of the call its type and shape, and the format where the library fixes
	// it. It is nil where the outputs come with the call.
	Shapes func(*Call) error
	// CheckElements states the rules about the elements of the inputs; nil when there are none. It sees a
	// checked call whose inputs have elements.
	CheckElements func(*Call) error
	// Golden computes the outputs, and the new contents of state ports. It sees a checked call with
	// allocated outputs.
	Golden func(*Call) error
	// Conforms says why the first output is further from the golden function's than the library allows, where it allows
	// something; nil where every result is exact.
	Conforms func(c *Call, got *Tensor) error
	// Control takes the place of Golden in an operator of control flow: attributes hold graphs, run
	// computes one of them.
	Control func(c *Call, run RunGraph) error
	// InPlace: the first output may lie over an input of its size, because each of its elements depends on the
	// element of that input with the same index, or because the elements do not change at all.
	InPlace bool
	// ByShape: the outputs depend on the types and shapes of the inputs alone, not on their elements.
	ByShape bool
	// MACs counts the multiply-accumulates of a call, padding left out; nil when it does none.
	MACs func(*Call) int64
	// Nominal counts them with the padding, as networks are usually described; nil when there is none.
	Nominal func(*Call) int64
}

// NominalMACs counts the multiply-accumulates of a call at every position of a window, padding included.
func (op *Operator) NominalMACs(c *Call) int64 {
	switch {
	case op.Nominal != nil:
		return op.Nominal(c)
	case op.MACs != nil:
		return op.MACs(c)
	}
	return 0
}

// RunGraph computes the outputs of a checked graph, with the executor of the graph around it.
type RunGraph func(g *Graph, inputs []*Tensor) ([]*Tensor, error)

// Port is one input or output of an operator.
type Port struct {
	Role     string
	Optional bool
	Variadic bool // stands for any number of tensors; only the last port may be
	State    bool // an input that the call also writes
	Weights  bool // constant in a network: filters, biases, tables

	// Hidden is the first contents of state that networks in files do not list, for attributes as the file states
	// them, and inputs and outputs without elements; nil when those have none, and for ports that files list.
	Hidden func(attrs Attrs, in, out []*Tensor) *Tensor
}

// Signature is one combination of element types: one for each port, inputs before outputs. NoType takes
// any type.
type Signature []Type

func (s Signature) String() string {
	names := make([]string, len(s))
	for i, t := range s {
		names[i] = t.String()
	}
	return strings.Join(names, ",")
}

// Attr finds the description of an attribute.
func (op *Operator) Attr(name string) (AttrSpec, bool) {
	i := slices.IndexFunc(op.Attrs, func(s AttrSpec) bool { return s.Name == name })
	if i < 0 {
		return AttrSpec{}, false
	}
	return op.Attrs[i], true
}

func (op *Operator) String() string { return fmt.Sprintf("%s of %s", op.Name, op.Library) }

// Registry is a set of operators by library and name.
type Registry struct {
	ops    []*Operator
	index  map[Library]map[string]*Operator
	floats *Registry // of operators on floats that this one lacks
}

// NewRegistry collects operators. A second operator of one library and name, or one without a golden
// function, is a fault of the program and panics.
func NewRegistry(lists ...[]*Operator) *Registry {
	r := &Registry{index: map[Library]map[string]*Operator{}}
	for _, list := range lists {
		for _, op := range list {
			byName := r.index[op.Library]
			if byName == nil {
				byName = map[string]*Operator{}
				r.index[op.Library] = byName
			}
			if byName[op.Name] != nil {
				panic("nn: registered twice: " + op.String())
			}
			if op.Golden == nil && op.Control == nil {
				panic("nn: no golden function: " + op.String())
			}
			byName[op.Name] = op
			r.ops = append(r.ops, op)
		}
	}
	return r
}

// WithFloats is the registry with operators of another for floats that its own do not take.
func (r *Registry) WithFloats(floats *Registry) *Registry {
	return &Registry{ops: r.ops, index: r.index, floats: floats}
}

// Find finds the operator that takes tensors of these types: one on floats where the registry has such.
func (r *Registry) Find(lib Library, name string, types []Type) (*Operator, bool) {
	op, ok := r.Lookup(lib, name)
	if r.floats == nil || !slices.Contains(types, F32) {
		return op, ok
	}
	takes := func(s Signature) bool { return s[0] == NoType || slices.Contains(s, F32) }
	if ok && (op.Types == nil || slices.ContainsFunc(op.Types, takes)) {
		return op, ok
	}
	if other, there := r.floats.Lookup(lib, name); there {
		return other, true
	}
	return op, ok
}

// All lists the operators in the order of their registration.
func (r *Registry) All() []*Operator { return r.ops }

// Library lists the operators of one library.
func (r *Registry) Library(lib Library) []*Operator {
	var list []*Operator
	for _, op := range r.ops {
		if op.Library == lib {
			list = append(list, op)
		}
	}
	return list
}

// Lookup finds an operator.
func (r *Registry) Lookup(lib Library, name string) (*Operator, bool) {
	op, ok := r.index[lib][name]
	return op, ok
}
