package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Colours of the charts. Those of text and grid are the page's own, so that they follow its light or dark
// style.
const (
	inkColour   = "var(--ink)"
	gridColour  = "var(--faint)"
	peakColour  = "#b45309"
	issueColour = "#94a3b8"
)

// reasonColour is the colour of the n-th reason: hues far apart for neighbours.
func reasonColour(n int) string {
	palette := [...]string{
		"#e11d48", "#2563eb", "#d97706", "#7c3aed", "#059669", "#0891b2", "#db2777", "#65a30d",
		"#ea580c", "#4f46e5", "#0d9488", "#ca8a04", "#1e3a8a", "#16a34a", "#78350f", "#475569",
	}
	return palette[n%len(palette)]
}

// coreColours tell the cores apart.
var coreColours = [...]string{"#0d9488", "#a855f7", "#3b82f6", "#ec4899"}

// axis maps values onto pixels, by their logarithm.
type axis struct {
	low, high float64 // of the values
	from, to  float64 // pixels of low and high
}

func (a axis) at(v float64) float64 {
	return a.from + (a.to-a.from)*math.Log(v/a.low)/math.Log(a.high/a.low)
}

// tick is a mark of an axis.
type tick struct {
	value float64
	label string
}

// ticks are powers of ten, and 2 and 5 between them where there is room.
func (a axis) ticks(fine bool) (ticks []tick) {
	for e := math.Floor(math.Log10(a.low)); e <= math.Ceil(math.Log10(a.high)); e++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow(10, e)
			if v < a.low || v > a.high || m != 1 && !fine {
				continue
			}
			label := fmt.Sprintf("%g", v)
			switch {
			case v >= 1e6:
				label = fmt.Sprintf("%g M", v/1e6)
			case v >= 1e3:
				label = fmt.Sprintf("%g k", v/1e3)
			}
			ticks = append(ticks, tick{value: v, label: label})
		}
	}
	return ticks
}

// dot is a call in the chart of throughput.
type dot struct {
	name        string
	core        int // index of the core
	work, speed float64
}

// throughput draws MACs per cycle against the size of the call, below the peaks of the cores: calls
// that are large enough come close to it. Nil when there are no MACs.
func (p *Page) throughput() []byte {
	var dots []dot
	peaks := map[uint64][]string{} // cores by peak
	for n, core := range p.Cores {
		var peak uint64
		for i := range p.Results {
			m := &p.Results[i]
			if m.Core != core || !m.counted() || m.percentOfPeak() < 0 {
				continue
			}
			peak = m.Peak
			dots = append(dots, dot{name: shortName(m.Name), core: n, work: float64(m.Work), speed: float64(m.Work) / float64(m.Cycles)})
		}
		if peak != 0 {
			peaks[peak] = append(peaks[peak], core)
		}
	}
	if len(dots) == 0 {
		return nil
	}
	work := func(a, b dot) int { return cmp.Compare(a.work, b.work) }
	speed := func(a, b dot) int { return cmp.Compare(a.speed, b.speed) }
	top := max(slices.MaxFunc(dots, speed).speed, float64(slices.Max(slices.Collect(maps.Keys(peaks)))))
	x := axis{low: slices.MinFunc(dots, work).work / 2, high: slices.MaxFunc(dots, work).work * 2, from: 60, to: 790}
	y := axis{low: slices.MinFunc(dots, speed).speed / 1.8, high: top * 1.5, from: 340, to: 10}

	c := newDrawing(800, 380, "MACs per cycle against the MACs of the call")
	for _, t := range x.ticks(false) {
		c.line(x.at(t.value), y.from, x.at(t.value), y.to, gridColour, 1)
		c.text(x.at(t.value), y.from+15, centred, t.label)
	}
	for _, t := range y.ticks(true) {
		c.line(x.from, y.at(t.value), x.to, y.at(t.value), gridColour, 1)
		c.text(x.from-6, y.at(t.value)+4, toEnd, t.label)
	}
	c.text((x.from+x.to)/2, 375, centred, "MACs of the call")
	c.upText(16, (y.from+y.to)/2, "MACs per cycle")
	row := y.from - 12 // the legend grows upwards from the right lower corner, where fast calls never are
	legend := func(text string) float64 {
		c.text(x.to-8, row, toEnd, text)
		row -= 16
		return row + 12
	}
	for n, core := range slices.Backward(p.Cores) {
		if slices.ContainsFunc(dots, func(d dot) bool { return d.core == n }) {
			at := legend("kernels on " + core)
			c.mark(n, x.to-8-7*float64(len(core)+12), at, coreColours[n%len(coreColours)], core)
		}
	}
	for _, peak := range slices.Sorted(maps.Keys(peaks)) {
		at := y.at(float64(peak))
		c.line(x.from, at, x.to, at, peakColour, 1.5)
		c.text(x.from+8, at-5, fromStart, fmt.Sprintf("peak of %s: %d MACs per cycle", strings.Join(peaks[peak], ", "), peak))
	}
	for _, d := range dots {
		c.mark(d.core, x.at(d.work), y.at(d.speed), coreColours[d.core%len(coreColours)],
			fmt.Sprintf("%s on %s: %.3g MACs per cycle", d.name, p.Cores[d.core], d.speed))
	}
	return c.bytes()
}

// stallStacks draws where the cycles of each kernel and program go: a bar of issue cycles and lost
// cycles by reason, in percent. Nil when there are no results.
func (p *Page) stallStacks(core string) []byte {
	list := p.perKernel(core)
	if len(list) == 0 {
		return nil
	}
	const row, width, letter = 15.0, 900.0, 6.2
	longest := 0
	for _, m := range list {
		longest = max(longest, len(shortName(m.Name)))
	}
	left := letter*float64(longest) + 14 // names are never cut
	scale := (width - left - 16) / 100
	bottom := row * float64(len(list))
	c := newDrawing(width, bottom+40, "issue cycles and lost cycles on "+core+", in percent")
	for percent := 0; percent <= 100; percent += 20 {
		x := left + scale*float64(percent)
		c.line(x, 0, x, bottom+4, gridColour, 1)
		c.text(x, bottom+18, centred, fmt.Sprint(percent))
	}
	c.text(left+50*scale, bottom+34, centred, "percent of the cycles")
	for i, m := range list {
		name, y, x := shortName(m.Name), row*float64(i)+2, left
		c.text(left-6, y+row-5, toEnd, name)
		part := func(what, colour string, n uint64) {
			if n == 0 {
				return
			}
			share := 100 * float64(n) / float64(m.Cycles)
			c.rect(x, y, share*scale, row-4, colour, fmt.Sprintf("%s: %s %.1f %%", name, what, share))
			x += share * scale
		}
		part("issue", issueColour, m.Insts)
		for k, reason := range p.Reasons {
			part(reason, reasonColour(k), m.Stalls[reason])
		}
	}
	return c.bytes()
}
