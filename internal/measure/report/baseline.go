package report

// The part of the page that compares the results with a baseline.

import (
	"cmp"
	"math"
	"slices"
)

// change is a result beside its value in the baseline.
type change struct {
	Measured
	Delta string
	Class string  // better, worse, same or new
	Width float64 // of the bar, in percent
}

// changes are the results that could be compared or are new, in their order.
func (p *Page) changes() []change {
	var list []change
	for _, m := range p.Results {
		if m.Skipped != "" {
			continue
		}
		c := change{Measured: m, Delta: "new", Class: "new"}
		switch {
		case m.Failure != "":
			c.Delta, c.Class = m.Failure, "worse"
		case m.Before != 0:
			c.Class, c.Delta = Change(m.Before, m.Cycles)
			c.Width = min(100, 400*math.Abs(float64(m.Cycles)-float64(m.Before))/float64(m.Before))
		}
		list = append(list, c)
	}
	return list
}

// writeBaseline writes the results that differ, the worst first, then the names of those that are new or the same.
func (p *Page) writeBaseline(m *Markup) {
	changes := p.changes()
	of := func(class string) []change {
		return slices.DeleteFunc(slices.Clone(changes), func(c change) bool { return c.Class != class || c.Failure != "" })
	}
	same, fresh := of("same"), of("new")
	differ := slices.DeleteFunc(slices.Clone(changes), func(c change) bool { return c.Class == "same" || c.Class == "new" })
	slices.SortStableFunc(differ, func(a, b change) int {
		return cmp.Or(-cmp.Compare(a.Class, b.Class), cmp.Compare(b.Width, a.Width))
	})
	changed := len(of("better")) + len(of("worse"))
	m.Put("<h2>Against the baseline</h2>\n<p class=\"note\">%s: %d results compared, %d differ", p.Baseline, changed+len(same), changed)
	if len(fresh) > 0 {
		m.Put(", %d not in it", len(fresh))
	}
	m.Put(".</p>\n")
	if len(differ) > 0 {
		m.Put(`<div class="card"><table>
<thead><tr><th>subject</th><th>core</th><th class="n">before</th><th class="n">now</th><th class="n">change</th><th></th></tr></thead>
<tbody>
`)
		for _, c := range differ {
			m.Put(`<tr class="%s"><td title="%s">%s</td><td>%s</td><td class="n">%s</td><td class="n">%s</td><td class="n delta">%s</td><td>`,
				c.Class, c.Name, shortName(c.Name), c.Core, known(c.Before), known(c.Cycles), c.Delta)
			if c.Width != 0 {
				m.Put(`<span class="bar" style="width:%.0fpx"></span>`, c.Width)
			}
			m.Put("</td></tr>\n")
		}
		m.Put("</tbody>\n</table></div>\n")
	}
	for _, quiet := range []struct {
		title string
		rows  []change
	}{{"unchanged", same}, {"not in the baseline", fresh}} {
		if len(quiet.rows) == 0 {
			continue
		}
		m.Put("<details><summary>%s<span>%d</span></summary><table><tbody>\n", quiet.title, len(quiet.rows))
		for _, c := range quiet.rows {
			m.Put(`<tr><td title="%s">%s</td><td>%s</td><td class="n">%s cycles</td></tr>`+"\n", c.Name, shortName(c.Name), c.Core, Thousands(c.Cycles))
		}
		m.Put("</tbody></table></details>\n")
	}
}

// known is a count, empty where there is none.
func known(n uint64) string {
	if n == 0 {
		return ""
	}
	return Thousands(n)
}
