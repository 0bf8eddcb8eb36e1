package tosa

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
)

const imageChapter = "image operators"

func image() []*Spec { return []*Spec{resize()} }

// Limits of RESIZE.
const (
	maxResizeExtent = 16384
	maxScaleN       = 2048
)

// Modes of RESIZE.
const (
	Nearest  = "NEAREST"
	Bilinear = "BILINEAR"
)

// sampling is the walk of RESIZE along one direction: position o of the output lies at
// (o*d + offset) / n of the input.
type sampling struct {
	name           string
	in, out        int
	n, d           int
	offset, border int
}

func samplings(c *nn.Call) [2]sampling {
	scale, offset, border := c.Attrs.Ints("scale"), c.Attrs.Ints("offset"), c.Attrs.Ints("border")
	var list [2]sampling
	for i := range list {
		list[i] = sampling{name: directions[1+i], in: c.In[0].Dim(1 + i), out: c.Out[0].Dim(1 + i), n: scale[2*i], d: scale[2*i+1],
			offset: offset[i], border: border[i]}
	}
	return list
}

// each makes a condition of a rule for both directions.
func each(name, text string, broken func(s sampling) bool) Condition {
	return Condition{
		Name: name, Text: text, Outcome: nn.Error,
		Broken: func(c *nn.Call) string {
			for _, s := range samplings(c) {
				if broken(s) {
					return fmt.Sprintf("%s: input %d, output %d, scale %d/%d, offset %d, border %d", s.name, s.in, s.out, s.n, s.d, s.offset,
						s.border)
				}
			}
			return ""
		},
	}
}

func resize() *Spec {
	return &Spec{
		Operator: nn.Operator{
			Name: "RESIZE", Doc: "samples of a map on another grid; BILINEAR leaves the division by the scales to a RESCALE",
			Inputs: []nn.Port{{Role: "input"}}, Outputs: outPort,
			Attrs: []nn.AttrSpec{
				listAttr("scale", "numerator and denominator for height, then width"),
				listAttr("offset", "offset for height and width"), listAttr("border", "border for height and width"),
				{Name: "mode", Default: "", Required: true, Values: []string{Nearest, Bilinear}, Doc: "interpolation"},
			},
			Golden: resizeGolden,
		},
		Chapter: imageChapter,
		Sets: []TypeSet{
			{Types: nn.Signature{nn.I8, nn.I8}}, {Types: nn.Signature{nn.I8, nn.I32}},
			{Types: nn.Signature{nn.I16, nn.I16}, Extension: Int16}, {Types: nn.Signature{nn.I16, nn.I48}, Extension: Int16},
			floatSet(nn.F16, nn.F16), floatSet(nn.BF16, nn.BF16), floatSet(nn.F32, nn.F32),
		},
		Ranks:   []Rank{rank(4), rank(4)},
		Lengths: []Length{{Attr: "scale", Of: elements(4)}, {Attr: "offset", Of: elements(2)}, {Attr: "border", Of: elements(2)}},
		Conditions: []Condition{
			shapesAgree(func(c *nn.Call) string {
				return differ("batch and channels of the output", []int{c.Out[0].Dim(0), c.Out[0].Dim(3)},
					[]int{c.In[0].Dim(0), c.In[0].Dim(3)})
			}),
			{
				Name: "mode", Text: "NEAREST gives the input's type, BILINEAR of integers a wider one", Outcome: nn.Error,
				Broken: func(c *nn.Call) string {
					if !floating(c) && (c.Attrs.String("mode") == Nearest) != (c.In[0].Type == c.Out[0].Type) {
						return fmt.Sprintf("%s from %s to %s", c.Attrs.String("mode"), c.In[0].Type, c.Out[0].Type)
					}
					return ""
				},
			},
			each("extent", "every extent is less than 16384", func(s sampling) bool { return max(s.in, s.out) >= maxResizeExtent }),
			each("scale > 0", "the scale's numbers are positive", func(s sampling) bool { return s.n <= 0 || s.d <= 0 }),
			each("scale_n", "the scale's numerator is at most 2048", func(s sampling) bool { return s.n > maxScaleN }),
			each("scale_d", "the scale's denominator is less than 16 times its numerator", func(s sampling) bool { return s.n > 0 && s.d >= 16*s.n }),
			each("offset", "offset is in [-n, 16 n)", func(s sampling) bool { return s.offset < -s.n || s.offset >= 16*s.n }),
			each("border", "border is in [-16 n, n)", func(s sampling) bool { return s.border < -16*s.n || s.border >= s.n }),
			each("output size", "the output's extent is ((I - 1) n - offset + border) / d + 1, divided exactly", func(s sampling) bool {
				span := (s.in-1)*s.n - s.offset + s.border
				return s.d > 0 && (span%s.d != 0 || s.out != span/s.d+1)
			}),
		},
		Limits: []Limit{{
			Name: "MAX_SCALE", Text: "the scale, rounded up", Max: func(l Level) int { return l.MaxScale },
			Greatest: func(c *nn.Call) int {
				scale, m := c.Attrs.Ints("scale"), 0
				for i := 0; i+1 < len(scale); i += 2 {
					if n, d := scale[i], scale[i+1]; n > 0 && d > 0 {
						m = max(m, (n-1)/d+1)
					}
				}
				return m
			},
			Within: func(c *nn.Call) bool {
				return !slices.ContainsFunc(c.Attrs.Ints("scale"), func(n int) bool { return n > maxScaleN })
			},
		}},
	}
}

// at is the pair of input positions around output position o and the way from the first to the second,
// in parts of n.
func (s sampling) at(o int) (i0, i1, rest int) {
	y := o*s.d + s.offset
	i := y / s.n
	if y%s.n < 0 {
		i--
	}
	return max(i, 0), min(i+1, s.in-1), y - i*s.n
}

func resizeGolden(c *nn.Call) error {
	in, list := c.In[0], samplings(c)
	y, x, channels := list[0], list[1], in.Dim(3)
	nearest := c.Attrs.String("mode") == Nearest
	index := func(n, row, column, k int) int { return ((n*y.in+row)*x.in+column)*channels + k }
	value := func(n, row, column, k int) int64 { return in.Ints[index(n, row, column, k)] }
	o := 0
	for n := range in.Dim(0) {
		for oy := range y.out {
			y0, y1, ry := y.at(oy)
			for ox := range x.out {
				x0, x1, rx := x.at(ox)
				for k := range channels {
					switch {
					case nearest:
						c.Out[0].Copy(o, in, index(n, nearer(y0, y1, ry, y.n), nearer(x0, x1, rx, x.n), k), 1)
					case floating(c):
						dy, dx := float64(ry)/float64(y.n), float64(rx)/float64(x.n)
						at := func(row, column int) float64 { return float64(in.Floats[index(n, row, column, k)]) }
						put(c.Out[0], o, at(y0, x0)*(1-dy)*(1-dx)+at(y0, x1)*(1-dy)*dx+at(y1, x0)*dy*(1-dx)+at(y1, x1)*dy*dx)
					default:
						c.Out[0].Ints[o] = value(n, y0, x0, k)*int64((y.n-ry)*(x.n-rx)) + value(n, y0, x1, k)*int64((y.n-ry)*rx) +
							value(n, y1, x0, k)*int64(ry*(x.n-rx)) + value(n, y1, x1, k)*int64(ry*rx)
					}
					o++
				}
			}
		}
	}
	return nil
}

// nearer picks the second position from the half point on.
func nearer(i0, i1, rest, n int) int {
	if 2*rest >= n {
		return i1
	}
	return i0
}
