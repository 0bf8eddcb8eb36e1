package report

import (
	"fmt"
	"strings"
)

// Heights of the plots over time, in pixels.
const (
	stackHeight = 180
	fillsHeight = 90
)

// course plots where the cycles of each interval went, and what the caches read. The intervals are drawn in a
// picture that is stretched to the width of the page; its axes are texts outside, which are not.
func (p *RunPage) course(m *Markup) {
	end := p.Course[len(p.Course)-1]
	last := end.Start + end.Cycles
	m.Put("<h2>Over time</h2>\n<p class=\"note\">Issue cycles and lost cycles in %d intervals of the run, in percent of each interval. Point at one for its numbers.</p>\n", len(p.Course))
	m.legend(p.lost())
	m.Put("<div class=\"card\">\n")
	p.stack(m, last)
	for i, name := range p.Caches {
		p.fills(m, i, name, last)
	}
	m.Put("</div>\n")
}

// plot writes a picture of the given height with an axis at its left, from 0 up to top, and cycles below it.
func (m *Markup) plot(height int, title, top string, cycles uint64, content HTML) {
	m.Put(`<figure class="plot"><figcaption>%s</figcaption><div class="y" style="height:%dpx"><span>%s</span><span>0</span></div>`, title, height, top)
	m.Put(`<svg viewBox="0 0 1000 100" preserveAspectRatio="none" style="height:%dpx" role="img"><title>%s</title>%s</svg>`, height, title, content)
	m.Put(`<div class="x"><span>0</span><span>%s</span><span>%s cycles</span></div></figure>`+"\n", rounded(cycles/2), rounded(cycles))
}

// left is where a cycle is in a plot.
func left(cycle, last uint64) float64 {
	if last == 0 {
		return 0
	}
	return 1000 * float64(cycle) / float64(last)
}

// stack draws the shares of each interval as a pile of steps, issue cycles below.
func (p *RunPage) stack(m *Markup, last uint64) {
	var b strings.Builder
	base := make([]float64, len(p.Course)) // percent that are drawn
	for _, e := range p.lost() {
		var upper, lower strings.Builder
		drawn := false
		for i, v := range p.Course {
			n := v.Stalls[e.Name]
			if e.Colour == issueColour {
				n = v.Insts
			}
			from, to := num(left(v.Start, last)), num(left(v.Start+v.Cycles, last))
			below := base[i]
			base[i] += share(n, v.Cycles)
			drawn = drawn || n > 0
			fmt.Fprintf(&upper, "L%s %sH%s", from, num(100-base[i]), to)
			back := fmt.Sprintf("L%s %sH%s", to, num(100-below), from)
			rest := lower.String()
			lower.Reset()
			lower.WriteString(back + rest)
		}
		if drawn {
			fmt.Fprintf(&b, `<path d="M%s%sZ" fill="%s"/>`+"\n", upper.String()[1:], lower.String(), e.Colour)
		}
	}
	for _, v := range p.Course {
		hint := fmt.Sprintf("cycles %s to %s: issue %.1f %%", Thousands(v.Start), Thousands(v.Start+v.Cycles), share(v.Insts, v.Cycles))
		for _, r := range p.Reasons {
			if n := v.Stalls[r]; n > 0 {
				hint += fmt.Sprintf(", %s %.1f %%", r, share(n, v.Cycles))
			}
		}
		p.band(&b, v, last, hint)
	}
	m.plot(stackHeight, "percent of the cycles", "100", last, HTML(b.String()))
}

// band is the part of a plot that shows the numbers of an interval when the pointer rests on it.
func (p *RunPage) band(b *strings.Builder, v Interval, last uint64, hint string) {
	x := left(v.Start, last)
	fmt.Fprintf(b, `<rect class="band" x="%s" y="0" width="%s" height="100"><title>%s</title></rect>`+"\n", num(x), num(left(v.Start+v.Cycles, last)-x), escape(hint))
}

// fills draws the lines that a cache has read per thousand instructions.
func (p *RunPage) fills(m *Markup, cache int, name string, last uint64) {
	rate := func(v Interval) float64 {
		if v.Insts == 0 {
			return 0
		}
		return 1000 * float64(v.Fills[cache]) / float64(v.Insts)
	}
	most, all := 0.0, uint64(0)
	for _, v := range p.Course {
		most, all = max(most, rate(v)), all+v.Fills[cache]
	}
	title := fmt.Sprintf("lines read by the %s cache per thousand instructions, %s in all", name, Thousands(all))
	if most == 0 {
		most = 1
	}
	var b strings.Builder
	d := "M0 100"
	for _, v := range p.Course {
		d += fmt.Sprintf("L%s %sH%s", num(left(v.Start, last)), num(100-100*rate(v)/most), num(left(v.Start+v.Cycles, last)))
	}
	fmt.Fprintf(&b, `<path d="%sV100Z" fill="var(--accent)"/>`+"\n", d)
	for _, v := range p.Course {
		p.band(&b, v, last, fmt.Sprintf("cycles %s to %s: %s lines, %.3g per thousand instructions", Thousands(v.Start), Thousands(v.Start+v.Cycles), Thousands(v.Fills[cache]), rate(v)))
	}
	m.plot(fillsHeight, title, fmt.Sprintf("%.3g", most), last, HTML(b.String()))
}
