package mlirecord

import (
	"fmt"

	"arcv2dsp/nn"
)

// Versions are the libraries by the versions that records name.
var Versions = map[string]nn.Library{"1.1": nn.MLI11, "2.0": nn.MLI20}

// count is the number of tensors of an operator that joins any number of them: the tensors of a call say
// so already.
const count = "tensors_num"

// Tensors of states have a name before the call and one after it.
const before, after = "_in", "_out"

// Call makes a call of the record's function, and says what it must give: the results by role that have
// elements in the record. Tensors that the record does not have are absent.
func (r *Record) Call(op *nn.Operator) (*nn.Call, map[string]*nn.Tensor) {
	c := &nn.Call{Op: op, Rounding: r.Round, Attrs: nn.Attrs{}}
	want := map[string]*nn.Tensor{}
	n := len(op.Inputs)
	for name, v := range r.Attrs {
		if name == count && op.Inputs[n-1].Variadic {
			n, _ = v.(int)
			continue
		}
		c.Attrs[name] = v
	}
	if op.Inputs[len(op.Inputs)-1].Variadic {
		n = max(0, min(n, len(r.Tensors))) // a record has a tensor for each of them
	}
	for i, name := range nn.Names(op.Inputs, n) {
		if !op.Inputs[min(i, len(op.Inputs)-1)].State {
			c.In = append(c.In, r.Tensors[name])
			continue
		}
		c.In = append(c.In, r.Tensors[name+before])
		if t := r.Tensors[name+after]; t != nil && t.Filled() {
			want[name] = t
		}
	}
	for _, name := range nn.Names(op.Outputs, len(op.Outputs)) {
		t := r.Tensors[name]
		if t != nil && t.Filled() {
			want[name] = t
			t = &nn.Tensor{Type: t.Type, Shape: t.Shape, Format: t.Format}
		}
		c.Out = append(c.Out, t)
	}
	return c, want
}

// Of makes a record of a call and of the same call after it ran.
func Of(c, ran *nn.Call) (*Record, error) {
	r := &Record{Kernel: c.Op.Name, Round: c.Rounding, Attrs: nn.Attrs{}, Tensors: map[string]*nn.Tensor{}}
	for version, lib := range Versions {
		if lib == c.Op.Library {
			r.Lib = version
		}
	}
	if r.Lib == "" {
		return nil, fmt.Errorf("records are of MLI, %s is not", c.Op)
	}
	for name, v := range c.Attrs {
		r.Attrs[name] = v
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
	for name, t := range ran.Results() {
		if states[name] {
			name += after
		}
		r.Tensors[name] = t
	}
	return r, nil
}
