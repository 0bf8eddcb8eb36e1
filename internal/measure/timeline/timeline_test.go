package timeline

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/internal/dev/testkit/browser"
	"arcv2dsp/internal/dev/testkit/cputime"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/loader"
)

// machine loads a source whose text starts at address 0x1000, data 0x8000 and above being free.
func machine(t testing.TB, core, text string, props ...string) *arcv2dsp.Machine {
	t.Helper()
	object, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "t.s", text)
	require.NoError(t, err)
	data, err := object.Bytes()
	require.NoError(t, err)
	program, err := link.Link(link.Options{SectionStart: map[string]uint32{".text": 0x1000}}, []link.Input{{Name: "t.o", Data: data}})
	require.NoError(t, err)
	data, err = program.Bytes()
	require.NoError(t, err)
	image, err := loader.Read("t.elf", data)
	require.NoError(t, err)
	cfg := arcv2dsp.Config{Core: core}
	for _, p := range props {
		cfg.Settings = append(cfg.Settings, arcv2dsp.Setting{Property: p})
	}
	m, err := arcv2dsp.New(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	require.NoError(t, m.Load(image))
	return m
}

// at is the address of a symbol.
func at(t testing.TB, m *arcv2dsp.Machine, symbol string) uint32 {
	t.Helper()
	addr, ok := m.Symbol(symbol)
	require.True(t, ok, symbol)
	return addr
}

func record(t testing.TB, m *arcv2dsp.Machine, o Options) *Trace {
	t.Helper()
	trace, err := Record(t.Context(), m, o)
	require.NoError(t, err)
	return trace
}

// wantRow is a row as it must be drawn.
type wantRow struct {
	column  uint64
	letters string
}

// moved is the same rows some cycles later.
func moved(rows []wantRow, by uint64) []wantRow {
	var all []wantRow
	for _, r := range rows {
		all = append(all, wantRow{column: r.column + by, letters: r.letters})
	}
	return all
}

// loopSource is a loop of 20 instructions, run twice. Its code starts on a cache line of 32 bytes, each
// instruction has 4; a skipped one counts for the addresses only.
const loopSource = `
	.globl	_start
_start:	mov	r1, 0x8000
	mov	r11, 0x8010
	mov	r10, 2
	b	loop
	.balign	32
loop:	ld	r2, [r1]		;  0  line 0
	add	r3, r2, 1		;  1
	ld	r4, [r1, 4]		;  2
	add	r5, r10, 3		;  3
	add	r6, r4, r5		;  4
	mpy	r7, r6, r3		;  5
	add	r8, r7, 1		;  6
	ex	r9, [r11]		;  7
	add	r12, r9, r8		;  8  line 1
	sub	r10, r10, 1		;  9
	dmach	r2, r3, r4		; 10
	add	r2, r2, 1		; 11
	breq	r2, r2, 1f		; 12
	nop
1:	b.d	2f			; 13
	st	r10, [r1, 12]		; 14
	nop				;     line 2
2:	bl	func			; 15
	ld	r14, [r1, 12]		; 18
	brne	r14, 0, loop		; 19
	flag	1
	nop
	nop
	nop
	.balign	32
func:	ld	r13, [r1]		; 16  line 3
	j	[blink]			; 17
`

// TestHandCheckedLoop compares the drawing with one derived by hand from docs/timing.md.
//
// One instruction issues per cycle. Let s be the cycle in which an instruction could issue; its F is in
// column s, its D in s+1, and its execution begins in column s+2 plus what it waits.
//
// em9d, without caches:
//
//	 i   s  waits  issues  then  why
//	 0   0    0      0      0
//	 1   1    1      2      0    load-use: r2 comes one cycle late
//	 2   3    0      3      0
//	 3   4    0      4      0
//	 4   5    0      5      0    r4 was loaded two instructions before
//	 5   6    0      6      0
//	 6   7    0      7      0    mpy_option 8: the product can be used at once
//	 7   8    0      8      1    bank-conflict: ex accesses memory twice
//	 8  10    1     11      0    load-use: ex read the result of a load
//	 9  12    0     12      0
//	10  13    0     13      0
//	11  14    0     14      0    mac_use is 0 for the field cycles 0
//	12  15    0     15      1    branch: taken, forward, so not predicted
//	13  17    0     17      0    branch with a delay slot: no bubble
//	14  18    0     18      0
//	15  19    0     19      1    branch
//	16  21    0     21      0
//	17  22    0     22      2    jump: the target comes from a register
//	18  25    0     25      0
//	19  26    1     27      0    load-use; predicted taken, the wait hides the penalty
//
// So the next iteration starts in cycle 28. In it the last branch is not taken, which costs the same:
// 56 cycles. A load or ex is drawn with an e more than others, for its result comes one cycle later; an
// instruction writes back no earlier than the one before it.
//
// em7d has the same numbers and caches of 16 KB with lines of 32 bytes that fill in 2 + 8 cycles. Code
// lines 0, 1, 2 and 3 are met first by instructions 0, 8, 15 and 16, the data line by instruction 0, all in
// the first iteration. A miss of the instruction cache comes before the issue (F goes on), one of the data
// cache after it (b).
//
//	 i   s  waits  issues  then  why
//	 0   0   10     10     10    icache, dcache
//	 1  21    1     22      0
//	 2  23    0     23      0    3 to 6 follow cycle by cycle
//	 7  28    0     28      1
//	 8  30   11     41      0    icache 10, load-use 1
//	 9  42    0     42      0    10, 11 follow cycle by cycle
//	12  45    0     45      1
//	13  47    0     47      0
//	14  48    0     48      0
//	15  49   10     59      1    icache, branch
//	16  61   10     71      0    icache
//	17  72    0     72      2
//	18  75    0     75      0
//	19  76    1     77      0
//
// The second iteration starts in cycle 78 and is that of em9d: 106 cycles.
func TestHandCheckedLoop(t *testing.T) {
	warm := []wantRow{
		{column: 0, letters: "FDeEW"}, {column: 1, letters: "FD=EW"}, {column: 3, letters: "FDeEW"},
		{column: 4, letters: "FDEW"}, {column: 5, letters: "FDEW"}, {column: 6, letters: "FDEW"},
		{column: 7, letters: "FDEW"}, {column: 8, letters: "FDbeEW"}, {column: 10, letters: "FD=EW"},
		{column: 12, letters: "FDEW"}, {column: 13, letters: "FDEW"}, {column: 14, letters: "FDEW"},
		{column: 15, letters: "FDEW"}, {column: 17, letters: "FDEW"}, {column: 18, letters: "FDEW"},
		{column: 19, letters: "FDEW"}, {column: 21, letters: "FDeEW"}, {column: 22, letters: "FDEW"},
		{column: 25, letters: "FDeEW"}, {column: 26, letters: "FD=EW"},
	}
	const miss = "FFFFFFFFFF" // ten cycles
	cold := []wantRow{
		{column: 0, letters: "F" + miss + "DbbbbbbbbbbeEW"}, {column: 21, letters: "FD=EW"}, {column: 23, letters: "FDeEW"},
		{column: 24, letters: "FDEW"}, {column: 25, letters: "FDEW"}, {column: 26, letters: "FDEW"},
		{column: 27, letters: "FDEW"}, {column: 28, letters: "FDbeEW"}, {column: 30, letters: "F" + miss + "D=EW"},
		{column: 42, letters: "FDEW"}, {column: 43, letters: "FDEW"}, {column: 44, letters: "FDEW"},
		{column: 45, letters: "FDEW"}, {column: 47, letters: "FDEW"}, {column: 48, letters: "FDEW"},
		{column: 49, letters: "F" + miss + "DEW"}, {column: 61, letters: "F" + miss + "DeEW"}, {column: 72, letters: "FDEW"},
		{column: 75, letters: "FDeEW"}, {column: 76, letters: "FD=EW"},
	}
	for _, test := range []struct {
		core   string
		rows   []wantRow
		cycles uint64
		lost   map[string]uint64
	}{
		{core: "em9d", rows: append(warm[:len(warm):len(warm)], moved(warm, 28)...), cycles: 56,
			lost: map[string]uint64{"load-use": 6, "bank-conflict": 2, "branch": 4, "jump": 4}},
		{core: "em7d", rows: append(cold, moved(warm, 78)...), cycles: 106,
			lost: map[string]uint64{"load-use": 6, "bank-conflict": 2, "branch": 4, "jump": 4, "icache": 40, "dcache": 10}},
	} {
		t.Run(test.core, func(t *testing.T) {
			m := machine(t, test.core, loopSource)
			trace := record(t, m, Options{From: at(t, m, "loop"), Count: 40})
			require.Equal(t, 2, trace.Iterations)
			require.Equal(t, test.cycles, trace.Cycles)
			require.InDelta(t, float64(test.cycles)/2, Summarize(trace).PerIteration, 0)
			var got []wantRow
			for _, r := range Draw(trace) {
				got = append(got, wantRow{column: r.Column, letters: r.Letters})
			}
			require.Equal(t, test.rows, got)
			require.Equal(t, test.lost, arcv2dsp.Stats{Stalls: trace.Stalls}.Reasons())
			require.Equal(t, "waits 1 cycle: r2 is not there yet, from [1,0] "+trace.Text(at(t, m, "loop")), trace.Steps[21].Why())
			require.Equal(t, "2 cycles: taken jump or return: the pipeline is refilled", trace.Steps[37].Why())
		})
	}
}

const start = "\t.globl\t_start\n_start:\n"

// stop ends a test program.
const stop = "\tmov\tr0, 0\n\tflag\t1\n\tnop\n\tnop\n\tnop\n"

// letters draws what follows a label.
func letters(t *testing.T, core, text string, count int, props ...string) ([]string, *Trace) {
	t.Helper()
	m := machine(t, core, start+text+stop, props...)
	trace := record(t, m, Options{From: at(t, m, "here"), Count: count})
	var all []string
	for _, r := range Draw(trace) {
		all = append(all, fmt.Sprintf("%d %s", r.Column, r.Letters))
	}
	return all, trace
}

// TestBankConflict: two ports that read X memory in one instruction take turns.
func TestBankConflict(t *testing.T) {
	const setUp = `
	mov	r0, 0xc0000000
	sr	r0, [0x5c0]
	sr	r0, [0x5c1]
	mov	r0, 2<<4|11<<6|1<<29|4<<18
	sr	r0, [0x5e0]
	mov	r0, 2<<4|11<<6|1<<29|4<<18|1
	sr	r0, [0x5e1]
here:	dmach	0, r32, r33
	dmach	0, r32, r33
	add	r1, r2, r3
`
	got, trace := letters(t, "em9d", setUp, 3)
	require.Equal(t, []string{"0 FDbEW", "2 FDbEW", "4 FDEW"}, got)
	require.Equal(t, "1 cycle: its accesses to one memory follow each other", trace.Steps[0].Why())
	s := Summarize(trace)
	require.InDelta(t, 4, s.Pressure["xccm"], 1e-9, "two reads of each dmach")
	require.InDelta(t, 2, s.Pressure["multiplier"], 1e-9)
	require.InDelta(t, 1, s.Pressure["alu"], 1e-9)
}

// TestSlowMultiplier: with mpy_option 6 a product comes 8 cycles late and the multiplier takes one at a
// time. An instruction that does not need it goes on and writes back after it.
func TestSlowMultiplier(t *testing.T) {
	got, trace := letters(t, "em4", `
here:	mpy	r1, r2, r3
	add	r4, r5, r6
	mpy	r7, r2, r3
	add	r8, r1, 1
`, 4, "mpy_option=6")
	require.Equal(t, []string{
		"0 FDeeeeeeeeEW",
		"1 FDE-------W",
		"2 FD=======eeeeeeeeEW", // s = 2, busy until 8 cycles after the first issued
		"10 FDE-------W",        // r1 is there
	}, got)
	require.Equal(t, "waits 7 cycles: the multiplier is busy with [0,0] mpy r1,r2,r3", trace.Steps[2].Why())
	require.InDelta(t, 18, Summarize(trace).Pressure["multiplier"], 1e-9)
}

// TestDivider: the divider works beside the pipeline, and what follows does not wait to write back.
func TestDivider(t *testing.T) {
	got, trace := letters(t, "em9d", `
	mov	r2, 100
	mov	r3, 7
here:	div	r1, r2, r3
	add	r4, r5, r6
	add	r8, r1, 1
`, 3)
	require.Equal(t, []string{
		"0 FD" + strings.Repeat("e", 32) + "EW",
		"1 FDEW",
		"2 FD" + strings.Repeat("=", 31) + "EW",
	}, got)
	require.Equal(t, "waits 31 cycles: r1 is not there yet, from [0,0] div r1,r2,r3", trace.Steps[2].Why())
	require.Equal(t, "divide", Summarize(trace).Bottleneck)
}

// TestLatenciesAreTheModels: the latency that is drawn is the wait that the engine measures when the
// next instruction uses the result.
func TestLatenciesAreTheModels(t *testing.T) {
	for _, core := range []string{"em4", "em9d", "hs38"} {
		props := []string{"mpy_option=6"}
		if core != "em4" {
			props = nil
		}
		for _, text := range []string{
			"ld r1, [r20]", "mpy r1, r2, r3", "mpym r1, r2, r3", "mpyw r1, r2, r3", "add r1, r2, r3", "div r1, r2, r3",
			"ex r1, [r20]", "mac r1, r2, r3", "dmpyh r1, r2, r3", "asl r1, r2, r3",
		} {
			t.Run(core+"/"+text, func(t *testing.T) {
				if core == "em4" && (strings.HasPrefix(text, "mac") || strings.HasPrefix(text, "dmpyh")) {
					t.Skip("em4 has no multiply-accumulate")
				}
				m := machine(t, core, start+"\tmov r20, 0x8000\n\tmov r3, 5\nhere:\t"+text+"\n\tadd r4, r1, 1\n"+stop, props...)
				trace := record(t, m, Options{From: at(t, m, "here"), Count: 2})
				require.Equal(t, trace.Steps[0].Late, total(trace.Steps[1].Before))
			})
		}
	}
}

// TestGaps: time between two instructions that belongs to neither has its reason too.
func TestGaps(t *testing.T) {
	m := machine(t, "em9d", `
	.globl	_start
_start:	mov	r1, vectors
	sr	r1, [0x25]
here:	mov	r2, 1
	trap_s	0
	mov	r3, 2
	mov	r0, 0
	flag	1
	nop
	nop
	nop
	.balign	1024
vectors:
	.long	0, 0, 0, 0, 0, 0, 0, 0, 0
	.long	handler
	.balign	4
handler:
	mov	r4, 3
	rtie
`)
	trace := record(t, m, Options{From: at(t, m, "here"), Count: 6})
	require.Len(t, trace.Steps, 6)
	require.Contains(t, trace.Steps[2].Why(), "exception or interrupt")
	require.Equal(t, trace.Cycles-6, trace.Stalls.Total())
}

// TestLongRecording: 10,000 instructions in less than a second of CPU time, drawn and printed; every page of every
// form adds up.
func TestLongRecording(t *testing.T) {
	m := machine(t, "em9d", start+`
	mov	r20, 0x8000
	mov	r10, 100000
here:	ld	r1, [r20]
	add	r2, r1, 1
	st	r2, [r20]
	mpy	r3, r2, r1
	sub.f	r10, r10, 1
	bne	here
`+stop)
	var trace *Trace
	elapsed := cputime.Of(t, func() {
		trace = record(t, m, Options{From: at(t, m, "here"), Count: 10_000})
		var text, page bytes.Buffer
		require.NoError(t, Print(&text, trace, Views{Summary: true, Pressure: true, Timeline: true}, DefaultWidth, nil))
		require.NoError(t, HTML(&page, "long", trace, nil))
	})
	require.Len(t, trace.Steps, 10_000)
	require.True(t, trace.Complete)
	require.EqualValues(t, trace.Cycles, 10_000+trace.Stalls.Total())
	s := Summarize(trace)
	var sum uint64
	for _, l := range s.Lines {
		sum += l.Cycles
	}
	require.Equal(t, trace.Cycles, sum)
	t.Logf("recorded and drawn in %v", elapsed)
	if !testing.Short() {
		require.Less(t, elapsed, time.Second)
	}
}

func TestSkipAndRange(t *testing.T) {
	m := machine(t, "em9d", start+`
	mov	r10, 5
here:	add	r1, r1, 1
	sub.f	r10, r10, 1
there:	bne	here
`+stop)
	trace := record(t, m, Options{From: at(t, m, "here"), To: at(t, m, "there"), Count: 100, Skip: 2})
	require.Equal(t, 3, trace.Iterations)
	require.Len(t, trace.Steps, 6)
	require.True(t, trace.Complete, "the program ended")
	require.EqualValues(t, 6, trace.Cycles, "the branch is left out")

	m = machine(t, "em9d", start+stop+"never:\tnop\n")
	_, err := Record(t.Context(), m, Options{From: at(t, m, "never"), Count: 1})
	require.ErrorContains(t, err, "the program does not come to")
	require.ErrorContains(t, err, "<never>")
}

func TestInterruptedRecordingIsKept(t *testing.T) {
	m := machine(t, "em9d", start+"here:\tb\there\n"+stop)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	trace, err := Record(ctx, m, Options{From: at(t, m, "here"), Count: 1 << 40})
	require.NoError(t, err)
	require.NotEmpty(t, trace.Steps)
	require.False(t, trace.Complete)
}

func TestMark(t *testing.T) {
	text := "a:\n;ARCSIM-BEGIN one\n\tnop\n;ARCSIM-END\n\t; ARCSIM-BEGIN\n\tnop\n; ARCSIM-END\n"
	marked, regions, err := Mark("f.s", text)
	require.NoError(t, err)
	require.Equal(t, "a:\n__arcsim_begin_0:\n\tnop\n__arcsim_end_0:\n__arcsim_begin_1:\n\tnop\n__arcsim_end_1:\n", marked)
	require.Equal(t, []Region{
		{Name: "one", Line: 2, Begin: "__arcsim_begin_0", End: "__arcsim_end_0"},
		{Name: "line 5", Line: 5, Begin: "__arcsim_begin_1", End: "__arcsim_end_1"},
	}, regions)
	for _, test := range []struct{ text, want string }{
		{text: ";ARCSIM-BEGIN a\nnop\n", want: "f.s:1: no ARCSIM-END"},
		{text: "nop\n;ARCSIM-END\n", want: "f.s:2: ARCSIM-END without"},
		{text: ";ARCSIM-BEGIN a\n;ARCSIM-BEGIN b\n", want: "f.s:2: ARCSIM-BEGIN within the region that begins at line 1"},
		{text: ";ARCSIM-BEGIN a\n;ARCSIM-END b\n", want: `f.s:2: ARCSIM-END b, but the region is "a"`},
		{text: ";ARCSIM-BEGIN a\n;ARCSIM-END\n;ARCSIM-BEGIN a\n;ARCSIM-END\n", want: `f.s:3: region "a" begins at line 1 already`},
		{text: "nop ;ARCSIM-BEGIN a\n", want: "f.s:1: ARCSIM-BEGIN and ARCSIM-END stand on lines of their own"},
	} {
		_, _, err := Mark("f.s", test.text)
		require.ErrorContains(t, err, test.want)
	}
}

// TestPrintedTimeline is one small page as a whole.
func TestPrintedTimeline(t *testing.T) {
	m := machine(t, "em9d", start+`
	mov	r20, 0x8000
here:	ld	r1, [r20]
	add	r2, r1, 1
	b	1f
	nop
1:	sub	r3, r2, r1
`+stop)
	trace := record(t, m, Options{From: at(t, m, "here"), Count: 4})
	var b bytes.Buffer
	require.NoError(t, Print(&b, trace, Views{Timeline: true}, 10, nil))
	_, rest, ok := strings.Cut(b.String(), "\n")
	require.True(t, ok)
	branch := trace.Text(trace.Steps[2].PC)
	require.Equal(t, `
Index 012345678
[0,0] FDeEW.     ld r1,[r20]
[0,1] .FD=EW     add r2,r1,0x1   ; waits 1 cycle: r1 is not there yet, from [0,0] ld r1,[r20]
[0,2] .  FDEW    `+branch+`   ; 1 cycle: taken branch: the pipeline is refilled
[0,3] .    FDEW  sub r3,r2,r1
`, rest)
}

// TestPageNeedsNothingElse: no address of another host, no script, all tags closed.
func TestPageNeedsNothingElse(t *testing.T) {
	m := machine(t, "em9d", loopSource)
	trace := record(t, m, Options{From: at(t, m, "loop"), Count: 40})
	var page bytes.Buffer
	require.NoError(t, HTML(&page, "<loop> & more", trace, nil))
	text := page.String()
	require.NotRegexp(t, `(?i)https?:|<script|<link rel="(stylesheet|preload)|@import|url\(`, text)
	require.Contains(t, text, "<title>&lt;loop&gt; &amp; more</title>")
	for _, tag := range []string{"table", "tr", "td", "th", "div", "span", "b", "i", "h1", "h2", "style", "body", "html"} {
		opened := regexp.MustCompile("<"+tag+"[ >]").FindAllString(text, -1)
		require.Equal(t, len(opened), strings.Count(text, "</"+tag+">"), tag)
		require.NotEmpty(t, opened, tag)
	}
	require.Equal(t, 40, strings.Count(text, "<b>["))
	require.Contains(t, text, `<span class="wait">=</span>`)
}

// TestBrowser shows a page with instructions of many letters, of which none is cut.
func TestBrowser(t *testing.T) {
	level.NeedsPlain(t, "starts a browser")
	m := machine(t, "em9d", loopSource)
	trace := record(t, m, Options{From: at(t, m, "loop"), Count: 40})
	trace.text[trace.Steps[1].PC] = "brne r13,r14,0x12345678 <a_function_with_a_name_of_many_letters_and_more_letters+0x1234>"
	file := filepath.Join(t.TempDir(), "timeline.html")
	var page bytes.Buffer
	require.NoError(t, HTML(&page, "<loop> & more", trace, nil))
	require.NoError(t, os.WriteFile(file, page.Bytes(), 0o600))
	p := browser.Open(t, file)
	browser.Readable(t, p, "timeline")

	// The ruler's numbers stand above the columns of their cycles.
	p.Size(1280, 900)
	var column, width float64
	p.Eval(`(() => { const r = document.createRange(), text = document.querySelector(".ruler").lastChild;
		r.setStart(text, 10); r.setEnd(text, 12); return r.getBoundingClientRect().left; })()`, &column)
	row := slices.IndexFunc(Draw(trace), func(r Row) bool { return r.Column == 10 })
	require.NotEqual(t, -1, row)
	p.Eval(fmt.Sprintf(`document.querySelectorAll(".view div")[%d].querySelector("span").getBoundingClientRect().left`, row+1), &width)
	require.InDelta(t, column, width, 1)
}
