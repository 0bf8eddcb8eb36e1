package report

import "fmt"

// Two runs of one network beside each other: their pictures and bars in two columns of one scale, and a table of both.

// paired reports whether the page has two runs of the same layers.
func (p *NetworkPage) paired() bool {
	if len(p.Runs) != 2 || len(p.Runs[0].Layers) != len(p.Runs[1].Layers) {
		return false
	}
	for i, l := range p.Runs[0].Layers {
		if l.Name != p.Runs[1].Layers[i].Name {
			return false
		}
	}
	return true
}

// slowest are the cycles of the slowest layer, at least 1.
func (r *NetworkRun) slowest() uint64 {
	most := uint64(1)
	for _, l := range r.Layers {
		most = max(most, l.Cycles)
	}
	return most
}

// writeRuns writes all runs, two of the same layers side by side.
func (p *NetworkPage) writeRuns(m *Markup) {
	pair := p.paired()
	if pair {
		m.Put("<div class=\"pair\">\n")
	}
	for i := range p.Runs {
		p.writeRun(m, i)
	}
	if pair {
		m.Put("</div>\n")
		p.writeBeside(m)
	}
}

// writeBeside writes a row of both runs for each layer, and one for all.
func (p *NetworkPage) writeBeside(m *Markup) {
	a, b := &p.Runs[0], &p.Runs[1]
	m.Put(`<section id="beside">
<h2>Layer by layer</h2>
<div class="card"><table>
<thead><tr><th>layer</th><th>kernel on %[1]s</th><th>kernel on %[2]s</th><th class="n">cycles on %[1]s</th><th class="n">cycles on %[2]s</th><th class="n">second / first</th></tr></thead>
<tbody>
`, a.Core, b.Core)
	row := func(name, first, second string, before, now uint64) {
		ratio := ""
		if before > 0 {
			ratio = fmt.Sprintf("%.3f", float64(now)/float64(before))
		}
		class, _ := Change(before, now)
		m.Put(`<tr class="%s"><td>%s</td><td>%s</td><td>%s</td><td class="n">%s</td><td class="n">%s</td><td class="n delta">%s</td></tr>`+"\n",
			class, name, first, second, Thousands(before), Thousands(now), ratio)
	}
	for i, l := range a.Layers {
		row(l.Name, l.Kernel, b.Layers[i].Kernel, l.Cycles, b.Layers[i].Cycles)
	}
	before, _ := a.sums()
	now, _ := b.sums()
	row("all", "", "", before, now)
	m.Put("</tbody></table></div>\n</section>\n")
}
