package report

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"slices"
)

// Frame is a function in the flame graph, called by the one above it.
type Frame struct {
	Name        string
	Self, Total uint64 // cycles without and with those of the functions it calls
	Calls       []*Frame
}

// Bounds of the flame graph.
const (
	maxFrames    = 2000
	maxDepth     = 64
	narrowest    = 0.02 // percent of the width
	flameRow     = 18   // pixels
	flameLeading = 13   // of a text's foot below the top of its row
)

// place is a frame with its place.
type place struct {
	*Frame
	row  int
	left float64 // percent
}

// places lays out the frames that are wide enough to be seen, callers before what they call. Left is how many are
// not drawn.
func (f *Frame) places() (list []place, rows, left int) {
	all := f.Total
	var walk func(f *Frame, row int, x float64)
	walk = func(f *Frame, row int, x float64) {
		width := share(f.Total, all)
		if width < narrowest || row >= maxDepth {
			left += f.count()
			return
		}
		list = append(list, place{f, row, x})
		rows = max(rows, row+1)
		slices.SortFunc(f.Calls, func(a, b *Frame) int { return cmp.Compare(a.Name, b.Name) })
		for _, c := range f.Calls {
			walk(c, row+1, x)
			x += share(c.Total, all)
		}
	}
	walk(f, 0, 0)
	if len(list) > maxFrames { // the widest stay, and so do those that call them
		widths := make([]uint64, len(list))
		for i, p := range list {
			widths[i] = p.Total
		}
		slices.Sort(widths)
		least := widths[len(list)-maxFrames]
		drawn := len(list)
		list = slices.DeleteFunc(list, func(p place) bool { return p.Total <= least })
		left += drawn - len(list)
		rows = 0
		for _, p := range list {
			rows = max(rows, p.row+1)
		}
	}
	return list, rows, left
}

// count is how many frames there are from this one on.
func (f *Frame) count() int {
	n := 1
	for _, c := range f.Calls {
		n += c.count()
	}
	return n
}

// warm is the colour of a function: the same in every graph, near to red and yellow.
func warm(name string) string {
	sum := crc32.ChecksumIEEE([]byte(name))
	return fmt.Sprintf("hsl(%d %d%% %d%%)", 12+sum%40, 70+sum>>8%20, 64+sum>>16%10)
}

// flame writes the graph. Its places are percents, so that it fills any width with letters of one size, and each frame
// is a picture of its own, which cuts what does not fit.
func (p *RunPage) flame(m *Markup) {
	list, rows, left := p.Flame.places()
	m.Put("<h2>Flame graph</h2>\n<p class=\"note\">A frame is as wide as the cycles of its function and of those below it, which it calls or which are inlined. Click one to widen it, the first row to go back.")
	if left > 0 {
		m.Put(" Left out are frames narrower than %g %%, deeper than %d rows or beyond the %s widest: %s.", narrowest, maxDepth, Thousands(maxFrames), Thousands(uint64(left)))
	}
	m.Put("</p>\n<p class=\"picked\" id=\"picked\"></p>\n<div class=\"card\"><svg class=\"flame\" id=\"graph\" style=\"height:%dpx\" role=\"img\"><title>flame graph of %s</title>\n", rows*flameRow, p.Program)
	for _, f := range list {
		width := share(f.Total, p.Flame.Total)
		m.Put(`<svg x="%s%%" y="%d" width="%s%%" height="%d" data-x="%.4f" data-w="%.4f"><title>%s: %s cycles, %.2f %%; own %s</title><rect width="100%%" height="100%%" fill="%s"/><text x="3" y="%d">%s</text></svg>`+"\n",
			percent(f.left), f.row*flameRow, percent(width), flameRow-1, f.left, width, f.Name, Thousands(f.Total), width, Thousands(f.Self), warm(f.Name), flameLeading, f.Name)
	}
	m.Put("</svg></div>\n")
}

// percent writes a place with three decimals, a hundredth of a pixel.
func percent(v float64) string { return fmt.Sprintf("%.3f", v) }
