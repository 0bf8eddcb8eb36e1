package arcq

import (
	"fmt"
	"math/rand/v2"

	"arcv2dsp/mlikernels/cstruct"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite/prepare"
)

// axisParams is one axis of a sliding window. The order is that of the frame of kernel/core/zone.inc.
var axisParams = &cstruct.Struct{
	Fields: []cstruct.Field{
		{Name: "in", Type: cstruct.I32, Doc: "cells of the map"},
		{Name: "out", Type: cstruct.I32, Doc: "cells of the output"},
		{Name: "kernel", Type: cstruct.I32, Doc: "cells of the window"},
		{Name: "stride", Type: cstruct.I32},
		{Name: "pad", Type: cstruct.I32, Doc: "cells before the map"},
		{Name: "full", Type: cstruct.I32, Doc: "outputs whose windows end on the map"},
	},
}

// convParams is the parameter block of convolutions.
var convParams = &cstruct.Struct{
	Name: "arcq_conv2d_params", Doc: "Convolution: maps are batch, row, column, channel.",
	Fields: []cstruct.Field{
		{Name: "in", Type: cstruct.Pointer, C: "const void *", Asm: "CONV_IN"},
		{Name: "weights", Type: cstruct.Pointer, C: "const int8_t *", Asm: "CONV_WEIGHTS", Doc: "output channel, row, column, channel"},
		{Name: "channels", Type: cstruct.Pointer, C: "const struct arcq_channel *", Asm: "CONV_RECORDS", Doc: "of the output"},
		{Name: "out", Type: cstruct.Pointer, Asm: "CONV_OUT", Doc: "apart from in"},
		{Name: "batches", Type: cstruct.I32, Asm: "CONV_BATCHES"},
		{Name: "rows", Of: axisParams, Asm: "CONV_ROWS"},
		{Name: "columns", Of: axisParams},
		{Name: "in_channels", Type: cstruct.I32, Asm: "CONV_CHANNELS"},
		{Name: "out_channels", Type: cstruct.I32, Asm: "CONV_OUTPUTS"},
		{Name: "in_zero", Type: cstruct.I32, Asm: "CONV_IN_ZERO"},
		{Name: "out_zero", Type: cstruct.I32, Asm: "CONV_OUT_ZERO"},
		{Name: "least", Type: cstruct.I32, Asm: "CONV_LEAST", Doc: "of an output element"},
		{Name: "greatest", Type: cstruct.I32, Asm: "CONV_GREATEST"},
		{Name: "rare", Type: cstruct.I32, Asm: "CONV_RARE", Doc: "0 when all shifts are 1 to 31"},
		{Name: "scratch", Type: cstruct.Pointer, Asm: "CONV_SCRATCH", Doc: "room for a window, or 0"},
	},
}

// convolutions are the rows of convolutions.
func convolutions() []row {
	op, depthwise := operator(nn.TFLite, "CONV_2D"), operator(nn.TFLite, "DEPTHWISE_CONV_2D")
	work := func(c *nn.Call) uint64 { return uint64(c.Op.MACs(c)) }
	return []row{{
		symbol: "arcq_conv2d_s8", operator: "conv2d", types: "s8", body: "conv2d.inc", params: convParams, records: channelRecord,
		computes: []*nn.Operator{op, depthwise}, doc: "convolution, 8-bit data and weights, 32-bit sums",
		fits: convFits, fill: fillConv, work: work, accBits: 32,
		rounds: []nn.Rounding{nn.Double, nn.Single}, grid: convGrid(op),
	}, {
		symbol: "arcq_depthwise_conv2d_s8", operator: "depthwise_conv2d", types: "s8", body: "depthwise_conv2d.inc",
		params: convParams, records: channelRecord, computes: []*nn.Operator{depthwise},
		doc:  "depthwise convolution, 8-bit data and weights, 32-bit sums",
		fits: depthwiseFits, fill: fillConv, work: work, accBits: 32,
		rounds: []nn.Rounding{nn.Double, nn.Single}, grid: convGrid(depthwise),
	}}
}

// depthwiseFits refuses calls that need another kernel: other types, several filters for a channel, holes in
// the window.
func depthwiseFits(c *nn.Call) error {
	in, weights := c.In[0], c.In[1]
	switch {
	case in.Type != nn.I8 || weights.Type != nn.I8:
		return fmt.Errorf("data of %s and weights of %s, not i8", in.Type, weights.Type)
	case in.Dim(3) != weights.Dim(3):
		return fmt.Errorf("several filters for a channel")
	case c.Attrs.Int("dilation_h_factor") != 1 || c.Attrs.Int("dilation_w_factor") != 1:
		return fmt.Errorf("a dilated window")
	}
	return nil
}

// filtersFirst are the weights of a depthwise convolution of one channel in the order of a convolution.
func filtersFirst(weights *nn.Tensor) []int64 {
	filters := weights.Dim(3)
	cells := weights.Len() / filters
	v := make([]int64, weights.Len())
	for i, w := range weights.Ints {
		v[i%filters*cells+i/filters] = w
	}
	return v
}

// channelAxis is the dimension of the weights that counts output channels.
func channelAxis(c *nn.Call) int {
	if c.Op.Name == "DEPTHWISE_CONV_2D" {
		return 3
	}
	return 0
}

// convFits refuses calls that need another kernel: other types, groups, holes in the window.
func convFits(c *nn.Call) error {
	in, weights := c.In[0], c.In[1]
	switch {
	case in.Type != nn.I8 || weights.Type != nn.I8:
		return fmt.Errorf("data of %s and weights of %s, not i8", in.Type, weights.Type)
	case c.Op.Name == "DEPTHWISE_CONV_2D" && in.Dim(3) > 1:
		return fmt.Errorf("a filter for each of several channels")
	case c.Op.Name == "CONV_2D" && in.Dim(3) != weights.Dim(3):
		return fmt.Errorf("groups of channels")
	case c.Attrs.Int("dilation_h_factor") != 1 || c.Attrs.Int("dilation_w_factor") != 1:
		return fmt.Errorf("a dilated window")
	}
	return nil
}

func fillConv(p *params, c *nn.Call) {
	in, weights, out := c.In[0], c.In[1], c.Out[0]
	f, err := prepare.Filtered(c)
	if err != nil {
		p.fail(err)
		return
	}
	p.input("in", "in", kernel.Data)
	if c.Op.Name == "DEPTHWISE_CONV_2D" && in.Dim(3) == 1 {
		p.table("weights", nn.I8, filtersFirst(weights))
	} else {
		p.input("weights", "weights", kernel.Weights)
	}
	folded := prepare.FoldedBias(weights, c.Input("bias"), channelAxis(c), f.InZero, f.Wide)
	p.channels("channels", biases(c, len(folded)), folded, f.Factors)
	p.output("out", "out")
	p.set("batches", int64(in.Dim(0)))
	p.window(c, in, out)
	p.set("in_channels", int64(in.Dim(3)))
	p.set("out_channels", int64(out.Dim(3)))
	p.set("in_zero", f.InZero)
	p.set("out_zero", f.OutZero)
	p.set("least", f.Min)
	p.set("greatest", f.Max)
	p.set("rare", rare(f.Factors, c.Rounding))
	if n := convScratch(c); n > 0 {
		p.pointer("scratch", p.layout.Place(kernel.Buffer{Name: "scratch", Memory: kernel.Data, Size: n, Writable: true}))
	}
}

// convScratch is how much scratch makes a convolution faster: 0 where windows are best taken where they are.
func convScratch(c *nn.Call) int {
	w, err := prepare.Windowed(c)
	if err != nil {
		return 0
	}
	in, out := c.In[0], c.Out[0]
	h := span{in: in.Dim(1), out: out.Dim(1), kernel: w.KernelH, stride: w.StrideH, pad: w.PadTop}
	v := span{in: in.Dim(2), out: out.Dim(2), kernel: w.KernelW, stride: w.StrideW, pad: w.PadLeft}
	if c.Op.Name == "DEPTHWISE_CONV_2D" && in.Dim(3) > 1 {
		return depthwiseScratch(h, v, in)
	}
	n := w.KernelH * w.KernelW * in.Dim(3)
	if patchCycles(h, v, in.Dim(3), out.Dim(3)) < zoneCycles(h, v, in.Dim(3)) {
		return (n + 3) &^ 3
	}
	return 0
}

// span is one axis of a window over a map.
type span struct{ in, out, kernel, stride, pad int }

// inside is how many cells of the map all windows see together.
func (s span) inside() int {
	n := 0
	for o := range s.out {
		first := o*s.stride - s.pad
		n += min(first+s.kernel, s.in) - max(first, 0)
	}
	return n
}

// padded is the extent of the map with the padding that windows see.
func (s span) padded() int { return (s.out-1)*s.stride + s.kernel }

// zoneCycles are about the cycles per output channel that conv2d.inc takes by zones, patchCycles those by
// patches. Which is the smaller decides, so they leave out what both have.
func zoneCycles(h, v span, in int) int {
	rows := h.inside() * v.out
	if h.kernel == 1 {
		return h.inside()*v.inside()*in/2 + 13*h.out*v.out
	}
	return h.inside()*v.inside()*in/2 + 4*rows + 15*h.out*v.out
}

func patchCycles(h, v span, in, outputs int) int {
	n := h.kernel * v.kernel * in
	row := v.kernel * in
	patch := 45 + h.kernel*(9+row/4+row%4)
	return h.out * v.out * (n/2 + 10 + patch/outputs)
}

// window fills the members rows and columns in.
func (p *params) window(c *nn.Call, in, out *nn.Tensor) {
	w, err := prepare.Windowed(c)
	if err != nil {
		p.fail(err)
		return
	}
	p.axis("rows", in.Dim(1), out.Dim(1), w.KernelH, w.StrideH, w.PadTop)
	p.axis("columns", in.Dim(2), out.Dim(2), w.KernelW, w.StrideW, w.PadLeft)
}

// axis fills an axis in.
func (p *params) axis(member string, in, out, size, stride, pad int) {
	full := 0
	if room := in + pad - size; room >= 0 {
		full = min(out, room/stride+1)
	}
	for name, v := range map[string]int{"in": in, "out": out, "kernel": size, "stride": stride, "pad": pad, "full": full} {
		p.set(member+"."+name, int64(v))
	}
}

// slide is a window that slides over a map.
type slide struct {
	batches, h, w, c, o int
	kh, kw, sh, sw      int
	same                bool
}

func (s slide) name() string {
	name := fmt.Sprintf("%dx%dx%dx%d-%d_%dx%d_s%dx%d", s.batches, s.h, s.w, s.c, s.o, s.kh, s.kw, s.sh, s.sw)
	if s.same {
		name += "_same"
	}
	return name
}

// extent is the output of an axis.
func (s slide) extent(in, size, stride int) int {
	if s.same {
		return (in + stride - 1) / stride
	}
	return (in-size)/stride + 1
}

// slides varies one thing at a time around a small map, then several at once.
func slides() []slide {
	base := slide{batches: 1, h: 5, w: 6, c: 4, o: 4, kh: 3, kw: 3, sh: 1, sw: 1, same: true}
	all := []slide{base}
	vary := func(values []int, set func(*slide, int)) {
		for _, v := range values {
			s := base
			if set(&s, v); s != base {
				all = append(all, s)
			}
		}
	}
	vary(edges[:11], func(s *slide, v int) { s.w = v })
	vary(edges[:11], func(s *slide, v int) { s.h = v })
	vary(edges[:14], func(s *slide, v int) { s.c = v })
	vary(edges[:11], func(s *slide, v int) { s.o = v })
	vary([]int{2, 3}, func(s *slide, v int) { s.batches = v })
	for _, k := range [][2]int{{1, 1}, {1, 3}, {3, 1}, {2, 2}, {4, 4}, {5, 5}, {6, 3}, {7, 7}, {10, 4}, {1, 9}} {
		for _, same := range []bool{true, false} {
			s := base
			s.h, s.w, s.kh, s.kw, s.same = 11, 10, k[0], k[1], same
			all = append(all, s)
		}
	}
	for _, v := range [][2]int{{1, 2}, {2, 1}, {2, 2}, {3, 3}, {4, 2}, {2, 7}} {
		for _, same := range []bool{true, false} {
			s := base
			s.h, s.w, s.sh, s.sw, s.same = 12, 13, v[0], v[1], same
			all = append(all, s)
		}
	}
	return append(all,
		slide{batches: 1, h: 1, w: 1, c: 1, o: 1, kh: 1, kw: 1, sh: 1, sw: 1},
		slide{batches: 1, h: 2, w: 2, c: 3, o: 2, kh: 5, kw: 5, sh: 1, sw: 1, same: true},
		slide{batches: 2, h: 7, w: 11, c: 13, o: 17, kh: 3, kw: 5, sh: 2, sw: 3, same: true},
		slide{batches: 1, h: 3, w: 31, c: 32, o: 1, kh: 1, kw: 1, sh: 2, sw: 2},
		slide{batches: 1, h: 25, w: 5, c: 64, o: 64, kh: 1, kw: 1, sh: 1, sw: 1},
		slide{batches: 1, h: 49, w: 10, c: 1, o: 8, kh: 10, kw: 4, sh: 2, sw: 2, same: true},
		slide{batches: 2, h: 9, w: 8, c: 3, o: 33, kh: 3, kw: 3, sh: 2, sw: 1, same: true},
		slide{batches: 1, h: 6, w: 5, c: 17, o: 20, kh: 5, kw: 4, sh: 1, sw: 1, same: true},
		slide{batches: 1, h: 8, w: 8, c: 4, o: 16, kh: 3, kw: 3, sh: 1, sw: 2},
	)
}

// factorKinds are how the factors of a case are chosen: in a network's range, around one half and one, far
// up, and so that sums are often half way between two elements.
var factorKinds = []string{"usual", "one", "large", "ties"}

// convGrid is the grid of convolutions: every window, with every kind of factor in turn.
func convGrid(op *nn.Operator) func(*grid) {
	return func(g *grid) {
		for i, s := range slides() {
			kind := factorKinds[i%len(factorKinds)]
			g.add(s.name()+"_"+kind, func(r *rand.Rand) *nn.Call {
				padding := "VALID"
				if s.same {
					padding = "SAME"
				}
				in, w := random(r, nn.I8, s.batches, s.h, s.w, s.c), random(r, nn.I8, s.o, s.kh, s.kw, s.c)
				n := s.kh * s.kw * s.c
				if op.Name == "DEPTHWISE_CONV_2D" {
					s.o, n = s.c, s.kh*s.kw
					w = random(r, nn.I8, 1, s.kh, s.kw, s.c)
				}
				b := random(r, nn.I32, s.o)
				in.Format = nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{int64(r.IntN(256) - 128)}}
				w.Format = nn.Format{Kind: nn.Scaled, Axis: channelAxis(&nn.Call{Op: op})}
				out := &nn.Tensor{Type: nn.I8, Shape: []int{s.batches, s.extent(s.h, s.kh, s.sh), s.extent(s.w, s.kw, s.sw), s.o},
					Format: nn.Format{Kind: nn.Scaled, Scales: []float32{1}, Zeros: []int64{int64(r.IntN(256) - 128)}}}
				for i := range b.Ints {
					b.Ints[i] >>= 16
					w.Format.Scales = append(w.Format.Scales, factorOf(r, kind, n))
				}
				return &nn.Call{Op: op, In: []*nn.Tensor{in, w, b}, Out: []*nn.Tensor{out}, Attrs: nn.Attrs{
					"padding": padding, "stride_h": s.sh, "stride_w": s.sw,
					"fused_activation_function": []string{"NONE", "RELU", "RELU6"}[r.IntN(3)]}}
			})
		}
	}
}

// factorOf is a factor for sums of n products of bytes. A large one leaves the result within 32 bits: the library
// leaves results beyond undefined.
func factorOf(r *rand.Rand, kind string, n int) float32 {
	switch kind {
	case "one":
		return []float32{0.5, 0.49999997, 1, 0.75, 1.5}[r.IntN(5)]
	case "large":
		return float32(1+r.IntN(max(1, 1<<13/n))) * 1.37
	case "ties":
		return 1 / float32(int(1)<<(1+r.IntN(12)))
	}
	return (0.5 + r.Float32()) / (64 * float32(n))
}

// borderCells is the size of a padded map, in cells, from which its copy costs more than the zones at its
// border: eight zones of about 75 cycles for each pair of channels, and 0.35 cycles for each byte.
const borderCells = 850

// depthwiseScratch is the room for a small map with its padding.
func depthwiseScratch(h, v span, in *nn.Tensor) int {
	cells := h.padded() * v.padded()
	if cells > borderCells || in.Dim(0) > 1 || h.inside() == h.out*h.kernel && v.inside() == v.out*v.kernel {
		return 0
	}
	return (cells*in.Dim(3) + 3) &^ 3
}
