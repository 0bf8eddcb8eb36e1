package bench

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"arcv2dsp/internal/measure/report"
)

// Document is everything a command found out, as JSON has it; docs/formats.md describes it.
type Document struct {
	Schema      int         `json:"schema"`
	Version     string      `json:"version"`
	Host        Host        `json:"host"`
	Interrupted bool        `json:"interrupted"`       // results are missing
	Library     string      `json:"library,omitempty"` // a foreign library measured beside ours
	Results     []Result    `json:"results"`
	Changes     []Change    `json:"changes,omitempty"` // against a baseline
	Vendor      *Comparison `json:"vendor,omitempty"`
	Sweeps      []Sweep     `json:"sweeps,omitempty"`
}

// NewDocument returns a document without results.
func NewDocument(version string) *Document {
	return &Document{Schema: 1, Version: version, Host: ThisHost(), Results: []Result{}}
}

// Add adds the results of a part.
func (d *Document) Add(p Part, results []Result) {
	d.Results = append(d.Results, results...)
	if p.Suite != nil && len(p.Suite.Axes) > 0 {
		d.Sweeps = append(d.Sweeps, Sweep{Suite: p.Suite.Name, Choices: Pareto(*p.Suite, results)})
	}
}

// Sweep is a suite with the choices its results make.
type Sweep struct {
	Suite   string   `json:"suite"`
	Choices []Choice `json:"choices"`
}

// String is one line about the host.
func (h Host) String() string {
	s := fmt.Sprintf("host: %s/%s, %s, %d processors", h.OS, h.Arch, h.CPU, h.Cores)
	if len(h.Features) > 0 {
		s += ", " + strings.Join(h.Features, " ")
	}
	return s + "; engine " + h.Engine
}

// optional writes a number, or nothing when it is not known.
func optional(v float64, format string) string {
	if v == 0 {
		return ""
	}
	return fmt.Sprintf(format, v)
}

// lost writes the stalls, most first.
func lost(stalls map[string]uint64) string {
	var parts []string
	for _, reason := range report.MostFirst(stalls) {
		parts = append(parts, reason+" "+report.Thousands(stalls[reason]))
	}
	return strings.Join(parts, ", ")
}

func columns(right string, names ...string) []report.Column {
	var all []report.Column
	for i, n := range names {
		a := report.Left
		if right[i] == 'r' {
			a = report.Right
		}
		all = append(all, report.Column{Name: n, Align: a})
	}
	return all
}

// where is the core of a result with the options that differ.
func (r Result) where() string { return strings.TrimSpace(r.Core + " " + r.Options) }

// Table lists results.
func Table(results []Result) *report.Table {
	t := &report.Table{Columns: columns("llrrrrlrrrrll", "subject", "core", "cycles", "instructions", "IPC", "cycles per", "",
		"% of peak", "per real", "bound", "of it", "memory", "lost cycles")}
	for _, r := range results {
		switch {
		case r.Failure != "":
			t.Add(r.Name, r.where(), "FAILED", "", "", "", "", "", "", "", "", r.Memory, r.Failure)
			continue
		case r.Skipped != "":
			t.Add(r.Name, r.where(), "-", "", "", "", "", "", "", "", "", r.Memory, r.Skipped)
			continue
		}
		t.Add(r.Name, r.where(), r.Cycles, r.Insts, optional(r.IPC(), "%.3f"), optional(r.PerUnit(), "%.3f"), r.Unit,
			optional(r.PercentOfPeak(), "%.1f"), optional(r.PerReal(), "%.3f"), optional(float64(r.Bound), "%.0f"),
			report.OfBound(r.Bound, r.Cycles), r.Memory, lost(r.Stalls))
	}
	return t
}

// CoreTable has a row per subject and a column of cycles per core, each with its ratio to the first.
func CoreTable(results []Result, cores []string) *report.Table {
	t := &report.Table{Columns: columns("l", "subject")}
	for i, c := range cores {
		t.Columns = append(t.Columns, report.Column{Name: c, Align: report.Right})
		if i > 0 {
			t.Columns = append(t.Columns, report.Column{Name: "x " + cores[0], Align: report.Right})
		}
	}
	t.Columns = append(t.Columns, report.Column{Name: "memory"})
	byName := map[string]map[string]Result{}
	var order []string
	for _, r := range results {
		if byName[r.Name] == nil {
			byName[r.Name] = map[string]Result{}
			order = append(order, r.Name)
		}
		byName[r.Name][r.Core] = r
	}
	for _, name := range order {
		row := []any{name}
		first := byName[name][cores[0]]
		for i, c := range cores {
			r, ok := byName[name][c]
			known := ok && r.Counted()
			switch {
			case known:
				row = append(row, r.Cycles)
			default:
				row = append(row, "-")
			}
			if i > 0 {
				ratio := ""
				if known && first.Counted() && first.Cycles != 0 {
					ratio = fmt.Sprintf("%.2f", float64(r.Cycles)/float64(first.Cycles))
				}
				row = append(row, ratio)
			}
		}
		t.Add(append(row, memories(byName[name], cores))...)
	}
	return t
}

// memories describes where the data of a kernel lies: once, or for each core where that differs.
func memories(results map[string]Result, cores []string) string {
	var each, kinds []string
	for _, c := range cores {
		if m := results[c].Memory; m != "" {
			each = append(each, c+" "+m)
			if !slices.Contains(kinds, m) {
				kinds = append(kinds, m)
			}
		}
	}
	if len(kinds) == 1 {
		return kinds[0]
	}
	return strings.Join(each, ", ")
}

// ChangeTable lists results beside their baseline, regressions first.
func ChangeTable(changes []Change) *report.Table {
	t := &report.Table{Columns: columns("llrrrll", "subject", "core", "baseline", "cycles", "change", "memory", "")}
	sorted := slices.Clone(changes)
	slices.SortStableFunc(sorted, func(a, b Change) int { return cmp.Compare(rank(a), rank(b)) })
	for _, c := range sorted {
		switch {
		case c.Failure != "":
			t.Add(c.Name, c.where(), "", "", "", c.Memory, "FAILED: "+c.Failure)
		case c.Before == 0:
			t.Add(c.Name, c.where(), "", c.Cycles, "", c.Memory, "new")
		default:
			verdict := ""
			if c.Regressed {
				verdict = "REGRESSED"
			}
			t.Add(c.Name, c.where(), c.Before, c.Cycles, fmt.Sprintf("%+.2f%%", c.Percent), c.Memory, verdict)
		}
	}
	return t
}

func rank(c Change) int {
	if c.Regressed {
		return 0
	}
	return 1
}

// Write prints the comparison with the vendor.
func (c Comparison) Write(w io.Writer) error {
	fmt.Fprintf(w, "Our cycles beside the instructions of the vendor's compiled kernels, whole calls\ncore %s: %s\n%s\n\n",
		c.Core, strings.Join(c.Configuration, " "), c.Placement)
	t := &report.Table{Columns: columns("lrrrlrrr", "kernel", "work", "cycles", "cycles per", "", "per real MAC", "vendor", "ratio")}
	for _, r := range c.Rows {
		t.Add(strings.TrimPrefix(r.Name, "mli_krn_"), r.Work, r.Cycles, fmt.Sprintf("%.3f", r.PerUnit()), r.Unit,
			optional(r.PerReal(), "%.3f"), r.Vendor, fmt.Sprintf("%.3f", r.Ratio()))
	}
	t.Rule()
	t.Add(fmt.Sprintf("geometric mean of %d", len(c.Rows)), "", "", "", "", "", "", fmt.Sprintf("%.3f", c.Geomean))
	if err := t.Text(w); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nThe same calls elsewhere, and without the kernels of HWC maps in fx8 and fx8w16d that the vendor compiled badly\n\n")
	if err := c.Elsewhere.table().Text(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, e := range c.Elsewhere {
		if e.Reason != "" {
			fmt.Fprintf(w, "%s: %s\n", e.Name, e.Reason)
		}
		if n := len(e.Unfit); n > 0 {
			r := e.Unfit[0]
			fmt.Fprintf(w, "%s: %s %s; calls that do not fit: %d, --json has all\n", e.Name, strings.TrimPrefix(r.Name, "mli_krn_"), r.Skipped, n)
		}
	}
	return nil
}

// table has a row for each configuration.
func (all Configurations) table() *report.Table {
	t := &report.Table{Columns: columns("llrrrrr", "configuration", "memory", "rows", "mean", "rows", "mean without", "do not fit")}
	for _, e := range all {
		if e.Reason != "" {
			t.Add(e.Name, "", "-", "", "-", "", "")
			continue
		}
		t.Add(e.Name, e.Memory, e.Rows, fmt.Sprintf("%.3f", e.Geomean), e.WellRows, fmt.Sprintf("%.3f", e.WellGeomean), len(e.Unfit))
	}
	return t
}

// LibraryTable lists our cycles beside those of a foreign library.
func LibraryTable(results []Result, name string) *report.Table {
	t := &report.Table{Columns: columns("llrrrll", "kernel", "core", "cycles", name, "ratio", "memory", "")}
	sum, rows := 0.0, 0
	for _, r := range results {
		if r.Library == nil {
			continue
		}
		if r.Library.Failure != "" || r.Library.Cycles == 0 {
			t.Add(strings.TrimPrefix(r.Name, "mli_krn_"), r.Core, r.Cycles, "", "", r.Memory, r.Library.Failure)
			continue
		}
		ratio := float64(r.Cycles) / float64(r.Library.Cycles)
		sum += math.Log(ratio)
		rows++
		t.Add(strings.TrimPrefix(r.Name, "mli_krn_"), r.Core, r.Cycles, r.Library.Cycles, fmt.Sprintf("%.3f", ratio), r.Memory, "")
	}
	if rows > 0 {
		t.Rule()
		t.Add(fmt.Sprintf("geometric mean of %d", rows), "", "", "", fmt.Sprintf("%.3f", math.Exp(sum/float64(rows))), "", "")
	}
	return t
}

// Table lists the choices of a sweep; a star marks those of the Pareto front.
func (s Sweep) Table() *report.Table {
	t := &report.Table{Columns: columns("llrl", "core", "options", "cycles, geometric mean", "front")}
	var subjects []string
	for _, c := range s.Choices {
		for name := range c.Cycles {
			if !slices.Contains(subjects, name) {
				subjects = append(subjects, name)
			}
		}
	}
	slices.Sort(subjects)
	for _, name := range subjects {
		t.Columns = append(t.Columns, report.Column{Name: strings.TrimPrefix(name, "mli_krn_"), Align: report.Right})
	}
	kernels := slices.ContainsFunc(s.Choices, func(c Choice) bool { return c.Memory != "" })
	if kernels {
		t.Columns = append(t.Columns, report.Column{Name: "memory"})
	}
	for _, c := range s.Choices {
		front := ""
		if c.Front {
			front = "*"
		}
		row := []any{c.Core, c.Options, fmt.Sprintf("%.3f", c.Geomean), front}
		for _, name := range subjects {
			row = append(row, c.Cycles[name])
		}
		if kernels {
			row = append(row, c.Memory)
		}
		t.Add(row...)
	}
	return t
}

// Formats are those that a document is printed in, beside JSON.
var Formats = []string{"text", "go", "markdown", "tsv"}

// Print writes the document in one of the formats. The cores are those that were asked for; sweepsOnly leaves out the results
// behind the choices of sweeps.
func (d *Document) Print(w io.Writer, format string, cores []string, sweepsOnly bool) error {
	if format == "go" {
		return WriteGo(w, d.Results, &d.Host)
	}
	tables := []*report.Table{Table(d.Results)}
	if len(cores) > 1 && len(d.Sweeps) == 0 {
		tables = append(tables, CoreTable(d.Results, cores))
	}
	if sweepsOnly {
		tables = nil
	}
	if d.Library != "" {
		tables = []*report.Table{LibraryTable(d.Results, d.Library)}
	}
	for _, s := range d.Sweeps {
		tables = append(tables, s.Table())
	}
	if d.Changes != nil {
		tables = append(tables, ChangeTable(d.Changes))
	}
	if format == "text" {
		fmt.Fprintf(w, "arcsim %s\n%s\n\n", d.Version, d.Host)
		if d.Vendor != nil {
			return d.Vendor.Write(w)
		}
	}
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		write := map[string]func(io.Writer) error{"text": t.Text, "markdown": t.Markdown, "tsv": t.TSV}[format]
		if err := write(w); err != nil {
			return err
		}
	}
	return nil
}

// List prints what can be measured: subjects, then suites.
func List(w io.Writer, subjects []Subject, suites []Suite) error {
	t := &report.Table{Columns: columns("lrll", "subject", "work", "of", "about")}
	for _, sub := range subjects {
		work := ""
		if sub.Work != 0 {
			work = report.Thousands(sub.Work)
		}
		t.Add(sub.Name, work, sub.Unit, sub.About)
	}
	if err := t.Text(w); err != nil {
		return err
	}
	fmt.Fprintln(w)
	t = &report.Table{Columns: columns("llll", "suite", "cores", "varies", "about")}
	for _, suite := range suites {
		var axes []string
		for _, a := range suite.Axes {
			axes = append(axes, a.Name)
		}
		t.Add(suite.Name, strings.Join(suite.Cores, " "), strings.Join(axes, " "), suite.About)
	}
	return t.Text(w)
}
