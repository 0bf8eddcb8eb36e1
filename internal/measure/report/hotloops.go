package report

// The part of the page that shows the loops in which kernels spend their cycles.

import (
	"fmt"
	"hash/crc32"
)

// HotLoop is the loop of a subject that costs most.
type HotLoop struct {
	Name   string // of the subject
	Core   string
	Cycles uint64 // of the whole call or program
	Loop   Loop
}

// HotLine is an instruction.
type HotLine struct {
	Addr          uint32
	Text          string
	Insts, Cycles uint64
	Lost          string // reasons with their cycles
	Hot           bool   // of the loop itself, not of one inside
}

// anchor is the id of the hot loop of a subject.
func anchor(name string) string {
	return fmt.Sprintf("loop-%08x", crc32.ChecksumIEEE([]byte(name)))
}

func (p *Page) writeLoops(m *Markup) {
	m.Put(`<h2>Hot loops</h2>
<p class="note">The loop in which a kernel or program spends most cycles, with the executions and cycles of each instruction in one
call and the reasons of lost cycles. Loops inside are pale.</p>
`)
	for i := range p.Loops {
		p.Loops[i].write(m)
	}
}

func (l *HotLoop) write(m *Markup) {
	m.Put(`<details id="%s"><summary title="%s">%s<span>%s · `, anchor(l.Name), l.Name, shortName(l.Name), l.Core)
	if l.Cycles != 0 {
		m.Put("%.0f %%", share(l.Loop.Cycles, l.Cycles))
	}
	m.Put(" of %s cycles</span></summary>\n", Thousands(l.Cycles))
	m.instructions(l.Loop.Lines, l.Loop.Left)
	m.Put("</details>\n")
}

// instructions writes a table of instructions with their cost.
func (m *Markup) instructions(lines []HotLine, left int) {
	most := uint64(1)
	for i := range lines {
		most = max(most, lines[i].Cycles)
	}
	m.Put("<table class=\"code insts\"><thead><tr><th class=\"n\">executed</th><th class=\"n\">cycles</th><th class=\"n\">each</th><th></th><th>address</th><th>instruction</th><th>lost</th></tr></thead><tbody>\n")
	for i := range lines {
		l := &lines[i]
		class, executed, cycles := "", "", ""
		if !l.Hot {
			class = ` class="cold"`
		}
		if l.Cycles > 0 {
			executed, cycles = Thousands(l.Insts), Thousands(l.Cycles)
		}
		m.Put(`<tr%s><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="heat"><div style="width:%s%%"></div></td><td>%08x</td><td>%s</td><td class="lost">%s</td></tr>`+"\n",
			HTML(class), executed, cycles, each(l.Cycles, l.Insts), num(100*float64(l.Cycles)/float64(most)), l.Addr, l.Text, l.Lost)
	}
	if left > 0 {
		m.Put(`<tr class="cold"><td colspan="7">%s more instructions</td></tr>`+"\n", Thousands(uint64(left)))
	}
	m.Put("</tbody></table>\n")
}

// each is cycles per execution, "" of none.
func each(cycles, times uint64) string {
	if times == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", float64(cycles)/float64(times))
}
