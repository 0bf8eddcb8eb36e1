package profile

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"arcv2dsp"
	"arcv2dsp/internal/program/dwarf"
)

// WriteListing writes every function that was executed, the most expensive first, with what each of
// its instructions has cost, between the source lines they come from as far as those can be read.
func (p *Profile) WriteListing(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s: %d instructions, %d cycles\n", p.Program, p.Total.Insts, p.Total.Cycles)
	for _, fn := range p.byFunction() {
		fmt.Fprintf(b, "\n%s: %d instructions, %d cycles, %s of all\n", fn.name, fn.insts, fn.cycles, percent(fn.cycles, p.Total.Cycles))
		fmt.Fprintf(b, "%12s %12s %6s  lost\n", "executed", "cycles", "%")
		p.listFunction(b, fn)
	}
	return b.Flush()
}

// functionCost is the cycles of a function without those it calls.
type functionCost struct {
	function
	insts, cycles uint64
	costs         []*arcv2dsp.Cost // by address
}

// byFunction sorts costs by function, the most expensive first.
func (p *Profile) byFunction() []*functionCost {
	all := map[function]*functionCost{}
	for pc, c := range p.flat() {
		f := p.names.function(pc)
		to := all[f]
		if to == nil {
			to = &functionCost{function: f}
			all[f] = to
		}
		to.insts += c.Insts
		to.cycles += c.Cycles()
		to.costs = append(to.costs, c)
	}
	list := slices.SortedFunc(maps.Values(all), func(a, b *functionCost) int {
		return cmp.Or(cmp.Compare(b.cycles, a.cycles), cmp.Compare(a.entry, b.entry), cmp.Compare(a.name, b.name))
	})
	for _, f := range list {
		slices.SortFunc(f.costs, func(a, b *arcv2dsp.Cost) int { return cmp.Compare(a.PC, b.PC) })
	}
	return list
}

// gap is how many bytes of code that was not executed are listed between code that was.
const gap = 64

func (p *Profile) listFunction(w io.Writer, fn *functionCost) {
	var last dwarf.Position
	p.walk(fn, func(pc uint32, c *arcv2dsp.Cost, text string) {
		if at := p.names.position(pc); at.Line != 0 && (at.Line != last.Line || at.File != last.File) {
			line := ""
			if source := p.textOf(at); source != "" {
				line = "  " + source
			}
			fmt.Fprintf(w, "%33s; %s:%d%s\n", "", at.File, at.Line, line)
			last = at
		}
		var executed, cycles, share, lost string
		if c != nil {
			executed, cycles = fmt.Sprint(c.Insts), fmt.Sprint(c.Cycles())
			share = percent(c.Cycles(), p.Total.Cycles)
			if lost = lostText(&c.Stalls); lost != "" {
				lost = "; " + lost
			}
		}
		fmt.Fprintf(w, "%12s %12s %6s  %08x  %-36s %s\n", executed, cycles, share, pc, text, lost)
	}, func(_, bytes uint32) {
		fmt.Fprintf(w, "%33s; %d bytes not executed\n", "", bytes)
	})
}

// walk goes through the instructions of a function by address. Those between executed ones that were not executed come
// with a cost of nil when they are few; the bytes of longer gaps are skipped.
func (p *Profile) walk(fn *functionCost, list func(pc uint32, c *arcv2dsp.Cost, text string), skip func(pc, bytes uint32)) {
	one := func(pc uint32, c *arcv2dsp.Cost) uint32 {
		text, size, err := p.m.Disassemble(pc)
		if err != nil {
			text, size = "?", 2
		}
		list(pc, c, text)
		return pc + size
	}
	var next uint32
	for i, c := range fn.costs {
		if i > 0 && c.PC > next {
			if c.PC-next <= gap {
				for next < c.PC {
					next = one(next, nil)
				}
			} else {
				skip(next, c.PC-next)
			}
		}
		next = one(c.PC, c)
	}
}

func percent(n, of uint64) string {
	if of == 0 {
		return "0.0 %"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

// lostText lists lost cycles, "load-use 12, branch 3".
func lostText(s *arcv2dsp.Stalls) string {
	var parts []string
	for _, r := range reasons() {
		if n := s[r]; n != 0 {
			parts = append(parts, fmt.Sprintf("%s %d", r, n))
		}
	}
	return strings.Join(parts, ", ")
}

// textOf returns the text of a source line, "" when it is not to be had.
func (p *Profile) textOf(at dwarf.Position) string {
	lines := p.sources.Lines(at.File)
	if at.Line < 1 || at.Line > len(lines) {
		return ""
	}
	return strings.TrimRight(lines[at.Line-1], " \t\r")
}

// Line is what a source line has cost in a listing.
type Line struct {
	File     string
	Line     int
	Executed uint64 // the most that an instruction of it was
	Cycles   uint64
	Lost     string // by reason, as in the listing
}

// ReadListing reads what WriteListing has written, by source line. Instructions of one line that stand at several places add up.
func ReadListing(r io.Reader) ([]Line, error) {
	type key struct {
		file string
		line int
	}
	lines := map[key]*Line{}
	lost := map[key]map[string]uint64{}
	var at key
	place, cost := listingLines()
	in := bufio.NewScanner(r)
	for in.Scan() {
		text := in.Text()
		if m := place.FindStringSubmatch(text); m != nil {
			n, err := strconv.Atoi(m[2])
			if err != nil {
				n = 0 // of no file
			}
			at = key{m[1], n}
			continue
		}
		m := cost.FindStringSubmatch(text)
		if m == nil {
			if !strings.HasPrefix(text, " ") {
				at = key{} // another function
			}
			continue
		}
		if at.line == 0 {
			continue
		}
		if lines[at] == nil {
			lines[at], lost[at] = &Line{File: at.file, Line: at.line}, map[string]uint64{}
		}
		executed, _ := strconv.ParseUint(m[1], 10, 64) // digits; too many of them are the greatest number
		cycles, _ := strconv.ParseUint(m[2], 10, 64)
		lines[at].Executed = max(lines[at].Executed, executed)
		lines[at].Cycles += cycles
		for _, part := range strings.Split(m[3], ", ") {
			if i := strings.LastIndexByte(part, ' '); i > 0 {
				n, _ := strconv.ParseUint(part[i+1:], 10, 64)
				lost[at][part[:i]] += n
			}
		}
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	list := make([]Line, 0, len(lines))
	for k, l := range lines {
		var parts []string
		for _, reason := range reasons() {
			if n := lost[k][reason.String()]; n > 0 {
				parts = append(parts, fmt.Sprintf("%s %d", reason, n))
			}
		}
		l.Lost = strings.Join(parts, ", ")
		list = append(list, *l)
	}
	slices.SortFunc(list, func(a, b Line) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	return list, nil
}

// Lines of a listing: a place in a source, and an instruction that was executed. They are compiled when a listing is read.
var listingLines = sync.OnceValues(func() (place, cost *regexp.Regexp) {
	return regexp.MustCompile(`^ {33}; (.+?):(\d+)(?:  .*)?$`),
		regexp.MustCompile(`^ *(\d+) +(\d+) +[0-9.]+ %  [0-9a-f]{8}  .*?(?:; ([a-z-]+ \d+(?:, [a-z-]+ \d+)*))?$`)
})
