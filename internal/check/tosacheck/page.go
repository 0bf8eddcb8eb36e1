package tosacheck

import (
	"fmt"
	"io"
	"time"

	"arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/steps"
)

// WriteTable prints the compliance table as text.
func WriteTable(w io.Writer, records []Record) error {
	t := report.Table{Columns: []report.Column{
		{Name: "operator"}, {Name: "types"}, {Name: "profile"}, {Name: "pass", Align: report.Right}, {Name: "unpredictable", Align: report.Right},
		{Name: "fail", Align: report.Right},
	}}
	for _, r := range Table(records) {
		t.Add(r.Operator, r.Types, r.Profile, r.Pass, r.Unpredictable, r.Fail)
	}
	return t.Text(w)
}

// WriteJSON prints summary, table, statement and cases.
func WriteJSON(w io.Writer, records []Record, c *Conformance) error {
	type row struct {
		Use
		Pass          int `json:"pass"`
		Unpredictable int `json:"unpredictable"`
		Fail          int `json:"fail"`
	}
	var rows []row
	for _, r := range Table(records) {
		rows = append(rows, row{Use: r.Use, Pass: r.Pass, Unpredictable: r.Unpredictable, Fail: r.Fail})
	}
	return report.JSON(w, map[string]any{"summary": Summarize(records), "operators": rows, "conformance": c, "cases": records})
}

// WriteJUnit writes the cases as a JUnit file.
func WriteJUnit(w io.Writer, records []Record) error {
	var tests []report.Test
	for _, r := range records {
		t := report.Test{Suite: "tosa", Name: r.Name, Time: r.Time}
		if r.Verdict == Fail || r.Verdict == Unreadable {
			t.Failure = r.Detail
		}
		if r.Verdict == NotApplicable {
			t.Skipped = r.Detail
		}
		tests = append(tests, t)
	}
	return report.JUnit(w, "arcsim model check", nil, tests)
}

// WriteHTML writes the compliance report as one HTML file that needs nothing else.
func WriteHTML(w io.Writer, records []Record, at time.Time) error {
	var m report.Markup
	m.Put(`<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>TOSA compliance</title><style>
body { font: 14px/1.4 sans-serif; margin: 2em auto; max-width: 70em; color-scheme: light dark; }
table { border-collapse: collapse; width: 100%%; } td, th { padding: 2px 10px; text-align: left; border-bottom: 1px solid #8884; }
td.n, th.n { text-align: right; } tr.fail td { background: #f443; } tr.unreadable td { background: #fa03; }
</style></head><body>
<h1>TOSA compliance</h1>
<p>%s (%s)</p>
<table><tr><th>operator</th><th>types</th><th>profile</th><th class="n">pass</th><th class="n">unpredictable</th><th class="n">fail</th></tr>
`, Summarize(records), at.UTC().Format(time.DateTime+" MST"))
	for _, r := range Table(records) {
		class := report.HTML("")
		if r.Fail != 0 {
			class = ` class="fail"`
		}
		m.Put(`<tr%s><td>%s</td><td>%s</td><td>%s</td><td class="n">%d</td><td class="n">%d</td><td class="n">%d</td></tr>`+"\n",
			class, r.Operator, r.Types, r.Profile, r.Pass, r.Unpredictable, r.Fail)
	}
	m.Put("</table>\n<h2>Cases</h2>\n<table><tr><th>case</th><th>revision</th><th>expected</th><th>outcome</th><th>verdict</th><th>detail</th></tr>\n")
	for _, r := range records {
		m.Put(`<tr class="%s"><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>`+"\n",
			r.Verdict, r.Name, r.Revision, r.Expect, r.Outcome, r.Verdict, r.Detail)
	}
	m.Put("</table></body></html>\n")
	_, err := m.WriteTo(w)
	return err
}

// WriteSummary prints the table, the statement, the counts and the cases that failed or cannot be read.
func WriteSummary(w io.Writer, records []Record, c *Conformance) (err error) {
	defer steps.Return(&err)
	steps.Check(WriteTable(w, records))
	steps.Check(c.Text(w))
	fmt.Fprintln(w, Summarize(records))
	for _, r := range records {
		if r.Verdict == Fail || r.Verdict == Unreadable {
			steps.Must(fmt.Fprintf(w, "%s: %s: %s\n", r.Verdict, r.Name, r.Detail))
		}
	}
	return nil
}
