package regress

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/mlikernels"
)

// Summary sums the results up by kernel and core.
type Summary struct {
	Suite   *Suite
	Groups  []*Group
	Results []Result
	Elapsed time.Duration
	Workers int

	Passed, Failed, NotRun int
}

// Group is all that was checked of one kernel or network.
type Group struct {
	Name                   string
	Unit                   string // what Work counts: "MAC" or "element", empty for an unusable file
	Kernel, Network        bool   // neither for an operator, and for a file that is unusable
	short                  string // name without what all symbols of its library begin with
	Cases, Recorded        int
	Passed, Failed, NotRun int
	Cores                  map[string]*Totals
	first                  *Result // first failure
}

// Totals are the counters of a group's cases on one core.
type Totals struct {
	Cycles, Insts, Work uint64
	Stalls              map[string]uint64
}

// Per is cycles per unit of work.
func (t *Totals) Per() float64 {
	if t == nil || t.Work == 0 {
		return 0
	}
	return float64(t.Cycles) / float64(t.Work)
}

// Summarize sums results up.
func (s *Suite) Summarize(results []Result, elapsed time.Duration, workers int) *Summary {
	sum := &Summary{Suite: s, Results: results, Elapsed: elapsed, Workers: workers}
	groups := map[string]*Group{}
	for i := range results {
		r := &results[i]
		g := groups[r.Group]
		if g == nil {
			g = newGroup(&r.Case)
			groups[r.Group] = g
			sum.Groups = append(sum.Groups, g)
		}
		g.add(r)
		switch {
		case r.NotRun:
			sum.NotRun++
		case r.Failure != nil:
			sum.Failed++
		default:
			sum.Passed++
		}
	}
	slices.SortStableFunc(sum.Groups, func(a, b *Group) int { return strings.Compare(a.order(), b.order()) })
	return sum
}

func newGroup(c *Case) *Group {
	g := &Group{Name: c.Group, short: c.Group, Unit: c.Unit, Network: c.Network, Cores: map[string]*Totals{}}
	if k, err := mlikernels.Lookup(c.Group); err == nil && !c.Network {
		g.Kernel, g.Unit, g.short = true, k.Unit, k.Short()
	}
	return g
}

// label is the name without the prefix that all kernels of a library have.
func (g *Group) label() string { return g.short }

// order sorts kernels with MACs first, networks last.
func (g *Group) order() string {
	switch {
	case g.Network:
		return "3" + g.Name
	case g.Unit == mlikernels.MAC:
		return "1" + g.Name
	}
	return "2" + g.Name
}

func (g *Group) add(r *Result) {
	g.Cases++
	if r.Recorded {
		g.Recorded++
	}
	switch {
	case r.NotRun:
		g.NotRun++
		return
	case r.Failure != nil:
		g.Failed++
		if g.first == nil {
			g.first = r
		}
	default:
		g.Passed++
	}
	if r.Core == "" {
		return
	}
	t := g.Cores[r.Core]
	if t == nil {
		t = &Totals{Stalls: map[string]uint64{}}
		g.Cores[r.Core] = t
	}
	t.Cycles += r.Cycles
	t.Insts += r.Insts
	t.Work += r.Work
	for name, n := range r.Stalls {
		t.Stalls[name] += n
	}
}

// Good reports whether everything planned ran and passed, and every kernel was there. A foreign library may lack
// functions.
func (s *Summary) Good() bool {
	complete := len(s.Suite.Missing) == 0
	if s.Suite.Library != nil {
		complete = len(s.Results) > 0
	}
	return s.Failed == 0 && s.NotRun == 0 && s.refused() == 0 && complete
}

// refused is the number of files whose records nothing here checks.
func (s *Summary) refused() int {
	n := 0
	for _, l := range s.Suite.LeftOut {
		if l.Refused {
			n++
		}
	}
	return n
}

// Text prints the summary for people: a table, the failures, the status as the last line. Colour is
// for the terminal w, if it is one.
func (s *Summary) Text(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "Cores %s, engine %v, seed %d, %d at a time\n\n", s.cores(), s.Suite.Engine, s.Suite.Seed, s.Workers)
	tables := []struct {
		title string
		in    func(*Group) bool
	}{
		{title: "cycles/MAC", in: func(g *Group) bool { return g.Unit == mlikernels.MAC && !g.Network }},
		{title: "cycles/element", in: func(g *Group) bool { return g.Unit != mlikernels.MAC }},
		{title: "cycles/MAC", in: func(g *Group) bool { return g.Network }},
	}
	for _, t := range tables {
		if err := s.table(b, t.title, t.in); err != nil {
			return err
		}
	}
	if len(s.Suite.Vectors) == 0 {
		fmt.Fprint(b, "Grid shapes are small and cost more for each unit of work than typical ones, which arcsim bench measures.\n\n")
	}
	s.failures(b, w)
	for _, l := range s.Suite.LeftOut {
		verb := "left out"
		if l.Refused {
			verb = "refused"
		}
		fmt.Fprintf(b, "%s: %s: %s\n", verb, l.File, l.Why)
	}
	s.last(b, w)
	return b.Flush()
}

// cores names the cores with what matters about them.
func (s *Summary) cores() string {
	var list []string
	for _, core := range s.Suite.Cores {
		if s.Suite.processors[core].AGU == mlikernels.LargeAGU {
			core += " (AGU, XY memory)"
		}
		list = append(list, core)
	}
	return strings.Join(list, ", ")
}

// table prints the groups that belong in one table.
func (s *Summary) table(w io.Writer, per string, in func(*Group) bool) error {
	widest := 0
	for _, g := range s.Groups {
		widest = max(widest, len(g.label()))
	}
	t := report.Table{Columns: []report.Column{{Name: "kernel", Min: widest}, {Name: "cases", Align: report.Right, Min: 6},
		{Name: "pass", Align: report.Right, Min: 6}, {Name: "fail", Align: report.Right}}}
	for _, core := range s.Suite.Cores {
		t.Columns = append(t.Columns, report.Column{Name: core + " cycles", Align: report.Right, Min: len("123,456,789")},
			report.Column{Name: per, Align: report.Right, Min: len("cycles/element")})
	}
	network := false
	for _, g := range s.Groups {
		if !in(g) {
			continue
		}
		network = g.Network
		fail := any(g.Failed)
		if g.Failed == 0 {
			fail = "-"
		}
		row := []any{g.label(), g.Cases, g.Passed, fail}
		for _, core := range s.Suite.Cores {
			c := g.Cores[core]
			if c == nil {
				row = append(row, "-", "-")
				continue
			}
			row = append(row, c.Cycles, c.Per())
		}
		t.Add(row...)
	}
	if len(t.Rows) == 0 {
		return nil
	}
	if network {
		t.Columns[0].Name = "network"
	}
	if err := t.Text(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// maxShown bounds the failures that are printed in full.
const maxShown = 10

// failures prints the first failure of every kernel, and what is missing.
func (s *Summary) failures(b, tty io.Writer) {
	shown := 0
	for _, g := range s.Groups {
		if g.first == nil {
			continue
		}
		if shown++; shown > maxShown {
			fmt.Fprintf(b, "more kernels failed; --junit and --json list all cases\n\n")
			break
		}
		f := g.first.Failure
		fmt.Fprintf(b, "%s %s", report.Paint(tty, report.Red, "FAIL"), g.first.Name)
		if g.Failed > 1 {
			fmt.Fprintf(b, " and %s more of this kernel", report.Thousands(uint64(g.Failed-1)))
		}
		fmt.Fprintf(b, "\n     %s\n", f.Message)
		if m := f.Mismatch; m != nil {
			fmt.Fprint(b, m.Neighbourhood)
		}
		if f.Minimized != "" {
			fmt.Fprintf(b, "     smaller case: %s\n", f.Minimized)
		}
		fmt.Fprintf(b, "     repeat: %s\n\n", f.Repeat)
	}
	if s.Suite.Library != nil {
		s.rows(b)
		s.lacking(b)
		return
	}
	for _, m := range s.Suite.Missing {
		fmt.Fprintf(b, "%s %s on %s: %s\n", report.Paint(tty, report.Red, "MISSING"), m.Kernel, m.Core, m.Why)
	}
	if len(s.Suite.Missing) > 0 {
		fmt.Fprintln(b)
	}
}

// maxRows bounds the calls of a foreign library that are named.
const maxRows = 500

// rows names each call in which a foreign library differs, so that people see whose fault it is.
func (s *Summary) rows(b io.Writer) {
	shown := 0
	for _, r := range s.Results {
		if r.Failure == nil {
			continue
		}
		if shown++; shown > maxRows {
			fmt.Fprintf(b, "%s more calls differ; --junit and --json list all\n", report.Thousands(uint64(s.Failed-maxRows)))
			break
		}
		message, _, _ := strings.Cut(r.Failure.Message, "\n")
		fmt.Fprintf(b, "differs: %s: %s\n", r.Name, message)
	}
	if shown > 0 {
		fmt.Fprintln(b)
	}
}

// lacking names the functions that a foreign library does not have.
func (s *Summary) lacking(b io.Writer) {
	var names []string
	for _, m := range s.Suite.Missing {
		if !slices.Contains(names, m.Kernel) {
			names = append(names, m.Kernel)
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(b, "%s does not define %s of the functions: %s\n\n", s.Suite.Library.Name(), report.Thousands(uint64(len(names))),
			strings.Join(names, " "))
	}
}

// last prints the totals and the status.
func (s *Summary) last(b, tty io.Writer) {
	kernels, operators, networks, recorded := 0, 0, 0, 0
	for _, g := range s.Groups {
		recorded += g.Recorded
		switch {
		case g.Network:
			networks++
		case g.Kernel:
			kernels++
		case g.Unit != "":
			operators++
		}
	}
	parts := []string{count(len(s.Results), "case")}
	if kernels > 0 {
		parts = append(parts, count(kernels, "kernel"))
	}
	if operators > 0 {
		parts = append(parts, count(operators, "operator"))
	}
	if networks > 0 {
		parts = append(parts, count(networks, "network"))
	}
	if recorded > 0 {
		parts = append(parts, fmt.Sprintf("%s against recorded outputs", report.Thousands(uint64(recorded))))
	}
	parts = append(parts, fmt.Sprintf("%s failed", report.Thousands(uint64(s.Failed))))
	if s.NotRun > 0 {
		parts = append(parts, fmt.Sprintf("%s not run", report.Thousands(uint64(s.NotRun))))
	}
	parts = append(parts, fmt.Sprintf("%.1f s", s.Elapsed.Seconds()))
	fmt.Fprintln(b, strings.Join(parts, ", "))
	status := report.Paint(tty, report.Red, "FAILED")
	switch refused := s.refused(); {
	case s.Good():
		status = report.Paint(tty, report.Green, "PASSED")
	case refused > 0 && s.Failed+s.NotRun == 0:
		status = report.Paint(tty, report.Red, "INCOMPLETE") + ", " + count(refused, "file") + " of records refused"
	}
	fmt.Fprintf(b, "Summary Status: %s\n", status)
}

// count is a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return report.Thousands(uint64(n)) + " " + thing
}
