package timeline

import (
	_ "embed" // for page
	"fmt"
	"html/template"
	"io"
	"strings"

	"arcv2dsp/internal/report"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// pageRow is a row of the timeline in the page.
type pageRow struct {
	Label, Text, Why string
	Lead             uint64 // columns before the letters
	Runs             []run  // letters, equal ones together
	Bar              bool   // first of an iteration
}

// run is a letter some times over.
type run struct {
	Class, Letters string
}

// letterClass is the style of a letter: a name, for = and - cannot be part of one.
func letterClass(letter byte) string {
	switch letter {
	case Wait:
		return "wait"
	case Order:
		return "order"
	}
	return string(letter)
}

// ruler numbers every tenth column.
func ruler(columns uint64) string {
	var b strings.Builder
	for c := uint64(0); c < columns; c += 10 {
		fmt.Fprintf(&b, "%-10d", c)
	}
	return b.String()
}

type legendEntry struct {
	Class, Letter, Meaning string
}

type pageLine struct {
	*Line
	Cells  []string
	Each   float64
	Reason string
}

type pageData struct {
	Title    string
	Summary  *Summary
	Lost     string
	CSS      template.CSS
	Legend   []legendEntry
	Ruler    string
	Total    []string
	Lines    []pageLine
	Rows     []pageRow
	ShownRes []string
}

// HTML writes the trace as one page that needs nothing else.
func HTML(w io.Writer, title string, t *Trace) error {
	s := Summarize(t)
	d := pageData{Title: title, Summary: s, Lost: s.lost(), CSS: report.Style(), ShownRes: s.Resources}
	for _, r := range s.Resources {
		d.Total = append(d.Total, number(s.Pressure[r]))
	}
	for _, l := range s.Lines {
		p := pageLine{Line: l, Each: float64(l.Cycles) / float64(l.Executions), Reason: strings.Join(l.Why, ", ")}
		for _, r := range s.Resources {
			p.Cells = append(p.Cells, number(l.Pressure[r]))
		}
		d.Lines = append(d.Lines, p)
	}
	for _, l := range alphabet {
		d.Legend = append(d.Legend, legendEntry{Class: letterClass(l.letter), Letter: string(l.letter), Meaning: l.meaning})
	}
	columns := uint64(0)
	for i, row := range Draw(t) {
		columns = max(columns, row.Column+uint64(len(row.Letters)))
		step := &t.Steps[i]
		p := pageRow{Label: labelOf(step), Text: t.text[step.PC], Why: step.Why(), Bar: step.Index == 0}
		p.Lead = row.Column
		for _, letter := range []byte(row.Letters) {
			if n := len(p.Runs); n > 0 && p.Runs[n-1].Letters[0] == letter {
				p.Runs[n-1].Letters += string(letter)
				continue
			}
			p.Runs = append(p.Runs, run{Class: letterClass(letter), Letters: string(letter)})
		}
		d.Rows = append(d.Rows, p)
	}
	d.Ruler = ruler(columns)
	return page.Execute(w, d)
}
