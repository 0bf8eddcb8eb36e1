package tosa

import (
	"errors"
	"fmt"
	"slices"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	golden "arcv2dsp/nn/internal/golden/tosa"
)

// Bounds of what a file may ask for. Graphs inside graphs are built once for each place that names them.
const (
	maxElements = 1 << 26 // of all tensors of all graphs
	maxParts    = 1 << 16 // operators and tensors of all graphs
	maxNesting  = 257     // one more than the most that any level allows, so that the level's check speaks
)

// Names that execution starts with.
const mainName = "main"

// Graph turns the file into a graph of calls. Tensors in bound are inputs of the main block that are known
// now: operands that must be constant may come from there.
func (f *File) Graph(bound map[string]*nn.Tensor) (*nn.Graph, error) {
	b := &builder{file: f, bound: bound, variables: map[string]*nn.Tensor{}, declared: map[string]bool{}, open: map[*Block]bool{}}
	region, block, err := f.Main()
	if err != nil {
		return nil, err
	}
	return b.build(region, block, nil)
}

// Main is the block that execution starts with.
func (f *File) Main() (*Region, *Block, error) {
	for i := range f.Regions {
		r := &f.Regions[i]
		if r.Name != mainName && len(f.Regions) > 1 {
			continue
		}
		for k := range r.Blocks {
			if r.Blocks[k].Name == mainName || len(r.Blocks) == 1 {
				return r, &r.Blocks[k], nil
			}
		}
	}
	return nil, nil, fmt.Errorf("there is no block %s in a region %s", mainName, mainName)
}

// builder holds what the graphs of one file share.
type builder struct {
	file      *File
	bound     map[string]*nn.Tensor
	variables map[string]*nn.Tensor // the tensor of each variable, shared by name
	declared  map[string]bool       // variables that an operator has declared
	open      map[*Block]bool       // blocks whose graphs are not finished
	elements  int
	parts     int
}

// OutsideProfile is the error of a graph with a type or an operator that no profile here has.
type OutsideProfile struct {
	What      string // the operator or type: CUSTOM with its name and domain
	violation nn.Violation
}

func (e *OutsideProfile) Error() string { return e.violation.Error() }

// Unwrap is the broken condition: such a graph is an error.
func (e *OutsideProfile) Unwrap() error { return &e.violation }

func outsideProfile(condition, what, detail string) error {
	return &OutsideProfile{What: what, violation: nn.Violation{Outcome: nn.Error, Condition: condition, Detail: what + detail}}
}

// blockGraph is the graph of one block while it is built.
type blockGraph struct {
	*builder
	region *Region
	block  *Block
	outer  *blockGraph // the graph whose operator runs this one; nil for the main block
	depth  int
	graph  *nn.Graph
	index  map[string]int   // tensors by name
	shapes map[string][]int // shapes by name
}

func (b *builder) build(region *Region, block *Block, outer *blockGraph) (*nn.Graph, error) {
	depth := 0
	if outer != nil {
		depth = outer.depth + 1
	}
	switch {
	case b.open[block]:
		return nil, fmt.Errorf("the graph of block %s contains itself", block.Name)
	case depth > maxNesting:
		return nil, fmt.Errorf("block %s: graphs lie more than %d deep in one another", block.Name, maxNesting)
	}
	b.open[block] = true
	defer delete(b.open, block)
	g := &blockGraph{builder: b, region: region, block: block, outer: outer, depth: depth, graph: &nn.Graph{Name: block.Name},
		index: map[string]int{}, shapes: map[string][]int{}}
	if err := g.build(); err != nil {
		return nil, fmt.Errorf("block %s: %w", block.Name, err)
	}
	return g.graph, nil
}

func (g *blockGraph) build() (err error) {
	defer steps.Return(&err)
	if g.parts += len(g.block.Operators) + len(g.block.Tensors); g.parts > maxParts {
		return fmt.Errorf("more than %d operators and tensors, counting a graph once for each use", maxParts)
	}
	steps.Check(g.tensors())
	order := steps.Must(g.block.order())
	for _, i := range order {
		if err := g.node(i); err != nil {
			return fmt.Errorf("operator %d %s: %w", i, g.block.Operators[i].Op, err)
		}
	}
	for _, name := range g.block.Inputs {
		if _, isShape := g.shapes[name]; isShape {
			continue // its value is an attribute by now
		}
		v, err := g.value(name)
		steps.Check(steps.In("input", err))
		g.graph.Inputs = append(g.graph.Inputs, v)
		g.graph.Values[v].Tensor = &nn.Tensor{Type: g.graph.Values[v].Tensor.Type, Shape: g.graph.Values[v].Tensor.Shape}
	}
	for _, name := range g.block.Outputs {
		v, err := g.readable(name)
		steps.Check(steps.In("output", err))
		g.graph.Outputs = append(g.graph.Outputs, v)
	}
	return nil
}

// value is the index of a tensor.
func (g *blockGraph) value(name string) (int, error) {
	v, ok := g.index[name]
	if !ok {
		return 0, fmt.Errorf("there is no tensor %s", name)
	}
	return v, nil
}

// readable is the index of a tensor that an operator may read: of the block, or a constant of a block around it.
func (g *blockGraph) readable(name string) (int, error) {
	for at := g.outer; at != nil && !g.known(name); at = at.outer {
		if v, ok := at.index[name]; ok {
			if !at.graph.Values[v].Constant() {
				return 0, fmt.Errorf("%s is no constant of block %s, which other blocks could read", name, at.block.Name)
			}
			g.index[name] = len(g.graph.Values)
			g.graph.Values = append(g.graph.Values, at.graph.Values[v])
		}
	}
	return g.value(name)
}

// shape is the value of a shape: of the block, or of a block around it.
func (g *blockGraph) shape(name string) (list []int, ok bool) {
	for at := g; at != nil && !ok; at = at.outer {
		if list, ok = at.shapes[name]; !ok && at.known(name) {
			break // a tensor hides it
		}
	}
	return list, ok
}

// tensors makes the values of the graph.
func (g *blockGraph) tensors() error {
	for _, s := range g.block.Shapes {
		if g.known(s.Name) {
			return fmt.Errorf("two tensors or shapes are named %s", s.Name)
		}
		g.shapes[s.Name] = unpackShape(s.Data)
	}
	for i := range g.block.Tensors {
		t := &g.block.Tensors[i]
		if g.known(t.Name) {
			return fmt.Errorf("two tensors or shapes are named %s", t.Name)
		}
		if err := g.tensor(t); err != nil {
			return fmt.Errorf("tensor %s: %w", t.Name, err)
		}
	}
	return nil
}

func (g *blockGraph) known(name string) bool {
	_, tensor := g.index[name]
	_, shape := g.shapes[name]
	return tensor || shape
}

func (g *blockGraph) tensor(t *Tensor) error {
	if t.Unranked {
		return fmt.Errorf("a tensor without a rank is not supported")
	}
	n := 1
	for _, d := range t.Shape {
		if d <= 0 {
			n = 0
			break
		}
		if n *= d; n > maxElements {
			break
		}
	}
	if g.elements += n; g.elements > maxElements {
		return fmt.Errorf("the tensors have more than %d elements in all", maxElements)
	}
	if t.Type == shapeType {
		return g.shapeTensor(t)
	}
	typ, ok := tensorType(t.Type)
	if !ok {
		return outsideProfile("types", t.Type, " is no type of tensors here")
	}
	v := nn.Value{Name: t.Name, Variable: t.Variable, Tensor: &nn.Tensor{Type: typ, Shape: t.Shape}}
	if len(t.Data) > 0 {
		if err := unpack(v.Tensor, n, t.Data); err != nil {
			return err
		}
	}
	if t.Variable {
		if shared := g.variables[t.Name]; shared != nil {
			v.Tensor = shared
		}
		g.variables[t.Name] = v.Tensor
	}
	g.index[t.Name] = len(g.graph.Values)
	g.graph.Values = append(g.graph.Values, v)
	return nil
}

// shapeTensor reads a shape that is kept as a tensor, or as one of the inputs that are bound.
func (g *blockGraph) shapeTensor(t *Tensor) error {
	n := 0
	if len(t.Shape) == 1 {
		n = max(t.Shape[0], 0)
	}
	switch bound := g.bound[t.Name]; {
	case len(t.Data) >= shapeBytes*n:
		g.shapes[t.Name] = unpackShape(t.Data[:shapeBytes*n])
	case g.depth == 0 && bound != nil && slices.Contains(g.block.Inputs, t.Name):
		if bound.Len() != n {
			return fmt.Errorf("a shape of %d numbers is given %d", n, bound.Len())
		}
		g.shapes[t.Name] = ints(bound.Ints)
	}
	return nil // one without a value is missed where it is used
}

// constant reports whether an operator computes nothing: it is a constant or declares a variable.
func constant(op string) bool { return op == constOp || op == constShapeOp || op == variableOp }

// node makes the node of an operator.
func (g *blockGraph) node(i int) (err error) {
	defer steps.Return(&err)
	op := &g.block.Operators[i]
	if constant(op.Op) {
		return g.constant(op)
	}
	if _, ok := shapeArithmetic[op.Op]; ok {
		return g.computeShape(op)
	}
	spec, ok := golden.Lookup(op.Op)
	if !ok {
		return outsideProfile("operator", op.title(), " is no operator here")
	}
	inputs, operands, err := g.split(spec, op)
	steps.Check(err)
	n := nn.Node{Name: fmt.Sprintf("operator %d", i), Op: &spec.Operator}
	for i, name := range inputs {
		v := steps.Must(g.readable(name))
		n.In = append(n.In, v)
		role, shape := spec.Inputs[min(i, len(spec.Inputs)-1)].Role, g.graph.Values[v].Tensor.Shape
		if rank, bound := g.file.Revision.ranks[op.Op][role]; bound && len(shape) != rank {
			return &nn.Violation{Outcome: nn.Error, Condition: "ranks", Detail: fmt.Sprintf("%s has shape %v, its rank must be %d", role, shape, rank)}
		}
	}
	for _, name := range op.Outputs {
		v := steps.Must(g.value(name))
		if slices.Contains(g.block.Inputs, name) {
			return fmt.Errorf("%s is an input of the block, no operator may compute it", name)
		}
		n.Out = append(n.Out, v)
	}
	steps.Check(g.attributes(spec, op, operands, &n))
	g.graph.Nodes = append(g.graph.Nodes, n)
	return nil
}

// title is the operator's name, of CUSTOM with the name and the domain that it has.
func (op *Operator) title() string {
	if op.Op == customOp && op.attributes != nil {
		if _, ok := op.attributes.Table.Field("operator_name"); ok {
			return fmt.Sprintf("%s %s of %s", op.Op, op.attributes.Text("operator_name"), op.attributes.Text("domain_name"))
		}
	}
	return op.Op
}

// split tells an operator's inputs from the operands that are attributes.
func (g *blockGraph) split(spec *golden.Spec, op *Operator) (inputs []string, operands map[string]string, err error) {
	list := g.file.Revision.operands[op.Op]
	if len(list) == 0 {
		return op.Inputs, nil, nil
	}
	if n := len(spec.Inputs) + len(list); len(op.Inputs) != n {
		return nil, nil, fmt.Errorf("%d operands, it must have %d", len(op.Inputs), n)
	}
	if len(op.Outputs) == 0 { // whose type some of the operands must have
		return nil, nil, errors.New("it has no result")
	}
	operands = map[string]string{}
	for i, o := range list {
		operands[o.Attr] = op.Inputs[len(spec.Inputs)+i]
	}
	return op.Inputs[:len(spec.Inputs)], operands, nil
}

// constant checks a constant or the declaration of a variable: the graph has it as a value already.
func (g *blockGraph) constant(op *Operator) error {
	if op.Op == variableOp {
		// DEVIATION(295): the tensor's flag makes the variable; reading has it as operand, writing as result.
		return g.declare(op)
	}
	if len(op.Inputs) != 0 || len(op.Outputs) != 1 {
		return fmt.Errorf("%d operands and %d results, it must have 0 and 1", len(op.Inputs), len(op.Outputs))
	}
	name := op.Outputs[0]
	if _, ok := g.shapes[name]; ok || slices.Contains(g.block.Inputs, name) {
		return nil
	}
	v, err := g.value(name)
	if err != nil {
		return err
	}
	if !g.graph.Values[v].Tensor.Filled() {
		return fmt.Errorf("%s has no elements", name)
	}
	return nil
}

// declare notes that VARIABLE declares a variable, which a graph may do once.
func (g *blockGraph) declare(op *Operator) error {
	for _, name := range slices.Concat(op.Inputs, op.Outputs) {
		if g.declared[name] {
			return &nn.Violation{Outcome: nn.Unpredictable, Condition: "variable", Detail: name + " is declared twice"}
		}
		g.declared[name] = true
	}
	return nil
}

// order sorts the operators of a block by what they need.
func (b *Block) order() ([]int, error) {
	producer := map[string]int{}
	variable := map[string]bool{}
	for _, t := range b.Tensors {
		variable[t.Name] = t.Variable
	}
	for i, op := range b.Operators {
		for _, name := range op.Outputs {
			if variable[name] {
				continue // a variable may be written many times, in the order of the file
			}
			if k, ok := producer[name]; ok {
				return nil, fmt.Errorf("operators %d and %d both compute %s", k, i, name)
			}
			producer[name] = i
		}
	}
	given := map[string]bool{}
	for _, name := range b.Inputs {
		given[name] = true
	}
	const (
		unseen = iota
		open
		done
	)
	state := make([]int, len(b.Operators))
	var order []int
	type step struct{ op, input int }
	for root := range b.Operators {
		stack := []step{{op: root}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			inputs := b.Operators[top.op].Inputs
			if state[top.op] == done || top.input == len(inputs) {
				if state[top.op] != done {
					state[top.op] = done
					order = append(order, top.op)
				}
				stack = stack[:len(stack)-1]
				continue
			}
			state[top.op] = open
			name := inputs[top.input]
			top.input++
			k, ok := producer[name]
			if !ok || given[name] || state[k] == done {
				continue
			}
			if state[k] == open {
				return nil, fmt.Errorf("%s is computed from itself: operators %d and %d form a cycle", name, top.op, k)
			}
			stack = append(stack, step{op: k})
		}
	}
	return order, nil
}
