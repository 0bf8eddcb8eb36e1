package profile

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"sort"
	"strings"

	"arcv2dsp"
	"arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/program/dwarf"
)

// Bounds of a page. A program of any size gives a page that a browser shows at once.
const (
	maxFunctions = 100  // in the table
	maxListings  = 40   // functions with source and instructions
	maxListing   = 600  // lines and instructions of one of them
	maxListed    = 4000 // and of all of them
	maxFiles     = 200  // in the table of coverage
	maxNever     = 500  // functions that were not executed
	maxText      = 240  // letters of a name or a source line
)

// Page puts the profile, and the course of the run when there is one, into a page. The title, and what it ran on and how
// it ended, are the caller's.
func (p *Profile) Page(course *Course) *report.RunPage {
	page := &report.RunPage{
		Program: p.Program, Cycles: p.Total.Cycles, Insts: p.Total.Insts, Stalls: p.Total.Reasons(),
		Seconds: float64(p.Total.Cycles) / float64(p.m.Core().ClockHz),
		Flame:   p.flame(), Loops: p.hotLoops(),
	}
	for _, r := range reasons() {
		page.Reasons = append(page.Reasons, r.String())
	}
	p.intervals(page, course)
	p.functions(page)
	if p.names.lines != nil {
		page.Coverage = p.coverage()
	}
	return page
}

// intervals adds the course of the run, with the lines that the caches read: each has cost the cycles of a fill.
func (p *Profile) intervals(page *report.RunPage, course *Course) {
	if course == nil {
		return
	}
	type cache struct {
		reason arcv2dsp.StallReason
		fill   uint64
	}
	var caches []cache
	core := p.m.Core()
	if instructions := core.InstructionFill; instructions != 0 {
		page.Caches, caches = append(page.Caches, "instruction"), append(caches, cache{arcv2dsp.StallICache, uint64(instructions)})
	}
	if data := core.DataFill; data != 0 {
		page.Caches, caches = append(page.Caches, "data"), append(caches, cache{arcv2dsp.StallDCache, uint64(data)})
	}
	at := uint64(0)
	for _, c := range course.Intervals {
		v := report.Interval{Start: at, Cycles: c.Cycles, Insts: c.Insts, Stalls: c.Reasons()}
		for _, k := range caches {
			v.Fills = append(v.Fills, c.Stalls[k.reason]/k.fill)
		}
		page.Course = append(page.Course, v)
		at += c.Cycles
	}
}

// flame is the tree of calls, inlined ones among them.
func (p *Profile) flame() *report.Frame {
	root := &report.Frame{Name: "all"}
	below := map[*report.Frame]map[string]*report.Frame{}
	p.stacks(func(stack []string, cycles uint64) {
		f := root
		f.Total += cycles
		for _, name := range stack {
			next := below[f][name]
			if next == nil {
				next = &report.Frame{Name: bounded(name)}
				if below[f] == nil {
					below[f] = map[string]*report.Frame{}
				}
				below[f][name] = next
				f.Calls = append(f.Calls, next)
			}
			f = next
			f.Total += cycles
		}
		f.Self += cycles
	})
	return root
}

// functions adds the table of functions and the listings of the first of them.
func (p *Profile) functions(page *report.RunPage) {
	all := p.byFunction()
	page.Executed = len(all)
	flat, totals := p.flat(), p.totals()
	rows := 0
	for i, fn := range all[:min(len(all), maxFunctions)] {
		f := report.FunctionCost{Name: bounded(fn.name), Insts: fn.insts, Cycles: fn.cycles, Total: totals[fn.function]}
		var lost arcv2dsp.Stalls
		for _, c := range fn.costs {
			lost.AddAll(&c.Stalls)
		}
		f.Lost = mostLost(&lost)
		if c := flat[fn.entry]; c != nil {
			f.Entered = c.Insts
		}
		if i < maxListings && rows < maxListed && fn.cycles > 0 {
			l := p.listing(fn, min(maxListing, maxListed-rows))
			l.ID = fmt.Sprintf("f-%d", i)
			f.Listing = l.ID
			rows += len(l.Lines)
			for _, part := range l.Parts {
				rows += len(part.Lines)
			}
			page.Listings = append(page.Listings, l)
		}
		page.Functions = append(page.Functions, f)
	}
}

// totals are the cycles of functions with those of what they call. A function that is called by itself counts once.
func (p *Profile) totals() map[function]uint64 {
	sum := map[function]uint64{}
	for _, c := range p.chains {
		callers := map[function]bool{}
		for _, call := range c.Calls {
			callers[p.names.function(call)] = true
		}
		cycles := uint64(0)
		for i := range c.Costs {
			n := c.Costs[i].Cycles()
			cycles += n
			if f := p.names.function(c.Costs[i].PC); !callers[f] {
				sum[f] += n
			}
		}
		for f := range callers {
			sum[f] += cycles
		}
	}
	return sum
}

// listing is a function with at most so many lines and instructions: half may be lines.
func (p *Profile) listing(fn *functionCost, rows int) report.Listing {
	lines := 0
	l := report.Listing{Name: bounded(fn.name), Insts: fn.insts, Cycles: fn.cycles}
	for _, part := range p.sourceOf(fn) {
		if l.LinesLeft > 0 || lines+len(part.Lines) > rows/2 {
			l.LinesLeft += len(part.Lines)
			continue
		}
		l.Parts = append(l.Parts, part)
		lines += len(part.Lines)
	}
	add := func(line report.HotLine) {
		if lines+len(l.Lines) < rows {
			l.Lines = append(l.Lines, line)
		} else {
			l.Left++
		}
	}
	p.walk(fn, func(pc uint32, c *arcv2dsp.Cost, text string) {
		if c == nil {
			add(report.HotLine{Addr: pc, Text: text})
			return
		}
		add(p.hotLine(pc, c))
	}, func(pc, bytes uint32) {
		add(report.HotLine{Addr: pc, Text: fmt.Sprintf("… %d bytes not executed", bytes)})
	})
	return l
}

// hotLine is an executed instruction.
func (p *Profile) hotLine(pc uint32, c *arcv2dsp.Cost) report.HotLine {
	text, _, err := p.m.Disassemble(pc)
	if err != nil {
		text = "?"
	}
	return report.HotLine{Addr: pc, Text: bounded(text), Insts: c.Insts, Cycles: c.Cycles(), Lost: lostText(&c.Stalls), Hot: true}
}

// lineCost counts the code that a line has in a function.
type lineCost struct {
	insts uint64 // executions of the instruction executed most
	lost  arcv2dsp.Stalls
	all   uint64 // cycles
}

// around is how many lines are shown before and behind those that have code.
const around = 2

// sourceOf are the source lines of a function's code, those of the file where it begins first.
func (p *Profile) sourceOf(fn *functionCost) []report.SourcePart {
	if p.names.lines == nil {
		return nil
	}
	files := map[string]map[int]*lineCost{}
	line := func(at dwarf.Position) *lineCost {
		if at.Line < 1 || at.File == "" {
			return &lineCost{}
		}
		if files[at.File] == nil {
			files[at.File] = map[int]*lineCost{}
		}
		c := files[at.File][at.Line]
		if c == nil {
			c = &lineCost{}
			files[at.File][at.Line] = c
		}
		return c
	}
	for _, c := range fn.costs {
		l := line(p.names.position(c.PC))
		l.insts = max(l.insts, c.Insts)
		l.all += c.Cycles()
		l.lost.AddAll(&c.Stalls)
	}
	if s, off, ok := p.m.Symbols().At(fn.entry); ok && off == 0 { // lines that were not executed
		all := p.names.lines.Rows()
		from := sort.Search(len(all), func(i int) bool { return all[i].End > s.Addr })
		for _, row := range all[from:] {
			if row.Addr-s.Addr >= s.Size {
				break
			}
			line(row.Position)
		}
	}
	first := p.names.position(fn.entry).File
	var parts []report.SourcePart
	for _, file := range slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return cmp.Or(cmp.Compare(b2i(b == first), b2i(a == first)), cmp.Compare(a, b))
	}) {
		parts = append(parts, partsOf(file, files[file], p.sources.Lines(file))...)
	}
	return parts
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// partsOf cuts the lines of a file that have code into stretches with what surrounds them. Of a file that cannot be
// read there are the numbers of these lines.
func partsOf(file string, costs map[int]*lineCost, text []string) []report.SourcePart {
	var parts []report.SourcePart
	name, around := bounded(file), around
	if text == nil {
		name, around = name+" (cannot be read)", 0
	}
	numbers := slices.Sorted(maps.Keys(costs))
	for i := 0; i < len(numbers); {
		part := report.SourcePart{File: name}
		from, to := max(1, numbers[i]-around), numbers[i]
		for i < len(numbers) && numbers[i] <= to+2*around+1 {
			to = numbers[i]
			i++
		}
		for n := from; n <= max(to, min(to+around, len(text))); n++ {
			c := costs[n]
			if c == nil && text == nil {
				continue
			}
			line := report.SourceLine{Number: n, Code: c != nil}
			if n <= len(text) {
				line.Text = bounded(strings.TrimRight(strings.ReplaceAll(text[n-1], "\t", "    "), " \r"))
			}
			if c != nil {
				line.Insts, line.Cycles, line.Lost = c.insts, c.all, lostText(&c.lost)
			}
			part.Lines = append(part.Lines, line)
		}
		parts = append(parts, part)
	}
	return parts
}

// place describes where an address is: the function, inlined or not, and the line.
func (p *Profile) place(pc uint32) string {
	f := p.names.at(pc)[0]
	if f.At.Line != 0 {
		return bounded(fmt.Sprintf("%s, %s:%d", f.Function, path.Base(f.At.File), f.At.Line))
	}
	return bounded(fmt.Sprintf("%s, %s", f.Function, hex(pc)))
}

// coverage adds the coverage up by file. Files with the most lines that were not executed come first.
func (p *Profile) coverage() *report.Coverage {
	c := &report.Coverage{}
	files := p.covered()
	never := map[string]bool{}
	for name, f := range files {
		file := report.CoveredFile{Name: bounded(name), Lines: len(f.lines), Functions: len(f.functions)}
		for _, n := range f.lines {
			file.LinesHit += b2i(n > 0)
		}
		c.Lines, c.LinesHit = c.Lines+file.Lines, c.LinesHit+file.LinesHit
		for _, fn := range f.functions {
			file.FuncsHit += b2i(fn.count > 0)
			if fn.count == 0 {
				never[fn.name] = true
			}
		}
		c.Files = append(c.Files, file)
	}
	slices.SortFunc(c.Files, func(a, b report.CoveredFile) int {
		return cmp.Or(cmp.Compare(b.Lines-b.LinesHit, a.Lines-a.LinesHit), cmp.Compare(a.Name, b.Name))
	})
	if len(c.Files) > maxFiles {
		c.Left = len(c.Files) - maxFiles
		c.Files = c.Files[:maxFiles]
	}
	for _, name := range slices.Sorted(maps.Keys(never)) {
		if len(c.Never) == maxNever {
			c.LeftOver = len(never) - maxNever
			break
		}
		c.Never = append(c.Never, bounded(name))
	}
	return c
}

// mostLost lists the reasons with the most lost cycles.
func mostLost(s *arcv2dsp.Stalls) string {
	list := reasons()
	slices.SortStableFunc(list, func(a, b arcv2dsp.StallReason) int { return cmp.Compare(s[b], s[a]) })
	var parts []string
	for _, r := range list[:3] {
		if s[r] > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", r, report.Thousands(s[r])))
		}
	}
	return strings.Join(parts, ", ")
}

// bounded is a text of the program that a page can show: valid, and not longer than anybody reads.
func bounded(s string) string {
	if s = strings.ToValidUTF8(s, "\ufffd"); len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + "…"
}
