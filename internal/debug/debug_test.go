package debug

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/cputime"

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

// TestLastWrite: from the end of the program, who wrote the checksum is found quickly, and going
// there and forward again changes nothing.
func TestLastWrite(t *testing.T) {
	ctx := context.Background()
	d, _ := start(t, sortO2, Options{})
	require.Equal(t, arcv2dsp.StopExited, d.Continue(ctx, Limits{}).Reason)
	end := d.state(t)
	endInsts := d.Position().Insts
	addr, ok := d.m.Symbol("checksum")
	require.True(t, ok)
	var word [4]byte
	require.NoError(t, d.ReadMemory(addr, word[:]))
	require.Equal(t, [4]byte{0x34, 0x87, 0x96, 0x46}, word, "the checksum in expected.tsv")

	var (
		s     Stop
		found bool
		err   error
	)
	took := cputime.Of(t, func() { s, found, err = d.LastWrite(ctx, addr, 4) })
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
	require.Equal(t, arcv2dsp.StopExited, d.Continue(ctx, Limits{}).Reason)
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
		if s.Reason != arcv2dsp.StopBreakpoint {
			require.Equal(t, arcv2dsp.StopExited, s.Reason)
			break
		}
		forward = append(forward, d.state(t))
	}
	require.Greater(t, len(forward), 10)
	for i := len(forward) - 1; i >= 0; i-- {
		s, err := d.ReverseContinue(ctx)
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopBreakpoint, s.Reason)
		require.Equal(t, forward[i], d.state(t), i)
	}
	s, err := d.ReverseContinue(ctx)
	require.NoError(t, err)
	require.Equal(t, HistoryStart, s.Reason)
	require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
	require.Equal(t, forward[0], d.state(t))
}

// TestConditionalSpeed: conditions over registers, variables in the frame and globals are evaluated
// a million times a second; the limit here is lower, for machines that do other things, too.
func TestConditionalSpeed(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	ctx := context.Background()
	for _, row := range []struct{ at, condition string }{
		{at: "sort.c:10", condition: "$r2 == 0x12345678"},
		{at: "sort.c:10", condition: "j == 1000"},
		{at: "sort.c:10", condition: "checksum != 0 && i > j"},
	} {
		d, _ := start(t, sortO0, Options{})
		_, err := d.Break(row.at, "", true)
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(ctx, Limits{}).Reason)
		d.SetConvenience("tried", 0)
		_, err = d.Break("*"+fmt.Sprint(loopHead(t, d)), "($tried++, "+row.condition+")", false)
		require.NoError(t, err)
		var s Stop
		took := cputime.Of(t, func() { s = d.Continue(ctx, Limits{Insts: 250_000}) })
		require.Equal(t, arcv2dsp.StopInstLimit, s.Reason)
		tried, err := d.Eval("$tried")
		require.NoError(t, err)
		hits := tried.Num
		require.Greater(t, hits, int64(5_000))
		t.Logf("%s: %d hits in %v: %.2f million/s", row.condition, hits, took, float64(hits)/took.Seconds()/1e6)
		require.Greater(t, float64(hits)/took.Seconds(), 0.2e6)
	}
}

// loopHead returns the address of the instruction that the inner loop of insertion executes most.
func loopHead(t testing.TB, d *Debugger) uint32 {
	t.Helper()
	count := map[uint32]int{}
	for range 2_000 {
		d.StepInst(context.Background(), 1, false)
		count[d.PC()]++
	}
	best := uint32(0)
	for pc, n := range count {
		if n > count[best] || n == count[best] && pc < best {
			best = pc
		}
	}
	return best
}

// TestSnapshotCost: recording costs little time and memory.
func TestSnapshotCost(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	ctx := context.Background()
	path := "../../testdata/elf/perf/sort_em4_dmips.elf"
	run := func(opt Options, used int) (time.Duration, *Debugger) {
		best, last := time.Hour, (*Debugger)(nil)
		for range 2 {
			d, _ := start(t, path, opt)
			require.NoError(t, d.m.WriteMemory(0x1000_0000, make([]byte, used)))
			took := cputime.Of(t, func() { d.Continue(ctx, Limits{Insts: 60_000_000}) })
			best, last = min(best, took), d
		}
		return best, last
	}
	for _, used := range []int{0, 64 << 20} {
		free, _ := run(Options{NoHistory: true}, used)
		recorded, d := run(Options{}, used)
		info := d.HistoryInfo()
		t.Logf("with %d MB: free %v, recorded %v (%.1f %%), %d snapshots, %d KB", used>>20, free, recorded,
			100*(recorded.Seconds()/free.Seconds()-1), info.Snapshots, info.Bytes>>10)
		require.Less(t, info.Bytes, uint64(256<<20))
		require.Greater(t, info.Snapshots, 3)
	}
}

func TestMain(m *testing.M) { os.Exit(m.Run()) }
