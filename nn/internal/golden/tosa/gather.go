package tosa

import (
	"fmt"

	"arcv2dsp/nn"
)

const gatherChapter = "scatter and gather operators"

func gatherScatter() []*Spec { return []*Spec{gather(), scatter()} }

// indexRange is the rule that indices are rows of the values.
var indexRange = Condition{
	Name: "index", Text: "every index is a row of the values", Outcome: nn.Unpredictable, Elements: true,
	Broken: func(c *nn.Call) string { return outside(c.In[1], 0, int64(c.In[0].Dim(1))-1) },
}

func gather() *Spec {
	var sets []TypeSet
	for _, t := range []nn.Type{nn.I8, nn.I16, nn.I32} {
		sets = append(sets, TypeSet{Types: nn.Signature{t, nn.I32, t}})
	}
	for _, t := range movedTypes {
		sets = append(sets, floatSet(t, nn.I32, t))
	}
	return &Spec{
		Operator: nn.Operator{
			Name: "GATHER", Doc: "rows of the values [N,K,C] in the order of the indices [N,W]",
			Inputs: []nn.Port{{Role: "values"}, {Role: "indices"}}, Outputs: outPort,
			Golden: func(c *nn.Call) error {
				values, indices := c.In[0], c.In[1]
				k, width, w := values.Dim(1), values.Dim(2), indices.Dim(1)
				for i, row := range indices.Ints {
					c.Out[0].Copy(i*width, values, (i/w*k+int(row))*width, width)
				}
				return nil
			},
		},
		Chapter: gatherChapter, Sets: sets, Ranks: []Rank{rank(3), rank(2), rank(3)},
		Conditions: []Condition{
			shapesAgree(func(c *nn.Call) string {
				v, i := c.In[0].Shape, c.In[1].Shape
				if d := differ("the batch of the indices", i[0], v[0]); d != "" {
					return d
				}
				return differ("the output's shape", c.Out[0].Shape, []int{v[0], i[1], v[2]})
			}),
			indexRange,
		},
	}
}

func scatter() *Spec {
	var sets []TypeSet
	for _, t := range []nn.Type{nn.I8, nn.I16, nn.I32} {
		sets = append(sets, TypeSet{Types: nn.Signature{t, nn.I32, t, t}})
	}
	for _, t := range movedTypes {
		sets = append(sets, floatSet(t, nn.I32, t, t))
	}
	return &Spec{
		Operator: nn.Operator{
			Name: "SCATTER", Doc: "the values [N,K,C] with the rows of the input [N,W,C] written to the indices [N,W]",
			Inputs: []nn.Port{{Role: "values_in"}, {Role: "indices"}, {Role: "input"}}, Outputs: []nn.Port{{Role: "values_out"}},
			Golden: func(c *nn.Call) error {
				values, indices, rows := c.In[0], c.In[1], c.In[2]
				k, width, w := values.Dim(1), values.Dim(2), indices.Dim(1)
				c.Out[0].Copy(0, values, 0, values.Len())
				for i, row := range indices.Ints {
					c.Out[0].Copy((i/w*k+int(row))*width, rows, i*width, width)
				}
				return nil
			},
		},
		Chapter: gatherChapter, Sets: sets, Ranks: []Rank{rank(3), rank(2), rank(3), rank(3)},
		Conditions: []Condition{
			shapesAgree(func(c *nn.Call) string {
				v, i := c.In[0].Shape, c.In[1].Shape
				if d := differ("the batch of the indices", i[0], v[0]); d != "" {
					return d
				}
				if d := differ("the input's shape", c.In[2].Shape, []int{v[0], i[1], v[2]}); d != "" {
					return d
				}
				return differ("the output's shape", c.Out[0].Shape, v)
			}),
			indexRange,
			{
				Name: "index twice", Text: "no row of a batch is written twice", Outcome: nn.Unpredictable, Elements: true,
				Broken: func(c *nn.Call) string {
					w, seen := c.In[1].Dim(1), map[[2]int64]bool{}
					for i, row := range c.In[1].Ints {
						key := [2]int64{int64(i / w), row}
						if seen[key] {
							return fmt.Sprintf("row %d of batch %d", row, i/w)
						}
						seen[key] = true
					}
					return ""
				},
			},
		},
	}
}
