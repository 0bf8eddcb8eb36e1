package mlir

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// FloatGraph makes a network of floats of a function of real-valued operators: matrix products with constant
// weights, and functions of one element. ops has TensorFlow Lite's operators with float elements. Statistics
// and other words about a value are left out.
func FloatGraph(f *Func, ops *nn.Registry) (*nn.Graph, error) {
	b := floatBuilder{g: &nn.Graph{Name: f.Name}, index: map[*Value]int{}, ops: ops}
	return b.g, build(f, b.g, b.value, b.operation)
}

type floatBuilder struct {
	g     *nn.Graph
	index map[*Value]int
	ops   *nn.Registry
}

// value adds a tensor of the value's type.
func (b *floatBuilder) value(name string, v *Value) (int, error) {
	t := v.Type
	if t.Elem.Float != quant.F32 {
		return 0, fmt.Errorf("a network of floats has no elements of %s", t.Elem)
	}
	x, _, err := TensorOf(t)
	if err != nil {
		return 0, err
	}
	b.g.Values = append(b.g.Values, nn.Value{Name: name, Tensor: x})
	b.index[v] = len(b.g.Values) - 1
	return b.index[v], nil
}

func (b *floatBuilder) operation(op *Op) error {
	if s := table[op.Name]; s != nil && s.identity {
		b.index[op.Results[0]] = b.index[op.Operands[0]]
		return nil
	}
	switch op.Name {
	case "func.return":
		for _, v := range op.Operands {
			b.g.Outputs = append(b.g.Outputs, b.index[v])
		}
		return nil
	case "arith.constant":
		return b.constant(op)
	case "fxpmath.real_matmul", "fxpmath.real_matmul_bias":
		return b.product(op)
	case "fxpmath.real_unary_ew":
		return b.unary(op)
	}
	return fmt.Errorf("no layer of a network of floats")
}

func (b *floatBuilder) constant(op *Op) error {
	d, ok := op.Attrs["value"].(Dense)
	if !ok || d.Reals == nil {
		return fmt.Errorf("a constant of a network of floats is a tensor of reals")
	}
	i, err := b.value(fmt.Sprintf("constant%d", len(b.g.Values)), op.Results[0])
	if err == nil {
		b.g.Values[i].Tensor.Floats = singles(d.values())
	}
	return err
}

func singles(v []float64) []float32 {
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x)
	}
	return out
}

// layer adds a node.
func (b *floatBuilder) layer(op *Op, name string, attrs nn.Attrs, in ...int) error {
	row, ok := b.ops.Lookup(nn.TFLite, name)
	if !ok {
		return fmt.Errorf("there is no %s", name)
	}
	out, err := b.value(fmt.Sprintf("value%d", len(b.g.Values)), op.Results[0])
	b.g.Nodes = append(b.g.Nodes, nn.Node{Name: fmt.Sprintf("%s at %d:%d", name, op.Pos.Line, op.Pos.Col), Op: row,
		Attrs: attrs, In: in, Out: []int{out}})
	return err
}

// product is a matrix product. TensorFlow Lite writes weights with the outputs first.
func (b *floatBuilder) product(op *Op) error {
	w := b.g.Values[b.index[op.Operands[1]]].Tensor
	if !w.Filled() {
		return fmt.Errorf("the second operand is no constant: a layer has constant weights")
	}
	depth, outputs := w.Dim(0), w.Dim(1)
	weights := nn.New(nn.F32, outputs, depth)
	for i, v := range w.Floats {
		weights.Floats[i%outputs*depth+i/outputs] = v
	}
	b.g.Values = append(b.g.Values, nn.Value{Name: fmt.Sprintf("weights%d", len(b.g.Values)), Tensor: weights})
	in := []int{b.index[op.Operands[0]], len(b.g.Values) - 1}
	if len(op.Operands) == 3 {
		bias := b.index[op.Operands[2]]
		if !b.g.Values[bias].Tensor.Filled() {
			return fmt.Errorf("the third operand is no constant: a layer has constant biases")
		}
		in = append(in, bias)
	}
	function, err := clampOf(op)
	if err != nil {
		return err
	}
	return b.layer(op, "FULLY_CONNECTED", nn.Attrs{"fused_activation_function": function}, in...)
}

// clampOf is the activation function that the clamps of an operator are.
func clampOf(op *Op) (string, error) {
	lo, hi := op.real("clamp_min", math.Inf(-1)), op.real("clamp_max", math.Inf(1))
	switch {
	case math.IsInf(lo, -1) && math.IsInf(hi, 1):
		return "NONE", nil
	case lo == 0 && math.IsInf(hi, 1):
		return "RELU", nil
	case lo == 0 && hi == 6:
		return "RELU6", nil
	case lo == -1 && hi == 1:
		return "RELU_N1_TO_1", nil
	}
	return "", fmt.Errorf("values clamped to %g and %g: layers have 0 and none, 0 and 6, -1 and 1", lo, hi)
}

// unaryLayers are the functions of one element that layers have.
var unaryLayers = map[string]string{"SIGMOID": "LOGISTIC", "TANH": "TANH"}

func (b *floatBuilder) unary(op *Op) error {
	function, err := clampOf(op)
	if err != nil {
		return err
	}
	in := b.index[op.Operands[0]]
	name, ok := unaryLayers[op.text("fn")]
	switch {
	case ok && function == "NONE":
		return b.layer(op, name, nil, in)
	case op.text("fn") == "IDENTITY" && (function == "RELU" || function == "RELU6"):
		return b.layer(op, function, nil, in)
	}
	return fmt.Errorf("no layer computes %s clamped by %s", op.text("fn"), function)
}
