package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Two runs of a program on one page: counts beside each other, functions that differ, and their lines side by side.

// against writes the part of the page that compares the run with the one before.
func (p *RunPage) against(m *Markup) {
	b := p.Before
	m.Put("<h2>Against the run before</h2>\n<p class=\"note\">Before: %s. %s</p>\n", b.Program, b.Note)
	m.Put(`<div class="card"><table>
<thead><tr><th></th><th class="n">before</th><th class="n">now</th><th class="n">change</th></tr></thead>
<tbody>
`)
	m.Counts("cycles", b.Cycles, p.Cycles)
	m.Counts("instructions", b.Insts, p.Insts)
	for _, r := range p.Reasons {
		if b.Stalls[r]+p.Stalls[r] > 0 {
			m.Counts("lost: "+r, b.Stalls[r], p.Stalls[r])
		}
	}
	m.Put("</tbody></table></div>\n")
	p.besideFunctions(m)
	for i := range p.Listings {
		now := &p.Listings[i]
		before := slices.IndexFunc(b.Listings, func(l Listing) bool { return l.Name == now.Name })
		if before >= 0 {
			m.besideListing(&b.Listings[before], now)
		}
	}
}

// Counts writes a row of a table of two runs.
func (m *Markup) Counts(name string, before, now uint64) {
	class, change := Change(before, now)
	m.Put(`<tr class="%s"><td>%s</td><td class="n">%s</td><td class="n">%s</td><td class="n delta">%s</td></tr>`+"\n", class, name, Thousands(before), Thousands(now), change)
}

// besideFunctions is the table of functions whose own cycles differ, the largest difference first.
func (p *RunPage) besideFunctions(m *Markup) {
	type both struct {
		name        string
		before, now uint64
	}
	var list []both
	place := map[string]int{}
	at := func(name string) *both {
		i, ok := place[name]
		if !ok {
			i = len(list)
			place[name] = i
			list = append(list, both{name: name})
		}
		return &list[i]
	}
	for _, f := range p.Before.Functions {
		at(f.Name).before += f.Cycles
	}
	for _, f := range p.Functions {
		at(f.Name).now += f.Cycles
	}
	all := len(list)
	list = slices.DeleteFunc(list, func(b both) bool { return b.before == b.now })
	if len(list) == 0 {
		m.Put("<p class=\"note\">All functions cost what they did before.</p>\n")
		return
	}
	size := func(b both) uint64 { return max(b.before, b.now) - min(b.before, b.now) }
	slices.SortStableFunc(list, func(a, b both) int { return cmp.Compare(size(b), size(a)) })
	m.Put("<h3>Functions</h3>\n<p class=\"note\">Own cycles; %d of %d functions differ.</p>\n", len(list), all)
	m.Put(`<div class="card"><table>
<thead><tr><th>function</th><th class="n">before</th><th class="n">now</th><th class="n">change</th></tr></thead>
<tbody>
`)
	for _, b := range list {
		m.Counts(b.name, b.before, b.now)
	}
	m.Put("</tbody></table></div>\n")
}

// besideLine is a line of a listing in one of two runs.
type besideLine struct {
	key, text string // equal keys are the same line
	number    string
	cycles    uint64
	lost      string
}

// besideLines are the source lines of a listing, or its instructions where one of the runs has no source.
func (l *Listing) besideLines(source bool) (list []besideLine) {
	if !source {
		for _, h := range l.Lines {
			list = append(list, besideLine{key: InstructionKey(h.Text), text: h.Text, number: fmt.Sprintf("%08x", h.Addr), cycles: h.Cycles, lost: h.Lost})
		}
		return list
	}
	for _, part := range l.Parts {
		for _, line := range part.Lines {
			list = append(list, besideLine{key: strings.TrimSpace(line.Text), text: line.Text, number: fmt.Sprint(line.Number), cycles: line.Cycles, lost: line.Lost})
		}
	}
	return list
}

// InstructionKey is what an instruction has in common with itself in another program: a branch goes to the same name, although
// that stands elsewhere.
func InstructionKey(text string) string {
	code, comment, ok := strings.Cut(text, ";")
	_, name, named := strings.Cut(comment, "<")
	if !ok || !named {
		return text
	}
	mnemonic, _, _ := strings.Cut(code, " ")
	return mnemonic + " <" + name
}

// besideListing shows the lines of a function side by side, if any differs.
func (m *Markup) besideListing(before, now *Listing) {
	source := len(before.Parts) > 0 && len(now.Parts) > 0
	a, b := before.besideLines(source), now.besideLines(source)
	keys := func(list []besideLine) (keys []string) {
		for _, l := range list {
			keys = append(keys, l.key)
		}
		return keys
	}
	pairs := AlignLines(keys(a), keys(b))
	same := func(p Beside) bool {
		return p.Before >= 0 && p.Now >= 0 && a[p.Before].key == b[p.Now].key && a[p.Before].cycles == b[p.Now].cycles
	}
	if !slices.ContainsFunc(pairs, func(p Beside) bool { return !same(p) }) {
		return
	}
	class, change := Change(before.Cycles, now.Cycles)
	m.Put(`<details open><summary>%s<span>%s → %s cycles</span><span class="%s">%s</span></summary>`+"\n", now.Name, Thousands(before.Cycles), Thousands(now.Cycles),
		map[string]string{"better": "faster", "worse": "slower"}[class], change)
	m.Put(`<table class="code beside"><thead><tr><th class="n">%s</th><th>before</th><th class="n">cycles</th><th class="n">%[1]s</th><th>now</th><th class="n">cycles</th><th class="n">change</th><th>lost</th></tr></thead><tbody>`+"\n",
		map[bool]string{true: "line", false: "address"}[source])
	for _, p := range pairs {
		m.besideRow(a, b, p)
	}
	m.Put("</tbody></table></details>\n")
}

// besideRow writes a line of both runs.
func (m *Markup) besideRow(a, b []besideLine, p Beside) {
	var before, now besideLine
	class := "gone"
	change := class
	if p.Before >= 0 {
		before = a[p.Before]
	}
	if p.Now >= 0 {
		now = b[p.Now]
		class, change = "new", "new"
		if p.Before >= 0 {
			class, change = Change(before.cycles, now.cycles)
			edited := before.key != now.key
			switch {
			case edited && before.cycles == now.cycles:
				change = "edited"
			case !edited && before.cycles == now.cycles:
				change = ""
			}
			if edited {
				class += " edited"
			}
		}
	}
	m.Put(`<tr class="%s"><td class="n dim">%s</td><td class="text before">%s</td><td class="n">%s</td><td class="n dim">%s</td><td class="text now">%s</td><td class="n">%s</td><td class="n delta">%s</td><td class="lost">%s</td></tr>`+"\n",
		class, before.number, before.text, known(before.cycles), now.number, now.text, known(now.cycles), change, now.lost)
}
