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
				copy(c.Out[0].Ints, c.In[0].Ints)
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
	return append(everyType(2, nn.Bool, nn.I8, nn.I16, nn.I32),
		TypeSet{Types: nn.Signature{nn.I4, nn.I4}, Extension: Int4}, TypeSet{Types: nn.Signature{nn.I48, nn.I48}, Extension: Int16})
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

// MaxIterations bounds a loop. DEVIATION(293): the specification bounds no loop; one that goes on for
// longer is taken to be endless and is an error.
const MaxIterations = 1 << 16

func control() []*Spec {
	return []*Spec{
		{
			Operator: nn.Operator{
				Name: "COND_IF", Doc: "one of two graphs by a condition",
				Inputs: []nn.Port{{Role: "condition"}, {Role: "input_list", Variadic: true}}, Outputs: tensorList,
				Attrs: []nn.AttrSpec{graphAttr("then_graph", "runs when the condition is true"), graphAttr("else_graph", "runs when it is false")},
				Control: func(c *nn.Call, run nn.RunGraph) error {
					g := c.Attrs.Graph("else_graph")
					if c.In[0].Ints[0] != 0 {
						g = c.Attrs.Graph("then_graph")
					}
					results, err := run(g, c.In[1:])
					if err != nil {
						return err
					}
					store(c, results)
					return nil
				},
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
				Attrs: []nn.AttrSpec{graphAttr("cond_graph", "computes the condition"), graphAttr("body_graph", "computes the next values")},
				Control: func(c *nn.Call, run nn.RunGraph) error {
					values := c.In
					for range MaxIterations {
						again, err := run(c.Attrs.Graph("cond_graph"), values)
						if err != nil {
							return err
						}
						if again[0].Ints[0] == 0 {
							store(c, values)
							return nil
						}
						if values, err = run(c.Attrs.Graph("body_graph"), values); err != nil {
							return err
						}
					}
					return fmt.Errorf("the loop still runs after %d iterations", MaxIterations)
				},
			},
			Chapter: controlChapter, Needs: controlNeeds,
			Conditions: []Condition{
				{
					Name: "loop values", Text: "inputs and outputs have the same types and shapes", Outcome: nn.Error,
					Broken: func(c *nn.Call) string { return sameTensors("output", c.Out, c.In) },
				},
				connects("cond_graph", func(c *nn.Call) (in, out []*nn.Tensor) {
					return c.In, []*nn.Tensor{{Type: nn.Bool}}
				}),
				connects("body_graph", func(c *nn.Call) (in, out []*nn.Tensor) { return c.In, c.Out }),
			},
		},
	}
}

// store copies results into the outputs of a call.
func store(c *nn.Call, results []*nn.Tensor) {
	for i, t := range results {
		copy(c.Out[i].Ints, t.Ints)
	}
}

// connects wants a graph to take and give the tensors of the operator, and to be without faults of its own.
func connects(attr string, lists func(*nn.Call) (in, out []*nn.Tensor)) Condition {
	return Condition{
		Name: attr, Text: "the graph takes and gives tensors of the operator's types and shapes, in order", Outcome: nn.Error,
		Broken: func(c *nn.Call) string {
			g := c.Attrs.Graph(attr)
			if g == nil {
				return attr + " is missing"
			}
			in, out := lists(c)
			if d := sameTensors(attr+" input", tensorsOf(g, g.Inputs), in); d != "" {
				return d
			}
			got := tensorsOf(g, g.Outputs)
			if attr == "cond_graph" && len(got) == 1 && got[0].Type == nn.Bool && got[0].Len() == 1 {
				return ""
			}
			return sameTensors(attr+" output", got, out)
		},
	}
}

func tensorsOf(g *nn.Graph, values []int) []*nn.Tensor {
	var list []*nn.Tensor
	for _, v := range values {
		if v >= 0 && v < len(g.Values) {
			list = append(list, g.Values[v].Tensor)
		}
	}
	return list
}

func sameTensors(what string, got, want []*nn.Tensor) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d tensors as %s, %d are wanted", len(got), what, len(want))
	}
	for i := range got {
		g, w := fmt.Sprintf("%s%v", got[i].Type, got[i].Shape), fmt.Sprintf("%s%v", want[i].Type, want[i].Shape)
		if d := differ(fmt.Sprintf("%s %d", what, i), g, w); d != "" {
			return d
		}
	}
	return ""
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
