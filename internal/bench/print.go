package bench

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"arcv2dsp/internal/report"
)

// Document is everything a command found out, as JSON has it; docs/formats.md describes it.
type Document struct {
	Schema      int         `json:"schema"`
	Version     string      `json:"version"`
	Host        Host        `json:"host"`
	Interrupted bool        `json:"interrupted"` // results are missing
	Results     []Result    `json:"results"`
	Changes     []Change    `json:"changes,omitempty"` // against a baseline
	Vendor      *Comparison `json:"vendor,omitempty"`
	Sweeps      []Sweep     `json:"sweeps,omitempty"`
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
	return s
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
	for _, reason := range reasons(stalls) {
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
	t := &report.Table{Columns: columns("llrrrrlrl", "subject", "core", "cycles", "instructions", "IPC", "cycles per", "",
		"% of peak", "lost cycles")}
	for _, r := range results {
		switch {
		case r.Failure != "":
			t.Add(r.Name, r.where(), "FAILED", "", "", "", "", "", r.Failure)
			continue
		case r.Skipped != "":
			t.Add(r.Name, r.where(), "-", "", "", "", "", "", r.Skipped)
			continue
		}
		t.Add(r.Name, r.where(), r.Cycles, r.Insts, optional(r.IPC(), "%.3f"), optional(r.PerUnit(), "%.3f"), r.Unit,
			optional(r.PercentOfPeak(), "%.1f"), lost(r.Stalls))
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
		t.Add(row...)
	}
	return t
}

// ChangeTable lists results beside their baseline, regressions first.
func ChangeTable(changes []Change) *report.Table {
	t := &report.Table{Columns: columns("llrrrl", "subject", "core", "baseline", "cycles", "change", "")}
	sorted := slices.Clone(changes)
	slices.SortStableFunc(sorted, func(a, b Change) int { return cmp.Compare(rank(a), rank(b)) })
	for _, c := range sorted {
		switch {
		case c.Failure != "":
			t.Add(c.Name, c.where(), "", "", "", "FAILED: "+c.Failure)
		case c.Before == 0:
			t.Add(c.Name, c.where(), "", c.Cycles, "", "new")
		default:
			verdict := ""
			if c.Regressed {
				verdict = "REGRESSED"
			}
			t.Add(c.Name, c.where(), c.Before, c.Cycles, fmt.Sprintf("%+.2f%%", c.Percent), verdict)
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
	t := &report.Table{Columns: columns("lrrrlrr", "kernel", "work", "cycles", "cycles per", "", "vendor", "ratio")}
	for _, r := range c.Rows {
		t.Add(strings.TrimPrefix(r.Name, "mli_krn_"), r.Work, r.Cycles, fmt.Sprintf("%.3f", r.PerUnit()), r.Unit, r.Vendor,
			fmt.Sprintf("%.3f", r.Ratio()))
	}
	t.Rule()
	t.Add(fmt.Sprintf("geometric mean of %d", len(c.Rows)), "", "", "", "", "", fmt.Sprintf("%.3f", c.Geomean))
	return t.Text(w)
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
	for _, c := range s.Choices {
		front := ""
		if c.Front {
			front = "*"
		}
		row := []any{c.Core, c.Options, fmt.Sprintf("%.3f", c.Geomean), front}
		for _, name := range subjects {
			row = append(row, c.Cycles[name])
		}
		t.Add(row...)
	}
	return t
}
