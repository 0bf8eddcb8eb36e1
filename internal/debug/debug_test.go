package debug

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"arcv2dsp"

	"github.com/stretchr/testify/require"
)

const (
	small  = "../../testdata/elf/small"
	sortO2 = small + "/sort-em4_dmips-O2.elf"
	sortO0 = small + "/sort-em4_dmips-O0.elf"
)

// start loads a program into a debugger; out receives its console.
func start(t testing.TB, path string, opt Options) (d *Debugger, out *bytes.Buffer) {
	t.Helper()
	out = &bytes.Buffer{}
	m, err := arcv2dsp.New(arcv2dsp.Config{Stdout: out, Stderr: out})
	require.NoError(t, err)
	require.NoError(t, m.LoadFile(path))
	d, err = New(m, opt)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, d.Close())
		require.NoError(t, m.Close())
	})
	return d, out
}

// state writes all that must be the same however a program was run.
func (d *Debugger) state(t testing.TB) string {
	t.Helper()
	var b strings.Builder
	stats := d.m.Stats()
	fmt.Fprintf(&b, "insts %d cycles %d stalls %v\n", stats.Insts, stats.Cycles, stats.Stalls)
	for _, r := range append(d.Registers(), d.AuxRegisters()...) {
		fmt.Fprintf(&b, "%s %x\n", r.Name, r.Value)
	}
	for _, sec := range d.image.Sections {
		buf := make([]byte, sec.Size)
		require.NoError(t, d.ReadMemory(sec.Addr, buf))
		fmt.Fprintf(&b, "%s %x\n", sec.Name, sha256.Sum256(buf))
	}
	return b.String()
}

func programs(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob(small + "/*.elf")
	require.NoError(t, err)
	require.Len(t, list, 45)
	return list
}

// TestRunsAreEqual: a program that is stepped, taken back and replayed ends as one that runs free:
// state, output and cycles.
func TestRunsAreEqual(t *testing.T) {
	ctx := context.Background()
	for _, path := range programs(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			free, freeOut := start(t, path, Options{NoHistory: true})
			s := free.Continue(ctx, Limits{Insts: 300_000})
			want := free.state(t)
			wantInsts := free.Position().Insts

			d, out := start(t, path, Options{})
			d.history.interval = 20_011
			require.Equal(t, Stepped, d.StepInst(ctx, 2_000, false).Reason)
			d.Continue(ctx, Limits{Insts: wantInsts/2 - 2_000})
			half := d.state(t)
			halfInsts := d.Position().Insts
			got := d.Continue(ctx, Limits{Insts: wantInsts - halfInsts})
			if s.Reason == Exited && got.Reason != Exited {
				got = d.StepInst(ctx, 1, false)
			}
			require.Equal(t, want, d.state(t))
			require.Equal(t, s.Reason, got.Reason)
			require.Equal(t, freeOut.String(), out.String())

			_, err := d.ReverseStepInst(ctx, 1_000, false)
			require.NoError(t, err)
			require.Equal(t, wantInsts-1_000, d.Position().Insts)
			_, err = d.GoTo(ctx, halfInsts)
			require.NoError(t, err)
			require.Equal(t, half, d.state(t))
			got = d.Continue(ctx, Limits{Insts: wantInsts - halfInsts})
			if s.Reason == Exited && got.Reason != Exited {
				d.StepInst(ctx, 1, false)
			}
			require.Equal(t, want, d.state(t))
			require.Equal(t, freeOut.String(), out.String(), "output is not repeated")
		})
	}
}

// TestLastWrite: from the end of the program, who wrote the checksum is found quickly, and going
// there and forward again changes nothing.
func TestLastWrite(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, sortO2, Options{})
	require.Equal(t, Exited, d.Continue(ctx, Limits{}).Reason)
	end := d.state(t)
	endInsts := d.Position().Insts
	addr, ok := d.m.Symbol("checksum")
	require.True(t, ok)
	var word [4]byte
	require.NoError(t, d.ReadMemory(addr, word[:]))
	require.Equal(t, [4]byte{0x34, 0x87, 0x96, 0x46}, word, "the checksum in expected.tsv")

	began := time.Now()
	s, found, err := d.LastWrite(ctx, addr, 4)
	took := time.Since(began)
	require.NoError(t, err)
	require.True(t, found)
	require.Less(t, took, time.Second)
	t.Logf("last write found in %v, %d instructions before the end", took, endInsts-d.Position().Insts)
	in, err := d.Disassemble(s.PC, 1)
	require.NoError(t, err)
	require.Contains(t, in[0].Text, "st")
	require.NoError(t, d.ReadMemory(addr, word[:]))
	require.NotEqual(t, [4]byte{0x34, 0x87, 0x96, 0x46}, word, "before the write")
	d.StepInst(ctx, 1, false)
	require.NoError(t, d.ReadMemory(addr, word[:]))
	require.Equal(t, [4]byte{0x34, 0x87, 0x96, 0x46}, word)
	require.Equal(t, Exited, d.Continue(ctx, Limits{}).Reason)
	require.Equal(t, end, d.state(t))

	_, found, err = d.LastWrite(ctx, 0x7000_0000, 4)
	require.NoError(t, err)
	require.False(t, found)
	require.Equal(t, end, d.state(t), "nothing found: nothing moves")
}

// TestReverseContinue: back to each hit of a breakpoint, in the opposite order, and forward again.
func TestReverseContinue(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, sortO0, Options{})
	d.history.interval = 5_003
	_, err := d.Break("quick", "", false)
	require.NoError(t, err)
	var forward []string
	for {
		s := d.Continue(ctx, Limits{})
		if s.Reason != AtBreakpoint {
			require.Equal(t, Exited, s.Reason)
			break
		}
		forward = append(forward, d.state(t))
	}
	require.Greater(t, len(forward), 10)
	for i := len(forward) - 1; i >= 0; i-- {
		s, err := d.ReverseContinue(ctx)
		require.NoError(t, err)
		require.Equal(t, AtBreakpoint, s.Reason)
		require.Equal(t, forward[i], d.state(t), i)
	}
	s, err := d.ReverseContinue(ctx)
	require.NoError(t, err)
	require.Equal(t, HistoryStart, s.Reason)
	require.Equal(t, AtBreakpoint, d.Continue(ctx, Limits{}).Reason)
	require.Equal(t, forward[0], d.state(t))
}

func TestConditionalSpeed(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	ctx := context.Background()
	d, _ := start(t, "../../testdata/elf/perf/sort_em4_dmips.elf", Options{})
	d.Continue(ctx, Limits{Insts: 1_000_000})
	p := d.BreakAt(d.PC())
	require.NoError(t, d.SetCondition(p, "$r2 == 0x12345678"))
	before := d.Position().Insts
	began := time.Now()
	hits := countHits(t, d, 3_000_000)
	took := time.Since(began)
	require.Greater(t, float64(hits)/took.Seconds(), 0.5e6, "a million on an idle machine")
	t.Logf("%d hits in %v: %.2f million/s, %d instructions", hits, took, float64(hits)/took.Seconds()/1e6, d.Position().Insts-before)
}

// countHits continues for a number of instructions and counts how often a condition was evaluated.
func countHits(t testing.TB, d *Debugger, insts uint64) int {
	t.Helper()
	hits := 0
	inner := d.points[0].cond.eval
	d.points[0].cond.eval = func(e *env) Value { hits++; return inner(e) }
	s := d.Continue(context.Background(), Limits{Insts: insts})
	require.Equal(t, LimitReached, s.Reason)
	return hits
}

// TestSnapshotCost: recording costs little time and memory.
func TestSnapshotCost(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	ctx := context.Background()
	path := "../../testdata/elf/perf/sort_em4_dmips.elf"
	run := func(opt Options) (time.Duration, *Debugger) {
		best, last := time.Hour, (*Debugger)(nil)
		for range 3 {
			d, _ := start(t, path, opt)
			began := time.Now()
			d.Continue(ctx, Limits{})
			best, last = min(best, time.Since(began)), d
		}
		return best, last
	}
	free, _ := run(Options{NoHistory: true})
	recorded, d := run(Options{})
	info := d.HistoryInfo()
	t.Logf("free %v, recorded %v (%.1f %%), %d snapshots, %d KB", free, recorded,
		100*(recorded.Seconds()/free.Seconds()-1), info.Snapshots, info.Bytes>>10)
	require.Less(t, info.Bytes, uint64(256<<20))
	require.Greater(t, info.Snapshots, 10)
}

func TestMain(m *testing.M) { os.Exit(m.Run()) }
