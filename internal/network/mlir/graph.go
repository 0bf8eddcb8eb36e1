package mlir

import (
	"fmt"
	"strings"

	"arcv2dsp/nn"
)

// Graph makes a network of a function of kernel calls, constants and scast: what FromGraph writes, and the operations that
// lower-real-math leaves of a quantized model after trim-casts. The registry has the operators that the calls name.
func Graph(f *Func, kernels *nn.Registry) (*nn.Graph, error) {
	b := graphBuilder{g: &nn.Graph{Name: f.Name}, index: map[*Value]int{}, reals: map[int][]float64{}, kernels: kernels}
	return b.g, build(f, b.g, b.value, func(op *Op) error {
		err := b.operation(op)
		if err == nil && op.Name == "func.return" {
			err = b.scales()
		}
		return err
	})
}

// build makes the arguments of a function the inputs of a graph, and its operations the nodes.
func build(f *Func, g *nn.Graph, value func(string, *Value) (int, error), operation func(*Op) error) error {
	if f.Body == nil {
		return fmt.Errorf("@%s has no body", f.Name)
	}
	for i, v := range f.Body.Args {
		n, err := value(fmt.Sprintf("arg%d", i), v)
		if err != nil {
			return fmt.Errorf("argument %d of @%s: %w", i+1, f.Name, err)
		}
		g.Inputs = append(g.Inputs, n)
	}
	for _, op := range f.Body.Ops {
		if err := operation(op); err != nil {
			return at(op, err)
		}
	}
	return g.Check()
}

type graphBuilder struct {
	g       *nn.Graph
	index   map[*Value]int
	reals   map[int][]float64 // the scales of values as the text has them
	kernels *nn.Registry
}

// value adds a tensor of the value's type.
func (b *graphBuilder) value(name string, v *Value) (int, error) {
	x, _, err := TensorOf(v.Type)
	if err != nil {
		return 0, err
	}
	b.g.Values = append(b.g.Values, nn.Value{Name: name, Tensor: x})
	b.index[v] = len(b.g.Values) - 1
	b.note(b.index[v], v.Type)
	return b.index[v], nil
}

// note keeps the scales of a value of a quantized type.
func (b *graphBuilder) note(i int, t Type) {
	if t.Elem.Quant == nil {
		return
	}
	b.reals[i] = nil
	for _, p := range t.Elem.Quant.Params {
		b.reals[i] = append(b.reals[i], p.Scale)
	}
}

func (b *graphBuilder) operation(op *Op) error {
	library, kernel, _ := strings.Cut(op.Name, ".")
	switch op.Name {
	case "func.return":
		for _, v := range op.Operands {
			b.g.Outputs = append(b.g.Outputs, b.index[v])
		}
		return nil
	case "quant.scast":
		// The same tensor; the quantized side gives its format.
		i := b.index[op.Operands[0]]
		b.index[op.Results[0]] = i
		if op.Results[0].Type.Elem.Quant != nil {
			x, _, err := TensorOf(op.Results[0].Type)
			if err != nil {
				return err
			}
			b.g.Values[i].Tensor.Format = x.Format
			b.note(i, op.Results[0].Type)
		}
		return nil
	case "arith.constant":
		d, ok := op.Attrs["value"].(Dense)
		if !ok || d.Reals != nil {
			return fmt.Errorf("a constant of a network has stored integers")
		}
		i, err := b.value(fmt.Sprintf("constant%d", len(b.g.Values)), op.Results[0])
		if err == nil {
			b.g.Values[i].Tensor.Ints = d.integers()
		}
		return err
	}
	row, ok := b.kernels.Lookup(nn.Library(library), kernel)
	if !ok {
		return fmt.Errorf("no kernel computes it")
	}
	node := nn.Node{Name: fmt.Sprintf("%s at %d:%d", kernel, op.Pos.Line, op.Pos.Col), Op: row, Attrs: nn.Attrs{}}
	if row.Library == nn.TFLite {
		node.Rounding = nn.Double // the library's own; the text says nothing of others
	}
	for name, a := range op.Attrs {
		if spec, ok := row.Attr(name); ok {
			if v, ok := valueOf(a, spec); ok {
				node.Attrs[name] = v
			}
		}
	}
	if len(op.Results) != 1 {
		return fmt.Errorf("%d results, a call has one", len(op.Results))
	}
	for _, v := range op.Operands {
		node.In = append(node.In, b.index[v])
	}
	i, err := b.value(fmt.Sprintf("value%d", len(b.g.Values)), op.Results[0])
	node.Out = []int{i}
	b.g.Nodes = append(b.g.Nodes, node)
	return err
}
