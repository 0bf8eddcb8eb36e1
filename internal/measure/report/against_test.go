package report

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/browser"
)

// longest is the length of the longest row of lines in both texts, by its definition.
func longest(a, b string) int {
	if a == "" || b == "" {
		return 0
	}
	if a[0] == b[0] {
		return 1 + longest(a[1:], b[1:])
	}
	return max(longest(a[1:], b), longest(a, b[1:]))
}

// TestAlignLines: each line stands once and in order, and as many equal ones are beside each other as can be.
func TestAlignLines(t *testing.T) {
	require.Equal(t, []Beside{{0, 0}, {1, 1}, {-1, 2}, {2, 3}}, AlignLines(strings.Split("axd", ""), strings.Split("aycd", "")))
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		b := make([]byte, r.IntN(9))
		for i := range b {
			b[i] = "abc"[r.IntN(3)]
		}
		return string(b)
	}
	for range 2000 {
		a, b := text(), text()
		i, j, equal := 0, 0, 0
		for _, p := range AlignLines(strings.Split(a, ""), strings.Split(b, "")) {
			require.True(t, p.Before >= 0 || p.Now >= 0)
			if p.Before >= 0 {
				require.Equal(t, i, p.Before)
				i++
			}
			if p.Now >= 0 {
				require.Equal(t, j, p.Now)
				j++
			}
			if p.Before >= 0 && p.Now >= 0 && a[p.Before] == b[p.Now] {
				equal++
			}
		}
		require.Equal(t, []int{len(a), len(b)}, []int{i, j})
		require.Equal(t, longest(a, b), equal, "%s %s", a, b)
	}
	many := strings.Split(strings.Repeat("a", 3000), "")
	for i := range many { // more than are tried
		many[i] += string(rune(0x4e00 + i))
	}
	require.Len(t, AlignLines(many, append([]string{"b"}, many[1:2999]...)), 3000)
}

func TestChange(t *testing.T) {
	for _, c := range []struct {
		before, now uint64
		class, text string
	}{
		{before: 8, now: 8, class: "same", text: "="}, {before: 8, now: 4, class: "better", text: "-50.00 %"},
		{before: 8, now: 9, class: "worse", text: "+12.50 %"}, {before: 0, now: 1000, class: "worse", text: "+1,000"}, {before: 5, now: 0, class: "better", text: "-100.00 %"},
	} {
		class, text := Change(c.before, c.now)
		require.Equal(t, c.class+c.text, class+text)
	}
}

func TestInstructionKey(t *testing.T) {
	require.Equal(t, "bne <loop>", InstructionKey("bne -12  ; 0x0000010c <loop>"))
	require.Equal(t, InstructionKey("bne -12  ; 0x0000010c <loop>"), InstructionKey("bne -16  ; 0x00000200 <loop>"))
	require.Equal(t, "add r3,r3,r2", InstructionKey("add r3,r3,r2"))
}

// sampleAgainst is the sample run after an edit: a line is faster, one is new, one is gone, a function is new.
func sampleAgainst() *RunPage {
	p := sampleRun()
	p.Before = sampleRun()
	p.Before.Note = "On em9d. Exited with status 0."
	p.Cycles, p.Stalls = 900, map[string]uint64{"load-use": 50, "branch": 50}
	p.Functions[0].Cycles = 650
	p.Functions = append(p.Functions, FunctionCost{Name: "<new>", Cycles: 5})
	p.Listings[0].Cycles = 650
	p.Listings[0].Parts[0].Lines = []SourceLine{{Number: 3, Text: "if (a < b)", Code: true, Cycles: 400}, {Number: 4, Text: "  more();", Cycles: 7}, {Number: 5, Text: "  stop();"}}
	return p
}

// TestRunAgainst: counts beside each other, the functions that differ with the largest difference first, the lines of a function side
// by side whatever their indentation.
func TestRunAgainst(t *testing.T) {
	html := renderRun(t, sampleAgainst())
	requireLinks(t, html)
	for _, want := range []string{
		`<a href="#against">`, "Before: &lt;prog&gt;.elf. On em9d. Exited with status 0.",
		`<tr class="better"><td>cycles</td><td class="n">1,000</td><td class="n">900</td><td class="n delta">-10.00 %</td></tr>`,
		`<tr class="same"><td>instructions</td><td class="n">800</td><td class="n">800</td><td class="n delta">=</td></tr>`,
		`<tr class="better"><td>lost: load-use</td><td class="n">150</td><td class="n">50</td><td class="n delta">-66.67 %</td></tr>`,
		"2 of 3 functions differ",
		`<td>operator&lt;&lt;</td><td class="n">750</td><td class="n">650</td><td class="n delta">-13.33 %</td></tr>` + "\n" + `<tr class="worse"><td>&lt;new&gt;</td><td class="n">0</td><td class="n">5</td>`,
		`<span>750 → 650 cycles</span><span class="faster">-13.33 %</span>`,
		`<tr class="better"><td class="n dim">3</td><td class="text before">  if (a &lt; b)</td><td class="n">500</td><td class="n dim">3</td><td class="text now">if (a &lt; b)</td><td class="n">400</td><td class="n delta">-20.00 %</td>`,
		`<tr class="worse edited"><td class="n dim">4</td><td class="text before">    fail();</td><td class="n"></td><td class="n dim">4</td><td class="text now">  more();</td><td class="n">7</td><td class="n delta">+7</td>`,
		`<tr class="new"><td class="n dim"></td><td class="text before"></td><td class="n"></td><td class="n dim">5</td><td class="text now">  stop();</td><td class="n"></td><td class="n delta">new</td>`,
	} {
		require.Contains(t, html, want)
	}
	require.NotContains(t, html, "lost: sleep")
	p := sampleRun()
	p.Before = sampleRun()
	html = renderRun(t, p)
	require.Contains(t, html, "All functions cost what they did before.")
	require.NotContains(t, html, `class="code beside"`)
	require.NotContains(t, renderRun(t, sampleRun()), "against")
}

// TestRunAgainstCode: without sources the instructions stand side by side.
func TestRunAgainstCode(t *testing.T) {
	p := sampleAgainst()
	p.Listings[0].Parts = nil
	p.Listings[0].Lines = []HotLine{{Addr: 0x2000, Text: "ld r0,[r1]", Cycles: 100}}
	html := renderRun(t, p)
	require.Contains(t, html, `<tr class="better"><td class="n dim">00001000</td><td class="text before">ld r0,[r1]</td><td class="n">200</td><td class="n dim">00002000</td><td class="text now">ld r0,[r1]</td><td class="n">100</td><td class="n delta">-50.00 %</td>`)
	require.Contains(t, html, `<tr class="gone"><td class="n dim">00001004</td><td class="text before">bl fail</td>`)
}

func TestBrowserAgainst(t *testing.T) {
	p := shown(t, renderRun(t, sampleAgainst()))
	browser.Readable(t, p, "against")
	require.Empty(t, p.Console())
}
