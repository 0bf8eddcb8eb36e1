package arcq

import (
	"arcv2dsp/nn"
	"arcv2dsp/nn/tflite"
)

// A convolution takes its windows where they are, by zones of the map, or copies each of them first. The caller chooses by
// giving scratch. Here are the costs by which it does, those of the loops in the assembly with AGU ports; what both ways
// have in common is left out.

// convScratch is how much scratch makes a convolution faster: 0 where windows are best taken where they are.
func convScratch(c *nn.Call) int {
	w, err := tflite.Windowed(c)
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
	f, err := tflite.Filtered(c)
	if err != nil {
		return 0
	}
	isRare := rareChannels(f.Factors, c.Rounding) == anyRare
	if patchCycles(h, v, in.Dim(3), out.Dim(3), isRare) < zoneCycles(h, v, in.Dim(3), isRare) {
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

// zones is how many zones there are along the axis: one for each window that is cut, and one for the others.
func (s span) zones() int {
	cut := 0
	for o := range s.out {
		if first := o*s.stride - s.pad; first < 0 || first+s.kernel > s.in {
			cut++
		}
	}
	return min(cut+1, s.out)
}

// padded is the extent of the map with the padding that windows see.
func (s span) padded() int { return (s.out-1)*s.stride + s.kernel }

// zoneCycles are about the cycles per output channel that conv2d/conv2d.inc takes by zones: half a cycle for each product,
// 4 for each row of a window and 13 for each output, or 11 where a window is one row. A window of up to 3 rows of up to 12
// elements is straight code: 5 for each output, and half a cycle for each row of an odd number. The head of that file has
// the same numbers. A zone at the border takes about 75 cycles for each channel. Rare factors know only the first two ways,
// and what they take longer is left out, as it is the same by patches.
func zoneCycles(h, v span, in int, isRare bool) int {
	products := h.inside() * v.inside() * in
	border := 75 * (h.zones()*v.zones() - 1)
	switch {
	case h.kernel <= windowRows && v.kernel*in <= windowRun && !isRare:
		return border + (products+h.inside()*v.out*(v.kernel*in%2))/2 + 5*h.out*v.out
	case h.kernel == 1:
		return border + products/2 + 11*h.out*v.out
	}
	return border + products/2 + 4*h.inside()*v.out + 13*h.out*v.out
}

// Windows of so many rows of so many elements are straight code.
const (
	windowRows = 3
	windowRun  = 12
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
	return h.out * v.out * (products/2 + each + position/outputs)
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
