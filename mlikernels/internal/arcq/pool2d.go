package arcq

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
	"arcv2dsp/quant"
)

// poolParams is the parameter block of pooling.
var poolParams = declared("arcq_pool2d_params")

// scaleRecord is a factor: a multiplier and its shift.
var scaleRecord = declared("arcq_scale")

// pools are the rows of pooling.
func pools() []row {
	var all []row
	for _, t := range []nn.Type{nn.I8, nn.I16, nn.U8} {
		for _, k := range []struct{ name, doc, tflite, tosa, max string }{
			{"average_pool2d", "the mean of a window", "AVERAGE_POOL_2D", "AVG_POOL2D", "0"},
			{"max_pool2d", "the greatest cell of a window", "MAX_POOL_2D", "MAX_POOL2D", "1"},
		} {
			r := row{symbol: "arcq_" + k.name + "_" + typeName(t), operator: k.name, types: typeName(t), body: k.name + ".inc",
				params: poolParams, records: scaleRecord, doc: k.doc, equ: []string{fmt.Sprintf("DATA_BYTES,%d", t.Bytes()), "POOL_MAX," + k.max, unsigned("DATA", t)},
				computes: []*nn.Operator{operator(nn.TFLite, k.tflite)}, fits: poolFits(t), fill: fillPool, taps: poolTaps}
			tosa := operator(nn.TOSA, k.tosa)
			if t.Signed() {
				r.computes = append(r.computes, tosa)
			}
			r.grid = poolGrid(r.computes[0], tosa, t)
			all = append(all, r)
		}
	}
	return all
}

// poolWindow is the window of a call of either library.
func poolWindow(c *nn.Call) (tflite.Window, error) {
	if c.Op.Library == nn.TFLite {
		return tflite.Windowed(c)
	}
	k, s, p := c.Attrs.Ints("kernel"), c.Attrs.Ints("stride"), c.Attrs.Ints("pad")
	return tflite.Window{KernelH: k[0], KernelW: k[1], StrideH: s[0], StrideW: s[1], PadTop: p[0], PadLeft: p[2], DilationH: 1, DilationW: 1}, nil
}

// poolTaps are the cells under the windows of a call.
func poolTaps(c *nn.Call) uint64 {
	in, out, w := c.In[0], c.Out[0], must(poolWindow(c))
	rows := kernel.Inside(in.Dim(1), out.Dim(1), w.KernelH, w.StrideH, w.PadTop)
	columns := kernel.Inside(in.Dim(2), out.Dim(2), w.KernelW, w.StrideW, w.PadLeft)
	return uint64(in.Dim(0) * in.Dim(3) * rows * columns)
}

// mostCells is how many cells a window may have: then the reciprocals have bits enough.
const mostCells = 8192

func poolFits(t nn.Type) func(*nn.Call) error {
	return func(c *nn.Call) error {
		if err := inputsOf(t)(c); err != nil {
			return err
		}
		w, err := poolWindow(c)
		if n := w.KernelH * w.KernelW; err == nil && n > mostCells {
			err = fmt.Errorf("a window of %d cells, at most %d", n, mostCells)
		}
		return err
	}
}

func fillPool(p *params, c *nn.Call) {
	in, out := c.In[0], c.Out[0]
	w := must(poolWindow(c))
	p.input("in", c.Op.Inputs[0].Role, kernel.Data)
	p.output("out", c.Op.Outputs[0].Role)
	p.set("batches", int64(in.Dim(0)))
	p.set("channels", int64(in.Dim(3)))
	p.axis("rows", span{in: in.Dim(1), out: out.Dim(1), kernel: w.KernelH, stride: w.StrideH, pad: w.PadTop})
	p.axis("columns", span{in: in.Dim(2), out: out.Dim(2), kernel: w.KernelW, stride: w.StrideW, pad: w.PadLeft})
	lo, hi := out.Type.Range()
	l := tflite.Limits{Min: lo, Max: hi}
	if c.Op.Library == nn.TFLite {
		l = must(tflite.Activation(c.Attrs.String("fused_activation_function"), out))
	}
	p.limits(l)
	reciprocal := exactReciprocal
	switch c.Op.Name {
	case "AVG_POOL2D":
		p.set("in_zero", int64(c.Attrs.Int("input_zp")))
		p.set("out_zero", int64(c.Attrs.Int("output_zp")))
		reciprocal = func(n int) quant.Multiplier {
			m, _ := quant.ReciprocalScale(uint32(n)) // n is not 0
			return m
		}
	case "AVERAGE_POOL_2D":
	default:
		return
	}
	fewest := fewestCells(in.Dim(1), out.Dim(1), w.KernelH, w.StrideH, w.PadTop) * fewestCells(in.Dim(2), out.Dim(2), w.KernelW, w.StrideW, w.PadLeft)
	var b []byte
	for n := fewest; n <= w.KernelH*w.KernelW; n++ {
		m, one := reciprocal(n), make([]byte, scaleRecord.Size())
		scaleRecord.Put(one, "multiplier", int64(m.Value))
		scaleRecord.Put(one, "shift", shiftWord(m, nn.Single))
		b = append(b, one...)
	}
	p.set("fewest", int64(fewest))
	p.pointer("scales", p.layout.Place(kernel.Buffer{Name: "scales", Memory: kernel.Weights, Bytes: b}))
}

// fewestCells is how many cells of any window along an axis lie on the map at least.
func fewestCells(in, out, size, stride, pad int) int {
	fewest := size
	for o := range out {
		first := o*stride - pad
		fewest = min(fewest, min(first+size, in)-max(first, 0))
	}
	return fewest
}

// exactReciprocal is a multiplier just above 1/n. The product with a sum of n elements, rounded to nearest,
// is the quotient with ties away from zero: the excess over the exact quotient is too little to reach another number,
// and a tie is never met. It takes n < 2^14, for elements of 16 bits.
func exactReciprocal(n int) quant.Multiplier {
	down := 29 + bits.Len(uint(n))
	return quant.Multiplier{Value: int32((1<<down)/int64(n)) + 1, Shift: 31 - down}
}

// poolGrid is the grid of pooling: the windows of convolutions for both libraries.
func poolGrid(tflite, tosa *nn.Operator, t nn.Type) func(*grid) {
	return func(g *grid) {
		wide := slide{batches: 1, h: 17, w: 19, c: 6, kh: 17, kw: 19, sh: 1, sw: 1}
		long := slide{batches: 1, h: 25, w: 5, c: 64, kh: 25, kw: 5, sh: 1, sw: 1}
		seen := map[string]bool{}
		for _, s := range append(slides(), wide, long) {
			s.o = s.c // so some windows of convolutions become one
			if seen[s.name()] {
				continue
			}
			seen[s.name()] = true
			out := []int{s.batches, s.extent(s.h, s.kh, s.sh), s.extent(s.w, s.kw, s.sw), s.c}
			g.add("tflite_"+s.name(), func(r *rand.Rand) *nn.Call {
				in := random(r, t, s.batches, s.h, s.w, s.c)
				in.Format = scaleOf(r, t, 0.1)
				padding := "VALID"
				if s.same {
					padding = "SAME"
				}
				return &nn.Call{Op: tflite, In: []*nn.Tensor{in}, Out: []*nn.Tensor{{Type: t, Shape: out, Format: in.Format}}, Attrs: nn.Attrs{
					"padding": padding, "stride_h": s.sh, "stride_w": s.sw, "filter_height": s.kh, "filter_width": s.kw,
					"fused_activation_function": []string{"NONE", "RELU", "RELU6"}[r.IntN(3)]}}
			})
			pads := [4]int{}
			if s.same {
				pads = [4]int{min(1, s.kh-1), s.kh / 2, s.kw / 2, min(1, s.kw-1)}
			}
			h, w := s.h+pads[0]+pads[1]-s.kh, s.w+pads[2]+pads[3]-s.kw
			if !t.Signed() || h < 0 || w < 0 || h%s.sh != 0 || w%s.sw != 0 {
				continue
			}
			g.add("tosa_"+s.name(), func(r *rand.Rand) *nn.Call {
				attrs := nn.Attrs{"kernel": []int{s.kh, s.kw}, "stride": []int{s.sh, s.sw}, "pad": pads[:]}
				if _, ok := tosa.Attr("input_zp"); ok && t == nn.I8 {
					attrs["input_zp"], attrs["output_zp"] = r.IntN(256)-128, r.IntN(256)-128
				}
				if _, ok := tosa.Attr("acc_type"); ok {
					attrs["acc_type"] = nn.I32
				}
				return &nn.Call{Op: tosa, In: []*nn.Tensor{random(r, t, s.batches, s.h, s.w, s.c)}, Attrs: attrs,
					Out: []*nn.Tensor{{Type: t, Shape: []int{s.batches, h/s.sh + 1, w/s.sw + 1, s.c}}}}
			})
		}
	}
}
