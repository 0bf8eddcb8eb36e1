package timeline

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/browser"
	"arcv2dsp/internal/dev/testkit/level"
)

// edited are recordings of a loop of four iterations, before and after an instruction came between a load and its use: the wait for
// the load is gone, the branch stands elsewhere, the last instruction is another one.
func edited(t *testing.T) (before *Earlier, now *Trace) {
	source := func(between, last string) string {
		return start + "\tmov r1, 0x8000\n\tmov r10, 4\nloop:\tld r2, [r1]\n" + between + "\tadd r3, r3, r2\n\tsub.f r10, r10, 1\n\tbne loop\n\t" + last + "\nout:\n" + stop
	}
	traces := make([]*Trace, 2)
	for i, text := range []string{source("", "mov r4, 5"), source("\tadd r6, r6, 1\n", "mov r4, 6")} {
		m := machine(t, "em9d", text)
		traces[i] = record(t, m, Options{From: at(t, m, "loop"), To: at(t, m, "out"), Count: 100})
	}
	return &Earlier{Name: "<old>", Trace: traces[0]}, traces[1]
}

// TestAgainst: four waits of a cycle are gone, four instructions are new; marks stand at what differs, in each iteration.
func TestAgainst(t *testing.T) {
	before, now := edited(t)
	var b bytes.Buffer
	require.NoError(t, Print(&b, now, Views{Summary: true, Pressure: true, Timeline: true}, DefaultWidth, before))
	text := b.String()
	_, text, _ = strings.Cut(text, "Against ")
	require.True(t, strings.HasPrefix(text, `<old>:
                before  now     change
--------------------------------------
cycles              24   24          =
instructions        17   21   +23.53 %
lost: branch         3    3          =
lost: load-use       4    0  -100.00 %
`), text)
	_, text, ok := strings.Cut(text, "Instructions side by side, with the cycles of all executions:\n")
	require.True(t, ok)
	rows := strings.Split(text, "\n")[2:8]
	for i := range rows {
		rows[i] = strings.Join(strings.Fields(rows[i]), " ")
	}
	bne := func(trace *Trace) string {
		return strings.Join(strings.Fields(trace.Text(trace.Steps[len(trace.Steps)-2].PC)), " ")
	}
	require.Equal(t, []string{
		"4 4 ld r2,[r1] 4 4 ld r2,[r1]",
		"4 4 add r6,r6,0x1 new",
		"4 8 add r3,r3,r2 4 4 add r3,r3,r2 -50.00 %",
		"4 4 sub.f r10,r10,0x1 4 4 sub.f r10,r10,0x1",
		"4 7 " + bne(before.Trace) + " 4 7 " + bne(now),
		"1 1 mov r4,0x5 1 1 mov r4,0x6 edited",
	}, rows)
	was, is := marks(before.Trace, now, pairs(Summarize(before.Trace), Summarize(now)))
	require.Equal(t, append(slices.Repeat([]string{"", "+", "", ""}, 4), "!"), was)
	require.Equal(t, append(slices.Repeat([]string{"", "!", "-", "", ""}, 4), "!"), is)
	require.Contains(t, text, "\n+ [0,1] .FD=EW")
	require.Contains(t, text, "\n- [0,2] . FDEW")
	require.Contains(t, text, "\n  [0,3] ")

	b.Reset()
	require.NoError(t, Print(&b, now, Views{Summary: true, Timeline: true}, DefaultWidth, &Earlier{Name: "same", Trace: now}))
	require.NotRegexp(t, `(?m)^[-+!] \[`, b.String())
}

// TestBrowserAgainst: the page has both timelines, level with each other where there is room.
func TestBrowserAgainst(t *testing.T) {
	level.NeedsPlain(t, "starts a browser")
	before, now := edited(t)
	var page bytes.Buffer
	require.NoError(t, HTML(&page, "new", now, before))
	file := filepath.Join(t.TempDir(), "against.html")
	require.NoError(t, os.WriteFile(file, page.Bytes(), 0o600))
	p := browser.Open(t, file)
	browser.Readable(t, p, "against")
	p.Size(1280, 900)
	require.Equal(t, "beside", p.Text(`(() => { const [a, b] = ["before", "timeline"].map(id => document.getElementById(id).getBoundingClientRect());
		return a.top == b.top && b.left >= a.right ? "beside" : "over" })()`))
	require.Equal(t, "4 better, 0 worse, 5 other", p.Text(`["better", "worse", "other"].map(c => document.querySelectorAll("#timeline .view ." + c).length + " " + c).join(", ")`))
	require.Empty(t, p.Console())
}
