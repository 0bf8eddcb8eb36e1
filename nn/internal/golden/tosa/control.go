package tosa

import (
	"cmp"
	"fmt"

	"arcv2dsp/nn"
)

const (
	dataChapter     = "data nodes"
	controlChapter  = "control flow operators"
	variableChapter = "variable operators"
)

func copied(name, doc, chapter string, sets []TypeSet, ext Extension) *Spec {
	s := &Spec{
		Operator: nn.Operator{
			Name: name, Doc: doc, Inputs: []nn.Port{{Role: "input1"}}, Outputs: outPort,
			Golden: func(c *nn.Call) error {
				c.Out[0].Copy(0, c.In[0], 0, c.In[0].Len())
				return nil
			},
		},
		Chapter: chapter, Sets: sets, Ranks: []Rank{rankFrom(0), rankFrom(0)}, Conditions: []Condition{sameShape},
	}
	if ext != "" {
		s.Needs = func(*nn.Call) []Extension { return []Extension{ext} }
	}
	return s
}

func dataTypes() []TypeSet {
	integers := append(shared(everyType(2, nn.Bool, nn.I8, nn.I16, nn.I32)),
		TypeSet{Types: nn.Signature{nn.I4, nn.I4}, Extension: Int4}, TypeSet{Types: nn.Signature{nn.I48, nn.I48}, Extension: Int16})
	return append(integers, everyFloat(2, movedTypes)...)
}

func dataNodes() []*Spec {
	constant := copied("CONST", "elements that the file holds", dataChapter, dataTypes(), "")
	constant.Inputs = []nn.Port{{Role: "values", Weights: true}}
	return []*Spec{constant, copied("IDENTITY", "the input itself", dataChapter, dataTypes(), "")}
}

// variables are tensors that keep their contents: in a graph values of kind Variable. Reading copies from
// one, writing to one; VARIABLE, the declaration, is the value itself.
func variables() []*Spec {
	return []*Spec{
		copied("VARIABLE_READ", "the contents of a variable", variableChapter, dataTypes(), VariableExt),
		copied("VARIABLE_WRITE", "new contents of a variable", variableChapter, dataTypes(), VariableExt),
	}
}

var tensorList = []nn.Port{{Role: "output_list", Variadic: true}}

// graphAttr is an attribute that holds a graph.
func graphAttr(name, doc string) nn.AttrSpec {
	return nn.AttrSpec{Name: name, Default: &nn.Graph{}, Required: true, Doc: doc}
}

func controlNeeds(*nn.Call) []Extension { return []Extension{ControlFlow} }

func control() []*Spec {
	return []*Spec{
		{
			Operator: nn.Operator{
				Name: "COND_IF", Doc: "one of two graphs by a condition",
				Inputs: []nn.Port{{Role: "condition"}, {Role: "input_list", Variadic: true}}, Outputs: tensorList,
				Attrs:   []nn.AttrSpec{graphAttr("then_graph", "runs when the condition is true"), graphAttr("else_graph", "runs when it is false")},
				Control: func(c *nn.Call, run nn.RunGraph) error { return nn.Branch(c, run, "then_graph", "else_graph") },
			},
			Chapter: controlChapter, Needs: controlNeeds,
			Conditions: []Condition{
				{
					Name: "condition", Text: "the condition is one bool", Outcome: nn.Error,
					Broken: func(c *nn.Call) string {
						if t := c.In[0]; t.Type != nn.Bool || t.Len() != 1 {
							return fmt.Sprintf("the condition is %s%v", t.Type, t.Shape)
						}
						return ""
					},
				},
				connects("then_graph", func(c *nn.Call) (in, out []*nn.Tensor) { return c.In[1:], c.Out }),
				connects("else_graph", func(c *nn.Call) (in, out []*nn.Tensor) { return c.In[1:], c.Out }),
			},
		},
		{
			Operator: nn.Operator{
				Name: "WHILE_LOOP", Doc: "a graph again and again as long as a condition holds",
				Inputs: []nn.Port{{Role: "input_list", Variadic: true}}, Outputs: tensorList,
				Attrs:   []nn.AttrSpec{graphAttr("cond_graph", "computes the condition"), graphAttr("body_graph", "computes the next values")},
				Control: func(c *nn.Call, run nn.RunGraph) error { return nn.Loop(c, run, "cond_graph", "body_graph") },
			},
			Chapter: controlChapter, Needs: controlNeeds,
			Conditions: []Condition{
				{
					Name: "loop values", Text: "inputs and outputs have the same types and shapes", Outcome: nn.Error,
					Broken: func(c *nn.Call) string { return nn.SameTensors("output", c.Out, c.In) },
				},
				connects("cond_graph", func(c *nn.Call) (in, out []*nn.Tensor) {
					return c.In, []*nn.Tensor{{Type: nn.Bool}}
				}),
				connects("body_graph", func(c *nn.Call) (in, out []*nn.Tensor) { return c.In, c.Out }),
			},
		},
	}
}

// connects wants a graph to take and give the tensors of the operator, and to be without faults of its own.
func connects(attr string, lists func(*nn.Call) (in, out []*nn.Tensor)) Condition {
	return Condition{
		Name: attr, Text: "the graph takes and gives tensors of the operator's types and shapes, in order", Outcome: nn.Error,
		Broken: func(c *nn.Call) string {
			in, out := lists(c)
			return nn.Connects(c, attr, in, out)
		},
	}
}

// inner checks the graphs inside an operator of control flow. An unpredictable one counts before one with
// an error.
func inner(c *nn.Call) error {
	var broken error
	for _, g := range graphs(c.Attrs) {
		err := g.Check()
		if nn.OutcomeOf(err) == nn.Unpredictable {
			return err
		}
		broken = cmp.Or(broken, err)
	}
	return broken
}
