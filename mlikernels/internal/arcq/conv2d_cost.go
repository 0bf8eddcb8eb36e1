package arcq

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// A convolution takes its windows where they are, by zones of the map, or copies each of them first. The caller chooses by
// giving scratch. Here are the costs by which it does, those of the loops in the assembly with AGU ports; what both ways
// have in common is left out.

// isDepthwise reports whether a row of convolutions computes a filter for each channel, whatever the call.
func (r row) isDepthwise() bool { return r.operator == "depthwise_conv2d" }

// convWay is how a convolution with AGU ports takes its windows.
type convWay struct {
	scratch int  // its bytes, 0 where windows are best taken where they are
	turned  bool // of the map with its columns as rows (conv2d/conv2d_turn.inc), else of a window, or of a small map with padding
}

// convWay chooses the faster way.
func (r row) convWay(c *nn.Call) convWay {
	c = seen(c)
	h, v, channels, err := convSpans(c)
	if err != nil {
		return convWay{}
	}
	in, out := c.In[0], c.Out[0]
	if r.isDepthwise() {
		return convWay{scratch: depthwiseScratch(h, v, in)}
	}
	f, err := filtered(c)
	if err != nil {
		return convWay{}
	}
	isRare := rareChannels(f.Factors, c.Rounding) == anyRare
	fewest, way := zoneCycles(h, v, channels, out.Dim(3), isRare), convWay{}
	if cycles := patchCycles(h, v, channels, out.Dim(3), isRare); cycles < fewest {
		fewest, way = cycles, convWay{scratch: wholeWords(h.kernel * v.kernel * channels)}
	}
	if v.kernel == 1 && h.kernel > 1 && in.Dim(0) == 1 &&
		zoneCycles(v, h, channels, out.Dim(3), isRare)+turnCycles(h, v, channels)/out.Dim(3) < fewest {
		way = convWay{scratch: wholeWords(h.in * v.in * channels), turned: true}
	}
	return way
}

// wholeWords rounds bytes up to words.
func wholeWords(bytes int) int { return (bytes + 3) &^ 3 }

// convSpans are the axes of a convolution, rows first, and the channels of a cell. Where windows are as wide as the map, all cells
// of a window lie one behind the other: the rows of the map become columns of a single one, and what kernels do for each row
// of a window falls away. The cells of a row are one then, but where each channel has a filter of its own.
func convSpans(c *nn.Call) (h, v span, channels int, err error) {
	w, err := tflite.Windowed(c)
	if err != nil {
		return h, v, 0, err
	}
	in, out := c.In[0], c.Out[0]
	h = span{in: in.Dim(1), out: out.Dim(1), kernel: w.KernelH, stride: w.StrideH, pad: w.PadTop}
	v = span{in: in.Dim(2), out: out.Dim(2), kernel: w.KernelW, stride: w.StrideW, pad: w.PadLeft}
	channels = in.Dim(3)
	if v.isWhole() && (v.in == 1 || c.Op.Name == "CONV_2D") {
		channels *= v.in
		h, v = span{in: 1, out: 1, kernel: 1, stride: 1}, h
	}
	return h, v, channels, nil
}

// span is one axis of a window over a map.
type span struct{ in, out, kernel, stride, pad int }

// isCell reports whether the windows are the elements of the axis.
func (s span) isCell() bool { return s.kernel == 1 && s.stride == 1 }

// isWhole reports whether the only window is the whole axis.
func (s span) isWhole() bool { return s.out == 1 && s.pad == 0 && s.kernel == s.in }

// part is the taps of a window that lie on the map: from first on, before end.
type part struct{ first, end int }

// zone is a part that so many outputs of an axis have in common.
type zone struct {
	taps    part
	outputs int
}

func (p part) has(tap int) bool { return tap >= p.first && tap < p.end }

// zones are those along the axis: all windows that lie on the map as a whole are one zone, every other window is a zone of its
// own.
func (s span) zones() []zone {
	var all []zone
	whole := part{end: s.kernel}
	for o := range s.out {
		first := o*s.stride - s.pad
		p := part{first: max(-first, 0), end: min(s.kernel, s.in-first)}
		if n := len(all); n > 0 && p == whole && all[n-1].taps == whole {
			all[n-1].outputs++
			continue
		}
		all = append(all, zone{taps: p, outputs: 1})
	}
	return all
}

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

// zoneCycles are about the cycles per output channel that conv2d/conv2d.inc takes by zones: half a cycle for each product with
// data, and for each output what the head of that file says of the window's rows and runs. Lines and zones come on top.
func zoneCycles(h, v span, in, outputs int, isRare bool) int {
	run, rows, out := v.kernel*in, h.inside()*v.out, h.out*v.out
	cycles := zonesCycles(h, v, outputs) + rows*v.inside()/v.out*in/2
	isChain := h.kernel <= windowRows && run <= chainRun && (h.kernel == 1 || run%2 == 0)
	switch {
	case !isRare && h.kernel <= windowRows && run <= windowRun:
		return cycles + rows*(run%2)/2 + 5*out
	case !isRare && isChain:
		return cycles + 2*rows + 3*out
	case isRare:
		cycles += rareCycles * out
	}
	if h.kernel == 1 {
		return cycles + 8*out
	}
	return cycles + 3*rows + 10*out
}

// zonesCycles are what zones take beside their outputs: 40 for each channel and 100 for all, and 10 for each line of a channel.
func zonesCycles(h, v span, outputs int) int {
	zones, lines := len(h.zones())*len(v.zones()), 0
	for _, y := range h.zones() {
		for _, x := range v.zones() {
			lines += min(y.outputs, x.outputs)
		}
	}
	return zones*(40+100/outputs) + 10*lines
}

// Windows of so many rows are straight code, where a row has so many elements (core/conv_zone_agu.inc), or chains
// (conv2d/conv2d_chain.inc).
const (
	windowRows = 3
	windowRun  = 12
	chainRun   = 194
	rareCycles = 5 // that an output takes longer with rare factors
)

// A chain of conv2d/conv2d_patch.inc takes windows of so many products, where there are so many outputs.
const (
	chainProducts = 146
	chainOutputs  = 8
)

// patchCycles are those by patches of conv2d/conv2d_patch.inc: all products of a window and 10 for each output, or 6 by a
// chain and 13 for the position, and the copy of the window, which all channels share: 45, and for each row 9, a cycle for
// four bytes and one for each byte left.
func patchCycles(h, v span, in, outputs int, isRare bool) int {
	products := h.kernel * v.kernel * in
	row := v.kernel * in
	each, position := 10, 45+h.kernel*(9+row/4+row%4)
	if products <= chainProducts && outputs >= chainOutputs && !isRare {
		each, position = 6, position+13
	}
	if isRare {
		each += rareCycles
	}
	return h.out * v.out * (products/2 + each + position/outputs)
}

// turnCycles are those of a map with its columns as rows.
func turnCycles(h, v span, in int) int {
	if in%4 == 0 {
		in /= 4
	}
	return 60 + h.in*v.in*(5+in)
}

// borderCells is the size of a padded map, in cells for each zone at its border, from which its copy costs more than these
// zones: one takes about 65 cycles for each pair of channels, a cell of both half a cycle and more.
const borderCells = 106

// depthwiseScratch is the room for a small map with its padding.
func depthwiseScratch(h, v span, in *nn.Tensor) int {
	cells, most := h.padded()*v.padded(), borderCells*borderZones(h, v)
	if cells > most || in.Dim(0) > 1 {
		return 0
	}
	return wholeWords(cells * in.Dim(3))
}

// borderZones is how many zones of a map have windows that lie beside it in part.
func borderZones(h, v span) int {
	n := 0
	for _, y := range h.zones() {
		for _, x := range v.zones() {
			if (y.taps != part{end: h.kernel} || x.taps != part{end: v.kernel}) {
				n++
			}
		}
	}
	return n
}
