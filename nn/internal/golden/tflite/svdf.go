package tflite

import (
	"arcv2dsp/nn"
)

var svdf = &nn.Operator{
	Library: nn.TFLite, Name: "SVDF",
	Doc: "filters features over time: every run puts one sample of each filter into a memory and weighs the memory",
	Inputs: []nn.Port{{Role: "in"}, {Role: "weights_feature", Weights: true}, {Role: "weights_time", Weights: true},
		{Role: "bias", Optional: true, Weights: true}, {Role: "state", State: true}},
	Outputs: outPort,
	Types:   []nn.Signature{{nn.I8, nn.I8, nn.I8, nn.I32, nn.I8, nn.I8}, {nn.I8, nn.I8, nn.I16, nn.I32, nn.I16, nn.I8}},
	Attrs:   []nn.AttrSpec{{Name: "rank", Default: 0, Doc: "filters to an output"}},
	Check:   checked(prepareSVDF),
	Golden:  computed(prepareSVDF, func(c *nn.Call, p svdfCall) { p.run(c) }),
	MACs: func(c *nn.Call) int64 {
		return int64(c.In[0].Dim(0)) * int64(c.In[1].Len()+c.In[2].Len())
	},
}

// svdfCall is a prepared SVDF.
type svdfCall struct {
	features, out                 requantizer
	batch, inputs, filters, depth int
	rank                          int
}

// prepareSVDF forms both factors in single precision.
func prepareSVDF(c *nn.Call) svdfCall {
	p := svdfCall{rank: c.Attrs.Int("rank")}
	in, feature, time, state, out := c.In[0], c.In[1], c.In[2], c.Input("state"), c.Out[0]
	for _, t := range []*nn.Tensor{in, feature, time, state, out} {
		rank("every tensor but the bias", t, 2)
	}
	p.batch, p.inputs, p.filters, p.depth = in.Dim(0), in.Dim(1), feature.Dim(0), time.Dim(1)
	refuse(p.rank < 1 || p.filters%p.rank != 0, "rank", "%d filters, %d to an output", p.filters, p.rank)
	units := p.filters / p.rank
	bias := c.Input("bias")
	if feature.Dim(1) != p.inputs || time.Dim(0) != p.filters || state.Dim(0) != p.batch || state.Dim(1) != p.filters*p.depth ||
		out.Dim(0) != p.batch || out.Dim(1) != units || bias != nil && bias.Len() != units {
		panic(violation("shape", "in %v, features %v, time %v, state %v, out %v", in.Shape, feature.Shape, time.Shape, state.Shape, out.Shape))
	}
	s := scales(c, "in", "weights_feature", "weights_time", "state", "out")
	list := requantizeAll(c, []float64{
		float64(float32(float32(s[0]*s[1]) / s[3])),
		float64(float32(float32(s[3]*s[2]) / s[4])),
	})
	p.features, p.out = list[0], list[1]
	return p
}

func (p *svdfCall) run(c *nn.Call) {
	in, feature, time, bias, state, out := c.In[0], c.In[1], c.In[2], c.Input("bias"), c.Input("state"), c.Out[0]
	// The whole state moves by one cell; the cell of each filter that is new is written below.
	copy(state.Ints, state.Ints[1:])
	zi, zs, zo := in.Format.Zero(0), state.Format.Zero(0), out.Format.Zero(0)
	for b := range p.batch {
		x := in.Ints[b*p.inputs : (b+1)*p.inputs]
		memory := state.Ints[b*p.filters*p.depth : (b+1)*p.filters*p.depth]
		sums := make([]int64, p.filters/p.rank)
		for f := range p.filters {
			sample := p.features.apply(dot(x, feature.Ints[f*p.inputs:(f+1)*p.inputs], zi, 0))
			// The limits hold before the zero point is added, so the sum may wrap.
			row := memory[f*p.depth : (f+1)*p.depth]
			row[p.depth-1] = state.Type.Wrap(state.Type.Clamp(sample) + zs)
			sums[f/p.rank] += int64(int32(dot(row, time.Ints[f*p.depth:(f+1)*p.depth], zs, 0)))
		}
		for u, v := range sums {
			if bias != nil {
				v += bias.Ints[u]
			}
			out.Ints[b*len(sums)+u] = nn.I8.Clamp(p.out.apply(v) + zo)
		}
	}
}
