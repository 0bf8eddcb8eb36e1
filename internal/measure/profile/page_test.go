package profile_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/internal/dev/testkit/browser"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/measure/profile"
	"arcv2dsp/internal/measure/report"
	"arcv2dsp/isa"
	"arcv2dsp/loader"
)

// reported runs the program of a machine with a profile and its course, as report does.
func reported(t *testing.T, m *arcv2dsp.Machine) (*report.RunPage, arcv2dsp.Stop) {
	t.Helper()
	var c profile.Course
	counts := m.StartProfile()
	stop, err := c.Run(context.Background(), m, arcv2dsp.Limits{Insts: 1_000_000})
	require.NoError(t, err)
	p, err := profile.New(m, program, counts.Stop())
	require.NoError(t, err)
	return p.Page(&c), stop
}

// TestPage holds the sums of a page against what the machine counts, and its functions and loops against what hooks see
// in another run.
func TestPage(t *testing.T) {
	m := load(t)
	page, stop := reported(t, m)
	require.Equal(t, arcv2dsp.StopExited, stop.Reason)
	total := m.Stats()
	require.Equal(t, total.Cycles, page.Cycles)
	require.Equal(t, total.Cycles, page.Flame.Total)
	own, of := uint64(0), map[string]report.FunctionCost{}
	for _, f := range page.Functions {
		own += f.Cycles
		of[f.Name] = f
	}
	require.Equal(t, total.Cycles, own)
	require.Equal(t, page.Executed, len(page.Functions))

	// Hooks: instructions by function, executions by address.
	other := load(t)
	insts, times := map[string]uint64{}, map[uint32]uint64{}
	name := func(pc uint32) string {
		s, _, _ := other.Symbols().At(pc)
		return s.Name
	}
	end := other.Observe(arcv2dsp.Hooks{
		After: func(pc uint32, _ *isa.Inst) { insts[name(pc)]++; times[pc]++ },
	})
	run(t, other)
	end()
	for f, n := range insts {
		require.Equal(t, n, of[f].Insts, f)
	}
	fib, _ := other.Symbols().Lookup("fib")
	require.Equal(t, times[fib.Addr], of["fib"].Entered)
	require.Equal(t, of["fib"].Cycles, of["fib"].Total, "it calls itself only")
	require.NotEmpty(t, page.Loops)
	for _, l := range page.Loops {
		head := l.Lines[0].Addr
		require.Equal(t, times[head], l.Times, l.Name)
		sum := uint64(0)
		for _, line := range l.Lines {
			if line.Hot {
				sum += line.Cycles
			}
		}
		require.Equal(t, l.Cycles, sum, l.Name)
	}
	require.Contains(t, page.Loops[0].Name, "square, calls.c:5")

	// The lines of a listing have the cycles of its instructions.
	for _, l := range page.Listings {
		require.Zero(t, l.Left)
		lines, insts := uint64(0), uint64(0)
		for _, part := range l.Parts {
			for _, line := range part.Lines {
				lines += line.Cycles
			}
		}
		for _, line := range l.Lines {
			insts += line.Cycles
		}
		require.Equal(t, l.Cycles, insts, l.Name)
		require.Equal(t, l.Cycles, lines, l.Name)
	}
	require.Less(t, page.Coverage.LinesHit, page.Coverage.Lines)

	// Every source line of calls.c that has code in main is shown, with what surrounds it.
	at := slices.IndexFunc(page.Listings, func(l report.Listing) bool { return l.Name == "main" })
	require.Zero(t, page.Listings[at].LinesLeft)
	var source strings.Builder
	for _, part := range page.Listings[at].Parts {
		for _, line := range part.Lines {
			fmt.Fprintf(&source, "%d %v %s\n", line.Number, line.Code, line.Text)
		}
	}
	require.Contains(t, source.String(), "51 false int main(void)\n52 true {\n")
	require.Contains(t, source.String(), "55 true     for (int i = 0; i < 40; i++)\n56 true         out += choose(i);\n")
}

// A run that stops at the end of each interval is the run that does not: the same counters, the same place, each limit
// met as Machine.Run meets it.
func TestCourse(t *testing.T) {
	for _, lim := range []arcv2dsp.Limits{{}, {Insts: 1}, {Insts: 1000}, {Cycles: 1}, {Cycles: 17}, {Cycles: 2049}, {Insts: 100, Cycles: 100}, {Timeout: time.Hour}} {
		whole := load(t)
		want, err := whole.Run(context.Background(), lim)
		require.NoError(t, err)
		m := load(t)
		var c profile.Course
		got, err := c.Run(context.Background(), m, lim)
		require.NoError(t, err)
		require.Equal(t, want, got, "%+v", lim)
		require.Equal(t, whole.Stats(), m.Stats(), "%+v", lim)
		var sum arcv2dsp.Stats
		for _, v := range c.Intervals {
			require.Equal(t, v.Cycles, v.Insts+v.Stalls.Total())
			sum.Insts += v.Insts
			sum.Cycles += v.Cycles
			for r, n := range v.Stalls {
				sum.Stalls[r] += n
			}
		}
		require.Equal(t, m.Stats(), sum, "%+v", lim)
		require.LessOrEqual(t, len(c.Intervals), 128)
	}
	m := load(t)
	var c profile.Course
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stop, err := c.Run(ctx, m, arcv2dsp.Limits{})
	require.NoError(t, err)
	require.Equal(t, arcv2dsp.StopInterrupted, stop.Reason)
}

// assembled loads a program without line information.
func assembled(t *testing.T, source string) *arcv2dsp.Machine {
	t.Helper()
	object, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "loops.s", source)
	require.NoError(t, err)
	data, err := object.Bytes()
	require.NoError(t, err)
	linked, err := link.Link(link.Options{SectionStart: map[string]uint32{".text": 0x1000}}, []link.Input{{Name: "loops.o", Data: data}})
	require.NoError(t, err)
	data, err = linked.Bytes()
	require.NoError(t, err)
	im, err := loader.Read("loops.elf", data)
	require.NoError(t, err)
	m, err := arcv2dsp.New(arcv2dsp.Config{Core: "em9d"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	require.NoError(t, m.Load(im))
	return m
}

// TestLoops has an outer loop of 10 iterations around a zero-overhead loop of 5 and code that is jumped over, a branch back
// that is never taken, and a tail call back to another function. Its counts are those of the source.
func TestLoops(t *testing.T) {
	page, stop := reported(t, assembled(t, `
	.globl	__start
	.type	leaf, @function
leaf:	j	[blink]
	.size	leaf, . - leaf
	.type	tail, @function
tail:	b	leaf
	.size	tail, . - tail
	.type	__start, @function
__start:
	mov	r1, 10
outer:
	mov	lp_count, 5
	lp	behind
	add	r2, r2, 1
	add	r3, r3, r2
behind:
	bl	tail
	sub.f	r1, r1, 1
	bne	outer
	brne	r1, 0, outer
	mov	r0, 0
	mov	r8, 1
	swi
	.size	__start, . - __start
`))
	require.Equal(t, arcv2dsp.StopExited, stop.Reason)
	require.Nil(t, page.Coverage)
	require.Len(t, page.Loops, 2)
	inner, outer := page.Loops[0], page.Loops[1]
	if len(inner.Lines) > len(outer.Lines) {
		inner, outer = outer, inner
	}
	require.EqualValues(t, 50, inner.Times)
	require.Len(t, inner.Lines, 2)
	require.EqualValues(t, 10, outer.Times)
	var hot []string
	for _, l := range outer.Lines {
		if l.Hot {
			hot = append(hot, strings.Fields(l.Text)[0])
			require.EqualValues(t, 10, l.Insts, l.Text)
		} else {
			require.EqualValues(t, 50, l.Insts, l.Text)
		}
	}
	require.Equal(t, []string{"mov", "lp", "bl", "sub.f", "bne"}, hot)
	require.Empty(t, page.Listings[0].Parts)
}

// TestBrowser shows the page of the program: every function leads to its listing, and the flame graph has all frames.
func TestBrowser(t *testing.T) {
	level.NeedsPlain(t, "starts a browser")
	page, _ := reported(t, load(t))
	var html bytes.Buffer
	require.NoError(t, page.Write(&html))
	file := filepath.Join(t.TempDir(), "calls.html")
	require.NoError(t, os.WriteFile(file, html.Bytes(), 0o600))
	p := browser.Open(t, file)
	browser.Readable(t, p, "program")
	var links, frames int
	p.Eval(`document.querySelectorAll("#functions a").length`, &links)
	require.Equal(t, len(page.Functions), links)
	p.Eval(`document.querySelectorAll("#graph svg").length`, &frames)
	require.Greater(t, frames, len(page.Functions))
	require.Contains(t, p.Text(`document.getElementById("listings").textContent`), "return n < 2 ? n : fib(n - 1) + fib(n - 2);")
}

// A program that does nothing, or nothing but fail, has a page.
func TestPageWithoutCycles(t *testing.T) {
	m := assembled(t, "\t.globl __start\n__start:\n\tunimp_s\n")
	p, err := profile.New(m, "none.elf", nil)
	require.NoError(t, err)
	require.NoError(t, p.Page(nil).Write(io.Discard))
	page, stop := reported(t, m)
	require.Equal(t, arcv2dsp.StopFault, stop.Reason)
	require.NoError(t, page.Write(io.Discard))
}

// TestPageBounded: a program of 3,000 functions with long names, each with a loop, gives a page of a size that a browser
// shows at once, which says what it leaves out.
func TestPageBounded(t *testing.T) {
	level.NeedsPlain(t, "assembles 3,000 functions")
	var source, calls strings.Builder
	long := strings.Repeat("with_a_long_name_", 30)
	for i := range 3000 {
		fmt.Fprintf(&source, "\t.type f%d_%s, @function\nf%d_%s:\n\tmov r1, %d\n1:\tsub.f r1, r1, 1\n\tbne 1b\n", i, long, i, long, 2+i%7)
		source.WriteString(strings.Repeat("\tadd r2, r2, 1\n", 20))
		fmt.Fprintf(&source, "\tj [blink]\n\t.size f%d_%s, . - f%d_%s\n", i, long, i, long)
		fmt.Fprintf(&calls, "\tbl f%d_%s\n", i, long)
	}
	page, stop := reported(t, assembled(t, "\t.globl __start\n__start:\n"+calls.String()+strings.Repeat("\tadd r3, r3, 1\n", 2000)+"\tmov r0, 0\n\tmov r8, 1\n\tswi\n"+source.String()))
	require.Equal(t, arcv2dsp.StopExited, stop.Reason)
	require.Equal(t, 3001, page.Executed)
	require.Equal(t, []int{100, 40, 3000}, []int{len(page.Functions), len(page.Listings), len(page.Flame.Calls[0].Calls)})
	require.LessOrEqual(t, len(page.Loops), 8)
	require.Equal(t, 5003-600, page.Listings[0].Left)
	var html bytes.Buffer
	require.NoError(t, page.Write(&html))
	require.Less(t, html.Len(), 3<<20)
	for _, want := range []string{"the 100 most expensive of 3,001 functions", "40 of 3,001 functions with", "Left out are frames", "more instructions"} {
		require.True(t, strings.Contains(html.String(), want), want)
	}
}
