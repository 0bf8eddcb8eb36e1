package arcq

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// window fills the members rows and columns in.
func (p *params) window(c *nn.Call, in, out *nn.Tensor) {
	w := must(tflite.Windowed(c))
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
