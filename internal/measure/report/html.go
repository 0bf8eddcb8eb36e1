package report

import (
	"cmp"
	"fmt"
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
	Bound         uint64 // the least cycles that the work of a kernel takes, 0 when unknown
	Vendor        uint64 // instructions of the vendor's code, 0 when unknown
	Skipped       string // why the core cannot run it
	Failure       string

	Before    uint64 // cycles in the baseline, 0 when it is not there
	Regressed bool
}

// unitMAC is the unit that the peak is given in.
const unitMAC = "MAC"

// percentOfPeak is the number of multiply-accumulates as a percentage of those that the core could have started in the
// same cycles, -1 when that is not known.
func (m *Measured) percentOfPeak() float64 {
	if m.Unit != unitMAC || m.Peak == 0 || m.Cycles == 0 || m.Work == 0 {
		return -1
	}
	return 100 * float64(m.Work) / float64(m.Cycles*m.Peak)
}

// OfBound is the share of cycles that the work takes at least, empty when that is not known.
func OfBound(bound, cycles uint64) string {
	if bound == 0 || cycles == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*float64(bound)/float64(cycles))
}

func (m *Measured) counted() bool { return m.Failure == "" && m.Skipped == "" && m.Cycles != 0 }

// Write renders the page.
func (p *Page) Write(w io.Writer) error {
	var m Markup
	m.Begin(p.Title, "")
	m.Put("<header>\n<h1>%s</h1>\n<p>Cores: %s. Counts are exact and the same on every host.</p>\n", p.Title, strings.Join(p.Cores, ", "))
	m.tiles(p.numbers())
	m.Put("</header>\n")
	throughput := p.throughput()
	stalls := slices.ContainsFunc(p.Results, func(r Measured) bool { return r.counted() && slices.Contains(p.Cores, r.Core) })
	m.parts([]part{
		{"throughput", "Throughput", func(m *Markup) { writeThroughput(m, throughput) }, throughput != nil},
		{"stalls", "Lost cycles", p.writeStalls, stalls},
		{"matrix", "Matrix", p.writeMatrix, true},
		{"baseline", "Baseline", p.writeBaseline, p.Baseline != ""},
		{"loops", "Hot loops", p.writeLoops, len(p.Loops) > 0},
	})
	m.End(p.Version)
	_, err := m.WriteTo(w)
	return err
}

func writeThroughput(m *Markup, chart []byte) {
	m.Put(`<h2>Throughput against the peak</h2>
<p class="note">Each dot is a kernel with one shape. MACs of convolutions are counted at every window position, padding included, so
that a kernel that skips the padding can exceed the peak.</p>
<div class="card">%s</div>
`, HTML(chart))
}

func (p *Page) writeStalls(m *Markup) {
	m.Put(`<h2>Where the cycles go</h2>
<p class="note">Of each kernel the call with the most work. Issue cycles and lost cycles add up to all cycles.</p>
`)
	var stalls []map[string]uint64
	for i := range p.Results {
		stalls = append(stalls, p.Results[i].Stalls)
	}
	m.legend(legendOf(p.Reasons, stalls))
	for i, core := range p.Cores {
		chart := p.stallStacks(core)
		if chart == nil {
			continue
		}
		open := HTML("")
		if i == 0 {
			open = " open"
		}
		m.Put("<details class=\"plain\"%s><summary>%s</summary><div class=\"card\">%s</div></details>\n", open, core, HTML(chart))
	}
}

// numbers are the tiles at the top of the page.
func (p *Page) numbers() []tile {
	var list []tile
	names, failed, regressed := map[string]bool{}, 0, 0
	peaks := map[string][]float64{}
	for i := range p.Results {
		m := &p.Results[i]
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
	list = append(list, tile{fmt.Sprint(len(names)), "kernels and programs", ""})
	for _, core := range p.Cores {
		if shares := peaks[core]; len(shares) > 0 {
			list = append(list, tile{fmt.Sprintf("%.0f %%", geomean(shares)), "of the MAC peak on " + core + ", geometric mean", ""})
		}
	}
	var ratios []float64
	for i := range p.Results {
		if m := &p.Results[i]; m.Vendor != 0 && m.counted() {
			ratios = append(ratios, float64(m.Cycles)/float64(m.Vendor))
		}
	}
	if len(ratios) > 0 {
		list = append(list, tile{fmt.Sprintf("%.2f", geomean(ratios)), "cycles per instruction of the vendor's kernels", ""})
	}
	if p.Baseline != "" {
		list = append(list, tile{fmt.Sprint(regressed), "slower than the baseline", class(regressed)})
	}
	list = append(list, tile{fmt.Sprint(failed), "failed", class(failed)})
	return list
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
