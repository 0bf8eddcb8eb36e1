package report

import (
	_ "embed" // for the style and the script of the page
	"fmt"
	"io"
)

// RunPage is a report on a run of a program as one HTML file that needs nothing else: its counts, the cycles over
// time, a flame graph, functions, loops, sources with what their lines cost, and coverage. Each part is bounded;
// the page names what is left out.
type RunPage struct {
	Program string   // file name
	Note    string   // on what it ran and how it ended, sentences
	Version string   // of the program that measured
	Reasons []string // names of the reasons for lost cycles; each has its colour by its place

	Cycles, Insts uint64
	Stalls        map[string]uint64
	Seconds       float64 // of the guest

	Course    []Interval
	Caches    []string // names of the caches that Interval.Fills counts for
	Flame     *Frame   // nil when no cycle passed
	Functions []FunctionCost
	Executed  int // functions; no more than maxFunctions are in Functions
	Loops     []Loop
	Listings  []Listing
	Coverage  *Coverage // nil for a program without line information

	Before *RunPage // a run that this one is compared with, or nil
}

// Interval is the counts of a part of a run.
type Interval struct {
	Start, Cycles, Insts uint64
	Stalls               map[string]uint64
	Fills                []uint64 // lines read by each cache
}

// FunctionCost counts a function.
type FunctionCost struct {
	Name          string
	Entered       uint64 // executions of its first instruction
	Insts, Cycles uint64 // its own
	Total         uint64 // cycles with those of the functions it calls
	Lost          string // reasons with their cycles
	Listing       string // id of its listing, "" when there is none
}

// Loop is a loop with the cycles of its own instructions.
type Loop struct {
	Name   string // where it is
	Times  uint64 // iterations
	Cycles uint64
	Lines  []HotLine
	Left   int // instructions left out behind the last
}

// Listing is a function: its source lines, if those can be read, and its instructions.
type Listing struct {
	ID, Name      string
	Insts, Cycles uint64
	Parts         []SourcePart
	Lines         []HotLine
	LinesLeft     int // source lines left out behind the last
	Left          int // instructions left out behind the last
}

// SourcePart is a stretch of lines of a source file.
type SourcePart struct {
	File  string
	Lines []SourceLine
}

// SourceLine is a line with what its code in a function has cost.
type SourceLine struct {
	Number        int
	Text          string
	Code          bool // the line has code in the function
	Insts, Cycles uint64
	Lost          string
}

// Coverage is which lines of the sources were executed.
type Coverage struct {
	Lines, LinesHit int // of all files

	Files    []CoveredFile
	Left     int      // files left out
	Never    []string // functions of which no instruction was executed
	LeftOver int      // such functions left out
}

// CoveredFile is a source file: lines and functions that have code, and those executed.
type CoveredFile struct {
	Name                                 string
	Lines, LinesHit, Functions, FuncsHit int
}

//go:embed page/run.css
var runCSS HTML

//go:embed page/run.js
var runJS HTML

// Write renders the page.
func (p *RunPage) Write(w io.Writer) error {
	var m Markup
	m.Begin(p.Program, runCSS)
	m.Put("<header>\n<h1>%s</h1>\n<p>%s Counts are exact and the same on every host.</p>\n", p.Program, p.Note)
	m.tiles(p.numbers())
	m.Put("</header>\n")
	m.parts([]part{
		{"against", "Against the run before", p.against, p.Before != nil},
		{"cycles", "Where the cycles go", p.cycles, true},
		{"flame", "Flame graph", p.flame, p.Flame != nil && p.Flame.Total > 0},
		{"time", "Over time", p.course, len(p.Course) > 0},
		{"functions", "Functions", p.functions, len(p.Functions) > 0},
		{"loops", "Hot loops", p.loops, len(p.Loops) > 0},
		{"listings", "Sources and instructions", p.listings, len(p.Listings) > 0},
		{"coverage", "Coverage", p.coverage, true},
	})
	m.Put("<script>%s</script>\n", runJS)
	m.End(p.Version)
	_, err := m.WriteTo(w)
	return err
}

// share is a part of a whole in percent, 0 of nothing.
func share(n, of uint64) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}

func (p *RunPage) numbers() []tile {
	list := []tile{
		{Value: rounded(p.Insts), Label: "instructions"},
		{Value: rounded(p.Cycles), Label: "cycles, " + duration(p.Seconds)},
	}
	if p.Insts > 0 {
		list = append(list, tile{Value: fmt.Sprintf("%.3f", float64(p.Cycles)/float64(p.Insts)), Label: "cycles per instruction"})
	}
	list = append(list, tile{Value: fmt.Sprintf("%.1f %%", share(p.Cycles-p.Insts, p.Cycles)), Label: "of the cycles lost"})
	if c := p.Coverage; c != nil {
		list = append(list, tile{Value: fmt.Sprintf("%.0f %%", share(uint64(c.LinesHit), uint64(c.Lines))), Label: "of the source lines executed"})
	}
	return append(list, tile{Value: Thousands(uint64(p.Executed)), Label: "functions executed"})
}

// duration writes a time in seconds, milliseconds or microseconds.
func duration(seconds float64) string {
	switch {
	case seconds >= 1:
		return fmt.Sprintf("%.3g s", seconds)
	case seconds >= 1e-3:
		return fmt.Sprintf("%.3g ms", 1e3*seconds)
	}
	return fmt.Sprintf("%.3g µs", 1e6*seconds)
}

// lost lists the reasons that cycles were lost for, as colours.
func (p *RunPage) lost() []legendEntry { return legendOf(p.Reasons, []map[string]uint64{p.Stalls}) }

func (p *RunPage) cycles(m *Markup) {
	m.Put("<h2>Where the cycles go</h2>\n")
	m.Put("<p class=\"note\">A cycle issues an instruction or is lost for one reason: %s = %s + %s.</p>\n", Thousands(p.Cycles), Thousands(p.Insts), Thousands(p.Cycles-p.Insts))
	m.Put("<div class=\"card\">\n")
	for _, e := range p.lost() {
		n := p.Stalls[e.Name]
		if e.Colour == issueColour {
			n = p.Insts
		}
		m.Put(`<div class="reason"><span>%s</span><div class="stack"><i style="width:%s%%;background:%s"></i></div><b>%s</b><span class="n">%.2f %%</span></div>`+"\n",
			e.Name, num(share(n, p.Cycles)), e.Colour, Thousands(n), share(n, p.Cycles))
	}
	m.Put("</div>\n")
}

func (p *RunPage) functions(m *Markup) {
	m.Put("<h2>Functions</h2>\n")
	m.Put("<p class=\"note\">By symbols; code that was inlined belongs to the function it is in. Own cycles are without, total cycles with the functions called. " +
		"<i>Entered</i> counts executions of the first instruction.")
	if p.Executed > len(p.Functions) {
		m.Put(" These are the %d most expensive of %s functions.", len(p.Functions), Thousands(uint64(p.Executed)))
	}
	m.Put("</p>\n<div class=\"card\"><table>\n<thead><tr><th>function</th><th class=\"n\">own cycles</th><th class=\"n\">share</th><th></th><th class=\"n\">total cycles</th>" +
		"<th class=\"n\">entered</th><th class=\"n\">instructions</th><th class=\"n\">CPI</th><th>lost</th></tr></thead>\n<tbody>\n")
	for _, f := range p.Functions {
		m.Put("<tr><td>")
		if f.Listing != "" {
			m.Put(`<a href="#%s">%s</a>`, f.Listing, f.Name)
		} else {
			m.Put("%s", f.Name)
		}
		m.Put(`</td><td class="n">%s</td><td class="n">%.1f %%</td><td class="heat"><div style="width:%s%%"></div></td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td><td class="lost">%s</td></tr>`+"\n",
			Thousands(f.Cycles), share(f.Cycles, p.Cycles), num(share(f.Cycles, p.Cycles)), Thousands(f.Total), Thousands(f.Entered), Thousands(f.Insts), each(f.Cycles, f.Insts), f.Lost)
	}
	m.Put("</tbody></table></div>\n")
}

func (p *RunPage) loops(m *Markup) {
	m.Put("<h2>Hot loops</h2>\n")
	m.Put("<p class=\"note\">Loops that end with a backward branch or are zero-overhead loops, by the cycles of their own instructions: those of loops " +
		"inside, which are pale, and of functions they call do not count.</p>\n")
	for i := range p.Loops {
		l := &p.Loops[i]
		open := ""
		if i == 0 {
			open = " open"
		}
		m.Put(`<details%s><summary>%s<span>%s cycles, %.1f %% of all`, HTML(open), l.Name, Thousands(l.Cycles), share(l.Cycles, p.Cycles))
		if l.Times > 0 {
			m.Put(" · %s iterations", Thousands(l.Times))
		}
		m.Put("</span></summary>\n")
		m.instructions(l.Lines, l.Left)
		m.Put("</details>\n")
	}
}

func (p *RunPage) listings(m *Markup) {
	m.Put("<h2>Sources and instructions</h2>\n")
	var cycles uint64
	for i := range p.Listings {
		cycles += p.Listings[i].Cycles
	}
	m.Put("<p class=\"note\">%d of %s functions with %.1f %% of the cycles; <code>arcsim run --annotate</code> writes all. A line's cycles are those of its code in the function; a pale line has code that was never executed.</p>\n",
		len(p.Listings), Thousands(uint64(p.Executed)), share(cycles, p.Cycles))
	for i := range p.Listings {
		l := &p.Listings[i]
		open := ""
		if i == 0 {
			open = " open"
		}
		m.Put(`<details id="%s"%s><summary>%s<span>%s cycles, %.1f %% of all</span></summary>`+"\n", l.ID, HTML(open), l.Name, Thousands(l.Cycles), share(l.Cycles, p.Cycles))
		m.source(l)
		if len(l.Parts) > 0 {
			m.Put("<details class=\"inner\"><summary>instructions</summary>\n")
		}
		m.instructions(l.Lines, l.Left)
		if len(l.Parts) > 0 {
			m.Put("</details>\n")
		}
		m.Put("</details>\n")
	}
}

// source writes the source lines of a function.
func (m *Markup) source(l *Listing) {
	most := uint64(1)
	for _, part := range l.Parts {
		for _, line := range part.Lines {
			most = max(most, line.Cycles)
		}
	}
	if len(l.Parts) == 0 {
		return
	}
	m.Put("<table class=\"code source\"><thead><tr><th class=\"n\">executed</th><th class=\"n\">cycles</th><th></th><th class=\"n\">line</th><th>source</th><th>lost</th></tr></thead><tbody>\n")
	for i, part := range l.Parts {
		if i == 0 || part.File != l.Parts[i-1].File {
			m.Put(`<tr class="file"><td colspan="6">%s</td></tr>`+"\n", part.File)
		} else {
			m.Put(`<tr class="file"><td colspan="6">…</td></tr>` + "\n")
		}
		for _, line := range part.Lines {
			class, executed, cycles := "", "", ""
			switch {
			case line.Cycles > 0:
				executed, cycles = Thousands(line.Insts), Thousands(line.Cycles)
			case line.Code:
				class, executed = ` class="never"`, "0"
			}
			m.Put(`<tr%s><td class="n">%s</td><td class="n">%s</td><td class="heat"><div style="width:%s%%"></div></td><td class="n dim">%d</td><td class="text">%s</td><td class="lost">%s</td></tr>`+"\n",
				HTML(class), executed, cycles, num(100*float64(line.Cycles)/float64(most)), line.Number, line.Text, line.Lost)
		}
	}
	if l.LinesLeft > 0 {
		m.Put(`<tr class="file"><td colspan="6">%s more lines</td></tr>`+"\n", Thousands(uint64(l.LinesLeft)))
	}
	m.Put("</tbody></table>\n")
}

func (p *RunPage) coverage(m *Markup) {
	m.Put("<h2>Coverage</h2>\n")
	c := p.Coverage
	if c == nil {
		m.Put("<p class=\"note\">The program has no line information; compile or assemble it with -g.</p>\n")
		return
	}
	m.Put("<p class=\"note\">Source lines that have code, and those of which some was executed.")
	if c.Left > 0 {
		m.Put(" %s more files are left out; <code>arcsim run --coverage</code> writes all.", Thousands(uint64(c.Left)))
	}
	m.Put("</p>\n<div class=\"card\"><table>\n<thead><tr><th>file</th><th class=\"n\">lines</th><th class=\"n\">executed</th><th class=\"n\">share</th><th></th><th class=\"n\">functions</th><th class=\"n\">executed</th></tr></thead>\n<tbody>\n")
	for _, f := range c.Files {
		part := share(uint64(f.LinesHit), uint64(f.Lines))
		m.Put(`<tr><td>%s</td><td class="n">%d</td><td class="n">%d</td><td class="n">%.1f %%</td><td class="covered"><div style="width:%s%%"></div></td><td class="n">%d</td><td class="n">%d</td></tr>`+"\n",
			f.Name, f.Lines, f.LinesHit, part, num(part), f.Functions, f.FuncsHit)
	}
	m.Put("</tbody></table></div>\n")
	if len(c.Never) > 0 {
		m.Put(`<details class="plain"><summary>functions never executed<span>%s</span></summary><p class="names">`, Thousands(uint64(len(c.Never)+c.LeftOver)))
		for _, name := range c.Never {
			m.Put("<code>%s</code> ", name)
		}
		if c.LeftOver > 0 {
			m.Put("and %s more", Thousands(uint64(c.LeftOver)))
		}
		m.Put("</p></details>\n")
	}
}
