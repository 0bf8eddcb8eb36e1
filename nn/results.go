package nn

import "fmt"

// Names are the roles of n tensors at ports; those of a variadic port are numbered: "in0", "in1".
func Names(ports []Port, n int) []string {
	names := make([]string, n)
	for i := range names {
		last := min(i, len(ports)-1)
		names[i] = ports[last].Role
		if ports[last].Variadic {
			names[i] = fmt.Sprintf("%s%d", ports[last].Role, i-last)
		}
	}
	return names
}

// Inputs are the inputs of the call by name, absent ones left out.
func (c *Call) Inputs() map[string]*Tensor { return named(c.Op.Inputs, c.In) }

// Results are the outputs of the call and the states it writes, by name.
func (c *Call) Results() map[string]*Tensor {
	all := named(c.Op.Outputs, c.Out)
	for i, p := range c.Op.Inputs {
		if p.State && i < len(c.In) && c.In[i] != nil {
			all[p.Role] = c.In[i]
		}
	}
	return all
}

func named(ports []Port, tensors []*Tensor) map[string]*Tensor {
	all := map[string]*Tensor{}
	for i, name := range Names(ports, len(tensors)) {
		if tensors[i] != nil {
			all[name] = tensors[i]
		}
	}
	return all
}

// Detach copies the call with outputs and states of its own: changes of the copy leave the call as it is.
// The other inputs are shared.
func (c *Call) Detach() *Call {
	d := *c
	d.In, d.Out = append([]*Tensor(nil), c.In...), append([]*Tensor(nil), c.Out...)
	for i, p := range c.Op.Inputs {
		if p.State && i < len(d.In) && d.In[i] != nil {
			d.In[i] = d.In[i].Clone()
		}
	}
	for i, t := range d.Out {
		if t != nil {
			d.Out[i] = t.Clone()
		}
	}
	return &d
}

// Clone copies the call with all its tensors.
func (c *Call) Clone() *Call {
	d := *c
	d.In, d.Out = cloneAll(c.In), cloneAll(c.Out)
	d.Attrs = Attrs{}
	for name, v := range c.Attrs {
		d.Attrs[name] = v
	}
	return &d
}

// cloneAll copies tensors. A tensor that the list has twice is one tensor in the copy as well.
func cloneAll(list []*Tensor) []*Tensor {
	copies := map[*Tensor]*Tensor{nil: nil}
	out := make([]*Tensor, len(list))
	for i, t := range list {
		own, ok := copies[t]
		if !ok {
			own = t.Clone()
			copies[t] = own
		}
		out[i] = own
	}
	return out
}

// Expect prepares the call and computes its results with the golden function. It returns a detached
// copy with the results. The error may be one that leaves results, such as an accumulator that left
// its range; the copy is nil only when there are none.
func (c *Call) Expect() (*Call, error) {
	if err := c.Prepare(); err != nil {
		return nil, err
	}
	d := c.Detach()
	err := d.Run()
	if err != nil && OutcomeOf(err) != Unpredictable {
		return nil, err
	}
	return d, err
}
