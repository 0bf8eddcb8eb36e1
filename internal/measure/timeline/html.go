package timeline

import (
	_ "embed" // for the style
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"arcv2dsp/internal/measure/report"
)

//go:embed page.css
var style report.HTML

// letterClass is the style of a letter: a name, for = and - cannot be part of one.
func letterClass(letter byte) string {
	switch letter {
	case Wait:
		return "wait"
	case Order:
		return "order"
	}
	return string(letter)
}

// ruler numbers every tenth column.
func ruler(columns uint64) string {
	var b strings.Builder
	for c := uint64(0); c < columns; c += 10 {
		fmt.Fprintf(&b, "%-10d", c)
	}
	return b.String()
}

// HTML writes the trace as one page that needs nothing else, beside an earlier one if there is one.
func HTML(w io.Writer, title string, t *Trace, e *Earlier) error {
	s := Summarize(t)
	var m report.Markup
	m.Begin(title, style)
	m.Put("<header>\n<h1>%s</h1>\n<p>On %s. Counts are exact and the same on every host.</p>\n<div class=\"tiles\">\n", title, s.Core)
	tile := func(number, label string) {
		m.Put("<div class=\"tile\"><b>%s</b><span>%s</span></div>\n", number, label)
	}
	tile(fmt.Sprint(s.Cycles), "cycles"+s.lost())
	tile(fmt.Sprint(s.Instructions), "instructions")
	tile(fmt.Sprintf("%.3f", s.IPC), "instructions per cycle")
	tile(fmt.Sprintf("%.2f", s.PerIteration), fmt.Sprintf("cycles per iteration, %d of them", s.Iterations))
	tile(s.Bottleneck, "limits the speed")
	m.Put("</div>\n</header>\n<main>\n")
	if e != nil {
		before := Summarize(e.Trace)
		list := pairs(before, s)
		writePairs(&m, e.Name, before, s, list)
		was, is := marks(e.Trace, t, list)
		m.Put("<div class=\"pair\">\n")
		writeRows(&m, "before", "Timeline of "+e.Name, e.Trace, was)
		writeRows(&m, "timeline", "Timeline of "+title, t, is)
		m.Put("</div>\n")
	} else {
		writeRows(&m, "timeline", "Timeline", t, nil)
	}
	writeLines(&m, s)
	m.Put("</main>\n</body>\n</html>\n")
	_, err := m.WriteTo(w)
	return err
}

// nameOf is the place and the text of an executed instruction.
func nameOf(t *Trace, step int) string {
	s := &t.Steps[step]
	return fmt.Sprintf("%-9s %s", labelOf(s), t.text[s.PC])
}

// markClass is the style of a marked row.
var markClass = map[string]string{markMore: " worse", markLess: " better", markOther: " other"}

// writeRows writes a timeline: a row for each executed instruction, equal letters together. Those that differ from the ones of another
// recording have marks.
func writeRows(m *report.Markup, id, title string, t *Trace, marks []string) {
	m.Put(`<section id="%s">
<h2>%s</h2>
<p class="note">A row is an executed instruction, a column a cycle. Point at a row for the reason of its lost cycles.`, id, title)
	if marks != nil {
		m.Put(" %s", marksLegend)
	}
	m.Put("</p>\n<div class=\"legend\">")
	for _, l := range alphabet {
		m.Put(`<span><b class="%s">%c</b> %s</span>`, letterClass(l.letter), l.letter, l.meaning)
	}
	rows, columns, longest := Draw(t), uint64(0), 0
	for i, row := range rows {
		columns = max(columns, row.Column+uint64(len(row.Letters)))
		longest = max(longest, utf8.RuneCountInString(nameOf(t, i)))
	}
	if marks != nil {
		longest += 2
	}
	m.Put("</div>\n<div class=\"card view\" style=\"--label:%dch\">\n<div class=\"ruler\"><b>cycle</b>%s</div>\n", longest+2, ruler(columns))
	for i, row := range rows {
		step := &t.Steps[i]
		class, mark := "", ""
		if step.Index == 0 {
			class = "iteration"
		}
		if marks != nil {
			mark = fmt.Sprintf("%1s ", marks[i])
			class += markClass[marks[i]]
		}
		if class != "" {
			class = fmt.Sprintf(" class=%q", strings.TrimSpace(class))
		}
		m.Put(`<div%s title="%s"><b>%s%s</b><i style="width:%dch"></i>`, report.HTML(class), step.Why(), mark, nameOf(t, i), row.Column)
		for rest := row.Letters; rest != ""; {
			letter := rest[0]
			others := strings.TrimLeft(rest, string(letter))
			m.Put(`<span class="%s">%s</span>`, letterClass(letter), rest[:len(rest)-len(others)])
			rest = others
		}
		m.Put("</div>\n")
	}
	m.Put("</div>\n</section>\n")
}

// writeLines writes the table of instructions.
func writeLines(m *report.Markup, s *Summary) {
	m.Put(`<section id="instructions">
<h2>Instructions</h2>
<p class="note">Resource pressure is in cycles per iteration.</p>
<div class="card"><table>
<thead><tr><th>address</th><th>instruction</th><th class="n">times</th><th class="n">cycles</th><th class="n">latency</th>`)
	for _, r := range s.Resources {
		m.Put(`<th class="n">%s</th>`, r)
	}
	m.Put("<th>lost for</th></tr></thead>\n<tbody class=\"code\">\n")
	for _, l := range s.Lines {
		m.Put(`<tr><td>%08x</td><td>%s</td><td class="n">%d</td><td class="n">%.2f</td><td class="n">%d</td>`,
			l.PC, l.Text, l.Executions, float64(l.Cycles)/float64(l.Executions), l.Latency)
		for _, r := range s.Resources {
			m.Put(`<td class="n">%s</td>`, number(l.Pressure[r]))
		}
		m.Put("<td class=\"lost\">%s</td></tr>\n", strings.Join(l.Why, ", "))
	}
	m.Put(`</tbody>
<tfoot><tr><th>all</th><th></th><th class="n">%d</th><th></th><th></th>`, s.Instructions)
	for _, r := range s.Resources {
		m.Put(`<th class="n">%s</th>`, number(s.Pressure[r]))
	}
	m.Put("<th></th></tr></tfoot>\n</table></div>\n</section>\n")
}
