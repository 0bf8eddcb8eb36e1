package arcq

import (
	"fmt"

	"arcv2dsp/internal/program/cstruct"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// generalConvolutions are the rows of general convolutions. Weights of 4 bits are laid out one to a byte.
func generalConvolutions() []row {
	var lite, tosa []*nn.Operator
	for _, name := range []string{"CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV", "FULLY_CONNECTED"} {
		lite = append(lite, operator(nn.TFLite, name))
	}
	for _, name := range []string{"CONV2D", "CONV3D", "DEPTHWISE_CONV2D", "TRANSPOSE_CONV2D", "FULLY_CONNECTED"} {
		tosa = append(tosa, operator(nn.TOSA, name))
	}
	general := func(r row) row {
		r.body, r.params, r.tables = "convolve.inc", convolveParams, []*cstruct.Struct{cellRecord}
		r.macs, r.rank = true, 3 // the others are for some convolutions
		return r
	}
	both := []nn.Rounding{nn.Double, nn.Single}
	return []row{
		general(row{
			symbol: "arcq_convolve_s8", operator: "convolve", types: "s8", accBits: 32, rounds: both, computes: lite,
			doc: "convolution of any kind, 8-bit data and weights, 32-bit sums", records: startRecord,
			equ:  []string{"DATA_BYTES,1", "WIDE,0", "SUMS,0"},
			fits: scaledFits(nn.I8, false), fill: fillScaled(false), grid: scaledGrid(nn.I8, nn.I32),
		}),
		general(row{
			symbol: "arcq_convolve_u8", operator: "convolve", types: "u8", accBits: 32, rounds: both,
			computes: []*nn.Operator{lite[0], lite[1], lite[3]}, doc: "convolution of any kind, data and weights of bytes without a sign, 32-bit sums",
			records: startRecord, equ: []string{"DATA_BYTES,1", "WIDE,0", "SUMS,0", "DATA_UNSIGNED,1"},
			fits: scaledFits(nn.U8, false), fill: fillScaled(false), grid: scaledGrid(nn.U8, nn.I32),
		}),
		general(row{
			symbol: "arcq_convolve_s16s8", operator: "convolve", types: "s16s8", accBits: 64, computes: lite,
			doc: "convolution of any kind, 16-bit data, 8-bit weights, 64-bit sums", records: wideStartRecord,
			equ:  []string{"DATA_BYTES,2", "WIDE,1", "SUMS,0"},
			fits: scaledFits(nn.I16, true), fill: fillScaled(true), grid: scaledGrid(nn.I16, nn.I64),
		}),
		general(row{
			symbol: "arcq_convolve_narrow_s16s8", operator: "convolve_narrow", types: "s16s8", accBits: 32, rounds: both,
			computes: []*nn.Operator{lite[0], lite[3]}, doc: "convolution of any kind, 16-bit data, 8-bit weights, 32-bit sums", records: startRecord,
			equ:  []string{"DATA_BYTES,2", "WIDE,0", "SUMS,0"},
			fits: scaledFits(nn.I16, false), fill: fillScaled(false), grid: scaledGrid(nn.I16, nn.I32),
		}),
		general(row{
			symbol: "arcq_convolve_sums_s8", operator: "convolve_sums", types: "s8", accBits: 32, computes: tosa,
			doc:  "convolution of any kind, 8-bit data and weights, the 32-bit sums themselves",
			equ:  []string{"DATA_BYTES,1", "WIDE,0", "SUMS,1"},
			fits: sumsFit(nn.I8), fill: fillSums, grid: sumsGrid(nn.I8, nn.I32),
		}),
		general(row{
			symbol: "arcq_convolve_sums_s16s8", operator: "convolve_sums", types: "s16s8", accBits: 48, computes: tosa,
			doc:  "convolution of any kind, 16-bit data, 8-bit weights, the sums themselves in 64 bits",
			equ:  []string{"DATA_BYTES,2", "WIDE,1", "SUMS,1"},
			fits: sumsFit(nn.I16), fill: fillSums, grid: sumsGrid(nn.I16, nn.I48),
		}),
	}
}

// scaledFits refuses calls of TensorFlow Lite with other data, or sums of another width.
func scaledFits(data nn.Type, wide bool) func(*nn.Call) error {
	return func(c *nn.Call) error {
		in := c.Input("in")
		if in.Type != data {
			return fmt.Errorf("data of %s, not %s", in.Type, data)
		}
		f, err := tflite.Filtered(c)
		switch {
		case err != nil:
			return err
		case f.Wide != wide:
			return fmt.Errorf("the sums have 64 bits: %t", f.Wide)
		}
		if _, ok := withoutZero(c.Input("weights"), f.WeightZero); !ok && data != nn.U8 {
			return fmt.Errorf("weights that leave 8 bits without their zero point, %d", f.WeightZero)
		}
		return nil
	}
}

// withoutZero are weights less their zero point, if they keep to 8 bits: those of 4 bits always do.
func withoutZero(weights *nn.Tensor, zero int64) (*nn.Tensor, bool) {
	if zero == 0 {
		return weights, true
	}
	less := nn.New(nn.I8, weights.Shape...)
	for i, w := range weights.Ints {
		if less.Ints[i] = w - zero; !nn.I8.Holds(w - zero) {
			return nil, false
		}
	}
	return less, true
}

// fillScaled lays out calls of TensorFlow Lite.
func fillScaled(wide bool) func(*params, *nn.Call) {
	return func(p *params, c *nn.Call) {
		f := must(tflite.Filtered(c))
		w := must(liteSweep(c))
		bias := biases(c, w.channels())
		w.inZero, w.bias = f.InZero, func(ch int) int64 { return bias[ch] }
		p.input("in", "in", kernel.Data)
		weights := c.Input("weights")
		if weights.Type == nn.U8 {
			w.weightZero = f.WeightZero
		}
		if f.WeightZero == w.weightZero {
			p.input("weights", "weights", kernel.Weights)
		} else if less, ok := withoutZero(weights, f.WeightZero); ok {
			weights = less
			p.table("weights", nn.I8, weights.Ints)
		} else {
			panic(unfit{fmt.Errorf("weights that leave 8 bits without their zero point, %d", f.WeightZero)})
		}
		record, put := startRecord, p.putStart(f.Factors)
		if wide {
			record, put = wideStartRecord, p.putWideStart(f.Factors)
			if w.areShort(weights.Ints) {
				p.set("rare", 1)
				p.set("held", w.held(p.row.params.Get(p.block, "weights")))
			}
		}
		p.convolve(w, c.Input("in"), weights, record.Size(), put)
		p.output("out", "out")
		p.set("out_zero", f.OutZero)
		p.set("least", f.Min)
		p.set("greatest", f.Max)
		if !wide {
			p.set("rare", anyShifts(f.Factors, c.Rounding))
		}
	}
}

// liteSweep is the sweep of a call of TensorFlow Lite.
func liteSweep(c *nn.Call) (*sweep, error) {
	in, weights, out := c.Input("in"), c.Input("weights"), c.Out[0]
	if c.Op.Name == "FULLY_CONNECTED" {
		return productSweep(in.Len()/weights.Dim(1), weights), nil
	}
	at, err := tflite.Windowed(c)
	if err != nil {
		return nil, err
	}
	w := &sweep{batches: in.Dim(0), groups: 1, outputs: out.Dim(3), depth: in.Dim(3)}
	h, v := [2]int{in.Dim(1), out.Dim(1)}, [2]int{in.Dim(2), out.Dim(2)}
	if c.Op.Name == "TRANSPOSE_CONV" {
		w.axes = [3]tapAxis{point(1), spreading(h[0], h[1], at.KernelH, at.StrideH, at.PadTop),
			spreading(v[0], v[1], at.KernelW, at.StrideW, at.PadLeft)}
		return w, nil
	}
	w.axes = [3]tapAxis{point(1), sliding(h[0], h[1], at.KernelH, at.StrideH, at.PadTop, at.DilationH),
		sliding(v[0], v[1], at.KernelW, at.StrideW, at.PadLeft, at.DilationW)}
	if c.Op.Name == "DEPTHWISE_CONV_2D" {
		w.group(in.Dim(3))
		w.beside = true
	} else {
		w.group(in.Dim(3) / weights.Dim(3))
	}
	return w, nil
}

// group divides the channels of map and output into n groups.
func (w *sweep) group(n int) {
	w.groups, w.outputs, w.depth = n, w.outputs/n, w.depth/n
}

// productSweep is a product of rows with weights O,I.
func productSweep(rows int, weights *nn.Tensor) *sweep {
	return &sweep{batches: rows, axes: [3]tapAxis{point(1), point(1), point(1)}, groups: 1, outputs: weights.Dim(0), depth: weights.Dim(1)}
}

// sumsFit refuses calls of TOSA with other data.
func sumsFit(data nn.Type) func(*nn.Call) error {
	return func(c *nn.Call) error {
		if t := c.In[0].Type; t != data {
			return fmt.Errorf("data of %s, not %s", t, data)
		}
		return nil
	}
}

// fillSums lays out calls of TOSA.
func fillSums(p *params, c *nn.Call) {
	bias, wide := c.Input("bias"), c.In[0].Type == nn.I16
	w := specSweep(c)
	w.inZero, w.weightZero = int64(c.Attrs.Int("input_zp")), int64(c.Attrs.Int("weight_zp"))
	w.bias = func(ch int) int64 { return bias.Ints[min(ch, bias.Len()-1)] }
	p.input("in", "input", kernel.Data)
	p.input("weights", "weight", kernel.Weights)
	put, record := func(at []byte, _ int, start int64) { sumRecord.Put(at, "start", nn.I32.Wrap(start)) }, sumRecord
	if wide {
		record = wideSumRecord
		put = func(at []byte, _ int, start int64) {
			wideSumRecord.Put(at, "start", int64(uint32(start)))
			wideSumRecord.Put(at, "start_high", start>>32)
		}
	}
	p.convolve(w, c.In[0], c.In[1], record.Size(), put)
	p.output("out", "output")
}

// sumRecord and wideSumRecord are the starts of sums that are not scaled.
var (
	sumRecord     = &cstruct.Struct{Fields: startRecord.Fields[:1]}
	wideSumRecord = &cstruct.Struct{Fields: wideStartRecord.Fields[:2]}
)

// specSweep is the sweep of a call of TOSA.
func specSweep(c *nn.Call) *sweep {
	in, weights, out := c.In[0], c.In[1], c.Out[0]
	if c.Op.Name == "FULLY_CONNECTED" {
		return productSweep(in.Dim(0), weights)
	}
	w := &sweep{batches: in.Dim(0), groups: 1, outputs: out.Dim(-1), depth: in.Dim(-1)}
	stride := c.Attrs.Ints("stride")
	if c.Op.Name == "TRANSPOSE_CONV2D" {
		pad := c.Attrs.Ints("out_pad")
		w.axes[0] = point(1)
		for i := range 2 {
			w.axes[1+i] = spreading(in.Dim(1+i), out.Dim(1+i), weights.Dim(1+i), stride[i], -pad[2*i])
		}
		return w
	}
	pad, dilation := c.Attrs.Ints("pad"), c.Attrs.Ints("dilation")
	size := weights.Shape[1:]
	if c.Op.Name == "DEPTHWISE_CONV2D" {
		size = weights.Shape
	}
	first := len(w.axes) - len(stride)
	w.axes[0] = point(1)
	for i := range stride {
		w.axes[first+i] = sliding(in.Dim(1+i), out.Dim(1+i), size[i], stride[i], pad[2*i], dilation[i])
	}
	if c.Op.Name == "DEPTHWISE_CONV2D" {
		w.group(in.Dim(3))
		w.beside = true
	}
	return w
}
