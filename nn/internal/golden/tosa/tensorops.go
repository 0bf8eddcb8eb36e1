package tosa

import (
	"fmt"
	"slices"

	"arcv2dsp/nn"
)

// The chapter of tensor operators: convolutions, products of matrices, pooling, ARGMAX.

const tensorChapter = "tensor operators"

func tensorOperators() []*Spec {
	return []*Spec{
		argmax(),
		pool("AVG_POOL2D", "mean of the window's elements inside the input, of integers with ties away from zero", avgPool, avgPoolRules),
		pool("MAX_POOL2D", "greatest of the window's elements inside the input", maxPool, maxPoolRules),
		conv2D(), conv3D(), depthwiseConv2D(), fullyConnected(), matMul(), transposeConv2D(), fft2D(), rfft2D(),
	}
}

// convTypes are the combinations every operator with weights has.
var convTypes = []TypeSet{
	{Types: nn.Signature{nn.I8, nn.I8, nn.I32, nn.I32}},
	{Types: nn.Signature{nn.I8, nn.I4, nn.I32, nn.I32}, Extension: Int4},
	{Types: nn.Signature{nn.I16, nn.I8, nn.I48, nn.I48}, Extension: Int16},
	floatSet(nn.F8E4M3, nn.F8E4M3, nn.F16, nn.F16), floatSet(nn.F8E5M2, nn.F8E5M2, nn.F16, nn.F16),
	floatSet(nn.F16, nn.F16, nn.F16, nn.F16), floatSet(nn.BF16, nn.BF16, nn.BF16, nn.BF16), floatSet(nn.F32, nn.F32, nn.F32, nn.F32),
}

// floatAccumulator reports whether floating-point products of elements of a type may be summed in another: in
// f16 for the types up to 16 bits but bf16, else in f32.
func floatAccumulator(of, acc nn.Type) bool {
	switch of {
	case nn.F8E4M3, nn.F8E5M2:
		return acc == nn.F16
	case nn.F16:
		return acc == nn.F16 || acc == nn.F32
	}
	return acc == nn.F32
}

var convPorts = []nn.Port{{Role: "input"}, {Role: "weight", Weights: true}, {Role: "bias", Weights: true}}

var outPort = []nn.Port{{Role: "output"}}

// Attributes of the operators with kernels.
var (
	padAttr      = nn.AttrSpec{Name: "pad", Default: []int{}, Required: true, Doc: "padding before and after in each direction"}
	strideAttr   = nn.AttrSpec{Name: "stride", Default: []int{}, Required: true, Doc: "step in each direction"}
	dilationAttr = nn.AttrSpec{Name: "dilation", Default: []int{}, Required: true, Doc: "distance of neighbouring taps in each direction"}
	kernelAttr   = nn.AttrSpec{Name: "kernel", Default: []int{}, Required: true, Doc: "extent of the window in each direction"}
	outPadAttr   = nn.AttrSpec{Name: "out_pad", Default: []int{}, Required: true, Doc: "rows and columns added around the output; negative ones crop"}
	inputZPAttr  = nn.AttrSpec{Name: "input_zp", Default: 0, Doc: "zero point of the input"}
	weightZPAttr = nn.AttrSpec{Name: "weight_zp", Default: 0, Doc: "zero point of the weights"}
	outputZPAttr = nn.AttrSpec{Name: "output_zp", Default: 0, Doc: "zero point of the output"}
	accTypeAttr  = nn.AttrSpec{Name: "acc_type", Default: nn.NoType, Doc: "type of the accumulator"}
	localBound   = nn.AttrSpec{Name: "local_bound", Default: false, Doc: "the bound on the error of floating-point sums follows the magnitude of each sum's own inputs"}
)

// accumulates is the condition that every sum on the way fits the accumulator.
var accumulates = Condition{
	Name: "accumulator", Text: "every step of the accumulation and the addition of the bias fit the accumulator", Outcome: nn.Unpredictable,
}

// weightRange is the condition on 4-bit weights.
// DEVIATION(290): the weight -8 of type i4 is outside the type's values; the specification names no
// outcome, so the call is unpredictable.
var weightRange = Condition{
	Name: "i4 weights", Text: "a weight of type i4 is -7 to 7", Outcome: nn.Unpredictable, Elements: true,
	Broken: func(c *nn.Call) string {
		if c.In[1].Type != nn.I4 {
			return ""
		}
		return outside(c.In[1], -7, 7)
	},
}

// convRules are the conditions that all operators with weights share.
func convRules(outChannels func(*nn.Call) int, shapes Condition) []Condition {
	return []Condition{
		shapes,
		{
			Name: "bias", Text: "bias has one element, or one for each output channel", Outcome: nn.Error,
			Broken: func(c *nn.Call) string {
				if n, oc := c.In[2].Dim(0), outChannels(c); n != 1 && n != oc {
					return fmt.Sprintf("bias has %d elements for %d channels", n, oc)
				}
				return ""
			},
		},
		zeroPoint("input_zp", input(0)), zeroPoint("weight_zp", input(1)),
		accumulatorType(output),
		weightRange, accumulates,
	}
}

// windowRules are the conditions on pads, strides and dilations.
func windowRules(axes func(*nn.Call) []axis) []Condition {
	return []Condition{
		{Name: "pad", Text: "no padding is negative", Outcome: nn.Error, Broken: atLeast("pad", 0)},
		{Name: "stride", Text: "every stride is at least 1", Outcome: nn.Error, Broken: atLeast("stride", 1)},
		{Name: "dilation", Text: "every dilation is at least 1", Outcome: nn.Error, Broken: atLeast("dilation", 1)},
		exactSizes(axes),
	}
}

// Limits of the operators with kernels.
var (
	padLimit    = limitOf("MAX_KERNEL", "padding", func(l Level) int { return l.MaxKernel }, greatestOf("pad"))
	strideLimit = limitOf("MAX_STRIDE", "stride", func(l Level) int { return l.MaxStride }, greatestOf("stride"))
	kernelLimit = limitOf("MAX_KERNEL", "the window's extent", func(l Level) int { return l.MaxKernel }, greatestOf("kernel"))
)

func limitOf(name, text string, limit func(Level) int, of func(*nn.Call) int) Limit {
	return Limit{Name: name, Text: text, Max: limit, Greatest: of}
}

func greatestOf(attr string) func(*nn.Call) int {
	return func(c *nn.Call) int { return slices.Max(append([]int{0}, c.Attrs.Ints(attr)...)) }
}

// reachLimit bounds dilation times kernel. first is the weight's first spatial dimension.
func reachLimit(first int) Limit {
	return limitOf("MAX_KERNEL", "dilation times kernel", func(l Level) int { return l.MaxKernel }, func(c *nn.Call) int {
		m := 0
		for i, d := range c.Attrs.Ints("dilation") {
			if w := c.Input("weight"); w != nil && first+i < len(w.Shape) {
				m = max(m, d*w.Shape[first+i])
			}
		}
		return m
	})
}

// shapesAgree makes the condition that the arguments' shapes connect.
func shapesAgree(broken func(c *nn.Call) string) Condition {
	return Condition{Name: "shapes", Text: "batches and channels of the arguments agree", Outcome: nn.Error, Broken: broken}
}

func conv2D() *Spec {
	axes := func(c *nn.Call) []axis {
		return axes(c.In[0].Shape, c.Out[0].Shape, c.In[1].Shape[1:3], c.Attrs.Ints("pad"), c.Attrs.Ints("stride"), c.Attrs.Ints("dilation"))
	}
	return convolution("CONV2D", "two-dimensional convolution of NHWC maps with OHWI weights", 4, axes)
}

func conv3D() *Spec {
	axes := func(c *nn.Call) []axis {
		return axes(c.In[0].Shape, c.Out[0].Shape, c.In[1].Shape[1:4], c.Attrs.Ints("pad"), c.Attrs.Ints("stride"), c.Attrs.Ints("dilation"))
	}
	return convolution("CONV3D", "three-dimensional convolution of NDHWC maps with ODHWI weights", 5, axes)
}

// convolution is CONV2D and CONV3D: the rank counts batch and channels.
func convolution(name, doc string, n int, axes func(*nn.Call) []axis) *Spec {
	channels := func(c *nn.Call) int { return c.In[1].Dim(0) }
	return &Spec{
		Operator: nn.Operator{
			Name: name, Doc: doc, Inputs: convPorts, Outputs: outPort,
			Attrs:  []nn.AttrSpec{padAttr, strideAttr, dilationAttr, inputZPAttr, weightZPAttr, accTypeAttr, localBound},
			Golden: func(c *nn.Call) error { return convolve(c, axes(c)) },
			MACs: func(c *nn.Call) int64 {
				return inside(axes(c)) * int64(c.In[0].Dim(0)) * int64(c.In[0].Dim(-1)) * int64(c.Out[0].Dim(-1))
			},
		},
		Chapter: tensorChapter, Sets: convTypes, Ranks: []Rank{rank(n), rank(n), rank(1), rank(n)},
		Lengths: []Length{{Attr: "pad", Of: elements(2 * (n - 2))}, {Attr: "stride", Of: elements(n - 2)}, {Attr: "dilation", Of: elements(n - 2)}},
		Conditions: append(convRules(channels, shapesAgree(func(c *nn.Call) string {
			if d := differ("the weights' input channels", c.In[1].Dim(-1), c.In[0].Dim(-1)); d != "" {
				return d
			}
			return differ("batch and channels of the output", []int{c.Out[0].Dim(0), c.Out[0].Dim(-1)}, []int{c.In[0].Dim(0), channels(c)})
		})), windowRules(axes)...),
		Limits: []Limit{padLimit, strideLimit, reachLimit(1)},
	}
}

// convolve runs over the taps inside the input: a tap in the padding contributes nothing.
func convolve(c *nn.Call, axes []axis) error {
	in, out := c.In[0], c.Out[0]
	for len(axes) < len(directions) {
		axes = append([]axis{{in: 1, out: 1, kernel: 1, stride: 1, dilation: 1}}, axes...)
	}
	d, h, w := axes[0], axes[1], axes[2]
	ic, oc := in.Dim(-1), out.Dim(-1)
	sum := newAccumulator(c)
	o := 0
	for n := range in.Dim(0) {
		for oz := range d.out {
			kz0, kzEnd, z0 := d.taps(oz)
			for oy := range h.out {
				ky0, kyEnd, y0 := h.taps(oy)
				for ox := range w.out {
					kx0, kxEnd, x0 := w.taps(ox)
					for k := range oc {
						sum.start(o)
						for kz, z := kz0, z0; kz < kzEnd; kz, z = kz+1, z+d.dilation {
							for ky, y := ky0, y0; ky < kyEnd; ky, y = ky+1, y+h.dilation {
								for kx, x := kx0, x0; kx < kxEnd; kx, x = kx+1, x+w.dilation {
									i := (((n*d.in+z)*h.in+y)*w.in + x) * ic
									j := (((k*d.kernel+kz)*h.kernel+ky)*w.kernel + kx) * ic
									sum.dot(i, j, ic)
								}
							}
						}
						if err := sum.finish(k); err != nil {
							return err
						}
						o++
					}
				}
			}
		}
	}
	return nil
}

func depthwiseConv2D() *Spec {
	axes := func(c *nn.Call) []axis {
		return axes(c.In[0].Shape, c.Out[0].Shape, c.In[1].Shape[:2], c.Attrs.Ints("pad"), c.Attrs.Ints("stride"), c.Attrs.Ints("dilation"))
	}
	channels := func(c *nn.Call) int { return c.In[1].Dim(2) * c.In[1].Dim(3) }
	return &Spec{
		Operator: nn.Operator{
			Name: "DEPTHWISE_CONV2D", Doc: "convolution of each channel with M kernels of its own; weights are HWCM, channel c*M + m",
			Inputs: convPorts, Outputs: outPort,
			Attrs:  []nn.AttrSpec{padAttr, strideAttr, dilationAttr, inputZPAttr, weightZPAttr, accTypeAttr, localBound},
			Golden: func(c *nn.Call) error { return convolveChannels(c, axes(c)) },
			MACs: func(c *nn.Call) int64 {
				return inside(axes(c)) * int64(c.In[0].Dim(0)) * int64(c.Out[0].Dim(-1))
			},
		},
		Chapter: tensorChapter, Sets: convTypes, Ranks: []Rank{rank(4), rank(4), rank(1), rank(4)},
		Lengths: []Length{{Attr: "pad", Of: elements(4)}, {Attr: "stride", Of: elements(2)}, {Attr: "dilation", Of: elements(2)}},
		Conditions: append(convRules(channels, shapesAgree(func(c *nn.Call) string {
			if d := differ("the weights' input channels", c.In[1].Dim(2), c.In[0].Dim(-1)); d != "" {
				return d
			}
			return differ("batch and channels of the output", []int{c.Out[0].Dim(0), c.Out[0].Dim(-1)}, []int{c.In[0].Dim(0), channels(c)})
		})), windowRules(axes)...),
		Limits: []Limit{padLimit, strideLimit, reachLimit(0)},
	}
}

func convolveChannels(c *nn.Call, axes []axis) error {
	in, weight := c.In[0], c.In[1]
	h, w := axes[0], axes[1]
	channels, m := weight.Dim(2), weight.Dim(3)
	sum := newAccumulator(c)
	o := 0
	for n := range in.Dim(0) {
		for oy := range h.out {
			ky0, kyEnd, y0 := h.taps(oy)
			for ox := range w.out {
				kx0, kxEnd, x0 := w.taps(ox)
				for k := range channels * m {
					sum.start(o)
					for ky, y := ky0, y0; ky < kyEnd; ky, y = ky+1, y+h.dilation {
						for kx, x := kx0, x0; kx < kxEnd; kx, x = kx+1, x+w.dilation {
							sum.tap(((n*h.in+y)*w.in+x)*channels+k/m, (ky*w.kernel+kx)*channels*m+k)
						}
					}
					if err := sum.finish(k); err != nil {
						return err
					}
					o++
				}
			}
		}
	}
	return nil
}

func transposeConv2D() *Spec {
	channels := func(c *nn.Call) int { return c.In[1].Dim(0) }
	return &Spec{
		Operator: nn.Operator{
			Name: "TRANSPOSE_CONV2D", Doc: "transposed convolution of NHWC maps with OHWI weights; the bias is everywhere",
			Inputs: convPorts, Outputs: outPort,
			Attrs:  []nn.AttrSpec{outPadAttr, strideAttr, inputZPAttr, weightZPAttr, accTypeAttr, localBound},
			Golden: transposeConvolve,
			MACs: func(c *nn.Call) int64 {
				return int64(c.In[0].Len()) * int64(c.In[1].Len()/c.In[1].Dim(-1))
			},
		},
		Steps: func(c *nn.Call) int64 { // each output asks every tap whether an input lies there
			return int64(c.Out[0].Len()) * int64(c.In[1].Dim(1)) * int64(c.In[1].Dim(2)) * int64(c.In[1].Dim(3))
		},
		Chapter: tensorChapter, Sets: convTypes, Ranks: []Rank{rank(4), rank(4), rank(1), rank(4)},
		Lengths: []Length{{Attr: "out_pad", Of: elements(4)}, {Attr: "stride", Of: elements(2)}},
		Conditions: append(convRules(channels, shapesAgree(func(c *nn.Call) string {
			if d := differ("the weights' input channels", c.In[1].Dim(-1), c.In[0].Dim(-1)); d != "" {
				return d
			}
			return differ("batch and channels of the output", []int{c.Out[0].Dim(0), c.Out[0].Dim(-1)}, []int{c.In[0].Dim(0), channels(c)})
		})),
			Condition{
				Name: "out_pad", Text: "no out_pad crops the kernel's extent or more", Outcome: nn.Error,
				Broken: func(c *nn.Call) string {
					for i, p := range c.Attrs.Ints("out_pad") {
						if k := c.In[1].Dim(1 + i/2); p <= -k {
							return fmt.Sprintf("out_pad is %v for a kernel of %v", c.Attrs.Ints("out_pad"), c.In[1].Shape[1:3])
						}
					}
					return ""
				},
			},
			Condition{Name: "stride", Text: "every stride is at least 1", Outcome: nn.Error, Broken: atLeast("stride", 1)},
			Condition{
				Name: "output size", Text: "each extent of the output is (I - 1)*stride + out_pads + K", Outcome: nn.Error,
				Broken: func(c *nn.Call) string {
					pad, stride := c.Attrs.Ints("out_pad"), c.Attrs.Ints("stride")
					var want [2]int
					for i := range want {
						want[i] = (c.In[0].Dim(1+i)-1)*stride[i] + pad[2*i] + pad[2*i+1] + c.In[1].Dim(1+i)
					}
					return differ("height and width of the output", c.Out[0].Shape[1:3], want[:])
				},
			}),
		Limits: []Limit{
			limitOf("MAX_KERNEL", "out_pad", func(l Level) int { return l.MaxKernel }, greatestOf("out_pad")),
			strideLimit,
			limitOf("MAX_KERNEL", "the kernel's extent", func(l Level) int { return l.MaxKernel }, func(c *nn.Call) int {
				if w := c.Input("weight"); w != nil && len(w.Shape) == 4 {
					return max(w.Shape[1], w.Shape[2])
				}
				return 0
			}),
		},
	}
}

// transposeConvolve gathers for each output the inputs whose kernel covers it.
func transposeConvolve(c *nn.Call) error {
	in, weight, out := c.In[0], c.In[1], c.Out[0]
	ih, iw, ic := in.Dim(1), in.Dim(2), in.Dim(3)
	kh, kw := weight.Dim(1), weight.Dim(2)
	pad, stride := c.Attrs.Ints("out_pad"), c.Attrs.Ints("stride")
	sum := newAccumulator(c)
	o := 0
	for n := range out.Dim(0) {
		for oy := range out.Dim(1) {
			for ox := range out.Dim(2) {
				for k := range out.Dim(3) {
					sum.start(o)
					for ky := range kh {
						y, fits := source(oy-pad[0]-ky, stride[0], ih)
						if !fits {
							continue
						}
						for kx := range kw {
							x, fits := source(ox-pad[2]-kx, stride[1], iw)
							if !fits {
								continue
							}
							i := ((n*ih+y)*iw + x) * ic
							j := ((k*kh+ky)*kw + kx) * ic
							sum.dot(i, j, ic)
						}
					}
					if err := sum.finish(k); err != nil {
						return err
					}
					o++
				}
			}
		}
	}
	return nil
}

// source is the input position that a stride puts at a place of the output.
func source(place, stride, extent int) (int, bool) {
	if place < 0 || place%stride != 0 || place/stride >= extent {
		return 0, false
	}
	return place / stride, true
}

func fullyConnected() *Spec {
	channels := func(c *nn.Call) int { return c.In[1].Dim(0) }
	return &Spec{
		Operator: nn.Operator{
			Name: "FULLY_CONNECTED", Doc: "product of each row with the weights, plus the bias",
			Inputs: convPorts, Outputs: outPort,
			Attrs: []nn.AttrSpec{inputZPAttr, weightZPAttr, accTypeAttr},
			Golden: func(c *nn.Call) error {
				ic := c.In[0].Dim(1)
				sum := newAccumulator(c)
				for o := range c.Out[0].Len() {
					n, k := o/channels(c), o%channels(c)
					sum.start(o)
					sum.dot(n*ic, k*ic, ic)
					if err := sum.finish(k); err != nil {
						return err
					}
				}
				return nil
			},
			MACs: func(c *nn.Call) int64 { return int64(c.Out[0].Len()) * int64(c.In[0].Dim(1)) },
		},
		Chapter: tensorChapter, Sets: convTypes, Ranks: []Rank{rank(2), rank(2), rank(1), rank(2)},
		Conditions: convRules(channels, shapesAgree(func(c *nn.Call) string {
			if d := differ("the weights' input channels", c.In[1].Dim(1), c.In[0].Dim(1)); d != "" {
				return d
			}
			return differ("the output's shape", c.Out[0].Shape, []int{c.In[0].Dim(0), channels(c)})
		})),
	}
}

func matMul() *Spec {
	return &Spec{
		Operator: nn.Operator{
			Name: "MATMUL", Doc: "product of two matrices in each batch",
			Inputs: []nn.Port{{Role: "A"}, {Role: "B"}}, Outputs: outPort,
			Attrs: []nn.AttrSpec{
				{Name: "a_zp", Default: 0, Doc: "zero point of A"},
				{Name: "b_zp", Default: 0, Doc: "zero point of B"},
			},
			Golden: func(c *nn.Call) error {
				a, b := c.In[0], c.In[1]
				h, depth, w := a.Dim(1), a.Dim(2), b.Dim(2)
				sum := newAccumulator(c)
				for o := range c.Out[0].Len() {
					n, y, x := o/(h*w), o/w%h, o%w
					sum.start(o)
					for k := range depth {
						sum.tap((n*h+y)*depth+k, (n*depth+k)*w+x)
					}
					if err := sum.finish(0); err != nil {
						return err
					}
				}
				return nil
			},
			MACs: func(c *nn.Call) int64 { return int64(c.Out[0].Len()) * int64(c.In[0].Dim(2)) },
		},
		Chapter: tensorChapter,
		Sets: []TypeSet{
			{Types: nn.Signature{nn.I8, nn.I8, nn.I32}},
			{Types: nn.Signature{nn.I16, nn.I16, nn.I48}, Extension: Int16},
			// DEVIATION(297): 1.0 has the types of 8 bits in equal pairs and sums them in f16; the drafts before it and
			// after it have every pair and f32.
			floatSet(nn.F8E4M3, nn.F8E4M3, nn.F16), floatSet(nn.F8E5M2, nn.F8E5M2, nn.F16),
			floatSet(nn.F8E4M3, nn.F8E5M2, nn.F16), floatSet(nn.F8E5M2, nn.F8E4M3, nn.F16),
			floatSet(nn.F8E4M3, nn.F8E4M3, nn.F32), floatSet(nn.F8E5M2, nn.F8E5M2, nn.F32),
			floatSet(nn.F8E4M3, nn.F8E5M2, nn.F32), floatSet(nn.F8E5M2, nn.F8E4M3, nn.F32), floatSet(nn.F16, nn.F16, nn.F16),
			floatSet(nn.F16, nn.F16, nn.F32), floatSet(nn.BF16, nn.BF16, nn.F32), floatSet(nn.F32, nn.F32, nn.F32),
		},
		Ranks: []Rank{rank(3), rank(3), rank(3)},
		Conditions: []Condition{
			shapesAgree(func(c *nn.Call) string {
				a, b := c.In[0].Shape, c.In[1].Shape
				if d := differ("batch and rows of B", b[:2], []int{a[0], a[2]}); d != "" {
					return d
				}
				return differ("the output's shape", c.Out[0].Shape, []int{a[0], a[1], b[2]})
			}),
			zeroPoint("a_zp", input(0)), zeroPoint("b_zp", input(1)), accumulates,
		},
	}
}

func argmax() *Spec {
	floats := func(c *nn.Call) error {
		in := c.In[0]
		outer, n, inner := around(in.Shape, c.Attrs.Int("axis"))
		for o := range outer {
			for i := range inner {
				c.Out[0].Ints[o*inner+i] = int64(firstGreatest(c, func(k int) float64 { return float64(in.Floats[(o*n+k)*inner+i]) }, n))
			}
		}
		return nil
	}
	var sets []TypeSet
	for _, t := range movedTypes {
		sets = append(sets, floatSet(t, nn.I32))
	}
	s := &Spec{
		Operator: nn.Operator{
			Name: "ARGMAX", Doc: "lowest index of the greatest element along an axis",
			Inputs: []nn.Port{{Role: "input"}}, Outputs: outPort,
			Attrs: []nn.AttrSpec{axisAttr, nanAttr},
			Golden: func(c *nn.Call) error {
				in, out := c.In[0], c.Out[0]
				outer, n, inner := around(in.Shape, c.Attrs.Int("axis"))
				for o := range outer {
					for i := range inner {
						best := 0
						for k := 1; k < n; k++ {
							if in.Ints[(o*n+k)*inner+i] > in.Ints[(o*n+best)*inner+i] {
								best = k
							}
						}
						out.Ints[o*inner+i] = int64(best)
					}
				}
				return nil
			},
		},
		Chapter: tensorChapter,
		Sets: []TypeSet{
			{Types: nn.Signature{nn.I8, nn.I32}},
			{Types: nn.Signature{nn.I16, nn.I32}, Extension: Int16},
		},
		Ranks: []Rank{rankFrom(1), rankFrom(0)},
		Conditions: []Condition{
			axisInRange,
			{
				Name: "shape", Text: "the output has the input's shape without the axis", Outcome: nn.Error,
				Broken: func(c *nn.Call) string {
					a, in := c.Attrs.Int("axis"), c.In[0].Shape
					if a < 0 || a >= len(in) {
						return ""
					}
					return differ("the output's shape", c.Out[0].Shape, slices.Concat(in[:a], in[a+1:]))
				},
			},
		},
	}
	return s.withFloats(floats, sets...)
}

// around splits a shape at an axis: the product before it, its extent, the product behind it.
func around(shape []int, axis int) (outer, n, inner int) {
	return nn.Count(shape[:axis]), shape[axis], nn.Count(shape[axis+1:])
}
