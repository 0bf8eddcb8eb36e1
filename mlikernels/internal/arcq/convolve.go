package arcq

import (
	"fmt"
	"math"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// cellRecord is a cell of an axis of the output.
var cellRecord = declared("arcq_cell")

// startRecord and wideStartRecord are the first value of a sum and its scaling.
var (
	startRecord     = declared("arcq_start")
	wideStartRecord = declared("arcq_wide_start")
)

// convolveParams is the parameter block of general convolutions. Steps and sizes are in bytes.
var convolveParams = declared("arcq_convolve_params")

// tapAxis is an axis of a window: how far taps are apart on the map and in a filter, in cells, and the
// part of the window that each cell of the output sees.
type tapAxis struct {
	in, kernel int // cells of the map and of a filter
	stepIn     int
	stepFilter int
	cells      []tapCell
}

// tapCell is the first tap on the map, in the filter, and how many there are.
type tapCell struct{ in, filter, taps int }

// point is an axis that a window does not have.
func point(out int) tapAxis {
	a := tapAxis{in: out, kernel: 1, stepIn: 1, stepFilter: 1}
	for i := range out {
		a.cells = append(a.cells, tapCell{in: i, taps: 1})
	}
	return a
}

// sliding is an axis along which a window slides.
func sliding(in, out, size, stride, pad, dilation int) tapAxis {
	a := tapAxis{in: in, kernel: size, stepIn: dilation, stepFilter: 1}
	for o := range out {
		at := o*stride - pad
		from := max(0, (-at+dilation-1)/dilation)
		to := min(size, (in-at+dilation-1)/dilation)
		c := tapCell{in: at + from*dilation, filter: from, taps: to - from}
		if c.taps <= 0 || at >= in {
			c = tapCell{}
		}
		a.cells = append(a.cells, c)
	}
	return a
}

// spreading is an axis along which every cell of the map spreads over a window of the output, seen from
// the output: taps that are a stride apart, backwards on the map.
func spreading(in, out, size, stride, pad int) tapAxis {
	a := tapAxis{in: in, kernel: size, stepIn: -1, stepFilter: stride}
	for o := range out {
		place := o + pad
		tap := max(((place%stride)+stride)%stride, place-stride*(in-1))
		c := tapCell{filter: tap}
		for k := tap; k < size && place-k >= 0; k += stride {
			c.taps++
		}
		if c.taps == 0 {
			a.cells = append(a.cells, tapCell{})
			continue
		}
		c.in = (place - tap) / stride
		a.cells = append(a.cells, c)
	}
	return a
}

// kinds numbers the cells that see the same part of the window; one is the cell that stands for it.
func (a tapAxis) kinds() (of []int, one []tapCell) {
	seen := map[[2]int]int{}
	for _, c := range a.cells {
		key := [2]int{c.filter, c.taps}
		if _, ok := seen[key]; !ok {
			seen[key] = len(one)
			one = append(one, c)
		}
		of = append(of, seen[key])
	}
	return of, one
}

// sweep is a convolution as the kernels see it.
type sweep struct {
	batches int
	axes    [3]tapAxis // planes, rows, columns
	groups  int
	outputs int // of a group
	depth   int // channels of a group on the map
	// A filter is beside the others (depthwise), or behind the one before.
	beside bool

	inZero, weightZero int64
	bias               func(channel int) int64
}

func (w *sweep) channels() int { return w.groups * w.outputs }

// starts are the starts of all sums: for every kind of plane, row and column, every channel. Data without
// a zero point have one kind.
func (w *sweep) starts(weights []int64) (starts []int64, kinds [3][]int) {
	var one [3][]tapCell
	for i, a := range w.axes {
		kinds[i], one[i] = a.kinds()
		if w.inZero == 0 {
			clear(kinds[i])
			one[i] = one[i][:1]
		}
	}
	for _, plane := range one[0] {
		for _, row := range one[1] {
			for _, column := range one[2] {
				for ch := range w.channels() {
					v := w.bias(ch)
					if w.inZero != 0 {
						v -= w.inZero * w.sum(weights, ch, [3]tapCell{plane, row, column})
					}
					starts = append(starts, v)
				}
			}
		}
	}
	return starts, kinds
}

// sum is the sum of a filter's weights less their zero point over the taps of a cell.
func (w *sweep) sum(weights []int64, channel int, c [3]tapCell) int64 {
	var sum int64
	unit, filter := w.filterSteps()
	for z := range c[0].taps {
		for y := range c[1].taps {
			for x := range c[2].taps {
				at := channel * filter
				for i, k := range [3]int{z, y, x} {
					at += (c[i].filter + k*w.axes[i].stepFilter) * unit[i]
				}
				for d := range w.depth {
					sum += weights[at+d] - w.weightZero
				}
			}
		}
	}
	return sum
}

// filterSteps are the elements from plane to plane, row to row, tap to tap of a filter, and from filter
// to filter.
func (w *sweep) filterSteps() (unit [3]int, filter int) {
	unit[2], filter = w.depth, 1
	if w.beside {
		unit[2] = w.channels()
	}
	unit[1] = unit[2] * w.axes[2].kernel
	unit[0] = unit[1] * w.axes[1].kernel
	if !w.beside {
		filter = unit[0] * w.axes[0].kernel
	}
	return unit, filter
}

// mapSteps are the elements from plane to plane, row to row, cell to cell of a map, and from map to map.
func (w *sweep) mapSteps() (unit [3]int, batch int) {
	unit[2] = w.depth * w.groups
	unit[1] = unit[2] * w.axes[2].in
	unit[0] = unit[1] * w.axes[1].in
	return unit, unit[0] * w.axes[0].in
}

// convolve fills a parameter block in. record is the size of a start in its table, and put writes it. Ports read one start more than
// there are.
func (p *params) convolve(w *sweep, in, weights *nn.Tensor, record int, put func(at []byte, channel int, start int64)) {
	filterUnit, filter := w.filterSteps()
	mapUnit, batch := w.mapSteps()
	element := in.Type.Bytes()
	starts, kinds := w.starts(weights.Ints)
	table := make([]byte, record*(len(starts)+1))
	for i, v := range starts {
		put(table[i*record:], i%w.channels(), v)
	}
	p.pointer("starts", p.layout.Place(kernel.Buffer{Name: "starts", Memory: kernel.Weights, Bytes: table}))
	kindStep := record * w.channels()
	for i := len(w.axes) - 1; i >= 0; i-- {
		a, name := w.axes[i], [3]string{"plane", "row", "column"}[i]
		// A row of taps that lie side by side on the map and in the filter is one run.
		joined := i == 2 && a.stepIn*mapUnit[i] == w.depth && a.stepFilter*filterUnit[i] == w.depth
		cells, kindsHere := make([]byte, cellRecord.Size()*len(a.cells)), 0
		for j, c := range a.cells {
			at := cells[j*cellRecord.Size():]
			taps, run := c.taps, w.depth
			if joined && taps > 0 {
				taps, run = 1, taps*w.depth
			}
			cellRecord.Put(at, "in", int64(c.in*mapUnit[i]*element))
			cellRecord.Put(at, "weights", int64(c.filter*filterUnit[i]))
			cellRecord.Put(at, "taps", int64(taps))
			cellRecord.Put(at, "run", int64(run))
			cellRecord.Put(at, "starts", int64(kinds[i][j]*kindStep))
			kindsHere = max(kindsHere, kinds[i][j]+1)
		}
		kindStep *= kindsHere
		p.pointer(name+"s", p.layout.Place(kernel.Buffer{Name: name + "s", Memory: kernel.Structs, Bytes: cells}))
		p.set(name+"_count", int64(len(a.cells)))
	}
	for i, name := range [3]string{"plane", "row", "tap"} {
		p.set(name+"_in", int64(w.axes[i].stepIn*mapUnit[i]*element))
		p.set(name+"_weights", int64(w.axes[i].stepFilter*filterUnit[i]))
	}
	p.set("batches", int64(w.batches))
	p.set("batch_step", int64(batch*element))
	p.set("groups", int64(w.groups))
	p.set("group_outputs", int64(w.outputs))
	p.set("group_step", int64(w.depth*element))
	p.set("filter_step", int64(filter))
	p.set("weight_zero", w.weightZero)
}

// putStart writes an arcq_start.
func (p *params) putStart(factors []quant.Multiplier) func([]byte, int, int64) {
	return func(at []byte, channel int, start int64) {
		m := factors[min(channel, len(factors)-1)]
		startRecord.Put(at, "start", nn.I32.Wrap(start))
		startRecord.Put(at, "multiplier", int64(m.Value))
		startRecord.Put(at, "shift", shiftWord(m, p.call.Rounding))
	}
}

// greatestWideShift is the greatest shift of a factor for sums of 64 bits: more would leave less than
// the 48 bits that sums may have.
const greatestWideShift = 7

// areShort reports whether the sums of all channels keep to 32 bits, whatever the data of 16 bits are.
func (w *sweep) areShort(weights []int64) bool {
	reach := make([]int64, w.channels())
	for i, v := range weights {
		ch := i / (len(weights) / len(reach))
		if w.beside {
			ch = i % len(reach)
		}
		reach[ch] += max(v, -v) << 15
	}
	for ch, r := range reach {
		if bias := w.bias(ch); r+max(bias, -bias) > math.MaxInt32 {
			return false
		}
	}
	return true
}

// What windows of sums that keep to 32 bits do by loads (convolve/convolve_held.inc).
const (
	notHeld = iota
	heldWithFilters
	heldWithCopies
	heldByLanes
)

const (
	heldOutputs   = 4    // fewer do not make up for a held window
	heldWindows   = 8    // nor fewer windows for copied filters
	copiedFilters = 3072 // bytes of them at most
	laneTaps      = 7    // of a row of a window, at most
)

// held is how windows of short sums go by, with weights at an address. A window is held where half of its filter is on the map and
// more; what it saves makes up for looking at three windows that are not.
func (w *sweep) held(weights int64) int64 {
	windows, whole := 0, 0
	_, filter := w.filterSteps()
	for _, y := range w.axes[1].cells {
		for _, x := range w.axes[2].cells {
			windows += w.batches
			if 2*y.taps*x.taps*w.depth >= filter {
				whole += w.batches
			}
		}
	}
	size := (filter + 7) &^ 7
	switch {
	case w.depth == 1 && w.outputs == 1 && filter == 1:
		if w.groups%2 == 0 && weights%2 == 0 && w.axes[2].kernel <= laneTaps {
			return heldByLanes
		}
	case w.groups > 1 || w.outputs < heldOutputs || 4*whole < windows:
	case filter == size && weights%4 == 0:
		return heldWithFilters
	case windows >= heldWindows && size*w.outputs <= copiedFilters:
		return heldWithCopies
	}
	return notHeld
}

// putWideStart writes an arcq_wide_start.
// DEVIATION(305): a scaled sum beyond 32 bits saturates here and wraps in the golden operator; the
// reference library asserts that there is none.
func (p *params) putWideStart(factors []quant.Multiplier) func([]byte, int, int64) {
	return func(at []byte, channel int, start int64) {
		m := factors[min(channel, len(factors)-1)]
		if m.Shift > greatestWideShift {
			panic(unfit{fmt.Errorf("a factor of %g for sums of 64 bits, 2^%d or more", m.Real(), greatestWideShift)})
		}
		short := m.Reduce16()
		wideStartRecord.Put(at, "start", int64(uint32(start)))
		wideStartRecord.Put(at, "start_high", start>>32)
		wideStartRecord.Put(at, "multiplier", int64(short.Value))
		wideStartRecord.Put(at, "shift", wideShiftWord(short))
	}
}
