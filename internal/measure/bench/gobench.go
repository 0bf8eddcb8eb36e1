package bench

import (
	"arcv2dsp/internal/measure/report"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// goFormat is the version of what WriteGo writes.
const goFormat = "arcsim-bench-1"

// goName is the name of a result in Go benchmark format: its kind, then its name. A hyphen with
// digits would be taken for a number of processors.
func goName(r Result) string {
	name := strings.NewReplacer(" ", "_", "-", "to", "\t", "_", "\n", "_").Replace(r.Name)
	if r.Kind == Kernel {
		return "Kernel/" + strings.TrimPrefix(name, "mli_krn_")
	}
	return strings.ToUpper(string(r.Kind[:1])) + string(r.Kind[1:]) + "/" + strings.TrimPrefix(name, "/")
}

// stallUnit is the unit of the cycles lost for a reason.
func stallUnit(reason string) string { return reason + "-stalls" }

// WriteGo writes results in Go benchmark format, which benchstat compares. Results without
// counts are left out. The host is told when it is not nil; it has no influence on the counts.
func WriteGo(w io.Writer, results []Result, host *Host) error {
	if host != nil {
		if _, err := fmt.Fprintf(w, "goos: %s\ngoarch: %s\ncpu: %s\n", host.OS, host.Arch, host.CPU); err != nil {
			return err
		}
	}
	lines, err := goLines(Counted(results))
	if err != nil {
		return err
	}
	return writeLines(w, lines)
}

// goLines turns results into lines.
func goLines(results []Result) ([]*benchfmt.Result, error) {
	var lines []*benchfmt.Result
	for _, r := range results {
		if err := r.check(); err != nil {
			return nil, err
		}
		line := &benchfmt.Result{Name: benchfmt.Name(goName(r)), Iters: 1}
		setting := func(k, v string) {
			if v != "" {
				line.Config = append(line.Config, benchfmt.Config{Key: k, Value: []byte(v), File: true})
			}
		}
		setting("format", goFormat)
		setting("core", r.Core)
		setting("options", r.Options)
		value := func(v float64, unit string) {
			line.Values = append(line.Values, benchfmt.Value{Value: v, Unit: unit})
		}
		value(float64(r.Cycles), "cycles")
		value(float64(r.Insts), "insts")
		if r.Work != 0 {
			value(r.PerUnit(), "cycles/"+r.Unit)
		}
		for _, reason := range report.MostFirst(r.Stalls) {
			value(float64(r.Stalls[reason]), stallUnit(reason))
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// writeLines writes lines after what their units mean: exact counts of which fewer are better. It
// does what benchfmt.Writer does, but large counts stay as they are, without an exponent.
func writeLines(w io.Writer, lines []*benchfmt.Result) error {
	var units []string
	for _, l := range lines {
		for _, v := range l.Values {
			if !slices.Contains(units, v.Unit) {
				units = append(units, v.Unit)
			}
		}
	}
	for _, unit := range units {
		if _, err := fmt.Fprintf(w, "Unit %s better=lower assume=exact\n", unit); err != nil {
			return err
		}
	}
	config := ""
	for _, l := range lines {
		var b strings.Builder
		if now := configLines(l); now != config {
			b.WriteString("\n" + now)
			config = now
		}
		fmt.Fprintf(&b, "Benchmark%s %d", l.Name, l.Iters)
		for _, v := range l.Values {
			fmt.Fprintf(&b, " %s %s", strconv.FormatFloat(v.Value, 'f', -1, 64), v.Unit)
		}
		if _, err := fmt.Fprintln(w, b.String()); err != nil {
			return err
		}
	}
	return nil
}

// configLines are the settings that hold from a line on. An empty value ends one that held before.
func configLines(l *benchfmt.Result) string {
	var b strings.Builder
	for _, key := range []string{"format", "core", "options"} {
		if v := l.GetConfig(key); v != "" {
			fmt.Fprintf(&b, "%s: %s\n", key, v)
		} else {
			fmt.Fprintf(&b, "%s:\n", key)
		}
	}
	return b.String()
}
