package tosa

import (
	"slices"

	"arcv2dsp/nn"
)

const reductionChapter = "reduction operators"

var axisAttr = nn.AttrSpec{Name: "axis", Default: 0, Doc: "the dimension along which it works"}

// reduction folds the elements along an axis; the output keeps the axis with the extent 1.
func reduction(name, doc string, sets []TypeSet, f func(c *nn.Call, a, b int64) (int64, error), conditions ...Condition) *Spec {
	return &Spec{
		Operator: nn.Operator{
			Name: name, Doc: doc, Inputs: []nn.Port{{Role: "input"}}, Outputs: outPort,
			Attrs: []nn.AttrSpec{axisAttr},
			Golden: func(c *nn.Call) error {
				in, out := c.In[0], c.Out[0]
				outer, n, inner := around(in.Shape, c.Attrs.Int("axis"))
				for o := range outer {
					for i := range inner {
						acc := in.Ints[o*n*inner+i]
						for k := 1; k < n; k++ {
							var err error
							if acc, err = f(c, acc, in.Ints[(o*n+k)*inner+i]); err != nil {
								return err
							}
						}
						out.Ints[o*inner+i] = acc
					}
				}
				return nil
			},
		},
		Chapter: reductionChapter, Sets: sets, Ranks: []Rank{rankFrom(1), rankFrom(1)},
		Conditions: append([]Condition{
			axisInRange,
			{
				Name: "shape", Text: "the output has the input's shape with the extent 1 along the axis", Outcome: nn.Error,
				Broken: func(c *nn.Call) string {
					want := slices.Clone(c.In[0].Shape)
					if a := c.Attrs.Int("axis"); a >= 0 && a < len(want) {
						want[a] = 1
						return differ("the output's shape", c.Out[0].Shape, want)
					}
					return ""
				},
			},
		}, conditions...),
	}
}

func reductions() []*Spec {
	bools, ints, floats := shared(everyType(2, nn.Bool)), everyType(2, nn.I8, nn.I16, nn.I32), everyFloat(2, floatTypes)
	extreme := func(name, doc string, f func(a, b int64) int64, real func(c *nn.Call, a, b float64) float64) *Spec {
		s := reduction(name, doc, ints, exactly(f)).withFloats(reduceFloats(real), floats...)
		s.Attrs = append(s.Attrs, nanAttr)
		return s
	}
	product := reduction("REDUCE_PRODUCT", "product of the elements along an axis", floats, nil)
	product.Golden = reduceFloats(pure(func(a, b float64) float64 { return a * b }))
	return []*Spec{
		reduction("REDUCE_ALL", "whether all elements along an axis are true", bools, exactly(func(a, b int64) int64 { return a & b })),
		reduction("REDUCE_ANY", "whether any element along an axis is true", bools, exactly(func(a, b int64) int64 { return a | b })),
		extreme("REDUCE_MAX", "greatest element along an axis", func(a, b int64) int64 { return max(a, b) }, greaterOf),
		extreme("REDUCE_MIN", "smallest element along an axis", func(a, b int64) int64 { return min(a, b) }, lesserOf),
		product,
		reduction("REDUCE_SUM", "sum of the elements along an axis", everyType(2, nn.I32),
			checked(func(a, b int64) int64 { return a + b }), fitsI32).withFloats(
			reduceFloats(pure(func(a, b float64) float64 { return a + b })), floats...),
	}
}
