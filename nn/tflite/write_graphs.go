package tflite

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
)

// A graph as a file has it: variables are named by VAR_HANDLE, read and assigned; their first contents come by a CALL_ONCE.

// section is a graph of a file that is being written.
type section struct {
	graph   *nn.Graph
	values  []int          // the values that the file lists
	index   []int          // where each value is in that list
	inner   []intermediate // tensors that the file lists behind the values
	handles map[int]string // the values that stand for variables, with the names of these
	first   int            // the number of the buffer of the first value
}

// Operators that only files have.
var (
	handleOperator = &nn.Operator{Library: nn.TFLite, Name: varHandle}
	onceOperator   = &nn.Operator{Library: nn.TFLite, Name: callOnce}
)

// The numbers of their options among those of all operators.
const (
	callOnceOptions  = 103
	varHandleOptions = 111
)

// variables are the variables of a file: names of their tensors, which graphs share, in the order in which they were met.
type variables struct {
	names map[*nn.Tensor]string
	order []*nn.Tensor
}

// name is the name of a variable; two that are called alike are told apart.
func (v *variables) name(x nn.Value) string {
	if name, ok := v.names[x.Tensor]; ok {
		return name
	}
	name := x.Name
	for i := 2; slices.ContainsFunc(v.order, func(t *nn.Tensor) bool { return v.names[t] == name }); i++ {
		name = fmt.Sprintf("%s_%d", x.Name, i)
	}
	v.names[x.Tensor] = name
	v.order = append(v.order, x.Tensor)
	return name
}

// sectionsOf are the graphs of a file: the network, those that its operators run, and one that gives variables their first contents.
func (w *writer) sectionsOf(g *nn.Graph) error {
	vars := &variables{names: map[*nn.Tensor]string{}}
	w.numbers = map[*nn.Graph]int{g: 0}
	for queue := []*nn.Graph{g}; len(queue) > 0; queue = queue[1:] {
		s, err := expanded(queue[0], vars)
		if err != nil {
			return err
		}
		w.sections = append(w.sections, s)
		for i := range s.graph.Nodes {
			for _, inner := range innerOf(&s.graph.Nodes[i]) {
				if _, known := w.numbers[inner]; !known {
					w.numbers[inner] = len(w.numbers)
					queue = append(queue, inner)
				}
			}
		}
	}
	if first := initial(vars); len(first.graph.Nodes) > 0 {
		once := nn.Node{Name: callOnce, Op: onceOperator, Attrs: nn.Attrs{callOnce: len(w.sections)}}
		main := w.sections[0].graph
		main.Nodes = append([]nn.Node{once}, main.Nodes...)
		w.sections = append(w.sections, first)
	}
	return nil
}

// innerOf are the graphs that a node runs.
func innerOf(n *nn.Node) (list []*nn.Graph) {
	row, _ := optionsOf(n.Op.Name)
	for _, o := range row.fields {
		if g, ok := n.Attrs[o.name].(*nn.Graph); ok {
			list = append(list, g)
		}
	}
	return list
}

// expander is a graph whose variables get the form of files.
type expander struct {
	*section
	vars  *variables
	state []bool      // values that operators keep state in, which are variables of another kind
	homes map[int]int // the value that stands for each variable
	reads map[int]int // what was read of a variable, as long as nothing can have written it
}

func expanded(g *nn.Graph, vars *variables) (*section, error) {
	own := *g
	own.Values, own.Nodes = slices.Clone(g.Values), nil
	x := &expander{section: &section{graph: &own, handles: map[int]string{}}, vars: vars, state: make([]bool, len(g.Values)), homes: map[int]int{}, reads: map[int]int{}}
	for _, n := range g.Nodes {
		for j, v := range n.In {
			if v != nn.Absent && j < len(n.Op.Inputs) && n.Op.Inputs[j].State && n.Op.Name != readVariable {
				x.state[v] = true
			}
		}
	}
	for _, n := range g.Nodes {
		if err := x.node(n); err != nil {
			return nil, err
		}
	}
	own.Outputs = slices.Clone(g.Outputs)
	for i, v := range own.Outputs {
		own.Outputs[i] = x.read(v)
	}
	return x.section, nil
}

// node appends a node in the form of files.
func (x *expander) node(n nn.Node) error {
	n.In = slices.Clone(n.In)
	switch n.Op.Name {
	case readVariable:
		if x.state[n.In[0]] {
			return fmt.Errorf("%s: value %s is also the state of an operator", n.Name, x.graph.Values[n.In[0]].Name)
		}
		n.In[0] = x.handle(n.In[0])
	case assignVariable:
		if x.state[n.Out[0]] {
			return fmt.Errorf("%s: value %s is also the state of an operator", n.Name, x.graph.Values[n.Out[0]].Name)
		}
		delete(x.reads, n.Out[0])
		n.In, n.Out = []int{x.handle(n.Out[0]), x.read(n.In[0])}, nil
	default:
		for j, v := range n.In {
			n.In[j] = x.read(v)
		}
		if n.Op.Control != nil {
			clear(x.reads)
		}
		assigns := x.assigns(&n)
		x.graph.Nodes = append(append(x.graph.Nodes, n), assigns...)
		return nil
	}
	x.graph.Nodes = append(x.graph.Nodes, n)
	return nil
}

// assigns gives a node outputs of its own in place of variables with names, and returns the nodes that assign these.
func (x *expander) assigns(n *nn.Node) (list []nn.Node) {
	n.Out = slices.Clone(n.Out)
	for j, v := range n.Out {
		if !x.named(v) {
			continue
		}
		made := x.copyOf(v)
		n.Out[j], x.reads[v] = made, made
		list = append(list, nn.Node{Name: assignVariable, Op: &nn.Operator{Library: nn.TFLite, Name: assignVariable}, In: []int{x.handle(v), made}})
	}
	return list
}

// named reports whether a value is a variable with a name.
func (x *expander) named(v int) bool {
	return v != nn.Absent && x.graph.Values[v].Variable && (v >= len(x.state) || !x.state[v])
}

// copyOf adds a value that is like a variable.
func (x *expander) copyOf(v int) int {
	variable := x.graph.Values[v]
	return x.add(nn.Value{Name: variable.Name, Tensor: &nn.Tensor{Type: variable.Tensor.Type, Shape: variable.Tensor.Shape, Format: variable.Tensor.Format}})
}

// handle is the value that stands for a variable.
func (x *expander) handle(v int) int {
	if h, ok := x.homes[v]; ok {
		return h
	}
	name := x.vars.name(x.graph.Values[v])
	h := x.add(nn.Value{Name: name, Tensor: &nn.Tensor{}})
	x.homes[v], x.handles[h] = h, name
	x.graph.Nodes = append(x.graph.Nodes, nn.Node{Name: varHandle, Op: handleOperator, Out: []int{h}})
	return h
}

// read is a value itself, or what is read of it where it is a variable with a name.
func (x *expander) read(v int) int {
	if !x.named(v) {
		return v
	}
	if r, ok := x.reads[v]; ok {
		return r
	}
	h := x.handle(v)
	r := x.copyOf(v)
	x.reads[v] = r
	x.graph.Nodes = append(x.graph.Nodes, nn.Node{Name: readVariable, Op: &nn.Operator{Library: nn.TFLite, Name: readVariable}, In: []int{h}, Out: []int{r}})
	return r
}

func (s *section) add(v nn.Value) int {
	s.graph.Values = append(s.graph.Values, v)
	return len(s.graph.Values) - 1
}

// initial is the graph that assigns first contents.
func initial(vars *variables) *section {
	s := &section{graph: &nn.Graph{Name: "initial"}, handles: map[int]string{}}
	for _, t := range vars.order {
		if !t.Filled() {
			continue
		}
		h := s.add(nn.Value{Name: vars.names[t], Tensor: &nn.Tensor{}})
		s.handles[h] = vars.names[t]
		from := s.add(nn.Value{Name: vars.names[t], Tensor: t})
		s.graph.Nodes = append(s.graph.Nodes, nn.Node{Name: varHandle, Op: handleOperator, Out: []int{h}},
			nn.Node{Name: assignVariable, Op: &nn.Operator{Library: nn.TFLite, Name: assignVariable}, In: []int{h, from}})
	}
	return s
}

// resourceOptions are the options of an operator that only files have.
func (w *writer) resourceOptions(n *nn.Node) (union byte, options child) {
	if n.Op == onceOperator {
		return callOnceOptions, func() int { return w.table(intField(callOnceGraph, n.Attrs.Int(callOnce))) }
	}
	return varHandleOptions, func() int {
		return w.table(field{slot: varHandleContainer, child: w.string("")}, field{slot: varHandleName, child: w.string(w.handles[n.Out[0]])})
	}
}
