package tflite

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/window"
)

var transposeConv = &nn.Operator{
	Library: nn.TFLite, Name: "TRANSPOSE_CONV",
	Doc: "spreads every input cell over a window of the output, as the gradient of a convolution does",
	Inputs: []nn.Port{{Role: "shape", Weights: true}, {Role: "weights", Weights: true}, {Role: "in"},
		{Role: "bias", Optional: true, Weights: true}},
	Outputs: outPort,
	Types: []nn.Signature{
		{nn.I32, nn.I8, nn.I8, nn.I32, nn.I8},
		{nn.I32, nn.I8, nn.I16, nn.I64, nn.I16},
		{nn.I32, nn.I8, nn.I16, nn.I16, nn.I16},
	},
	Attrs:  append([]nn.AttrSpec{biasAttr}, strideAttrs...),
	Check:  checked(prepareTransposeConv),
	Golden: computed(prepareTransposeConv, func(c *nn.Call, p conv) { p.spread(c.In[2], c.In[1], c.Input("bias"), c.Out[0]) }),
	MACs: counted(prepareTransposeConv, func(c *nn.Call, p conv) int64 {
		w := c.In[1]
		return p.h.Cells() * p.w.Cells() * int64(c.In[2].Dim(0)*w.Dim(0)*w.Dim(3))
	}),
	Nominal: func(c *nn.Call) int64 { return int64(c.In[2].Len()) * int64(nn.Count(c.In[1].Shape[:3])) },
}

// prepareTransposeConv sees the output as the image that windows move over: in and out of the axes are
// exchanged, so the padding follows from the size of the output.
func prepareTransposeConv(c *nn.Call) conv {
	var p conv
	weights, in, out := c.In[1], c.In[2], c.Out[0]
	for _, t := range []struct {
		role string
		t    *nn.Tensor
	}{{"weights", weights}, {"in", in}, {"out", out}} {
		rank(t.role, t.t, 4)
	}
	if f := c.Attrs.String(activation.Name); f != "NONE" {
		panic(violation("activation", "a fused %s is not supported", f))
	}
	if weights.Dim(3) != in.Dim(3) || out.Dim(3) != weights.Dim(0) || out.Dim(0) != in.Dim(0) {
		panic(violation("shape", "in %v, weights %v, out %v", in.Shape, weights.Shape, out.Shape))
	}
	if shape := c.In[0]; shape.Filled() {
		for i, d := range shape.Ints {
			refuse(shape.Len() != 4 || int(d) != out.Dim(i), "shape", "shape says %v, out is %v", shape.Ints, out.Shape)
		}
	}
	axes := [2]window.Axis{}
	for i, name := range []string{"stride_h", "stride_w"} {
		a, err := window.Spread(c.Attrs.String("padding"), out.Dim(1+i), in.Dim(1+i), weights.Dim(1+i), c.Attrs.Int(name))
		if err != nil {
			panic(violation("window", "%v", err))
		}
		axes[i] = a
	}
	p.h, p.w = axes[0], axes[1]
	p.sums = prepareSums(c, in, weights, c.Input("bias"), out, 0, weights.Dim(0))
	return p
}

// spread adds the products of every input cell to the output cells under its window.
func (p *conv) spread(in, weights, bias, out *nn.Tensor) {
	channels, depth := weights.Dim(0), weights.Dim(3)
	sum := make([]int64, out.Len())
	for b := range in.Dim(0) {
		for y := range p.h.Out {
			y0, y1 := p.h.Inside(y)
			for x := range p.w.Out {
				x0, x1 := p.w.Inside(x)
				cell := ((b*p.h.Out+y)*p.w.Out + x) * depth
				for ky := y0; ky < y1; ky++ {
					for kx := x0; kx < x1; kx++ {
						to := ((b*p.h.In+p.h.First(y)+ky)*p.w.In + p.w.First(x) + kx) * channels
						for ch := range channels {
							filter := ((ch*p.h.Kernel+ky)*p.w.Kernel + kx) * depth
							sum[to+ch] += dot(in.Ints[cell:cell+depth], weights.Ints[filter:filter+depth], p.inZero, 0)
						}
					}
				}
			}
		}
	}
	for i, v := range sum {
		out.Ints[i] = p.output(v, bias, i%channels)
	}
}
