package arcq

import (
	"fmt"
	"slices"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// convParams is the parameter block of convolutions.
var convParams = declared("arcq_conv2d_params")

// convolutions are the rows of convolutions.
func convolutions() []row {
	op, depthwise := operator(nn.TFLite, "CONV_2D"), operator(nn.TFLite, "DEPTHWISE_CONV_2D")
	return []row{{
		symbol: "arcq_conv2d_s8", operator: "conv2d", types: "s8", body: "conv2d.inc", params: convParams, records: channelRecord,
		computes: []*nn.Operator{op, depthwise}, doc: "convolution, 8-bit data and weights, 32-bit sums",
		fits: convFits, rank: 1, fill: fillConv, macs: true, accBits: 32,
		rounds: []nn.Rounding{nn.Double, nn.Single}, grid: convGrid(op),
	}, {
		symbol: "arcq_depthwise_conv2d_s8", operator: "depthwise_conv2d", types: "s8", body: "depthwise_conv2d.inc",
		params: convParams, records: channelRecord, computes: []*nn.Operator{depthwise},
		doc:  "depthwise convolution, 8-bit data and weights, 32-bit sums",
		fits: depthwiseFits, rank: 2, fill: fillConv, macs: true, accBits: 32,
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

func fillConv(p *params, c *nn.Call) { fillConvWith(p, c, p.row.convWay(c)) }

// seen is a call whose windows are at one place along an axis without the weights that lie beside the map there.
func seen(c *nn.Call) *nn.Call {
	w, err := tflite.Windowed(c)
	if err != nil || w.DilationH != 1 || w.DilationW != 1 {
		return c
	}
	in, weights, out := c.In[0], c.In[1], c.Out[0]
	taps := func(axis, kernel, pad int) part {
		if out.Dim(axis) != 1 {
			return part{end: kernel}
		}
		return part{first: pad, end: min(kernel, pad+in.Dim(axis))}
	}
	rows, columns := taps(1, w.KernelH, w.PadTop), taps(2, w.KernelW, w.PadLeft)
	if (rows == part{end: w.KernelH} && columns == part{end: w.KernelW}) {
		return c
	}
	t := *weights
	t.Shape = []int{weights.Dim(0), rows.end - rows.first, columns.end - columns.first, weights.Dim(3)}
	t.Ints = nil
	for i, cell := 0, weights.Dim(3); i < len(weights.Ints); i += cell {
		if at := i / cell; rows.has(at/w.KernelW%w.KernelH) && columns.has(at%w.KernelW) {
			t.Ints = append(t.Ints, weights.Ints[i:i+cell]...)
		}
	}
	smaller := *c
	smaller.In = slices.Clone(c.In)
	smaller.In[1] = &t
	return &smaller
}

// fillConvWith fills in a call that takes its windows in a given way.
func fillConvWith(p *params, c *nn.Call, way convWay) {
	whole := c
	c = seen(c)
	in, weights, out := c.In[0], c.In[1], c.Out[0]
	f := must(filtered(c))
	h, v, channels, err := convSpans(c)
	if err != nil {
		panic(unfit{err})
	}
	p.input("in", "in", kernel.Data)
	switch {
	case c.Op.Name == "DEPTHWISE_CONV_2D" && in.Dim(3) == 1:
		p.table("weights", nn.I8, filtersFirst(weights))
	case c != whole:
		p.table("weights", nn.I8, weights.Ints)
	default:
		p.input("weights", "weights", kernel.Weights)
	}
	folded := tflite.FoldedBias(weights, c.Input("bias"), channelAxis(c), f.InZero, f.Wide)
	p.channels("channels", biases(c, len(folded)), folded, f.Factors)
	p.output("out", "out")
	p.set("batches", int64(in.Dim(0)))
	p.axis("rows", h)
	p.axis("columns", v)
	p.set("in_channels", int64(channels))
	p.set("out_channels", int64(out.Dim(3)))
	p.set("in_zero", f.InZero)
	p.set("out_zero", f.OutZero)
	p.set("least", f.Min)
	p.set("greatest", f.Max)
	p.set("rare", rareChannels(f.Factors, c.Rounding))
	if way.scratch > 0 {
		p.pointer("scratch", p.layout.Place(kernel.Buffer{Name: "scratch", Memory: kernel.Data, Size: way.scratch, Writable: true}))
	}
	if !p.row.isDepthwise() && (way.scratch == 0 || way.turned) {
		p.table("starts", nn.I32, convStarts(c, folded, f.InZero, way.turned))
	}
}

// convStarts are what the sums of a convolution by zones start with: for every zone and channel the folded bias, and the zero
// point times the weights that lie beside the map there, which the folded bias has too many. Zones of a turned map, whose windows
// have one column, go by its columns first.
func convStarts(c *nn.Call, folded []int64, inZero int64, isTurned bool) []int64 {
	h, v, channels, err := convSpans(c)
	if err != nil {
		panic(unfit{err})
	}
	if isTurned {
		h, v = v, h
	}
	weights := c.In[1].Ints
	if channelAxis(c) == 3 {
		weights = filtersFirst(c.In[1])
	}
	var starts []int64
	for _, y := range h.zones() {
		for _, x := range v.zones() {
			for o, start := range folded {
				filter := weights[o*h.kernel*v.kernel*channels:]
				for i := range h.kernel * v.kernel {
					if row, column := i/v.kernel, i%v.kernel; y.taps.has(row) && x.taps.has(column) {
						continue
					}
					for _, w := range filter[i*channels : (i+1)*channels] {
						start += inZero * w
					}
				}
				starts = append(starts, nn.I32.Wrap(start))
			}
		}
	}
	return starts
}
