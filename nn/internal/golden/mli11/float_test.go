package mli11

import (
	"math"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/mli"
	"arcv2dsp/nn/internal/golden/rule"
)

// The float64 reference of the tests: the results of a kernel when only its inputs are quantized. Layouts
// and legality are those of the exact model; the arithmetic is written again.

// realModel computes the outputs and the new states of a call.
type realModel func(Typing, *nn.Call) map[string][]float64

// reals are the models by family.
var reals = map[string]realModel{
	"conv2d_chw": convFloat(chw), "conv2d_hwc": convFloat(hwc), "conv2d_nhwc": convFloat(hwc),
	"depthwise_conv2d_chw": convFloat(depthwiseCHW), "depthwise_conv2d_hwcn": convFloat(depthwiseHWCN),
	"fully_connected": fullyConnectedFloat,
	"maxpool_chw":     poolFloat(chw, maxFloat), "maxpool_hwc": poolFloat(hwc, maxFloat),
	"avepool_chw": poolFloat(chw, meanFloat), "avepool_hwc": poolFloat(hwc, meanFloat),
	"basic_rnn_cell": basicRNNFloat, "lstm_cell": lstmFloat,
	"relu": reluFloat, "leaky_relu": leakyReLUFloat, "sigm": elementFloat(sigmoid), "tanh": elementFloat(tanh), "softmax": softmaxFloat,
	"concat": moveFloat, "permute": moveFloat, "padding2d_chw": moveFloat, "padding2d_hwc": moveFloat,
	"eltwise_add": pairFloat(func(a, b float64) float64 { return a + b }), "eltwise_sub": pairFloat(func(a, b float64) float64 { return a - b }),
	"eltwise_mul": pairFloat(func(a, b float64) float64 { return a * b }),
	"eltwise_min": pairFloat(func(a, b float64) float64 { return min(a, b) }), "eltwise_max": pairFloat(func(a, b float64) float64 { return max(a, b) }),
}

// Float computes the outputs and the new states of a call in float64, from the values the quantized
// inputs stand for.
func (f *Function) Float(c *nn.Call) (out map[string][]float64, err error) {
	err = rule.Of(func(c *nn.Call) {
		filled(c)
		out = reals[f.Family](f.Typing, c)
	})(c)
	return out, err
}

func floatOut(name string, v []float64) map[string][]float64 {
	return map[string][]float64{name: v}
}

// reluFloat64 is the rectifier on real numbers.
func reluFloat64(kind int, x float64) float64 {
	switch kind {
	case mli.ReluGen:
		return max(0, x)
	case mli.Relu1:
		return max(-1, min(1, x))
	case mli.Relu6:
		return max(0, min(6, x))
	}
	return x
}

func convFloat(l layout) realModel {
	return func(_ Typing, c *nn.Call) map[string][]float64 {
		cv := newConvolution(l, c)
		in, w, b := c.Input("in").Values(), c.Input("w").Values(), c.Input("b").Values()
		out := make([]float64, cv.out.h*cv.out.w*cv.out.c)
		cv.each(func(o, y, x, index int) {
			sum := b[o]
			for ky := range cv.kh {
				for kx := range cv.kw {
					row, col := y*cv.sh-cv.top+ky, x*cv.sw-cv.lft+kx
					if row < 0 || row >= cv.in.h || col < 0 || col >= cv.in.w {
						continue
					}
					for i := range cv.channels {
						channel := i
						if l.depthwise {
							channel = o
						}
						sum += in[row*cv.in.sy+col*cv.in.sx+channel*cv.in.sc] *
							w[o*cv.so+i*cv.si+ky*cv.sky+kx*cv.skx]
					}
				}
			}
			out[index] = reluFloat64(c.Attrs.Int("relu"), sum)
		})
		return floatOut("out", out)
	}
}

func fullyConnectedFloat(_ Typing, c *nn.Call) map[string][]float64 {
	inputs, outputs := dense(c)
	in, w, out := c.Input("in").Values(), c.Input("w").Values(), c.Input("b").Values()
	for o := range outputs {
		for i := range inputs {
			out[o] += in[i] * w[o*inputs+i]
		}
	}
	return floatOut("out", out)
}

func maxFloat(elems []float64) float64 {
	m := elems[0]
	for _, v := range elems {
		m = max(m, v)
	}
	return m
}

func meanFloat(elems []float64) float64 {
	sum := 0.0
	for _, v := range elems {
		sum += v
	}
	return sum / float64(len(elems))
}

func poolFloat(l layout, reduce func([]float64) float64) realModel {
	return func(_ Typing, c *nn.Call) map[string][]float64 {
		p := newPooling(l, c)
		in := c.Input("in").Values()
		out := make([]float64, p.out.h*p.out.w*p.out.c)
		p.each(func(ch, y, x, index int) {
			var elems []float64
			p.taps(ch, y, x, func(i int) { elems = append(elems, in[i]) })
			out[index] = reduce(elems)
		})
		return floatOut("out", out)
	}
}

func elementFloat(f func(float64) float64) realModel {
	return func(_ Typing, c *nn.Call) map[string][]float64 {
		out := c.Input("in").Values()
		for i, x := range out {
			out[i] = f(x)
		}
		return floatOut("out", out)
	}
}

func reluFloat(t Typing, c *nn.Call) map[string][]float64 {
	kind := c.Attrs.Int("relu")
	return elementFloat(func(x float64) float64 { return reluFloat64(kind, x) })(t, c)
}

func leakyReLUFloat(t Typing, c *nn.Call) map[string][]float64 {
	slope := c.Input("slope").Value(0)
	return elementFloat(func(x float64) float64 {
		if x < 0 {
			return x * slope
		}
		return x
	})(t, c)
}

func softmaxFloat(_ Typing, c *nn.Call) map[string][]float64 {
	out := c.Input("in").Values()
	top := maxFloat(out)
	sum := 0.0
	for i, x := range out {
		out[i] = math.Exp(x - top)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return floatOut("out", out)
}

func pairFloat(f func(a, b float64) float64) realModel {
	return func(_ Typing, c *nn.Call) map[string][]float64 {
		o := newOperands(c)
		out := make([]float64, nn.Count(o.shape))
		for i := range out {
			out[i] = f(o.a.Value(i*o.sa), o.b.Value(i*o.sb))
		}
		return floatOut("out", out)
	}
}

// moveFloat serves the functions that only move data: the exact result is the reference.
func moveFloat(t Typing, c *nn.Call) map[string][]float64 {
	moved := *c
	out := *c.Out[0]
	moved.Out = []*nn.Tensor{&out}
	rule.Hold(moved.Prepare())
	rule.Hold(moved.Run())
	return floatOut("out", out.Values())
}

// floatGate is one row of a recurrent cell on real numbers.
func floatGate(cl *cell, step, row int, in, state, w, b []float64) float64 {
	sum := b[row]
	width := cl.inputs + cl.outputs
	for i := range cl.inputs {
		sum += in[step*cl.inputs+i] * w[row*width+i]
	}
	for i, s := range state {
		sum += s * w[row*width+cl.inputs+i]
	}
	return sum
}

func floatAct(act int, x float64) float64 {
	switch act {
	case actTanh:
		return tanh(x)
	case actSigm:
		return sigmoid(x)
	}
	return x
}

func basicRNNFloat(t Typing, c *nn.Call) map[string][]float64 {
	return recurrentFloat(t, c, 1, func(cl *cell, gate func(row int) float64, o int) float64 {
		return floatAct(cl.act, gate(o))
	}, nil)
}

func lstmFloat(t Typing, c *nn.Call) map[string][]float64 {
	cells := c.Input("cell").Values()
	return recurrentFloat(t, c, 4, func(cl *cell, gate func(row int) float64, o int) float64 {
		g := func(i int) float64 { return gate(i*cl.outputs + o) }
		cells[o] = sigmoid(g(0))*tanh(g(1)) + sigmoid(g(2))*cells[o]
		return floatAct(cl.act, cells[o]) * sigmoid(g(3))
	}, cells)
}

func recurrentFloat(t Typing, c *nn.Call, gates int, output func(cl *cell, gate func(row int) float64, o int) float64,
	cells []float64) map[string][]float64 {
	cl := newCell(t, c, gates)
	in, w, b := cl.in.Values(), cl.w.Values(), cl.b.Values()
	state := c.Input("prev_out").Values()
	var out []float64
	for step := range cl.steps {
		next := make([]float64, cl.outputs)
		for o := range next {
			next[o] = output(cl, func(row int) float64 { return floatGate(cl, step, row, in, state, w, b) }, o)
		}
		state = next
		if cl.keepAll || step == cl.steps-1 {
			out = append(out, next...)
		}
	}
	res := floatOut("out", out)
	if cells != nil {
		res["cell"] = cells
	}
	return res
}

// TableData is an activation table as it goes into files and kernels.
type TableData struct {
	Length   int     `json:"length"`
	InFrac   int     `json:"in_frac"`
	OutFrac  int     `json:"out_frac"`
	InOffset int     `json:"in_offset"`
	Data     []int32 `json:"data"`
}

// Tables returns the activation tables of MLI 1.1 by name.
func Tables() map[string]TableData {
	all := map[string]TableData{}
	for name, t := range map[string]*mli.Table{
		"sigmoid": sigmTable(), "tanh": tanhTable(), "expneg": expnegTable(),
	} {
		all[name] = TableData{Length: len(t.Data), InFrac: t.InFrac, OutFrac: 15, InOffset: t.Offset,
			Data: t.Data}
	}
	return all
}
