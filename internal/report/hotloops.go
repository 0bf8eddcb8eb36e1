package report

// The part of the page that shows the innermost code of kernels.

import (
	"fmt"
	"hash/crc32"
)

// HotLoop is the innermost code of a kernel, with what it costs.
type HotLoop struct {
	Name   string // of the subject
	Core   string
	Cycles uint64 // of the whole call
	Lines  []HotLine
}

// HotLine is an instruction.
type HotLine struct {
	Addr          uint32
	Text          string
	Insts, Cycles uint64
	Lost          string // reasons with their cycles
	Hot           bool   // part of the loop, not of what surrounds it
}

// anchor is the id of the hot loop of a subject.
func anchor(name string) string {
	return fmt.Sprintf("loop-%08x", crc32.ChecksumIEEE([]byte(name)))
}

func (p *Page) writeLoops(m *Markup) {
	m.Put(`<h2>Hot loops</h2>
<p class="note">The code that a kernel executes most, with the executions and cycles of each instruction in one call and why cycles
were lost there. What surrounds the loop is pale.</p>
`)
	for i := range p.Loops {
		p.Loops[i].write(m)
	}
}

func (l *HotLoop) write(m *Markup) {
	var most, inside uint64
	for _, line := range l.Lines {
		most = max(most, line.Cycles)
		if line.Hot {
			inside += line.Cycles
		}
	}
	m.Put(`<details id="%s"><summary title="%s">%s<span>%s · `, anchor(l.Name), l.Name, shortName(l.Name), l.Core)
	if l.Cycles != 0 {
		m.Put("%.0f %%", 100*float64(inside)/float64(l.Cycles))
	}
	m.Put(` of %s cycles</span></summary>
<table class="code"><thead><tr><th class="n">executed</th><th class="n">cycles</th><th class="n">each</th><th></th><th>address</th><th>instruction</th><th>lost</th></tr></thead><tbody>
`, Thousands(l.Cycles))
	for _, line := range l.Lines {
		class, executed, cycles, each, width := HTML(""), "", "", "", 0.0
		if !line.Hot {
			class = ` class="cold"`
		}
		if line.Insts != 0 {
			executed, cycles = Thousands(line.Insts), Thousands(line.Cycles)
			each = fmt.Sprintf("%.2f", float64(line.Cycles)/float64(line.Insts))
		}
		if most != 0 {
			width = 100 * float64(line.Cycles) / float64(most)
		}
		m.Put(`<tr%s><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="heat"><div style="width:%.0f%%"></div></td><td>%08x</td><td>%s</td><td class="lost">%s</td></tr>`+"\n",
			class, executed, cycles, each, width, line.Addr, line.Text, line.Lost)
	}
	m.Put("</tbody></table></details>\n")
}
