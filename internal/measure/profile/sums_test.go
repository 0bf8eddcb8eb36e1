package profile_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"
	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/measure/profile"
	"arcv2dsp/internal/measure/report"
)

// pprofOf reads a profile back from the form of pprof.
func pprofOf(t *testing.T, p *profile.Profile) *pprof.Profile {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.WritePprof(&b))
	got, err := pprof.Parse(&b)
	require.NoError(t, err)
	require.NoError(t, got.CheckValid())
	return got
}

// pprofTotal adds up the samples of pprof's form.
func pprofTotal(t *testing.T, p *profile.Profile) (sum arcv2dsp.Stats) {
	t.Helper()
	got := pprofOf(t, p)
	for _, s := range got.Sample {
		for i, n := range s.Value {
			switch name := got.SampleType[i].Type; name {
			case "cycles":
				sum.Cycles += uint64(n)
			case "instructions":
				sum.Insts += uint64(n)
			default:
				for r := range sum.Stalls {
					if arcv2dsp.StallReason(r).String() == name {
						sum.Stalls[r] += uint64(n)
					}
				}
			}
		}
	}
	return sum
}

var foldedLine = regexp.MustCompile(`^[^; ]+(;[^; ]+)* (\d+)$`)

// foldedCycles adds up the lines of the form of flame graphs.
func foldedCycles(t *testing.T, p *profile.Profile) (sum uint64) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.WriteFolded(&b))
	for line := range strings.Lines(b.String()) {
		f := foldedLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		require.NotNil(t, f, line)
		n, err := strconv.ParseUint(f[2], 10, 64)
		require.NoError(t, err)
		sum += n
	}
	return sum
}

var (
	listedRow  = regexp.MustCompile(`^ *(\d+) +(\d+) +[\d.]+ %  [0-9a-f]{8}  (.*)$`)
	listedLost = regexp.MustCompile(`[a-z] (\d+)`)
)

// listed adds up the columns of a listing.
func listed(t *testing.T, p *profile.Profile) (insts, cycles, lost uint64) {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, p.WriteListing(&b))
	for line := range strings.Lines(b.String()) {
		f := listedRow.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if f == nil {
			continue
		}
		for i, to := range []*uint64{&insts, &cycles} {
			n, err := strconv.ParseUint(f[i+1], 10, 64)
			require.NoError(t, err)
			*to += n
		}
		if at := strings.LastIndex(f[3], " ; "); at >= 0 {
			for _, n := range listedLost.FindAllStringSubmatch(f[3][at:], -1) {
				v, err := strconv.ParseUint(n[1], 10, 64)
				require.NoError(t, err)
				lost += v
			}
		}
	}
	return insts, cycles, lost
}

// selfCycles adds up the cycles of the frames of a flame graph.
func selfCycles(f *report.Frame) uint64 {
	if f == nil {
		return 0
	}
	sum := f.Self
	for _, g := range f.Calls {
		sum += selfCycles(g)
	}
	return sum
}

// TestSumsUnderInterrupts: every form of a profile adds up to the counters of the machine, on each engine, when the
// program is interrupted every 97 cycles: by the caller, and by timer 0 where the program has it run.
func TestSumsUnderInterrupts(t *testing.T) {
	const period, limit0 = 97, 0x23
	files, err := filepath.Glob("../../../testdata/guest/elf/*.elf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	files = append([]string{filepath.Join("testdata", program)}, files...)
	for i, file := range files {
		if !level.Wants(i, 1, 5) {
			continue
		}
		for _, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineReference, arcv2dsp.EngineFast, arcv2dsp.EngineJIT} {
			t.Run(filepath.Base(file)+"/"+engine.String(), func(t *testing.T) {
				m, err := arcv2dsp.New(arcv2dsp.Config{
					Core: "em9d", Engine: engine, Stdout: io.Discard, Stderr: io.Discard, Stdin: strings.NewReader("some input\n"),
				})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, m.Close()) })
				if err := m.LoadFile(file); errors.Is(err, arcv2dsp.ErrBigEndian) {
					t.Skip("big-endian")
				} else {
					require.NoError(t, err)
				}
				counts := m.StartProfile()
				for m.Stats().Cycles < 200*period {
					stop, err := m.Run(context.Background(), arcv2dsp.Limits{Cycles: period, Timeout: 10 * time.Second})
					require.NoError(t, err)
					if stop.Reason != arcv2dsp.StopCycleLimit {
						break
					}
					if v, ok := m.Aux(limit0); ok && v > period && v < 1<<20 {
						m.SetAux(limit0, period)
					}
				}
				p, err := profile.New(m, filepath.Base(file), counts.Stop())
				require.NoError(t, err)
				total := m.Stats()
				require.Equal(t, total, p.Total)
				require.Equal(t, total, pprofTotal(t, p))
				require.Equal(t, total.Cycles, foldedCycles(t, p))
				insts, cycles, lost := listed(t, p)
				require.Equal(t, []uint64{total.Insts, total.Cycles, total.Cycles - total.Insts}, []uint64{insts, cycles, lost})
				page := p.Page(nil)
				require.Equal(t, total.Cycles, page.Cycles)
				require.Equal(t, total.Cycles, selfCycles(page.Flame))
			})
		}
	}
}
