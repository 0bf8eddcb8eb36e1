package nn

import "fmt"

// Control flow, for the operators of every library: attributes hold graphs, RunGraph computes one of them.

// MaxIterations bounds a loop. DEVIATION(293): no specification bounds a loop; one that goes on for
// longer is taken to be endless and is an error.
const MaxIterations = 1 << 16

// Branch computes one of two graphs: that of the attribute then when the first input is true, else the other. The
// other inputs are the graph's.
func Branch(c *Call, run RunGraph, then, otherwise string) error {
	g := c.Attrs.Graph(otherwise)
	if c.In[0].Ints[0] != 0 {
		g = c.Attrs.Graph(then)
	}
	results, err := run(g, c.In[1:])
	if err != nil {
		return err
	}
	store(c, results)
	return nil
}

// Loop computes the graph body from values again and again for as long as the graph cond gives true for them. The
// inputs are the first values.
func Loop(c *Call, run RunGraph, cond, body string) error {
	values := c.In
	for range MaxIterations {
		again, err := run(c.Attrs.Graph(cond), values)
		if err != nil {
			return err
		}
		if again[0].Ints[0] == 0 {
			store(c, values)
			return nil
		}
		if values, err = run(c.Attrs.Graph(body), values); err != nil {
			return err
		}
	}
	return fmt.Errorf("the loop still runs after %d iterations", MaxIterations)
}

// store copies results into the outputs of a call.
func store(c *Call, results []*Tensor) {
	for i, t := range results {
		copy(c.Out[i].Ints, t.Ints)
		copy(c.Out[i].Floats, t.Floats)
	}
}

// Connects says how the graph of an attribute differs from one that takes and gives tensors of the types and shapes of
// in and out, in order; empty when it does not. One output of truth is a condition, whatever its rank.
func Connects(c *Call, attr string, in, out []*Tensor) string {
	g := c.Attrs.Graph(attr)
	if g == nil {
		return attr + " is missing"
	}
	if d := SameTensors(attr+" input", g.tensors(g.Inputs), in); d != "" {
		return d
	}
	got := g.tensors(g.Outputs)
	if condition := len(out) == 1 && out[0].Type == Bool && out[0].Len() == 1; condition &&
		len(got) == 1 && got[0].Type == Bool && got[0].Len() == 1 {
		return ""
	}
	return SameTensors(attr+" output", got, out)
}

func (g *Graph) tensors(values []int) []*Tensor {
	var list []*Tensor
	for _, v := range values {
		if v >= 0 && v < len(g.Values) {
			list = append(list, g.Values[v].Tensor)
		}
	}
	return list
}

// SameTensors says how the types and shapes of tensors differ from those that are wanted; empty when they do not.
func SameTensors(what string, got, want []*Tensor) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d tensors as %s, %d are wanted", len(got), what, len(want))
	}
	for i := range got {
		g, w := fmt.Sprintf("%s%v", got[i].Type, got[i].Shape), fmt.Sprintf("%s%v", want[i].Type, want[i].Shape)
		if g != w {
			return fmt.Sprintf("%s %d is %s, %s is wanted", what, i, g, w)
		}
	}
	return ""
}
