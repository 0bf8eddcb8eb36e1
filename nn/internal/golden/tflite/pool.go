package tflite

import (
	"slices"

	"arcv2dsp/nn"
)

var poolAttrs = slices.Concat(strideAttrs, []nn.AttrSpec{
	{Name: "filter_width", Default: 0, Doc: "columns of the window"},
	{Name: "filter_height", Default: 0, Doc: "rows of the window"},
})

// pooling describes an operator that makes one element of the cells of a window.
func pooling(name, doc string, reduce func(cells []int64) int64) *nn.Operator {
	return &nn.Operator{
		Library: nn.TFLite, Name: name, Doc: doc,
		Inputs: inPort, Outputs: outPort,
		Types:  slices.Concat(quantized, sameTypes(2, nn.U8)),
		Attrs:  poolAttrs,
		Check:  checked(preparePool),
		Golden: computed(preparePool, func(c *nn.Call, p pool) { p.run(c.In[0], c.Out[0], reduce) }),
	}
}

var (
	averagePool2D = pooling("AVERAGE_POOL_2D", "the mean of the cells of a window that lie inside the image, ties away from zero", average)
	maxPool2D     = pooling("MAX_POOL_2D", "the greatest cell of a window", slices.Max[[]int64])
)

// average divides by the number of cells inside.
func average(cells []int64) int64 {
	var sum int64
	for _, v := range cells {
		sum += v
	}
	n := int64(len(cells))
	if sum > 0 {
		return (sum + n/2) / n
	}
	return (sum - n/2) / n
}

// pool is a prepared window with the range of its output.
type pool struct {
	plane
	limits
}

func preparePool(c *nn.Call) pool {
	var p pool
	in, out := c.In[0], c.Out[0]
	rank("in", in, 4)
	sameQuantization(in, out)
	p.plane = imagePlane(c, in, c.Attrs.Int("filter_height"), c.Attrs.Int("filter_width"), in.Dim(3))
	p.limits = activated(c.Attrs.String(activation.Name), out)
	return p
}

func (p *pool) run(in, out *nn.Tensor, reduce func([]int64) int64) {
	channels := in.Dim(3)
	var cells []int64
	i := 0
	for b := range in.Dim(0) {
		for y := range p.h.Out {
			y0, y1 := p.h.Inside(y)
			for x := range p.w.Out {
				x0, x1 := p.w.Inside(x)
				for ch := range channels {
					cells = cells[:0]
					for ky := y0; ky < y1; ky++ {
						row := (b*p.h.In + p.h.First(y) + ky) * p.w.In
						for kx := x0; kx < x1; kx++ {
							cells = append(cells, in.Ints[(row+p.w.First(x)+kx)*channels+ch])
						}
					}
					out.Ints[i] = p.clamp(reduce(cells))
					i++
				}
			}
		}
	}
}
