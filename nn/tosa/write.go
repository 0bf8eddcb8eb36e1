package tosa

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/flatbuffer"
)

// FromGraph makes a file of a graph, with constants in the file. Operators that the revision does not have
// are an error.
func FromGraph(g *nn.Graph, r *Revision) (*File, error) {
	w := &writer{revision: r, region: Region{Name: mainName}}
	if err := w.block(mainName, g); err != nil {
		return nil, err
	}
	slices.Reverse(w.region.Blocks) // inner graphs are finished first, the main one leads
	return &File{Revision: r, Version: r.Version, Regions: []Region{w.region}}, nil
}

type writer struct {
	revision *Revision
	region   Region
	inner    int // graphs inside operators so far
}

// blockWriter is one block while it is written.
type blockWriter struct {
	*writer
	graph  *nn.Graph
	block  Block
	names  []string // of the values
	unique map[string]bool
}

func (w *writer) block(name string, g *nn.Graph) error {
	if _, ok := w.revision.schema().Enums["Op"].Value(fullyConnectedOp); !ok {
		var err error
		if g, err = pointwise(g); err != nil {
			return err
		}
	}
	b := &blockWriter{writer: w, graph: g, block: Block{Name: name}, unique: map[string]bool{}}
	for i := range g.Values {
		v := &g.Values[i]
		b.names = append(b.names, b.name(v.Name))
		if err := b.value(v, b.names[i], slices.Contains(g.Inputs, i)); err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
	}
	for _, v := range g.Inputs {
		b.block.Inputs = append(b.block.Inputs, b.names[v])
	}
	for _, v := range g.Outputs {
		b.block.Outputs = append(b.block.Outputs, b.names[v])
	}
	for i := range g.Nodes {
		if err := b.node(&g.Nodes[i]); err != nil {
			return fmt.Errorf("%s: %w", g.Nodes[i].Name, err)
		}
	}
	w.region.Blocks = append(w.region.Blocks, b.block)
	return nil
}

// name makes a name that the block does not have yet.
func (b *blockWriter) name(wish string) string {
	name := wish
	for i := 1; b.unique[name]; i++ {
		name = fmt.Sprintf("%s.%d", wish, i)
	}
	b.unique[name] = true
	return name
}

func (b *blockWriter) value(v *nn.Value, name string, input bool) error {
	typ, ok := typeNames[v.Tensor.Type]
	if !ok {
		return fmt.Errorf("TOSA has no type %s", v.Tensor.Type)
	}
	t := Tensor{Name: name, Type: typ, Shape: v.Tensor.Shape, Variable: v.Variable}
	if v.Variable {
		t.VariableName = v.Name
	}
	if v.Tensor.Filled() && !input {
		t.Data = pack(v.Tensor)
		if v.Constant() {
			b.operator(constOp, nil, name)
		}
	}
	b.block.Tensors = append(b.block.Tensors, t)
	return nil
}

// operator adds an operator with an empty table where the revision wants one.
func (b *blockWriter) operator(op string, inputs []string, outputs ...string) *Operator {
	o := Operator{Op: op, Inputs: inputs, Outputs: outputs}
	if t := b.revision.attribute(op); t != nil {
		o.attributes = b.revision.schema().New(t.Name)
	}
	b.block.Operators = append(b.block.Operators, o)
	return &b.block.Operators[len(b.block.Operators)-1]
}

func (b *blockWriter) node(n *nn.Node) error {
	if _, ok := b.revision.schema().Enums["Op"].Value(n.Op.Name); !ok || n.Op.Library != nn.TOSA {
		return fmt.Errorf("revision %s has no operator %s", b.revision.Name, n.Op.Name)
	}
	if constant(n.Op.Name) {
		return fmt.Errorf("a constant is a value of the graph, not a call of %s", n.Op.Name)
	}
	var inputs, outputs []string
	for _, v := range n.In {
		inputs = append(inputs, b.names[v])
	}
	for _, v := range n.Out {
		outputs = append(outputs, b.names[v])
	}
	operands := b.revision.operands[n.Op.Name]
	for _, row := range operands {
		inputs = append(inputs, b.operand(row, n))
	}
	if n.Op.Name == "TABLE" && b.revision.operandTable() == "" {
		inputs = inputs[:1]
	}
	op := Operator{Op: n.Op.Name, Inputs: inputs, Outputs: outputs, Location: n.Name}
	if t := b.revision.attribute(n.Op.Name); t != nil {
		op.attributes = b.revision.schema().New(t.Name)
		if err := b.attributes(op.attributes, n); err != nil {
			return err
		}
	}
	b.block.Operators = append(b.block.Operators, op)
	return nil
}

// operandTable is empty where the entries of TABLE are an attribute.
func (r *Revision) operandTable() string {
	if t := r.attribute("TABLE"); t != nil {
		if _, ok := t.Field(tableField); ok {
			return ""
		}
	}
	return tableField
}

// operand writes an attribute as a constant operand and names it.
func (b *blockWriter) operand(row operand, n *nn.Node) string {
	name := b.name(b.names[n.Out[0]] + "." + row.Attr)
	if row.Of == "" {
		list := n.Attrs.Ints(row.Attr)
		if b.revision.schema().Tables["TosaShape"] != nil {
			b.block.Shapes = append(b.block.Shapes, Shape{Name: name, Data: packShape(list)})
		} else {
			b.block.Tensors = append(b.block.Tensors, Tensor{Name: name, Type: shapeType, Shape: []int{len(list)}, Data: packShape(list)})
		}
		b.operator(constShapeOp, nil, name)
		return name
	}
	of := b.graph.Values[n.Out[0]].Tensor
	for i, p := range n.Op.Inputs {
		if p.Role == row.Of {
			of = b.graph.Values[n.In[i]].Tensor
		}
	}
	b.block.Tensors = append(b.block.Tensors, Tensor{Name: name, Type: typeNames[of.Type], Shape: []int{1},
		Data: packValue(of.Type, n.Attrs[row.Attr])})
	b.operator(constOp, nil, name)
	return name
}

// attributes fills in the file's table.
func (b *blockWriter) attributes(o *flatbuffer.Object, n *nn.Node) error {
	for i := range o.Table.Fields {
		f := &o.Table.Fields[i]
		switch f.Name {
		case roundingField:
			o.Set(roundingField, int64(rounding(n.Attrs)))
			continue
		case outShapeField:
			o.Set(outShapeField, longs(b.graph.Values[n.Out[0]].Tensor.Shape))
			continue
		case tableField:
			t := b.graph.Values[n.In[1]].Tensor
			if !t.Filled() {
				return fmt.Errorf("revision %s has constant tables only", b.revision.Name)
			}
			o.Set(tableField, t.Ints)
			continue
		}
		if row, ok := n.Op.Attr(f.Name); ok && !b.isOperand(n.Op.Name, f.Name) {
			if err := b.attribute(o, f, row, n); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
	}
	return nil
}

func (b *blockWriter) isOperand(op, attr string) bool {
	return slices.ContainsFunc(b.revision.operands[op], func(o operand) bool { return o.Attr == attr })
}

func rounding(a nn.Attrs) int {
	switch {
	case a.Bool("double_round"):
		return roundDouble
	case a.Bool("inexact_round"):
		return roundInexact
	}
	return roundSingle
}

// attribute writes one attribute into its field.
func (b *blockWriter) attribute(o *flatbuffer.Object, f *flatbuffer.Field, row nn.AttrSpec, n *nn.Node) error {
	switch v := n.Attrs[row.Name].(type) {
	case []int:
		o.Set(f.Name, longs(v))
	case bool:
		o.Set(f.Name, flag(v))
	case string:
		number, _ := b.revision.schema().Enums[f.Of].Value(v)
		o.Set(f.Name, number)
	case nn.Type:
		number, _ := b.revision.schema().Enums[f.Of].Value(typeNames[v])
		o.Set(f.Name, number)
	case *nn.Graph:
		b.inner++
		name := fmt.Sprintf("%s_%d", f.Name, b.inner)
		if err := b.writer.block(name, v); err != nil {
			return err
		}
		o.Set(f.Name, name)
	case int:
		if f.Kind != flatbuffer.Bytes {
			o.Set(f.Name, int64(v))
			break
		}
		t := b.graph.Values[n.In[0]].Tensor.Type
		if b.revision == Rev2024 {
			t = nn.I32 // whatever the tensor's type
		}
		o.Set(f.Name, packValue(t, v))
	case float64:
		o.Set(f.Name, packValue(b.graph.Values[n.In[0]].Tensor.Type, v))
	}
	return nil
}
