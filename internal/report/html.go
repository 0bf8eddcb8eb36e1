package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"hash/crc32"
	"html/template"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// Page is a report as one HTML file that needs nothing else: a matrix of subjects and cores,
// throughput against the peak, lost cycles by reason, the comparison with a baseline, and hot loops.
type Page struct {
	Title    string
	Version  string   // of the program that measured
	Cores    []string // in the order of columns
	Reasons  []string // names of the reasons for lost cycles; each has its colour by its place
	Results  []Measured
	Baseline string // what Before values are from; empty without a comparison
	Loops    []HotLoop
}

// Measured is the counts of a subject on a core.
type Measured struct {
	Name, Core    string
	Kernel        bool
	Cycles, Insts uint64
	Stalls        map[string]uint64
	Work          uint64
	Unit          string
	Real          uint64 // MACs with elements of the map, where Work counts padding, too; 0 when unknown
	Memory        string // where the data of a kernel lies
	Peak          uint64 // MACs the core can start in a cycle
	Vendor        uint64 // instructions of the vendor's code, 0 when unknown
	Skipped       string // why the core cannot run it
	Failure       string

	Before    uint64 // cycles in the baseline, 0 when it is not there
	Regressed bool
}

// unitMAC is the unit that the peak is given in.
const unitMAC = "MAC"

// percentOfPeak is how much of what the multipliers could do was done, -1 when that is not known.
func (m *Measured) percentOfPeak() float64 {
	if m.Unit != unitMAC || m.Peak == 0 || m.Cycles == 0 || m.Work == 0 {
		return -1
	}
	return 100 * float64(m.Work) / float64(m.Cycles*m.Peak)
}

func (m *Measured) counted() bool { return m.Failure == "" && m.Skipped == "" && m.Cycles != 0 }

// HotLoop is the innermost code of a kernel, with what it costs.
type HotLoop struct {
	Name   string // of the subject
	Core   string
	Cycles uint64 // of the whole call
	Lines  []HotLine
}

// HotLine is an instruction.
type HotLine struct {
	Addr          uint32
	Text          string
	Insts, Cycles uint64
	Lost          string // reasons with their cycles
	Hot           bool   // part of the loop, not of what surrounds it
}

//go:embed page/page.html
var pageHTML string

//go:embed page/page.css
var pageCSS string

// Style is the style sheet of all pages of the project.
func Style() template.CSS { return template.CSS(pageCSS) }

//go:embed page/page.js
var pageJS string

// Write renders the page.
func (p *Page) Write(w io.Writer) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"thousands": Thousands, "short": shortName, "hex": func(a uint32) string { return fmt.Sprintf("%08x", a) },
	}).Parse(pageHTML)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, p.view()); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// anchor is the id of the hot loop of a subject.
func anchor(name string) string {
	return fmt.Sprintf("loop-%08x", crc32.ChecksumIEEE([]byte(name)))
}

// view is the data of the template.
type view struct {
	*Page
	CSS        template.CSS
	JS         template.JS
	Tiles      []tile
	Columns    []coreColumns
	Matrix     []matrixRow
	Throughput template.HTML // chart, empty without MACs
	Charts     []stallChart
	Legend     []legendEntry
	Views      []loopView

	Changes                []changeRow
	Compared, Changed, New int
	Quiet                  []quietRows
}

// coreColumns are the columns of a core in the matrix.
type coreColumns struct {
	Core   string
	Memory string // where the data of its kernels lies
	Vendor bool   // the ratio to the vendor is known for some subject
	Span   int
}

// tile is a number to begin with.
type tile struct{ Value, Label, Class string }

type matrixRow struct {
	Name, Link string
	Unit       string
	Work       uint64
	Cells      []matrixCell
}

type matrixCell struct {
	coreColumns
	Cycles  string
	PerUnit string
	Percent string
	Heat    template.CSS // background
	Ratio   string       // our cycles by the vendor's instructions
	Slower  bool
	Note    string

	Sort, Each, Peak float64 // keys that columns are sorted by
}

type stallChart struct {
	Core   string
	Stalls template.HTML
}

// quietRows are results of which there is little to say.
type quietRows struct {
	Title string
	Rows  []changeRow
}

type changeRow struct {
	Measured
	Delta string
	Class string
	Width float64 // of the bar, in percent
}

type legendEntry struct{ Name, Colour string }

type loopView struct {
	HotLoop
	ID    string
	Share string // of the loop in the call
	Rows  []loopRow
}

type loopRow struct {
	HotLine
	Width float64
	CPI   string
}

func (p *Page) view() *view {
	v := &view{Page: p, CSS: Style(), JS: template.JS(pageJS)}
	loops := map[string]bool{}
	for i := range p.Loops {
		loops[p.Loops[i].Name] = true
		v.Views = append(v.Views, loopViewOf(&p.Loops[i]))
	}
	v.matrix(loops)
	v.changes()
	v.tiles()
	v.Throughput = template.HTML(p.throughput())
	for _, core := range p.Cores {
		if stalls := p.stallStacks(core); stalls != nil {
			v.Charts = append(v.Charts, stallChart{core, template.HTML(stalls)})
		}
	}
	lost := map[string]bool{}
	for i := range p.Results {
		for r, n := range p.Results[i].Stalls {
			lost[r] = lost[r] || n != 0
		}
	}
	v.Legend = []legendEntry{{"issue", issueColour}}
	for i, r := range p.Reasons {
		if lost[r] {
			v.Legend = append(v.Legend, legendEntry{r, reasonColour(i)})
		}
	}
	return v
}

func (v *view) matrix(loops map[string]bool) {
	for _, core := range v.Cores {
		c := coreColumns{Core: core, Span: 3}
		for i := range v.Results {
			m := &v.Results[i]
			if m.Core == core && m.Vendor != 0 {
				c.Vendor, c.Span = true, 4
			}
			if m.Core == core && c.Memory == "" {
				c.Memory = m.Memory
			}
		}
		v.Columns = append(v.Columns, c)
	}
	rows := map[string]*matrixRow{}
	var order []string
	for i := range v.Results {
		m := &v.Results[i]
		row := rows[m.Name]
		if row == nil {
			row = &matrixRow{Name: m.Name, Unit: m.Unit, Work: m.Work, Cells: make([]matrixCell, len(v.Cores))}
			for i, c := range v.Columns {
				row.Cells[i] = matrixCell{coreColumns: c, Note: "not measured"}
			}
			if loops[m.Name] {
				row.Link = "#" + anchor(m.Name)
			}
			rows[m.Name] = row
			order = append(order, m.Name)
		}
		if at := slices.Index(v.Cores, m.Core); at >= 0 {
			row.Cells[at] = cellOf(m, v.Columns[at])
		}
	}
	for _, name := range order {
		v.Matrix = append(v.Matrix, *rows[name])
	}
}

func cellOf(m *Measured, columns coreColumns) matrixCell {
	if !m.counted() {
		return matrixCell{coreColumns: columns, Note: cmp.Or(m.Failure, m.Skipped), Slower: m.Failure != ""}
	}
	c := matrixCell{coreColumns: columns, Cycles: Thousands(m.Cycles), Sort: float64(m.Cycles)}
	if m.Work != 0 {
		c.Each = float64(m.Cycles) / float64(m.Work)
		c.PerUnit = fmt.Sprintf("%.3g", c.Each)
		if m.Real != 0 && m.Real != m.Work {
			c.PerUnit += fmt.Sprintf(" (%.3g)", float64(m.Cycles)/float64(m.Real))
		}
	}
	if p := m.percentOfPeak(); p >= 0 {
		c.Percent, c.Peak = fmt.Sprintf("%.0f %%", p), p
		c.Heat = heat(p)
	}
	if m.Vendor != 0 {
		r := float64(m.Cycles) / float64(m.Vendor)
		c.Ratio, c.Slower = fmt.Sprintf("%.2f", r), r > 1
	}
	return c
}

// heat is the background of a percentage of the peak: from amber over yellow to green.
func heat(percent float64) template.CSS {
	return template.CSS(fmt.Sprintf("background:hsl(%.0f 62%% 88%%)", 30+1.1*min(percent, 100)))
}

func (v *view) changes() {
	if v.Baseline == "" {
		return
	}
	for _, m := range v.Results {
		if m.Skipped != "" {
			continue
		}
		row := changeRow{Measured: m, Delta: "new", Class: "new"}
		switch {
		case m.Failure != "":
			row.Delta, row.Class = m.Failure, "worse"
		case m.Before != 0:
			d := 100 * (float64(m.Cycles) - float64(m.Before)) / float64(m.Before)
			row.Delta, row.Width = fmt.Sprintf("%+.2f %%", d), min(100, 4*math.Abs(d))
			switch {
			case m.Cycles == m.Before:
				row.Class, row.Delta = "same", "="
			case m.Cycles < m.Before:
				row.Class = "better"
			default:
				row.Class = "worse"
			}
		}
		switch {
		case m.Failure != "":
		case row.Class == "new":
			v.New++
		case row.Class == "same":
			v.Compared++
		default:
			v.Compared++
			v.Changed++
		}
		v.Changes = append(v.Changes, row)
	}
	for _, q := range []struct{ class, title string }{{"same", "unchanged"}, {"new", "not in the baseline"}} {
		rows := slices.DeleteFunc(slices.Clone(v.Changes), func(r changeRow) bool { return r.Class != q.class })
		if len(rows) > 0 {
			v.Quiet = append(v.Quiet, quietRows{q.title, rows})
		}
	}
	slices.SortStableFunc(v.Changes, func(a, b changeRow) int { // the worst first
		return cmp.Or(-cmp.Compare(a.Class, b.Class), cmp.Compare(b.Width, a.Width))
	})
}

func (v *view) tiles() {
	names, failed, regressed := map[string]bool{}, 0, 0
	peaks := map[string][]float64{}
	for i := range v.Results {
		m := &v.Results[i]
		names[m.Name] = true
		if m.Failure != "" {
			failed++
		}
		if m.Regressed {
			regressed++
		}
		if p := m.percentOfPeak(); p > 0 && m.counted() {
			peaks[m.Core] = append(peaks[m.Core], p)
		}
	}
	v.Tiles = append(v.Tiles, tile{fmt.Sprint(len(names)), "kernels and programs", ""})
	for _, core := range v.Cores {
		if list := peaks[core]; len(list) > 0 {
			v.Tiles = append(v.Tiles, tile{fmt.Sprintf("%.0f %%", geomean(list)), "of the MAC peak on " + core + ", geometric mean", ""})
		}
	}
	var ratios []float64
	for i := range v.Results {
		if m := &v.Results[i]; m.Vendor != 0 && m.counted() {
			ratios = append(ratios, float64(m.Cycles)/float64(m.Vendor))
		}
	}
	if len(ratios) > 0 {
		v.Tiles = append(v.Tiles, tile{fmt.Sprintf("%.2f", geomean(ratios)), "cycles per instruction of the vendor's kernels", ""})
	}
	if v.Baseline != "" {
		v.Tiles = append(v.Tiles, tile{fmt.Sprint(regressed), "slower than the baseline", class(regressed)})
	}
	v.Tiles = append(v.Tiles, tile{fmt.Sprint(failed), "failed", class(failed)})
}

func class(bad int) string {
	if bad > 0 {
		return "bad"
	}
	return "good"
}

func geomean(list []float64) float64 {
	sum := 0.0
	for _, x := range list {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(list)))
}

func loopViewOf(l *HotLoop) loopView {
	v := loopView{HotLoop: *l, ID: anchor(l.Name)}
	var most, inside uint64
	for _, line := range l.Lines {
		most = max(most, line.Cycles)
		if line.Hot {
			inside += line.Cycles
		}
	}
	for _, line := range l.Lines {
		row := loopRow{HotLine: line}
		if most != 0 {
			row.Width = 100 * float64(line.Cycles) / float64(most)
		}
		if line.Insts != 0 {
			row.CPI = fmt.Sprintf("%.2f", float64(line.Cycles)/float64(line.Insts))
		}
		v.Rows = append(v.Rows, row)
	}
	if l.Cycles != 0 {
		v.Share = fmt.Sprintf("%.0f %%", 100*float64(inside)/float64(l.Cycles))
	}
	return v
}

// shortName strips what all kernels have in common from a name.
func shortName(name string) string { return strings.TrimPrefix(name, "mli_krn_") }

// perKernel picks the results on a core to chart: of each kernel the one with the most work.
func (p *Page) perKernel(core string) []*Measured {
	best := map[string]*Measured{}
	for i := range p.Results {
		m := &p.Results[i]
		if m.Core != core || !m.counted() {
			continue
		}
		symbol, _, _ := strings.Cut(m.Name, "/")
		if b := best[symbol]; b == nil || m.Work > b.Work {
			best[symbol] = m
		}
	}
	return slices.SortedFunc(maps.Values(best), func(a, b *Measured) int { return cmp.Compare(a.Name, b.Name) })
}
