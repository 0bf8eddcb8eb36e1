package tosa

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
)

const layoutChapter = "data layout operators"

// Data layout operators move elements and compute nothing.
func layout() []*Spec {
	return []*Spec{concat(), pad(), reshape(), reverse(), sliceSpec(), tile(), transpose()}
}

// moved is one data layout operator.
func moved(name, doc string, attrs []nn.AttrSpec, golden func(*nn.Call) error, conditions ...Condition) *Spec {
	return &Spec{
		Operator: nn.Operator{
			Name: name, Doc: doc, Inputs: []nn.Port{{Role: "input1"}}, Outputs: outPort, Attrs: attrs, Golden: golden,
		},
		Chapter: layoutChapter, Sets: movedSets(2), Ranks: []Rank{rankFrom(1), rankFrom(1)},
		Conditions: conditions,
	}
}

// movedSets are the combinations of operators that move elements from n-1 ports to another.
func movedSets(n int) []TypeSet {
	return slices.Concat(shared(everyType(n, nn.Bool)), everyType(n, nn.I8, nn.I16, nn.I32), everyFloat(n, movedTypes))
}

// gatherBy computes every output element from the coordinates it has: from gives the input's
// coordinates in place, or false for an element that no input element belongs to.
func gatherBy(c *nn.Call, from func(place []int) bool, missing *nn.Tensor) error {
	in, out := c.In[0], c.Out[0]
	place, source := make([]int, len(out.Shape)), make([]int, len(out.Shape))
	for o := range out.Len() {
		copy(source, place)
		if from(source) {
			out.Copy(o, in, nn.Index(source, in.Shape), 1)
		} else {
			out.Copy(o, missing, 0, 1)
		}
		for d := len(place) - 1; d >= 0; d-- {
			if place[d]++; place[d] < out.Shape[d] {
				break
			}
			place[d] = 0
		}
	}
	return nil
}

// outputShape wants the output's shape to follow from the input's by the attributes; want returns nil when
// another condition is broken.
func outputShape(text string, want func(c *nn.Call) []int) Condition {
	return Condition{
		Name: "shape", Text: text, Outcome: nn.Error,
		Broken: func(c *nn.Call) string {
			if w := want(c); w != nil {
				return differ("the output's shape", c.Out[0].Shape, w)
			}
			return ""
		},
	}
}

func listAttr(name, doc string) nn.AttrSpec {
	return nn.AttrSpec{Name: name, Default: []int{}, Required: true, Doc: doc}
}

func concat() *Spec {
	s := moved("CONCAT", "tensors put behind one another along an axis", []nn.AttrSpec{axisAttr}, func(c *nn.Call) error {
		out := c.Out[0]
		_, total, inner := around(out.Shape, c.Attrs.Int("axis"))
		offset := 0
		for _, in := range c.In {
			outer, n, _ := around(in.Shape, c.Attrs.Int("axis"))
			for o := range outer {
				out.Copy((o*total+offset)*inner, in, o*n*inner, n*inner)
			}
			offset += n
		}
		return nil
	}, axisInRange, Condition{
		Name: "inputs", Text: "all inputs have the rank and, but for the axis, the extents of the first", Outcome: nn.Error,
		Broken: func(c *nn.Call) string {
			for i, t := range c.In {
				want, got := slices.Clone(c.In[0].Shape), slices.Clone(t.Shape)
				if a := c.Attrs.Int("axis"); a >= 0 && a < len(want) && len(want) == len(got) {
					want[a], got[a] = 0, 0
				}
				if !slices.Equal(got, want) {
					return fmt.Sprintf("input %d is %v, the first is %v", i, t.Shape, c.In[0].Shape)
				}
			}
			return ""
		},
	}, outputShape("the output has the extents of the inputs, summed along the axis", func(c *nn.Call) []int {
		want, a := slices.Clone(c.In[0].Shape), c.Attrs.Int("axis")
		if a < 0 || a >= len(want) {
			return nil
		}
		want[a] = 0
		for _, t := range c.In {
			if a < len(t.Shape) {
				want[a] += t.Shape[a]
			}
		}
		return want
	}))
	s.Inputs = []nn.Port{{Role: "input1"}, {Role: "inputs", Variadic: true}}
	s.Sets, s.Ranks = movedSets(3), []Rank{rankFrom(1), rankFrom(1), rankFrom(1)}
	return s
}

func pad() *Spec {
	s := moved("PAD", "a border of a constant around the input", []nn.AttrSpec{
		listAttr("padding", "elements before and after in each dimension"),
		{Name: "pad_const", Default: 0, Also: 0.0, Doc: "the constant, as a raw element"},
	}, func(c *nn.Call) error {
		padding, shape := c.Attrs.Ints("padding"), c.In[0].Shape
		return gatherBy(c, func(place []int) bool {
			for d := range place {
				if place[d] -= padding[2*d]; place[d] < 0 || place[d] >= shape[d] {
					return false
				}
			}
			return true
		}, constantElement(c.In[0].Type, c.Attrs["pad_const"]))
	},
		Condition{Name: "padding", Text: "no padding is negative", Outcome: nn.Error, Broken: atLeast("padding", 0)},
		Condition{Name: "pad_const", Text: "pad_const is a value of the type", Outcome: nn.Error, Broken: valuesOf("pad_const")},
		outputShape("the output has the input's extents and the padding", func(c *nn.Call) []int {
			want := slices.Clone(c.In[0].Shape)
			for i, p := range c.Attrs.Ints("padding") {
				want[i/2] += p
			}
			return want
		}))
	s.Lengths = []Length{{Attr: "padding", Of: perDimension(2)}}
	return s
}

// constantElement is a tensor of one element, an attribute.
func constantElement(t nn.Type, v any) *nn.Tensor {
	x := nn.New(t)
	switch v := v.(type) {
	case int:
		x.Ints[0] = int64(v)
	case float64:
		put(x, 0, v)
	}
	return x
}

func reshape() *Spec {
	s := moved("RESHAPE", "the same elements in another shape", []nn.AttrSpec{
		{Name: "shape", Default: []int{}, Doc: "the new shape"},
	}, func(c *nn.Call) error {
		c.Out[0].Copy(0, c.In[0], 0, c.In[0].Len())
		return nil
	}, Condition{
		Name: "element count", Text: "input and output have the same number of elements", Outcome: nn.Error,
		Broken: func(c *nn.Call) string {
			return differ("the number of elements", nn.Count(c.Out[0].Shape), nn.Count(c.In[0].Shape))
		},
	}, Condition{
		Name: "shape", Text: "the output has the new shape", Outcome: nn.Error,
		Broken: func(c *nn.Call) string {
			if !slices.Equal(c.Out[0].Shape, c.Attrs.Ints("shape")) {
				return fmt.Sprintf("the output's shape is %v, the new shape %v", c.Out[0].Shape, c.Attrs.Ints("shape"))
			}
			return ""
		},
	})
	s.Ranks = []Rank{rankFrom(0), rankFrom(0)}
	return s
}

func reverse() *Spec {
	return moved("REVERSE", "the elements in the opposite order along an axis", []nn.AttrSpec{axisAttr}, func(c *nn.Call) error {
		a := c.Attrs.Int("axis")
		return gatherBy(c, func(place []int) bool {
			place[a] = c.In[0].Shape[a] - 1 - place[a]
			return true
		}, nil)
	}, axisInRange, sameShape)
}

func sliceSpec() *Spec {
	s := moved("SLICE", "a block of the input", []nn.AttrSpec{
		listAttr("start", "first element in each dimension"), listAttr("size", "extent in each dimension"),
	}, func(c *nn.Call) error {
		start := c.Attrs.Ints("start")
		return gatherBy(c, func(place []int) bool {
			for d := range place {
				place[d] += start[d]
			}
			return true
		}, nil)
	},
		Condition{Name: "start", Text: "no start is negative", Outcome: nn.Error, Broken: atLeast("start", 0)},
		Condition{Name: "size", Text: "every size is at least 1", Outcome: nn.Error, Broken: atLeast("size", 1)},
		Condition{
			Name: "end", Text: "the block lies inside the input", Outcome: nn.Error,
			Broken: func(c *nn.Call) string {
				start, size := c.Attrs.Ints("start"), c.Attrs.Ints("size")
				for d, n := range c.In[0].Shape {
					if start[d] > n-size[d] {
						return fmt.Sprintf("start %v and size %v for a shape of %v", start, size, c.In[0].Shape)
					}
				}
				return ""
			},
		},
		outputShape("the output has the block's extents", func(c *nn.Call) []int { return c.Attrs.Ints("size") }))
	s.Lengths = []Length{{Attr: "start", Of: perDimension(1)}, {Attr: "size", Of: perDimension(1)}}
	return s
}

func tile() *Spec {
	s := moved("TILE", "the input repeated in each dimension", []nn.AttrSpec{listAttr("multiples", "repetitions in each dimension")}, func(c *nn.Call) error {
		return gatherBy(c, func(place []int) bool {
			for d, n := range c.In[0].Shape {
				place[d] %= n
			}
			return true
		}, nil)
	}, outputShape("the output has the input's extents times the multiples", func(c *nn.Call) []int {
		want := slices.Clone(c.In[0].Shape)
		for d, m := range c.Attrs.Ints("multiples") {
			want[d] *= m
		}
		return want
	}))
	s.Lengths = []Length{{Attr: "multiples", Of: perDimension(1)}}
	return s
}

func transpose() *Spec {
	permutation := func(c *nn.Call) bool {
		p := slices.Sorted(slices.Values(c.Attrs.Ints("perms")))
		for i, v := range p {
			if i != v {
				return false
			}
		}
		return true
	}
	s := moved("TRANSPOSE", "the dimensions in another order: dimension i of the output is perms[i] of the input", []nn.AttrSpec{
		listAttr("perms", "the input's dimension for each of the output"),
	}, func(c *nn.Call) error {
		perms, source := c.Attrs.Ints("perms"), make([]int, len(c.In[0].Shape))
		return gatherBy(c, func(place []int) bool {
			for i, p := range perms {
				source[p] = place[i]
			}
			copy(place, source)
			return true
		}, nil)
	}, Condition{
		Name: "perms", Text: "perms is a permutation of the dimensions", Outcome: nn.Error,
		Broken: func(c *nn.Call) string {
			if !permutation(c) {
				return fmt.Sprintf("perms is %v", c.Attrs.Ints("perms"))
			}
			return ""
		},
	}, outputShape("the output has the input's extents in the order of perms", func(c *nn.Call) []int {
		if !permutation(c) {
			return nil
		}
		want := make([]int, len(c.In[0].Shape))
		for i, p := range c.Attrs.Ints("perms") {
			want[i] = c.In[0].Shape[p]
		}
		return want
	}))
	s.Lengths = []Length{{Attr: "perms", Of: perDimension(1)}}
	return s
}
