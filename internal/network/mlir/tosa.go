package mlir

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
	"arcv2dsp/quant"
)

// Operations of the tosa dialect that are no operators of a graph, or have regions.
const (
	tosaConst = "tosa.const"
	tosaIf    = "tosa.cond_if"
	tosaWhile = "tosa.while_loop"
	tosaYield = "tosa.yield"
)

// tosaOps are the operations whose operator has another name than the operation in capitals, and those that differ in
// attributes or operands.
var tosaOps = map[string]tosaOp{
	"tosa.int_div":   {op: "INTDIV"},
	"tosa.clamp":     {renamed: map[string]string{"min_int": "min_val", "max_int": "max_val"}},
	"tosa.negate":    {renamed: map[string]string{"input_zp": "input1_zp"}},
	"tosa.reshape":   {renamed: map[string]string{"new_shape": "shape"}},
	"tosa.resize":    {special: (*tosaBuilder).resize},
	"tosa.mul":       {special: (*tosaBuilder).product},
	"tosa.rescale":   {special: (*tosaBuilder).rescale},
	"tosa.pad":       {renamed: map[string]string{"input_zp": "pad_const"}, operands: []string{"padding", "pad_const"}},
	"tosa.transpose": {operands: []string{"perms"}},
}

// tosaOp is what an operation has that follows from no rule.
type tosaOp struct {
	op       string
	renamed  map[string]string // attributes by their names in the text
	operands []string          // attributes of the operator that are constant operands, behind its own
	special  func(b *tosaBuilder, op *Op, n *nn.Node) error
}

// HasTOSA reports whether a function has operations of the tosa dialect.
func (f *Func) HasTOSA() bool {
	return f.Body != nil && slices.ContainsFunc(f.Body.Ops, func(op *Op) bool { return strings.HasPrefix(op.Name, tosaDialect) })
}

// TOSAGraph makes a graph of TOSA's operators of a function of the tosa dialect, as release 19 of MLIR has it.
func TOSAGraph(f *Func) (*nn.Graph, error) {
	if f.Body == nil {
		return nil, fmt.Errorf("@%s has no body", f.Name)
	}
	b := &tosaBuilder{g: &nn.Graph{Name: f.Name}, index: map[*Value]int{}}
	if err := b.block(f.Body); err != nil {
		return nil, err
	}
	return b.g, b.g.Check()
}

// tosaBuilder makes the graph of one block.
type tosaBuilder struct {
	g       *nn.Graph
	index   map[*Value]int
	outer   *tosaBuilder // of the block around a region
	outside []*Value     // values of blocks around this one that it reads, in order; constants are copied instead
}

// block makes the arguments of a block the inputs of the graph, its operations the nodes, and what its last one gives
// the outputs.
func (b *tosaBuilder) block(body *Block) error {
	for i, v := range body.Args {
		n, err := b.value(fmt.Sprintf("arg%d", i), v)
		if err != nil {
			return fmt.Errorf("argument %d: %w", i+1, err)
		}
		b.g.Inputs = append(b.g.Inputs, n)
	}
	for _, op := range body.Ops {
		if err := b.operation(op); err != nil {
			return at(op, err)
		}
	}
	return nil
}

// value adds a tensor of a value's type.
func (b *tosaBuilder) value(name string, v *Value) (int, error) {
	t, err := tosaType(v.Type)
	if err != nil {
		return 0, err
	}
	b.index[v] = b.add(name, t)
	return b.index[v], nil
}

func (b *tosaBuilder) add(name string, t *nn.Tensor) int {
	b.g.Values = append(b.g.Values, nn.Value{Name: name, Tensor: t})
	return len(b.g.Values) - 1
}

// tosaType is a tensor of a type, without elements.
func tosaType(t Type) (*nn.Tensor, error) {
	if t.Shaping != Ranked || !t.Static() {
		return nil, fmt.Errorf("%s is no tensor of known size", t)
	}
	e, err := tosaElement(t.Elem)
	return &nn.Tensor{Type: e, Shape: t.Shape}, err
}

// tosaElement is the element type of an element of the text.
func tosaElement(e Elem) (nn.Type, error) {
	for _, c := range floatElements {
		if e.Float == c.float && e.Quant == nil {
			return c.typ, nil
		}
	}
	integers := []nn.Type{nn.Bool, nn.I4, nn.I8, nn.I16, nn.I32, nn.I48, nn.I64}
	if e.Sign == Unsigned {
		integers = []nn.Type{nn.U8, nn.U16, nn.U32}
	}
	for _, t := range integers {
		if e.Int == t.Bits() && e.Float == quant.NoFloat && e.Quant == nil {
			return t, nil
		}
	}
	return nn.NoType, fmt.Errorf("TOSA has no elements of %s", e)
}

// read is the index of a value that an operation reads: of this block, or of one around it.
func (b *tosaBuilder) read(v *Value) (int, error) {
	if n, ok := b.index[v]; ok {
		return n, nil
	}
	if b.outer == nil {
		return 0, errors.New("a value is not computed before it is read")
	}
	n, err := b.outer.read(v)
	if err != nil {
		return 0, err
	}
	of := b.outer.g.Values[n]
	if !of.Constant() {
		b.outside = append(b.outside, v)
		of.Tensor = &nn.Tensor{Type: of.Tensor.Type, Shape: of.Tensor.Shape}
	}
	b.index[v] = b.add(of.Name, of.Tensor)
	return b.index[v], nil
}

func (b *tosaBuilder) operation(op *Op) (err error) {
	defer steps.Return(&err)
	switch op.Name {
	case "func.return", tosaYield:
		for _, v := range op.Operands {
			b.g.Outputs = append(b.g.Outputs, steps.Must(b.read(v)))
		}
		return nil
	case tosaConst, "arith.constant":
		return b.constant(op)
	case tosaIf, tosaWhile:
		return b.control(op)
	}
	row := tosaOps[op.Name]
	if row.op == "" {
		row.op = strings.ToUpper(strings.TrimPrefix(op.Name, tosaDialect))
	}
	spec, ok := tosa.Lookup(row.op)
	if !ok || !strings.HasPrefix(op.Name, tosaDialect) {
		return errors.New("that is no operator of TOSA")
	}
	n := nn.Node{Name: fmt.Sprintf("line %d", op.Pos.Line), Op: &spec.Operator, Attrs: nn.Attrs{}}
	own := op.Operands
	if len(row.operands) > 0 {
		own = own[:min(len(spec.Inputs), len(own))]
		for i, v := range op.Operands[len(own):] {
			if i == len(row.operands) {
				return fmt.Errorf("it has %d operands", len(op.Operands))
			}
			if err := b.constantOperand(v, spec.Attrs, row.operands[i], &n); err != nil {
				return fmt.Errorf("%s: %w", row.operands[i], err)
			}
		}
	}
	for _, v := range own {
		n.In = append(n.In, steps.Must(b.read(v)))
	}
	steps.Check(b.attributes(op, row, spec.Attrs, &n))
	steps.Check(b.results(op, &n))
	if row.special != nil {
		steps.Check(row.special(b, op, &n))
	}
	b.g.Nodes = append(b.g.Nodes, n)
	return nil
}

func (b *tosaBuilder) results(op *Op, n *nn.Node) error {
	for i, v := range op.Results {
		out, err := b.value(fmt.Sprintf("line %d result %d", op.Pos.Line, i), v)
		if err != nil {
			return err
		}
		n.Out = append(n.Out, out)
	}
	return nil
}

// constant adds the elements of a constant.
func (b *tosaBuilder) constant(op *Op) error {
	d, ok := op.Attrs["value"].(Dense)
	if !ok || len(op.Results) != 1 {
		return errors.New("a constant has its elements as dense<...>")
	}
	t, err := tosaType(op.Results[0].Type)
	if err != nil {
		return err
	}
	if !d.Type.Equal(op.Results[0].Type) {
		return fmt.Errorf("elements of %s for %s", d.Type, op.Results[0].Type)
	}
	if t.Type.Float() {
		t.Floats = singles(d.values())
	} else {
		t.Ints = slices.Clone(d.integers())
	}
	b.index[op.Results[0]] = b.add(fmt.Sprintf("line %d", op.Pos.Line), t)
	return nil
}

// attributes fills in the attributes of a node. Fields of quantization_info are attributes like all others; what the operator
// does not have is of floating point, or repeats a type.
func (b *tosaBuilder) attributes(op *Op, row tosaOp, specs []nn.AttrSpec, n *nn.Node) error {
	all := Attrs{}
	for name, a := range op.Attrs {
		if r, ok := a.(Record); ok {
			for field, value := range r.Fields {
				all[field] = value
			}
			continue
		}
		all[name] = a
	}
	for name, a := range all {
		if to := row.renamed[name]; to != "" {
			name = to
		}
		i := slices.IndexFunc(specs, func(s nn.AttrSpec) bool { return s.Name == name })
		if i < 0 {
			continue
		}
		v, err := tosaAttribute(specs[i], a)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		n.Attrs[name] = v
	}
	return nil
}

// tosaAttribute is an attribute of the kind that the operator wants.
func tosaAttribute(spec nn.AttrSpec, a Attr) (any, error) {
	switch v := a.(type) {
	case Int:
		if _, ok := spec.Default.(int); ok {
			return int(v.Value), nil
		}
	case Bool:
		if _, ok := spec.Default.(bool); ok {
			return bool(v), nil
		}
	case Text:
		if _, ok := spec.Default.(string); ok {
			return string(v), nil
		}
	case Ints:
		if _, ok := spec.Default.([]int); ok {
			list := make([]int, len(v.Values))
			for i, n := range v.Values {
				list[i] = int(n)
			}
			return list, nil
		}
	case TypeAttr:
		if _, ok := spec.Default.(nn.Type); ok {
			return tosaElement(v.Elem)
		}
	}
	return nil, fmt.Errorf("%s is of another kind", a)
}

// constantOperand makes a constant operand an attribute.
func (b *tosaBuilder) constantOperand(v *Value, specs []nn.AttrSpec, name string, n *nn.Node) error {
	i, err := b.read(v)
	if err != nil {
		return err
	}
	t := b.g.Values[i].Tensor
	if len(t.Ints) == 0 {
		return errors.New("the operand is not constant")
	}
	at := slices.IndexFunc(specs, func(s nn.AttrSpec) bool { return s.Name == name })
	if _, list := specs[at].Default.([]int); list {
		values := make([]int, len(t.Ints))
		for i, x := range t.Ints {
			values[i] = int(x)
		}
		n.Attrs[name] = values
		return nil
	}
	n.Attrs[name] = int(t.Ints[0])
	return nil
}

// product adds the shift of a product as the operand that it is in files.
func (b *tosaBuilder) product(op *Op, n *nn.Node) error {
	if len(n.In) == 2 {
		n.In = append(n.In, b.add(n.Name+" shift", nn.FromInts(nn.I8, []int{1}, []int64{op.int("shift")})))
	}
	return nil
}

// rescale adds multipliers and shifts as operands.
func (b *tosaBuilder) rescale(op *Op, n *nn.Node) error {
	multiplier, ok := op.Attrs["multiplier"].(Ints)
	shift, both := op.Attrs["shift"].(Ints)
	if !ok || !both {
		return errors.New("multiplier and shift are lists of integers")
	}
	t := nn.I16
	if op.bool("scale32") {
		t = nn.I32
	}
	n.In = append(n.In, b.add(n.Name+" multiplier", nn.FromInts(t, []int{len(multiplier.Values)}, multiplier.Values)),
		b.add(n.Name+" shift", nn.FromInts(nn.I8, []int{len(shift.Values)}, shift.Values)))
	return nil
}

// resize gives the mode the name of the specification.
func (b *tosaBuilder) resize(_ *Op, n *nn.Node) error {
	if n.Attrs["mode"] == "NEAREST_NEIGHBOR" {
		n.Attrs["mode"] = "NEAREST"
	}
	return nil
}

// control makes the node of a condition or a loop, and the graphs of its regions. What regions read of blocks around them
// becomes an operand of all of them; a loop hands it on.
func (b *tosaBuilder) control(op *Op) (err error) {
	defer steps.Return(&err)
	names := []string{"then_graph", "else_graph"}
	name, first := "COND_IF", 1
	if op.Name == tosaWhile {
		names, name, first = []string{"cond_graph", "body_graph"}, "WHILE_LOOP", 0
	}
	spec, ok := tosa.Lookup(name)
	if !ok || len(op.Regions) != len(names) || len(op.Operands) < first {
		return fmt.Errorf("it has %d regions and %d operands", len(op.Regions), len(op.Operands))
	}
	n := nn.Node{Name: fmt.Sprintf("line %d", op.Pos.Line), Op: &spec.Operator, Attrs: nn.Attrs{}}
	graphs := make([]*tosaBuilder, len(names))
	var outside []*Value
	for i, region := range op.Regions {
		graphs[i] = &tosaBuilder{g: &nn.Graph{Name: fmt.Sprintf("%s of line %d", names[i], op.Pos.Line)}, index: map[*Value]int{}, outer: b}
		steps.Check(graphs[i].block(region))
		for _, v := range graphs[i].outside {
			if !slices.Contains(outside, v) {
				outside = append(outside, v)
			}
		}
		n.Attrs[names[i]] = graphs[i].g
	}
	for i, inner := range graphs {
		for _, v := range outside {
			at := steps.Must(inner.read(v))
			inner.g.Inputs = append(inner.g.Inputs, at)
			if names[i] == "body_graph" {
				inner.g.Outputs = append(inner.g.Outputs, at)
			}
		}
		steps.Check(inner.g.Check())
	}
	for _, v := range append(slices.Clone(op.Operands), outside...) {
		n.In = append(n.In, steps.Must(b.read(v)))
	}
	steps.Check(b.results(op, &n))
	if name == "WHILE_LOOP" {
		for range outside {
			of := b.g.Values[n.In[len(n.Out)]].Tensor
			n.Out = append(n.Out, b.add(n.Name+" handed on", &nn.Tensor{Type: of.Type, Shape: of.Shape}))
		}
	}
	b.g.Nodes = append(b.g.Nodes, n)
	return nil
}
