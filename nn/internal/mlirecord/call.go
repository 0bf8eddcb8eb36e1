package mlirecord

import (
	"fmt"
	"maps"
	"slices"

	"arcv2dsp/nn"
)

// Libraries are the libraries by the names that records have for them.
var Libraries = map[string]nn.Library{"1.1": nn.MLI11, "2.0": nn.MLI20, "tflite": nn.TFLite, "tosa": nn.TOSA, "gemmlowp": nn.Gemmlowp}

// count is the number of tensors of an operator that joins any number of them: the tensors of a call say
// so already.
const count = "tensors_num"

// Tensors of states have a name before the call and one after it.
const before, after = "_in", "_out"

// Operator finds the operator that the record names.
func (r *Record) Operator(ops *nn.Registry) (*nn.Operator, error) {
	lib, ok := Libraries[r.Lib]
	if !ok {
		return nil, fmt.Errorf("case %d is of library %q, there are %v", r.ID, r.Lib, slices.Sorted(maps.Keys(Libraries)))
	}
	op, ok := ops.Lookup(lib, r.Kernel)
	if !ok {
		return nil, fmt.Errorf("case %d: there is no %s of %s", r.ID, r.Kernel, lib)
	}
	return op, nil
}

// Case is the record as a call of an operator. Results that have elements in the record are stated; tensors that the
// record does not have are absent.
func (r *Record) Case(op *nn.Operator) *nn.Case {
	c := &nn.Call{Op: op, Rounding: r.Round, Attrs: nn.Attrs{}}
	want := map[string]*nn.Tensor{}
	k := &nn.Case{Call: c, ID: r.ID, Kernel: r.Function, Want: want, Status: r.Status}
	strides := func(name string, keys ...string) {
		for _, key := range keys {
			if s := r.Strides[key]; s != nil {
				if k.Strides == nil {
					k.Strides = map[string][]int{}
				}
				k.Strides[name] = s
			}
		}
	}
	last := len(op.Inputs) - 1
	n := present(r.Tensors, op.Inputs)
	for name, v := range r.Attrs {
		if name == count && last >= 0 && op.Inputs[last].Variadic {
			joined, _ := v.(int)
			n = last + joined
			continue
		}
		c.Attrs[name] = typed(op, name, v)
	}
	if last >= 0 && op.Inputs[last].Variadic {
		n = max(0, min(n, len(r.Tensors))) // a record has a tensor for each of them
	}
	for i, name := range nn.Names(op.Inputs, n) {
		if !op.Inputs[min(i, last)].State {
			c.In = append(c.In, r.Tensors[name])
			strides(name, name)
			continue
		}
		c.In = append(c.In, r.Tensors[name+before])
		strides(name, name, name+before)
		if t := r.Tensors[name+after]; t != nil && t.Filled() {
			want[name] = t
		}
	}
	for _, name := range nn.Names(op.Outputs, present(r.Tensors, op.Outputs)) {
		t := r.Tensors[name]
		if t != nil && t.Filled() {
			want[name] = t
			t = &nn.Tensor{Type: t.Type, Shape: t.Shape, Format: t.Format}
		}
		c.Out = append(c.Out, t)
		strides(name, name)
	}
	return k
}

// present counts the tensors of a call at ports: as many as there are ports, but at a variadic one those that the record
// has.
func present(tensors map[string]*nn.Tensor, ports []nn.Port) int {
	n := len(ports) - 1
	if n < 0 || !ports[n].Variadic {
		return n + 1
	}
	for tensors[nn.Names(ports, n+1)[n]] != nil {
		n++
	}
	return n
}

// typed gives a value of JSON the kind that the attribute of the operator has. Prepare refuses what does not fit.
func typed(op *nn.Operator, name string, v any) any {
	spec, ok := op.Attr(name)
	if !ok {
		return v
	}
	switch spec.Default.(type) {
	case float64:
		if n, ok := v.(int); ok {
			return float64(n)
		}
	case nn.Type:
		if s, ok := v.(string); ok {
			if t, err := nn.ParseType(s); err == nil {
				return t
			}
			if s == nn.NoType.String() {
				return nn.NoType
			}
		}
	}
	return v
}

// Of makes a record of a case.
func Of(c *nn.Case) (*Record, error) {
	r := &Record{ID: c.ID, Kernel: c.Op.Name, Function: c.Kernel, Round: c.Rounding, Status: c.Status,
		Attrs: nn.Attrs{}, Tensors: map[string]*nn.Tensor{}}
	for name, s := range c.Strides {
		if r.Strides == nil {
			r.Strides = map[string][]int{}
		}
		if _, state := c.Results()[name]; state && c.Input(name) != nil {
			r.Strides[name+before], r.Strides[name+after] = s, s
			continue
		}
		r.Strides[name] = s
	}
	for name, lib := range Libraries {
		if lib == c.Op.Library {
			r.Lib = name
		}
	}
	for name, v := range c.Attrs {
		switch v := v.(type) {
		case *nn.Graph:
			return nil, fmt.Errorf("%s: a record holds no graph, as attribute %s is", c.Op, name)
		case nn.Type:
			r.Attrs[name] = v.String()
		default:
			r.Attrs[name] = v
		}
	}
	if last := len(c.Op.Inputs) - 1; last >= 0 && c.Op.Inputs[last].Variadic {
		r.Attrs[count] = len(c.In) - last
	}
	states := map[string]bool{}
	for _, p := range c.Op.Inputs {
		states[p.Role] = p.State
	}
	for name, t := range c.Inputs() {
		if states[name] {
			name += before
		}
		r.Tensors[name] = t
	}
	for name, t := range c.Results() {
		if states[name] {
			if c.Want[name] != nil {
				r.Tensors[name+after] = c.Want[name]
			}
			continue
		}
		if c.Want[name] != nil {
			t = c.Want[name]
		}
		r.Tensors[name] = &nn.Tensor{Type: t.Type, Shape: t.Shape, Format: t.Format, Ints: t.Ints, Floats: t.Floats}
		if c.Want[name] == nil {
			r.Tensors[name].Ints, r.Tensors[name].Floats = nil, nil
		}
	}
	return r, nil
}
