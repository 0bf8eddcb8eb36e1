package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// samplePage has one of everything: two cores with different peaks, a subject that a core cannot run,
// one that failed, names that HTML would take for markup.
func samplePage() *Page {
	stalls := map[string]uint64{"load-use": 100, "branch": 50}
	return &Page{
		Title: "Kernels <of> a test", Version: "test", Cores: []string{"em9d", "hs38"},
		Reasons: []string{"load-use", "branch", "sleep"}, Baseline: "old.txt",
		Results: []Measured{
			{Name: "mli_krn_conv/3x3", Core: "em9d", Kernel: true, Cycles: 1150, Insts: 1000, Stalls: stalls, Work: 1800, Unit: "MAC", Peak: 2, Vendor: 2300, Before: 1000, Regressed: true},
			{Name: "mli_krn_conv/5x5", Core: "em9d", Kernel: true, Cycles: 2150, Insts: 2000, Stalls: stalls, Work: 4000, Unit: "MAC", Peak: 2, Before: 2150},
			{Name: "mli_krn_conv/3x3", Core: "hs38", Kernel: true, Skipped: "no DSP <instructions>"},
			{Name: "dot", Core: "em9d", Cycles: 1150, Insts: 1000, Stalls: stalls, Work: 10, Unit: "iteration", Before: 1200},
			{Name: "dot", Core: "hs38", Cycles: 1150, Insts: 1000, Stalls: stalls, Work: 512, Unit: "MAC", Peak: 4},
			{Name: "bad", Core: "em9d", Failure: "returned 3"},
		},
		Loops: []HotLoop{{Name: "mli_krn_conv/5x5", Core: "em9d", Cycles: 2150, Loop: Loop{Name: "mli_krn_conv", Times: 1000, Cycles: 1100, Lines: []HotLine{
			{Addr: 0x1000, Text: "lp 8", Insts: 1, Cycles: 1},
			{Addr: 0x1004, Text: "dmach 0,r32,r33", Insts: 1000, Cycles: 1100, Lost: "load-use 100", Hot: true},
		}}}},
	}
}

func render(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.String()
}

var (
	ids   = regexp.MustCompile(` id="([^"]+)"`)
	hrefs = regexp.MustCompile(` (?:href|src)="([^"]+)"`)
)

// requireLinks checks that a page needs nothing else and that its links lead somewhere in it.
func requireLinks(t *testing.T, html string) {
	t.Helper()
	have := map[string]bool{}
	for _, id := range ids.FindAllStringSubmatch(html, -1) {
		require.False(t, have[id[1]], "two elements have the id %s", id[1])
		have[id[1]] = true
	}
	for _, link := range hrefs.FindAllStringSubmatch(html, -1) {
		if link[1] == "data:," { // no icon
			continue
		}
		require.True(t, strings.HasPrefix(link[1], "#"), "%s leads out of the page", link[1])
		require.True(t, have[link[1][1:]], "%s leads nowhere", link[1])
	}
	for _, out := range []string{"<script src", "@import", "url(", "<iframe", "<img"} {
		require.False(t, strings.Contains(html, out), out)
	}
}

func TestPage(t *testing.T) {
	html := render(t, samplePage())
	requireLinks(t, html)
	for _, want := range []string{
		"Kernels &lt;of&gt; a test", "no DSP &lt;instructions&gt;", "returned 3", "1,150",
		">78 %<",             // 1800 of 2 x 1150 MACs
		">0.50<",             // 1150 cycles by 2300 instructions
		"15.00 %", "-4.17 %", // against the baseline
		"3 results compared, 2 differ", "dmach 0,r32,r33", "load-use 100", "51 % of 2,150 cycles",
		`<a href="#loop-`, "peak of em9d: 2 MACs per cycle", "peak of hs38: 4 MACs per cycle",
	} {
		require.True(t, strings.Contains(html, want), want)
	}
	require.False(t, strings.Contains(html, ">sleep<"), "no cycles were lost so")
	require.Equal(t, html, render(t, samplePage()), "the same results give the same page")
}

// TestPageEmpty has nothing to show but says so without failing.
func TestPageEmpty(t *testing.T) {
	html := render(t, &Page{Title: "nothing", Cores: []string{"em9d"}})
	requireLinks(t, html)
	require.NotContains(t, html, "<svg")
}

// TestCharts checks that charts are XML with what they are to show, each bar of a stack as wide as
// its share.
func TestCharts(t *testing.T) {
	p := samplePage()
	stacks, scatter := p.stallStacks("em9d"), p.throughput()
	for _, svg := range [][]byte{stacks, scatter} {
		for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else {
				require.NoError(t, err)
			}
		}
	}
	require.Contains(t, string(stacks), "conv/5x5")
	require.NotContains(t, string(stacks), "conv/3x3", "only the call with the most work")
	width := func(colour string) (list []float64) {
		bar := regexp.MustCompile(`<rect [^>]*width="([\d.]+)" [^>]*fill="` + colour)
		for _, m := range bar.FindAllStringSubmatch(string(stacks), -1) {
			w, err := strconv.ParseFloat(m[1], 64)
			require.NoError(t, err)
			list = append(list, w)
		}
		return list
	}
	issue, load := width("#94a3b8"), width("#e11d48")
	require.Len(t, issue, 2)
	require.Len(t, load, 2)
	require.InDelta(t, 1000.0/100, issue[0]/load[0], 0.1)
	require.InDelta(t, 2000.0/100, issue[1]/load[1], 0.3)
}
