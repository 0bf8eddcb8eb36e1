package tosacheck

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden/tosa"
)

// vector is one line of a file of vectors, a call or a graph.
type vector struct {
	ID      string         `json:"id"`
	Op      string         `json:"op"`
	Tag     string         `json:"tag"`
	Level   string         `json:"level"`
	Attrs   map[string]any `json:"attrs"`
	Inputs  []vectorTensor `json:"inputs"`
	Outputs []vectorTensor `json:"outputs"`
	Expect  string         `json:"expect"`

	Tensors  []vectorTensor `json:"tensors"`
	Ops      []vectorNode   `json:"ops"`
	Results  []string       `json:"results"`
	Expected [][]int64      `json:"expected"`
}

type vectorTensor struct {
	Name  string  `json:"name"`
	Type  string  `json:"dtype"`
	Shape []int   `json:"shape"`
	Data  []int64 `json:"data"`
}

type vectorNode struct {
	Op    string         `json:"op"`
	Attrs map[string]any `json:"attrs"`
	In    []string       `json:"in"`
	Out   []string       `json:"out"`
}

// shapeType is the vectors' name for an operand that is a list of sizes.
const shapeType = "shape"

// ReadVectors reads a file of vectors.
func ReadVectors(fsys fs.FS, name string) ([]*Case, error) {
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
	for dec := json.NewDecoder(bufio.NewReader(z)); ; {
		var v vector
		if err := dec.Decode(&v); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c, err := v.toCase()
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, v.ID, err)
		}
		list = append(list, c)
	}
}

// AllVectors reads every file of vectors in a file system.
func AllVectors(fsys fs.FS) ([]*Case, error) {
	names, err := fs.Glob(fsys, "*.jsonl.gz")
	if err != nil {
		return nil, err
	}
	var list []*Case
	for _, name := range names {
		cases, err := ReadVectors(fsys, path.Clean(name))
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
	c := &Case{Name: v.ID, Purpose: v.Tag, Expect: expect, Target: tosa.Target{Level: level, Extensions: tosa.Extensions()}}
	if v.Op == "" {
		return c, v.graph(c)
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
		call.In, c.Inputs = append(call.In, t), append(c.Inputs, t)
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

// graph fills in the case of a graph.
func (v *vector) graph(c *Case) error {
	g := &nn.Graph{Name: v.ID}
	index, lists := map[string]int{}, map[string][]int64{}
	used := map[string]bool{}
	for _, n := range v.Ops {
		for _, name := range n.Out {
			used[name] = true
		}
	}
	for _, vt := range v.Tensors {
		if vt.Type == shapeType {
			lists[vt.Name] = vt.Data
			continue
		}
		t, err := vt.tensor()
		if err != nil {
			return fmt.Errorf("%s: %w", vt.Name, err)
		}
		index[vt.Name] = len(g.Values)
		g.Values = append(g.Values, nn.Value{Name: vt.Name, Tensor: t})
		if !t.Filled() && !used[vt.Name] {
			return fmt.Errorf("%s has neither elements nor an operator", vt.Name)
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
			return fmt.Errorf("unknown operator %s", n.Op)
		}
		node := nn.Node{Name: fmt.Sprintf("%d %s", i, n.Op), Op: &spec.Operator}
		var operands [][]int64
		for _, name := range n.In {
			if list, ok := lists[name]; ok {
				operands = append(operands, list)
				continue
			}
			k, err := at(name)
			if err != nil {
				return err
			}
			node.In = append(node.In, k)
		}
		for _, name := range n.Out {
			k, err := at(name)
			if err != nil {
				return err
			}
			node.Out = append(node.Out, k)
		}
		var err error
		if node.Attrs, err = attributes(spec, n.Attrs, operands); err != nil {
			return err
		}
		g.Nodes = append(g.Nodes, node)
	}
	if len(v.Results) != len(v.Expected) {
		return fmt.Errorf("%d results and %d lists of elements", len(v.Results), len(v.Expected))
	}
	for i, name := range v.Results {
		k, err := at(name)
		if err != nil {
			return err
		}
		g.Outputs = append(g.Outputs, k)
		c.Want = append(c.Want, nn.FromInts(g.Values[k].Tensor.Type, g.Values[k].Tensor.Shape, v.Expected[i]))
	}
	c.Graph = g
	return nil
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

// attributes turns JSON values into attributes of the operator's kinds.
func attributes(spec *tosa.Spec, values map[string]any, lists [][]int64) (nn.Attrs, error) {
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
	for name, v := range values {
		row, ok := spec.Attr(name)
		if !ok {
			if name == "shift" && spec.Name == "MUL" {
				continue // the operand again
			}
			return nil, fmt.Errorf("%s has no attribute %s", spec.Name, name)
		}
		value, err := attribute(row, v)
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", name, err)
		}
		attrs[name] = value
	}
	return attrs, nil
}

func attribute(row nn.AttrSpec, v any) (any, error) {
	switch x := v.(type) {
	case float64:
		return int(x), nil
	case []any:
		ints := make([]int, len(x))
		for i, n := range x {
			f, ok := n.(float64)
			if !ok {
				return nil, fmt.Errorf("element %d is %v", i, n)
			}
			ints[i] = int(f)
		}
		return ints, nil
	case string:
		if _, ok := row.Default.(nn.Type); ok {
			return nn.ParseType(x)
		}
	}
	return v, nil
}
