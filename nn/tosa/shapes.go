package tosa

import (
	"fmt"

	"arcv2dsp/nn"
)

// shapeArithmetic are the operators that compute shapes out of shapes, by element; nil for those with rules of their
// own. What they compute is known before the graph runs.
var shapeArithmetic = map[string]func(a, b int) int{
	"ADD_SHAPE": func(a, b int) int { return a + b }, "SUB_SHAPE": func(a, b int) int { return a - b },
	"MUL_SHAPE": func(a, b int) int { return a * b }, "DIV_SHAPE": func(a, b int) int { return a / b },
	"CONCAT_SHAPE": nil, "DIM": nil,
}

// computeShape gives the result of an operator on shapes its value.
func (g *blockGraph) computeShape(op *Operator) error {
	if len(op.Outputs) != 1 || len(op.Inputs) == 0 {
		return fmt.Errorf("%d operands and %d results", len(op.Inputs), len(op.Outputs))
	}
	value, err := g.shapeValue(op)
	if err != nil {
		return err
	}
	g.shapes[op.Outputs[0]] = value
	return nil
}

func (g *blockGraph) shapeValue(op *Operator) ([]int, error) {
	if op.Op == "DIM" {
		return g.extent(op)
	}
	var operands [][]int
	for _, name := range op.Inputs {
		list, ok := g.shape(name)
		if !ok {
			return nil, fmt.Errorf("the shape %s is not known before the graph runs", name)
		}
		operands = append(operands, list)
	}
	f := shapeArithmetic[op.Op]
	if f == nil {
		var all []int
		for _, list := range operands {
			all = append(all, list...)
		}
		return all, nil
	}
	if len(operands) != 2 || len(operands[0]) != len(operands[1]) {
		return nil, &nn.Violation{Outcome: nn.Error, Condition: "shapes", Detail: fmt.Sprintf("%s of %v", op.Op, operands)}
	}
	out := make([]int, len(operands[0]))
	for i, a := range operands[0] {
		b := operands[1][i]
		if op.Op == "DIV_SHAPE" && (b <= 0 || a < 0) {
			return nil, &nn.Violation{Outcome: nn.Unpredictable, Condition: "divisor", Detail: fmt.Sprintf("%d / %d", a, b)}
		}
		out[i] = f(a, b)
	}
	return out, nil
}

// extent is one extent of a tensor.
func (g *blockGraph) extent(op *Operator) ([]int, error) {
	v, err := g.readable(op.Inputs[0])
	if err != nil {
		return nil, err
	}
	axis, shape := 0, g.graph.Values[v].Tensor.Shape
	if op.attributes != nil {
		axis = int(op.attributes.Int("axis"))
	}
	if axis < 0 || axis >= len(shape) {
		return nil, &nn.Violation{Outcome: nn.Error, Condition: "axis", Detail: fmt.Sprintf("axis is %d, the rank %d", axis, len(shape))}
	}
	return shape[axis : axis+1], nil
}
