package arcv2dsp_test

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/loader"
)

// BenchmarkNew is the price of a machine, BenchmarkReset that of using one again.
func BenchmarkNew(b *testing.B) {
	im, err := loader.Open(guests + "halt.elf")
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		m, err := arcv2dsp.New(arcv2dsp.Config{})
		require.NoError(b, err)
		require.NoError(b, m.Load(im))
		_, err = m.Run(context.Background(), arcv2dsp.Limits{})
		require.NoError(b, err)
	}
}

func BenchmarkReset(b *testing.B) {
	im, err := loader.Open(guests + "halt.elf")
	require.NoError(b, err)
	m, err := arcv2dsp.New(arcv2dsp.Config{})
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		m.Reset()
		require.NoError(b, m.Load(im))
		_, err = m.Run(context.Background(), arcv2dsp.Limits{})
		require.NoError(b, err)
	}
}

// BenchmarkTrace is one traced instruction.
func BenchmarkTrace(b *testing.B) {
	for name, format := range map[string]arcv2dsp.TraceFormat{
		"text": arcv2dsp.TraceText, "csv": arcv2dsp.TraceCSV, "jsonl": arcv2dsp.TraceJSONL,
	} {
		b.Run(name, func(b *testing.B) {
			m := newMachine(b, arcv2dsp.Config{}, "testdata/elf/perf/sort_em4_dmips.elf")
			t := m.StartTrace(io.Discard, format)
			for b.Loop() {
				_, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: 1000})
				require.NoError(b, err)
			}
			require.NoError(b, t.Close())
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(m.Stats().Insts), "ns/inst")
		})
	}
}

// BenchmarkSnapshot is taking a snapshot and going back to it in a program with 1 MB of data.
func BenchmarkSnapshot(b *testing.B) {
	m := newMachine(b, arcv2dsp.Config{}, "testdata/elf/perf/sort_em4_dmips.elf")
	run(b, m, arcv2dsp.Limits{Insts: 1e6})
	b.ReportAllocs()
	for b.Loop() {
		s := m.Snapshot()
		run(b, m, arcv2dsp.Limits{Insts: 10000})
		require.NoError(b, m.Restore(s))
	}
}
