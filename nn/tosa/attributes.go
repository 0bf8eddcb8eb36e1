package tosa

import (
	"fmt"
	"slices"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/flatbuffer"
	golden "arcv2dsp/nn/internal/golden/tosa"
)

// Fields of tables of attributes that are no attributes of operators of the same name and kind.
const (
	tableField    = "table"         // TABLE of 2024: the entries, which are an operand later
	roundingField = "rounding_mode" // RESCALE of 1.0
	nanField      = "nan_mode"      // of floating point, but it must be known
	outShapeField = "output_shape"  // TRANSPOSE_CONV2D of 2024: the output's shape again
)

// Roundings of RESCALE in 1.0.
const (
	roundUnknown = iota
	roundSingle
	roundInexact
	roundDouble
)

// attributes fills in the attributes of a node from the file's table and from operands.
func (g *blockGraph) attributes(spec *golden.Spec, op *Operator, operands map[string]string, n *nn.Node) (err error) {
	defer steps.Return(&err)
	n.Attrs = nn.Attrs{}
	if want := g.file.Revision.attribute(op.Op); op.attributes != nil && op.attributes.Table != want {
		return fmt.Errorf("its attributes are a %s", op.attributes.Table.Name)
	}
	o := op.attributes
	if o == nil {
		o = &flatbuffer.Object{Table: g.file.Revision.attribute(op.Op)}
		if o.Table == nil {
			o.Table = &flatbuffer.Table{}
		}
	}
	for _, row := range spec.Attrs {
		f, ok := o.Table.Field(row.Name)
		if !ok || operands[row.Name] != "" {
			continue
		}
		v, err := g.attribute(row, f, o, n)
		steps.Check(steps.In(row.Name, err))
		n.Attrs[row.Name] = v
	}
	steps.Check(g.special(op, o, n))
	for _, row := range g.file.Revision.operands[op.Op] { // after the flags, which tell how to read zero points
		steps.Check(steps.In(row.Attr, g.operand(row, operands[row.Attr], n)))
	}
	return nil
}

// attribute reads one attribute of the kind that the operator wants.
func (g *blockGraph) attribute(row nn.AttrSpec, f *flatbuffer.Field, o *flatbuffer.Object, n *nn.Node) (any, error) {
	switch row.Default.(type) {
	case []int:
		return ints(o.Ints(f.Name)), nil
	case bool:
		return o.Bool(f.Name), nil
	case string:
		name, ok := g.file.Revision.schema().Enums[f.Of].Label(o.Int(f.Name))
		if !ok {
			return nil, fmt.Errorf("unknown value %d", o.Int(f.Name))
		}
		return name, nil
	case nn.Type:
		name, _ := g.file.Revision.schema().Enums[f.Of].Label(o.Int(f.Name))
		if o.Int(f.Name) == 0 {
			return nn.NoType, nil
		}
		t, ok := tensorType(name)
		if !ok {
			return nil, fmt.Errorf("%s is no type of sums", name)
		}
		return t, nil
	case *nn.Graph:
		return g.inner(o, f.Name)
	}
	if f.Kind != flatbuffer.Bytes {
		return int(o.Int(f.Name)), nil
	}
	// A value as raw bytes: of an int32 or of the tensor's own type, by the age of the file. The lower bytes,
	// as many as the type has, are the value in both.
	if len(n.In) == 0 {
		return nil, fmt.Errorf("there is no input")
	}
	x := nn.Tensor{Type: g.graph.Values[n.In[0]].Tensor.Type}
	if err := unpack(&x, 1, o.Bytes(f.Name)); err != nil {
		return nil, err
	}
	if x.Type.Float() {
		return float64(x.Floats[0]), nil
	}
	return int(x.Ints[0]), nil
}

// special reads the fields that are no attributes of the operator.
func (g *blockGraph) special(op *Operator, o *flatbuffer.Object, n *nn.Node) error {
	if _, ok := o.Table.Field(nanField); ok && o.Int(nanField) == 0 {
		return &nn.Violation{Outcome: nn.Error, Condition: nanField, Detail: "the mode is UNKNOWN"}
	}
	if _, ok := o.Table.Field(roundingField); ok {
		switch o.Int(roundingField) {
		case roundSingle:
		case roundDouble:
			n.Attrs["double_round"] = true
		case roundInexact:
			n.Attrs["inexact_round"] = true
		default:
			return &nn.Violation{Outcome: nn.Error, Condition: roundingField, Detail: fmt.Sprintf("the mode is %d", o.Int(roundingField))}
		}
	}
	if f, ok := o.Table.Field(tableField); ok && f.Kind == flatbuffer.Int16s {
		return g.tableOperand(op, o.Ints(tableField), n)
	}
	return nil
}

// tableOperand makes the entries of a TABLE of 2024 a constant operand.
func (g *blockGraph) tableOperand(op *Operator, entries []int64, n *nn.Node) error {
	if len(n.In) != 1 || len(n.Out) != 1 || len(entries) == 0 {
		return fmt.Errorf("%d operands, %d results and %d entries", len(n.In), len(n.Out), len(entries))
	}
	t := nn.FromInts(g.graph.Values[n.In[0]].Tensor.Type, []int{len(entries)}, entries)
	n.In = append(n.In, len(g.graph.Values))
	g.graph.Values = append(g.graph.Values, nn.Value{Name: op.Outputs[0] + " table", Tensor: t})
	return nil
}

// operand reads an attribute that the file has as an operand.
func (g *blockGraph) operand(row operand, name string, n *nn.Node) error {
	if row.Of == "" {
		list, ok := g.shape(name)
		if !ok {
			return fmt.Errorf("the shape %s is not known before the graph runs", name)
		}
		n.Attrs[row.Attr] = list
		return nil
	}
	v, err := g.readable(name)
	if err != nil {
		return err
	}
	t := g.graph.Values[v].Tensor
	if bound := g.bound[name]; g.depth == 0 && !t.Filled() && bound != nil && slices.Contains(g.block.Inputs, name) {
		if t, err = convert(bound, t); err != nil {
			return err
		}
	}
	of := g.graph.Values[n.Out[0]].Tensor
	for i, p := range n.Op.Inputs {
		if p.Role == row.Of && i < len(n.In) {
			of = g.graph.Values[n.In[i]].Tensor
		}
	}
	switch {
	case !t.Filled():
		return fmt.Errorf("%s is not constant; that needs EXT-DYNAMIC, which is not supported", name)
	case t.Len() != 1 || len(t.Shape) != 1 || len(t.Ints)+len(t.Floats) != 1:
		return fmt.Errorf("%s has shape %v, it must be one element", name, t.Shape)
	case t.Type != of.Type && !(t.Type.Float() && of.Type.Float() && t.Type.Bits() == of.Type.Bits()): // zero is zero in both
		return &nn.Violation{Outcome: nn.Error, Condition: "types", Detail: fmt.Sprintf("%s is %s, its tensor %s", name, t.Type, of.Type)}
	}
	if t.Type.Float() {
		return floatOperand(row, float64(t.Floats[0]), n)
	}
	value := t.Ints[0]
	if flag := unsignedFlag[row.Attr]; n.Op.Name == "RESCALE" && n.Attrs.Bool(flag) && value < 0 {
		value += 1 << t.Type.Bits()
	}
	n.Attrs[row.Attr] = int(value)
	return nil
}

// floatOperand takes a real attribute, or the zero point of a floating-point tensor, which must be zero.
func floatOperand(row operand, v float64, n *nn.Node) error {
	attr, _ := n.Op.Attr(row.Attr)
	if _, real := attr.Also.(float64); real {
		n.Attrs[row.Attr] = v
		return nil
	}
	if v != 0 {
		return &nn.Violation{Outcome: nn.Error, Condition: row.Attr, Detail: fmt.Sprintf("%s is %g for floating point", row.Attr, v)}
	}
	n.Attrs[row.Attr] = 0
	return nil
}

// unsignedFlag is the flag of RESCALE that says how to read a zero point.
var unsignedFlag = map[string]string{"input_zp": "input_unsigned", "output_zp": "output_unsigned"}

// inner builds the graph that an attribute names. If all names of the operator are names of regions, the
// first block of the region is meant, else a block of the operator's own region.
func (g *blockGraph) inner(o *flatbuffer.Object, attr string) (*nn.Graph, error) {
	regions := map[string]*Region{}
	for i := range g.file.Regions {
		regions[g.file.Regions[i].Name] = &g.file.Regions[i]
	}
	inRegions := true
	for _, f := range o.Table.Fields {
		if f.Kind == flatbuffer.String {
			r := regions[o.Text(f.Name)]
			inRegions = inRegions && r != nil && len(r.Blocks) > 0
		}
	}
	name := o.Text(attr)
	if inRegions {
		r := regions[name]
		return g.builder.build(r, &r.Blocks[0], g)
	}
	for i := range g.region.Blocks {
		if g.region.Blocks[i].Name == name {
			return g.builder.build(g.region, &g.region.Blocks[i], g)
		}
	}
	return nil, fmt.Errorf("there is no graph %q", name)
}
