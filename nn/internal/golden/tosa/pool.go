package tosa

import (
	"fmt"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// pool is AVG_POOL2D and MAX_POOL2D, which share windows and their conditions.
func pool(name, doc string, golden func(*nn.Call) error, extra func() ([]nn.AttrSpec, []Condition)) *Spec {
	s := &Spec{
		Operator: nn.Operator{
			Name: name, Doc: doc, Inputs: []nn.Port{{Role: "input"}}, Outputs: outPort,
			Attrs: []nn.AttrSpec{kernelAttr, strideAttr, padAttr}, Golden: golden,
		},
		Steps: func(c *nn.Call) int64 {
			return inside(poolAxes(c)) * int64(c.In[0].Dim(0)) * int64(c.In[0].Dim(3))
		},
		Chapter: tensorChapter,
		Sets: []TypeSet{
			{Types: nn.Signature{nn.I8, nn.I8}},
			{Types: nn.Signature{nn.I16, nn.I16}, Extension: Int16},
			floatSet(nn.F8E4M3, nn.F8E4M3), floatSet(nn.F8E5M2, nn.F8E5M2),
			floatSet(nn.F16, nn.F16), floatSet(nn.BF16, nn.BF16), floatSet(nn.F32, nn.F32),
		},
		Ranks:   []Rank{rank(4), rank(4)},
		Lengths: []Length{{Attr: "kernel", Of: elements(2)}, {Attr: "stride", Of: elements(2)}, {Attr: "pad", Of: elements(4)}},
		Conditions: []Condition{
			shapesAgree(func(c *nn.Call) string {
				return differ("batch and channels of the output", []int{c.Out[0].Dim(0), c.Out[0].Dim(3)},
					[]int{c.In[0].Dim(0), c.In[0].Dim(3)})
			}),
			{Name: "kernel", Text: "the window has at least 1 row and column", Outcome: nn.Error, Broken: atLeast("kernel", 1)},
			{Name: "stride", Text: "every stride is at least 1", Outcome: nn.Error, Broken: atLeast("stride", 1)},
			{Name: "pad", Text: "no padding is negative", Outcome: nn.Error, Broken: atLeast("pad", 0)},
			{
				Name: "pad < kernel", Text: "every padding is smaller than the window in its direction", Outcome: nn.Error,
				Broken: func(c *nn.Call) string {
					pad, kernel := c.Attrs.Ints("pad"), c.Attrs.Ints("kernel")
					for i, p := range pad {
						if p >= kernel[i/2] {
							return fmt.Sprintf("pad is %v for a kernel of %v", pad, kernel)
						}
					}
					return ""
				},
			},
			exactSizes(poolAxes),
		},
		Limits: []Limit{padLimit, strideLimit, kernelLimit},
	}
	attrs, rules := extra()
	s.Attrs, s.Conditions = append(s.Attrs, attrs...), append(s.Conditions, rules...)
	return s
}

func poolAxes(c *nn.Call) []axis {
	return axes(c.In[0].Shape, c.Out[0].Shape, c.Attrs.Ints("kernel"), c.Attrs.Ints("pad"), c.Attrs.Ints("stride"), nil)
}

var poolSum = Condition{
	Name: "accumulator", Text: "every step of the sum fits i32", Outcome: nn.Unpredictable,
}

func avgPoolRules() ([]nn.AttrSpec, []Condition) {
	return []nn.AttrSpec{inputZPAttr, outputZPAttr, accTypeAttr}, []Condition{
		zeroPoint("input_zp", input(0)), zeroPoint("output_zp", output),
		accumulatorType(func(*nn.Call) *nn.Tensor { return &nn.Tensor{Type: nn.I32} }), poolSum,
	}
}

func maxPoolRules() ([]nn.AttrSpec, []Condition) { return []nn.AttrSpec{nanAttr}, nil }

// windows calls for every output element with the indices of the input elements under its window.
func windows(c *nn.Call, visit func(element int, under []int) error) error {
	in, list := c.In[0], poolAxes(c)
	h, w, channels := list[0], list[1], in.Dim(3)
	var under []int
	o := 0
	for n := range in.Dim(0) {
		for oy := range h.out {
			ky0, kyEnd, y0 := h.taps(oy)
			for ox := range w.out {
				kx0, kxEnd, x0 := w.taps(ox)
				for k := range channels {
					under = under[:0]
					for y := y0; y < y0+kyEnd-ky0; y++ {
						for x := x0; x < x0+kxEnd-kx0; x++ {
							under = append(under, ((n*h.in+y)*w.in+x)*channels+k)
						}
					}
					if err := visit(o, under); err != nil {
						return err
					}
					o++
				}
			}
		}
	}
	return nil
}

func maxPool(c *nn.Call) error {
	least, _ := c.In[0].Type.Range()
	return windows(c, func(o int, under []int) error {
		if c.In[0].Type.Float() {
			m := float64(c.In[0].Floats[under[0]])
			for _, i := range under[1:] {
				m = greaterOf(c, m, float64(c.In[0].Floats[i]))
			}
			put(c.Out[0], o, m)
			return nil
		}
		m := least
		for _, i := range under {
			m = max(m, c.In[0].Ints[i])
		}
		c.Out[0].Ints[o] = m
		return nil
	})
}

// avgPool divides by the number of elements inside the input; padding never counts.
func avgPool(c *nn.Call) error {
	inZP, outZP := int64(c.Attrs.Int("input_zp")), int64(c.Attrs.Int("output_zp"))
	return windows(c, func(o int, under []int) error {
		if c.In[0].Type.Float() {
			var sum float64
			for _, i := range under {
				sum += float64(c.In[0].Floats[i])
			}
			put(c.Out[0], o, sum/float64(len(under)))
			return nil
		}
		var sum int64
		for _, i := range under {
			if sum += c.In[0].Ints[i] - inZP; !nn.I32.Holds(sum) {
				return poolSum.breach("output %s: a sum is %d", at(c, o), sum)
			}
		}
		c.Watch.Reach(min(sum, 0), max(sum, 0))
		reciprocal, err := quant.ReciprocalScale(uint32(len(under)))
		if err != nil {
			return err
		}
		v, err := applyScale32(sum, int64(reciprocal.Value), reciprocal.Down(), false) // sums are in the range of every count's shift
		if err != nil {
			return err
		}
		c.Out[0].Ints[o] = c.Watch.Clamp(c.Out[0].Type, v+outZP, o)
		return nil
	})
}
