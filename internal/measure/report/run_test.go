package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sampleRun has a function that calls another, a loop, a file with a line that was not executed, and names that HTML
// would take for markup.
func sampleRun() *RunPage {
	return &RunPage{
		Program: "<prog>.elf", Note: "On em9d.", Version: "test", Reasons: []string{"load-use", "branch", "sleep"},
		Cycles: 1000, Insts: 800, Stalls: map[string]uint64{"load-use": 150, "branch": 50}, Seconds: 1e-5,
		Course: []Interval{
			{Start: 0, Cycles: 600, Insts: 600, Stalls: map[string]uint64{}, Fills: []uint64{6}},
			{Start: 600, Cycles: 400, Insts: 200, Stalls: map[string]uint64{"load-use": 150, "branch": 50}, Fills: []uint64{0}},
		},
		Caches: []string{"data"},
		Flame: &Frame{Name: "all", Total: 1000, Calls: []*Frame{{Name: "main", Self: 250, Total: 1000, Calls: []*Frame{
			{Name: "operator<<", Self: 750, Total: 750}}}}},
		Executed: 3,
		Functions: []FunctionCost{
			{Name: "operator<<", Entered: 7, Insts: 600, Cycles: 750, Total: 750, Lost: "load-use 150", Listing: "f-0"},
			{Name: "main", Entered: 1, Insts: 200, Cycles: 250, Total: 1000},
		},
		Loops: []Loop{{Name: "operator<<, a.cc:3", Times: 50, Cycles: 500, Left: 4, Lines: []HotLine{{Addr: 0x1000, Text: "ld r0,[r1]", Insts: 50, Cycles: 200, Lost: "load-use 150", Hot: true}}}},
		Listings: []Listing{{ID: "f-0", Name: "operator<<", Insts: 600, Cycles: 750,
			Parts: []SourcePart{{File: "a.cc", Lines: []SourceLine{{Number: 3, Text: "  if (a < b)", Code: true, Insts: 50, Cycles: 500}, {Number: 4, Text: "    fail();", Code: true}}}},
			Lines: []HotLine{{Addr: 0x1000, Text: "ld r0,[r1]", Insts: 50, Cycles: 200, Hot: true}, {Addr: 0x1004, Text: "bl fail"}}}},
		Coverage: &Coverage{Lines: 4, LinesHit: 3, Files: []CoveredFile{{Name: "a.cc", Lines: 4, LinesHit: 3, Functions: 3, FuncsHit: 2}}, Never: []string{"fail"}},
	}
}

func renderRun(t *testing.T, p *RunPage) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.Write(&b))
	return b.String()
}

func TestRunPage(t *testing.T) {
	html := renderRun(t, sampleRun())
	requireLinks(t, html)
	for _, want := range []string{
		"&lt;prog&gt;.elf", "operator&lt;&lt;", "if (a &lt; b)", "1,000 = 800 + 200", ">1.250<", ">20.0 %<", ">75 %<", "10 µs", "50 iterations", "4 more instructions",
		`<tr class="never">`, "1 of 3 functions with 75.0 % of the cycles", "These are the 2 most expensive of 3 functions", "6 in all", "<code>fail</code>",
		"cycles 600 to 1,000: issue 50.0 %, load-use 37.5 %, branch 12.5 %", "main: 1,000 cycles, 100.00 %; own 250",
	} {
		require.True(t, strings.Contains(html, want), want)
	}
	require.NotContains(t, html, "<prog>")
	require.NotContains(t, html, ">sleep<", "no cycles were lost so")
	require.Equal(t, html, renderRun(t, sampleRun()), "the same run gives the same page")
}

// A run without a cycle, and one without sources, are pages all the same.
func TestRunPageEmpty(t *testing.T) {
	html := renderRun(t, &RunPage{Program: "nothing", Flame: &Frame{Name: "all"}})
	requireLinks(t, html)
	require.NotContains(t, html, "<svg")
	require.NotContains(t, html, "NaN")
	require.Contains(t, html, "no line information")
}

// The steps of the pile end at 100 percent in each interval; load-use takes 37.5 percent of the second one, which
// begins at 600 of 1000 cycles.
func TestCourse(t *testing.T) {
	var m Markup
	p := sampleRun()
	p.course(&m)
	requireXML(t, "<div>"+m.b.String()+"</div>")
	path := regexp.MustCompile(`<path d="([^"]*)" fill="([^"]*)"`).FindAllStringSubmatch(m.b.String(), -1)
	require.Len(t, path, 4, "issue, load-use, branch, fills of the cache")
	require.Equal(t, []string{"M0 0H600L600 50H1000L1000 100H600L600 100H0Z", issueColour}, path[0][1:])
	require.Equal(t, []string{"M0 0H600L600 12.5H1000L1000 50H600L600 0H0Z", reasonColour(0)}, path[1][1:])
	require.Equal(t, []string{"M0 0H600L600 0H1000L1000 12.5H600L600 0H0Z", reasonColour(1)}, path[2][1:])
	require.Equal(t, "M0 100L0 0H600L600 100H1000V100Z", path[3][1], "10 fills per thousand instructions, then none")
}

// Frames stand below those that call them and within their width; those too narrow to be seen are left out.
func TestFlame(t *testing.T) {
	p := sampleRun()
	main := p.Flame.Calls[0]
	main.Calls = append(main.Calls, &Frame{Name: "also", Self: 200, Total: 200})
	list, rows, left := p.Flame.places()
	require.Equal(t, 3, rows)
	require.Zero(t, left)
	got := map[string][3]float64{}
	for _, f := range list {
		got[f.Name] = [3]float64{float64(f.row), f.left, share(f.Total, p.Flame.Total)}
	}
	require.Equal(t, map[string][3]float64{"all": {0, 0, 100}, "main": {1, 0, 100}, "also": {2, 0, 20}, "operator<<": {2, 20, 75}}, got)
	var m Markup
	p.flame(&m)
	requireXML(t, "<div>"+strings.NewReplacer("<p class=\"picked\" id=\"picked\"></p>", "").Replace(m.b.String())+"</div>")

	// A program with any number of functions gives a picture of a bounded size.
	root := &Frame{Name: "all"}
	for i := range 60_000 {
		n := uint64(i%100 + 1)
		root.Calls = append(root.Calls, &Frame{Name: strconv.Itoa(i), Self: n, Total: n})
		root.Total += n
	}
	wide := &Frame{Name: "wide", Self: root.Total, Total: root.Total}
	root.Calls = append(root.Calls, wide)
	root.Total *= 2
	list, _, left = root.places()
	require.Len(t, list, 2, "only what is wide enough")
	require.Equal(t, 60_000, left)
	deep := &Frame{Name: "all", Total: 1}
	for at, i := deep, 0; i < 10_000; i++ {
		at.Calls = []*Frame{{Name: "f", Total: 1}}
		at = at.Calls[0]
	}
	list, rows, left = deep.places()
	require.Len(t, list, maxDepth)
	require.Equal(t, maxDepth, rows)
	require.Equal(t, 10_001-maxDepth, left)
	many := &Frame{Name: "all"}
	for i := range 4000 {
		many.Calls = append(many.Calls, &Frame{Name: fmt.Sprint(i), Total: uint64(2000 + i)})
		many.Total += uint64(2000 + i)
	}
	list, _, left = many.places()
	require.LessOrEqual(t, len(list), maxFrames)
	require.Equal(t, 4001, len(list)+left)
	require.Equal(t, "all", list[0].Name)
}

func requireXML(t *testing.T, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else {
			require.NoError(t, err)
		}
	}
}
