package tflite

import "arcv2dsp/nn"

var listPort = []nn.Port{{Role: "outputs", Variadic: true}}

// graphAttr is an attribute that holds a graph.
func graphAttr(name, doc string) nn.AttrSpec {
	return nn.AttrSpec{Name: name, Default: &nn.Graph{}, Required: true, Doc: doc}
}

// connected is the rule of graphs inside an operator: they take and give its tensors, and have no faults of their own.
func connected(c *nn.Call, attr string, in, out []*nn.Tensor) error {
	if d := nn.Connects(c, attr, in, out); d != "" {
		return violation("graph", "%s", d)
	}
	return c.Attrs.Graph(attr).Check()
}

// condition is a tensor of one truth value.
var condition = []*nn.Tensor{{Type: nn.Bool}}

var branch = &nn.Operator{
	Library: nn.TFLite, Name: "IF", Doc: "computes one of two graphs, by a condition",
	Inputs: []nn.Port{{Role: "condition"}, {Role: "inputs", Variadic: true}}, Outputs: listPort,
	Types: []nn.Signature{{nn.Bool, nn.NoType, nn.NoType}},
	Attrs: []nn.AttrSpec{graphAttr("then_graph", "computed when the condition is true"), graphAttr("else_graph", "computed when it is false")},
	Check: func(c *nn.Call) error {
		if c.In[0].Len() != 1 {
			return violation("shape", "the condition has %d elements, it must have one", c.In[0].Len())
		}
		if err := connected(c, "then_graph", c.In[1:], c.Out); err != nil {
			return err
		}
		return connected(c, "else_graph", c.In[1:], c.Out)
	},
	Control: func(c *nn.Call, run nn.RunGraph) error { return nn.Branch(c, run, "then_graph", "else_graph") },
}

var loop = &nn.Operator{
	Library: nn.TFLite, Name: "WHILE", Doc: "computes a graph again and again, as long as a condition holds",
	Inputs: []nn.Port{{Role: "inputs", Variadic: true}}, Outputs: listPort,
	Attrs: []nn.AttrSpec{graphAttr("cond_graph", "computes the condition"), graphAttr("body_graph", "computes the next values")},
	Check: func(c *nn.Call) error {
		if d := nn.SameTensors("outputs", c.Out, c.In); d != "" {
			return violation("shape", "%s", d)
		}
		if err := connected(c, "cond_graph", c.In, condition); err != nil {
			return err
		}
		return connected(c, "body_graph", c.In, c.Out)
	},
	Control: func(c *nn.Call, run nn.RunGraph) error { return nn.Loop(c, run, "cond_graph", "body_graph") },
}

// Variables are values of a graph that keep their contents: reading copies from one, assigning to one.

var readVariable = &nn.Operator{
	Library: nn.TFLite, Name: "READ_VARIABLE", Doc: "the contents of a variable",
	Inputs: []nn.Port{{Role: "variable"}}, Outputs: outPort,
	Check: ruled(copiesAll), Golden: ruled(copyAll),
}

var assignVariable = &nn.Operator{
	Library: nn.TFLite, Name: "ASSIGN_VARIABLE", Doc: "gives a variable new contents",
	Inputs: inPort, Outputs: []nn.Port{{Role: "variable"}},
	Check: ruled(copiesAll), Golden: ruled(copyAll),
}

// copiesAll is the rule of operators whose output is their input.
func copiesAll(c *nn.Call) {
	copied(c.In[0], c.Out[0])
	sameShape("out", c.Out[0], c.In[0].Shape)
}

func copyAll(c *nn.Call) { copyElements(c.Out[0], 0, c.In[0], 0, c.In[0].Len()) }
