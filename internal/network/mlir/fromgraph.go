package mlir

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"arcv2dsp/nn"
)

// FromGraph writes a network of kernels as a function that Graph reads: constants with their stored integers, casts that give
// them their formats, and a call for each node, named by library and operator.
func FromGraph(g *nn.Graph) (*Module, error) {
	b := graphWriter{g: g, values: map[int]*Value{}, body: &Block{}}
	f := &Func{Name: symbolOf(g.Name), Body: b.body}
	for _, v := range g.Inputs {
		t, err := b.typeOf(v)
		if err != nil {
			return nil, err
		}
		b.values[v] = &Value{Type: t}
		b.body.Args = append(b.body.Args, b.values[v])
	}
	for i := range g.Nodes {
		if err := b.node(&g.Nodes[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", g.Nodes[i].Name, err)
		}
	}
	ret := newOp(Pos{}, "func.return", nil, nil)
	for _, v := range g.Outputs {
		value := b.values[v]
		if value == nil {
			return nil, fmt.Errorf("output %s is a constant", g.Values[v].Name)
		}
		ret.Operands = append(ret.Operands, value)
		f.Results = append(f.Results, value.Type)
	}
	b.body.Ops = append(b.body.Ops, ret)
	return &Module{Funcs: []*Func{f}}, nil
}

// symbolOf makes a name of a function of any text.
func symbolOf(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, name)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return "net_" + name
	}
	return name
}

type graphWriter struct {
	g      *nn.Graph
	values map[int]*Value
	body   *Block
}

func (b *graphWriter) typeOf(v int) (Type, error) {
	t, err := TypeOf(b.g.Values[v].Tensor)
	if err != nil {
		return t, fmt.Errorf("value %s: %w", b.g.Values[v].Name, err)
	}
	return t, nil
}

// operand is a value that a node takes; constants are written before their first use.
func (b *graphWriter) operand(v int) (*Value, error) {
	if value := b.values[v]; value != nil {
		return value, nil
	}
	x := &b.g.Values[v]
	if !x.Constant() {
		return nil, fmt.Errorf("the text has no state, %s is some", x.Name)
	}
	t, err := b.typeOf(v)
	if err != nil {
		return nil, err
	}
	stored := t
	if t.Elem.Quant != nil {
		stored = t.With(storage(*t.Elem.Quant))
	}
	op := newOp(Pos{}, "arith.constant", nil, Attrs{"value": Dense{Type: stored, Ints: x.Tensor.Ints}}, stored)
	b.body.Ops = append(b.body.Ops, op)
	if t.Elem.Quant != nil {
		op = newOp(Pos{}, "quant.scast", op.Results, nil, t)
		b.body.Ops = append(b.body.Ops, op)
	}
	b.values[v] = op.Results[0]
	return op.Results[0], nil
}

func (b *graphWriter) node(n *nn.Node) error {
	if len(n.Out) != 1 {
		return fmt.Errorf("%d results, a call of the text has one", len(n.Out))
	}
	op := &Op{Name: string(n.Op.Library) + "." + n.Op.Name, Attrs: Attrs{}}
	for _, v := range n.In {
		if v == nn.Absent {
			return fmt.Errorf("an input is absent, a call of the text has all")
		}
		x, err := b.operand(v)
		if err != nil {
			return err
		}
		op.Operands = append(op.Operands, x)
	}
	for _, name := range slices.Sorted(maps.Keys(n.Attrs)) {
		a, err := attrOf(n.Attrs[name])
		if err != nil {
			return fmt.Errorf("attribute %s: %w", name, err)
		}
		op.Attrs[name] = a
	}
	t, err := b.typeOf(n.Out[0])
	if err != nil {
		return err
	}
	value := &Value{Type: t, Def: op}
	op.Results = []*Value{value}
	b.values[n.Out[0]] = value
	b.body.Ops = append(b.body.Ops, op)
	return nil
}

// attrOf is an attribute of an operator in the text.
func attrOf(v any) (Attr, error) {
	switch v := v.(type) {
	case int:
		return Int{Value: int64(v), Type: i64}, nil
	case bool:
		return Bool(v), nil
	case string:
		return Text(v), nil
	case float64:
		return Real{Value: v, Type: f64}, nil
	case []int:
		list := make(Array, len(v))
		for i, x := range v {
			list[i] = Int{Value: int64(x), Type: i64}
		}
		return list, nil
	case nn.Type:
		return Text(v.String()), nil
	}
	return nil, fmt.Errorf("a value of kind %T", v)
}

// valueOf is the inverse of attrOf: the value of an attribute that the operator describes.
func valueOf(a Attr, spec nn.AttrSpec) (any, bool) {
	switch a := a.(type) {
	case Int:
		return int(a.Value), true
	case Bool:
		return bool(a), true
	case Real:
		return a.Value, true
	case Text:
		if _, ok := spec.Default.(nn.Type); ok {
			t, err := nn.ParseType(string(a))
			return t, err == nil
		}
		return string(a), true
	case Array:
		list := make([]int, len(a))
		for i, x := range a {
			n, ok := x.(Int)
			if !ok {
				return nil, false
			}
			list[i] = int(n.Value)
		}
		return list, true
	}
	return nil, false
}

// scales writes powers of two that values of TensorFlow Lite's operators have as the scales that these operators take, and the integer
// scales of MLI's affine functions.
func (b *graphBuilder) scales() error {
	for i := range b.g.Nodes {
		n := &b.g.Nodes[i]
		if err := b.affineNode(n); err != nil {
			return fmt.Errorf("%s: %w", n.Name, err)
		}
		if n.Op.Library != nn.TFLite {
			continue
		}
		for _, v := range slices.Concat(n.In, n.Out) {
			if f := &b.g.Values[v].Tensor.Format; f.Kind == nn.Fixed {
				*f = nn.Format{Kind: nn.Scaled, Scales: []float32{float32(f.Scale(0))}, Zeros: []int64{0}}
			}
		}
	}
	return nil
}
