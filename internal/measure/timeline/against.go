package timeline

import (
	"fmt"
	"io"

	"arcv2dsp/internal/measure/report"
)

// Earlier is a recording that another one is compared with.
type Earlier struct {
	Name  string
	Trace *Trace
}

// pair is an instruction in both recordings. One of them is nil where only the other one has it.
type pair struct {
	before, now *Line
	edited      bool // beside each other, not the same
}

// pairs puts the instructions of both recordings beside each other.
func pairs(before, now *Summary) (list []pair) {
	keys := func(s *Summary) (keys []string) {
		for _, l := range s.Lines {
			keys = append(keys, report.InstructionKey(l.Text))
		}
		return keys
	}
	a, b := keys(before), keys(now)
	for _, at := range report.AlignLines(a, b) {
		var p pair
		if at.Before >= 0 {
			p.before = before.Lines[at.Before]
		}
		if at.Now >= 0 {
			p.now = now.Lines[at.Now]
		}
		p.edited = at.Before >= 0 && at.Now >= 0 && a[at.Before] != b[at.Now]
		list = append(list, p)
	}
	return list
}

// change is the class of the difference between the cycles of both, and what to call it.
func (p *pair) change() (class, text string) {
	switch {
	case p.before == nil:
		return "new", "new"
	case p.now == nil:
		return "gone", "gone"
	}
	class, text = report.Change(p.before.Cycles, p.now.Cycles)
	switch {
	case class == "same" && p.edited:
		return "edited", "edited"
	case class == "same":
		return "same", ""
	}
	return class, text
}

// Marks of executed instructions that differ from those of the other recording.
const (
	markMore  = "+" // it costs more
	markLess  = "-"
	markOther = "!" // the other recording has another one there, or none
)

// marksLegend explains them.
const marksLegend = "Marks: + costs more than in the other run, - less, ! is another instruction or not there."

// marks compares each executed instruction with the one of the same iteration in the other recording.
func marks(before, now *Trace, list []pair) (b, n []string) {
	type place struct{ iteration, line, times int }
	lineOf := func(of func(p *pair) *Line) map[uint32]int {
		lines := map[uint32]int{}
		for i := range list {
			if l := of(&list[i]); l != nil {
				lines[l.PC] = i
			}
		}
		return lines
	}
	places := func(t *Trace, lines map[uint32]int) (all []place) {
		times := map[place]int{}
		for i := range t.Steps {
			p := place{iteration: t.Steps[i].Iteration, line: lines[t.Steps[i].PC]}
			times[p]++
			p.times = times[p]
			all = append(all, p)
		}
		return all
	}
	first := places(before, lineOf(func(p *pair) *Line { return p.before }))
	second := places(now, lineOf(func(p *pair) *Line { return p.now }))
	earlier := map[place]int{}
	for i, p := range first {
		earlier[p] = i
	}
	b, n = make([]string, len(first)), make([]string, len(second))
	for i := range b {
		b[i] = markOther
	}
	for j, p := range second {
		i, ok := earlier[p]
		switch {
		case !ok:
			n[j] = markOther
			continue
		case now.Steps[j].Cycles() > before.Steps[i].Cycles():
			b[i], n[j] = markLess, markMore
		case now.Steps[j].Cycles() < before.Steps[i].Cycles():
			b[i], n[j] = markMore, markLess
		case list[p.line].edited:
			n[j] = markOther
		default:
			b[i] = ""
		}
	}
	return b, n
}

// counts calls a function for each count that both summaries have or one of them.
func counts(before, now *Summary, row func(name string, before, now uint64)) {
	row("cycles", before.Cycles, now.Cycles)
	row("instructions", before.Instructions, now.Instructions)
	all := map[string]uint64{}
	for _, s := range []*Summary{before, now} {
		for name, n := range s.Stalls {
			all[name] += n
		}
	}
	for _, name := range reasonsOf(all) {
		row("lost: "+name, before.Stalls[name], now.Stalls[name])
	}
}

// printCounts writes the counts of both recordings.
func printCounts(w io.Writer, name string, before, now *Summary) error {
	fmt.Fprintf(w, "Against %s:\n", name)
	t := &report.Table{Columns: []report.Column{{Name: ""}, {Name: "before", Align: report.Right}, {Name: "now", Align: report.Right}, {Name: "change", Align: report.Right}}}
	counts(before, now, func(name string, before, now uint64) {
		_, change := report.Change(before, now)
		t.Add(name, before, now, change)
	})
	if err := t.Text(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// cost is how often an instruction was executed and the cycles of all times, "" of none.
func (l *Line) cost() (times, cycles, text string) {
	if l == nil {
		return "", "", ""
	}
	return report.Thousands(l.Executions), report.Thousands(l.Cycles), l.Text
}

// printPairs writes the instructions of both recordings side by side.
func printPairs(w io.Writer, list []pair) error {
	fmt.Fprintln(w, "Instructions side by side, with the cycles of all executions:")
	t := &report.Table{Columns: []report.Column{{Name: "times", Align: report.Right}, {Name: "cycles", Align: report.Right}, {Name: "before"},
		{Name: "times", Align: report.Right}, {Name: "cycles", Align: report.Right}, {Name: "now"}, {Name: "change", Align: report.Right}}}
	for i := range list {
		times, cycles, before := list[i].before.cost()
		timesNow, cyclesNow, now := list[i].now.cost()
		_, change := list[i].change()
		t.Add(times, cycles, before, timesNow, cyclesNow, now, change)
	}
	if err := t.Text(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// writePairs writes both tables of two recordings as HTML.
func writePairs(m *report.Markup, name string, before, now *Summary, list []pair) {
	m.Put("<section id=\"against\">\n<h2>Against %s</h2>\n<div class=\"card\"><table>\n", name)
	m.Put("<thead><tr><th></th><th class=\"n\">before</th><th class=\"n\">now</th><th class=\"n\">change</th></tr></thead>\n<tbody>\n")
	counts(before, now, m.Counts)
	m.Put("</tbody></table></div>\n<h3>Instructions side by side</h3>\n<p class=\"note\">Cycles of all executions.</p>\n<div class=\"card\"><table class=\"code\">\n")
	m.Put("<thead><tr><th class=\"n\">times</th><th class=\"n\">cycles</th><th>before</th><th class=\"n\">times</th><th class=\"n\">cycles</th><th>now</th><th class=\"n\">change</th></tr></thead>\n<tbody>\n")
	for i := range list {
		times, cycles, text := list[i].before.cost()
		timesNow, cyclesNow, textNow := list[i].now.cost()
		class, change := list[i].change()
		m.Put(`<tr class="%s"><td class="n">%s</td><td class="n">%s</td><td>%s</td><td class="n">%s</td><td class="n">%s</td><td>%s</td><td class="n delta">%s</td></tr>`+"\n",
			class, times, cycles, text, timesNow, cyclesNow, textNow, change)
	}
	m.Put("</tbody></table></div>\n</section>\n")
}
