package tosacheck

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"reflect"

	"arcv2dsp/internal/term/steps"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tosa"
)

// vector is one line of a file of vectors, a call or a graph.
type vector struct {
	ID        string         `json:"id"`
	Op        string         `json:"op"`
	Tag       string         `json:"tag"`
	Level     string         `json:"level"`
	Attrs     vectorAttrs    `json:"attrs"`
	Inputs    []vectorTensor `json:"inputs"` // one without elements belongs to a call that is judged before it runs
	Outputs   []vectorTensor `json:"outputs"`
	Expect    string         `json:"expect"`
	Condition string         `json:"condition"` // the rule that the call breaks

	vectorGraph
	Expected [][]int64 `json:"expected"`
}

// vectorAttrs are attributes by name; their rows tell how to read them.
type vectorAttrs map[string]json.RawMessage

// vectorGraph is a graph: of a vector, whose inputs are constants, or of an attribute.
type vectorGraph struct {
	Tensors []vectorTensor `json:"tensors"`
	Params  []string       `json:"params"`
	Ops     []vectorNode   `json:"ops"`
	Results []string       `json:"results"`
}

type vectorTensor struct {
	Name  string  `json:"name"`
	Type  string  `json:"dtype"`
	Shape []int   `json:"shape"`
	Data  []int64 `json:"data"`
}

type vectorNode struct {
	Op    string      `json:"op"`
	Attrs vectorAttrs `json:"attrs"`
	In    []string    `json:"in"`
	Out   []string    `json:"out"`
}

// shapeType is the vectors' name for an operand that is a list of sizes.
const shapeType = "shape"

// ReadVectors reads a file of vectors, a line for each: those whose names are wanted.
func ReadVectors(fsys fs.FS, name string, wanted func(id string) bool) ([]*Case, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var list []*Case
	for in := bufio.NewReader(z); ; {
		text, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 && wanted(idOf(text)) {
			c, err := ParseVector(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", name, idOf(text), err)
			}
			list = append(list, c)
		}
		if err != nil {
			return list, nil
		}
	}
}

// idOf is the name with which the line of a vector begins, "" where it does not.
func idOf(line []byte) string {
	if rest, ok := bytes.CutPrefix(line, []byte(`{"id":"`)); ok {
		if id, _, ok := bytes.Cut(rest, []byte(`"`)); ok {
			return string(id)
		}
	}
	return ""
}

// Every wants all vectors.
func Every(string) bool { return true }

// AllVectors reads every file of vectors in a file system.
func AllVectors(fsys fs.FS) ([]*Case, error) {
	names, err := fs.Glob(fsys, "*.jsonl.gz")
	if err != nil {
		return nil, err
	}
	var list []*Case
	for _, name := range names {
		cases, err := ReadVectors(fsys, path.Clean(name), Every)
		if err != nil {
			return nil, err
		}
		list = append(list, cases...)
	}
	return list, nil
}

// ParseVector reads one line of a file of vectors.
func ParseVector(text []byte) (*Case, error) {
	var v vector
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	return v.toCase()
}

var outcomes = map[string]nn.Outcome{
	nn.Valid.String(): nn.Valid, nn.Error.String(): nn.Error, nn.Unpredictable.String(): nn.Unpredictable,
}

func (v *vector) toCase() (*Case, error) {
	level, err := tosa.ParseLevel(v.Level)
	if err != nil {
		return nil, err
	}
	expect, ok := outcomes[v.Expect]
	if !ok {
		return nil, fmt.Errorf("unknown outcome %q", v.Expect)
	}
	c := &Case{Name: v.ID, Purpose: v.Tag, Expect: expect, Condition: v.Condition, Target: tosa.Target{Level: level, Extensions: tosa.Extensions()}}
	if v.Op == "" {
		return c, v.network(c)
	}
	return c, v.single(c)
}

// single fills in the case of one call.
func (v *vector) single(c *Case) error {
	spec, ok := tosa.Lookup(v.Op)
	if !ok {
		return fmt.Errorf("unknown operator %s", v.Op)
	}
	call := &nn.Call{Op: &spec.Operator}
	var lists [][]int64
	for _, in := range v.Inputs {
		if in.Type == shapeType {
			lists = append(lists, in.Data)
			continue
		}
		t, err := in.tensor()
		if err != nil {
			return err
		}
		call.In = append(call.In, t)
		if t.Ints != nil {
			c.Inputs = append(c.Inputs, t)
		}
	}
	for _, out := range v.Outputs {
		t, err := out.tensor()
		if err != nil {
			return err
		}
		call.Out = append(call.Out, &nn.Tensor{Type: t.Type, Shape: t.Shape})
		if c.Expect == nn.Valid {
			c.Want = append(c.Want, t)
		}
	}
	var err error
	call.Attrs, err = attributes(spec, v.Attrs, lists)
	c.Graph = single(call)
	return err
}

// network fills in the case of a graph.
func (v *vector) network(c *Case) (err error) {
	if c.Graph, err = v.graph(v.ID); err != nil {
		return err
	}
	if len(v.Results) != len(v.Expected) {
		return fmt.Errorf("%d results and %d lists of elements", len(v.Results), len(v.Expected))
	}
	for i, k := range c.Graph.Outputs {
		t := c.Graph.Values[k].Tensor
		c.Want = append(c.Want, nn.FromInts(t.Type, t.Shape, v.Expected[i]))
	}
	return nil
}

// graph makes the graph of the tensors and operators of a vector.
func (v *vectorGraph) graph(name string) (_ *nn.Graph, err error) {
	defer steps.Return(&err)
	g := &nn.Graph{Name: name}
	index, lists := map[string]int{}, map[string][]int64{}
	given := map[string]bool{}
	for _, name := range v.Params {
		given[name] = true
	}
	for _, n := range v.Ops {
		for _, name := range n.Out {
			given[name] = true
		}
	}
	for _, vt := range v.Tensors {
		if vt.Type == shapeType {
			lists[vt.Name] = vt.Data
			continue
		}
		t, err := vt.tensor()
		steps.Check(steps.In(vt.Name, err))
		index[vt.Name] = len(g.Values)
		g.Values = append(g.Values, nn.Value{Name: vt.Name, Tensor: t})
		if !t.Filled() && !given[vt.Name] {
			return nil, fmt.Errorf("%s has neither elements nor an operator", vt.Name)
		}
	}
	at := func(name string) (int, error) {
		k, ok := index[name]
		if !ok {
			return 0, fmt.Errorf("there is no tensor %q", name)
		}
		return k, nil
	}
	for i, n := range v.Ops {
		spec, ok := tosa.Lookup(n.Op)
		if !ok {
			return nil, fmt.Errorf("unknown operator %s", n.Op)
		}
		node := nn.Node{Name: fmt.Sprintf("%d %s", i, n.Op), Op: &spec.Operator}
		var operands [][]int64
		for _, name := range n.In {
			if list, ok := lists[name]; ok {
				operands = append(operands, list)
				continue
			}
			k := steps.Must(at(name))
			node.In = append(node.In, k)
		}
		for _, name := range n.Out {
			node.Out = append(node.Out, steps.Must(at(name)))
		}
		node.Attrs = steps.Must(attributes(spec, n.Attrs, operands))
		g.Nodes = append(g.Nodes, node)
	}
	for _, end := range []struct {
		names []string
		list  *[]int
	}{{v.Params, &g.Inputs}, {v.Results, &g.Outputs}} {
		for _, name := range end.names {
			*end.list = append(*end.list, steps.Must(at(name)))
		}
	}
	return g, nil
}

func (v *vectorTensor) tensor() (*nn.Tensor, error) {
	t, err := nn.ParseType(v.Type)
	if err != nil {
		return nil, err
	}
	if x := nn.FromInts(t, v.Shape, v.Data); v.Data == nil || len(v.Data) == x.Len() {
		return x, nil
	}
	return nil, fmt.Errorf("shape %v does not hold %d elements", v.Shape, len(v.Data))
}

// shapeOperands names the attributes that an operator's operands of kind shape become, in order.
var shapeOperands = map[string][]string{
	"PAD": {"padding"}, "RESHAPE": {"shape"}, "SLICE": {"start", "size"}, "TILE": {"multiples"}, "RESIZE": {"scale", "offset", "border"},
}

// attributes reads attributes of the operator's kinds.
func attributes(spec *tosa.Spec, values vectorAttrs, lists [][]int64) (nn.Attrs, error) {
	attrs := nn.Attrs{}
	for i, list := range lists {
		names := shapeOperands[spec.Name]
		if i >= len(names) {
			return nil, fmt.Errorf("%s has %d operands of kind shape", spec.Name, len(lists))
		}
		ints := make([]int, len(list))
		for k, n := range list {
			ints[k] = int(n)
		}
		attrs[names[i]] = ints
	}
	for name, text := range values {
		row, ok := spec.Attr(name)
		if !ok {
			if name == "shift" && spec.Name == "MUL" {
				continue // the operand again
			}
			return nil, fmt.Errorf("%s has no attribute %s", spec.Name, name)
		}
		value, err := attribute(row, text)
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", name, err)
		}
		attrs[name] = value
	}
	return attrs, nil
}

// attribute reads an attribute of the kind of its row's default.
func attribute(row nn.AttrSpec, text []byte) (any, error) {
	switch row.Default.(type) {
	case nn.Type:
		var name string
		if err := json.Unmarshal(text, &name); err != nil {
			return nil, err
		}
		return nn.ParseType(name)
	case *nn.Graph:
		var g vectorGraph
		if err := json.Unmarshal(text, &g); err != nil {
			return nil, err
		}
		return g.graph(row.Name)
	}
	v := reflect.New(reflect.TypeOf(row.Default))
	err := json.Unmarshal(text, v.Interface())
	return v.Elem().Interface(), err
}
