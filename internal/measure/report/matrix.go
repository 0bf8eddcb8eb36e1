package report

// The part of the page that is a matrix of subjects and cores.

import (
	"cmp"
	"fmt"
	"slices"
)

// coreColumns are the columns of a core in the matrix.
type coreColumns struct {
	core   string
	memory string // where the data of its kernels lies
	vendor bool   // the ratio to the vendor is known for some subject
}

// span is the number of columns.
func (c *coreColumns) span() int {
	if c.vendor {
		return 6
	}
	return 5
}

func (p *Page) columns() []coreColumns {
	var list []coreColumns
	for _, core := range p.Cores {
		c := coreColumns{core: core}
		for i := range p.Results {
			if m := &p.Results[i]; m.Core == core {
				c.vendor = c.vendor || m.Vendor != 0
				c.memory = cmp.Or(c.memory, m.Memory)
			}
		}
		list = append(list, c)
	}
	return list
}

// writeMatrix writes a row for each subject in the order of the results.
func (p *Page) writeMatrix(m *Markup) {
	m.Put(`<h2>Kernels and programs</h2>
<p class="note">Cycles of a call, cycles per unit of work, in brackets per multiply-accumulate with data, padding left out, and the share of the multiply-accumulates that the core could have done
meanwhile. Where it is known, <i>vendor</i> is our cycles by the instructions of the vendor's own kernel: below 1 is faster.
Click a heading to sort, a kernel for its hot loop.</p>
<input type="search" id="find" placeholder="Show only names with…" aria-label="Show only names with">
<div class="card"><table>
<thead>
<tr><th rowspan="2" data-key="name">subject</th><th rowspan="2" class="n" data-key="work">work</th>`)
	columns := p.columns()
	for _, c := range columns {
		m.Put(`<th colspan="%d" class="group">%s`, c.span(), c.core)
		if c.memory != "" {
			m.Put(", data in %s", c.memory)
		}
		m.Put("</th>")
	}
	m.Put("</tr>\n<tr>")
	for i, c := range columns {
		m.Put(`<th class="n first" data-key="cycles%[1]d">cycles</th><th class="n" data-key="each%[1]d">per unit</th><th class="n" data-key="peak%[1]d">peak</th><th class="n">bound</th><th class="n">of it</th>`, i)
		if c.vendor {
			m.Put(`<th class="n">vendor</th>`)
		}
	}
	m.Put("</tr>\n</thead>\n<tbody>\n")
	rows := map[string][]*Measured{} // by name, a result for each core
	var order []*Measured            // the first of each name
	for i := range p.Results {
		r := &p.Results[i]
		if rows[r.Name] == nil {
			rows[r.Name] = make([]*Measured, len(p.Cores))
			order = append(order, r)
		}
		if at := slices.Index(p.Cores, r.Core); at >= 0 {
			rows[r.Name][at] = r
		}
	}
	for _, first := range order {
		name := first.Name
		m.Put(`<tr><td class="name" data-k="name" title="%s">`, name)
		if slices.ContainsFunc(p.Loops, func(l HotLoop) bool { return l.Name == name }) {
			m.Put(`<a href="#%s">%s</a>`, anchor(name), shortName(name))
		} else {
			m.Put("%s", shortName(name))
		}
		m.Put("</td>\n<td class=\"n\" data-k=\"work\" data-v=\"%d\">", first.Work)
		if first.Work != 0 {
			m.Put("%s %s", Thousands(first.Work), first.Unit)
		}
		m.Put("</td>\n")
		for i, r := range rows[name] {
			columns[i].write(m, i, r)
		}
		m.Put("</tr>\n")
	}
	m.Put("</tbody>\n</table></div>\n")
}

// write writes the n-th core's cells of a subject; without a result one cell gives the reason.
func (c *coreColumns) write(m *Markup, n int, r *Measured) {
	switch {
	case r == nil:
		m.Put(`<td class="first dim" colspan="%d">not measured</td>`+"\n", c.span())
		return
	case r.Failure != "":
		m.Put(`<td class="first dim failed" colspan="%d">%s</td>`+"\n", c.span(), r.Failure)
		return
	case r.Skipped != "":
		m.Put(`<td class="first dim" colspan="%d">%s</td>`+"\n", c.span(), r.Skipped)
		return
	}
	m.Put(`<td class="n first" data-k="cycles%d" data-v="%d">%s</td>`, n, r.Cycles, Thousands(r.Cycles))
	if r.Work != 0 {
		each := float64(r.Cycles) / float64(r.Work)
		m.Put(`<td class="n" data-k="each%d" data-v="%g">%.3g`, n, each, each)
		if r.Real != 0 && r.Real != r.Work {
			m.Put(" (%.3g)", float64(r.Cycles)/float64(r.Real))
		}
		m.Put("</td>")
	} else {
		m.Put(`<td class="n" data-k="each%d"></td>`, n)
	}
	if peak := r.percentOfPeak(); peak >= 0 {
		m.Put(`<td class="n" data-k="peak%d" data-v="%g"><span class="pill" style="%s">%.0f %%</span></td>`, n, peak, heat(peak), peak)
	} else {
		m.Put(`<td class="n" data-k="peak%d"></td>`, n)
	}
	bound := ""
	if r.Bound != 0 {
		bound = Thousands(r.Bound)
	}
	m.Put(`<td class="n">%s</td><td class="n">%s</td>`, bound, OfBound(r.Bound, r.Cycles))
	if c.vendor {
		class, ratio := "faster", ""
		if r.Vendor != 0 {
			times := float64(r.Cycles) / float64(r.Vendor)
			ratio = fmt.Sprintf("%.2f", times)
			if times > 1 {
				class = "slower"
			}
		}
		m.Put(`<td class="n %s">%s</td>`, class, ratio)
	}
	m.Put("\n")
}

// heat is the background of a percentage of the peak: from amber over yellow to green.
func heat(percent float64) string {
	return fmt.Sprintf("background:hsl(%.0f 62%% 88%%)", 30+1.1*min(percent, 100))
}
