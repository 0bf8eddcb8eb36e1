package fast_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/internal/dev/testkit/cputime"
)

// compilation is what compiling a program takes.
type compilation struct {
	pcs   int             // instructions of the guest
	insts int             // the same, each as often as it is compiled
	bytes int             // of machine code
	least []time.Duration // CPU time of each unit, the least of all runs
}

// run executes a program and notes what compiling it takes.
func (m *compilation) run(t testing.TB, w workload) {
	c := newCPU(t, w.cfg(), false)
	e := fast.New()
	if err := e.Compile(); err != nil {
		t.Skip(err)
	}
	unit := 0
	e.Measure(func(compile func()) {
		d := cputime.Of(t, compile)
		if unit == len(m.least) {
			m.least = append(m.least, d)
		}
		m.least[unit] = min(m.least[unit], d)
		unit++
	})
	c.SetEngine(e)
	c.Host = &compiled.Console{}
	compiled.Load(t, c, w.file)
	c.InstLimit = 4_000_000
	c.Run(cpu.NoLimit)
	m.insts, _, m.bytes = e.Compiled()
	m.pcs = e.CompiledPCs()
	e.Interpret()
}

// compiledPrograms are the long compiled programs and the one with a large footprint.
func compiledPrograms(t testing.TB) (list []workload) {
	for _, w := range workloads(t) {
		if strings.Contains(w.file, "/perf/") || w.name == "flat" {
			list = append(list, w)
		}
	}
	return list
}

// BenchmarkCompile measures compilation: CPU time and bytes per guest instruction of a program, each counted once and
// as often as it is compiled. The time of a unit is the least of all runs.
func BenchmarkCompile(b *testing.B) {
	for _, w := range compiledPrograms(b) {
		b.Run(w.name, func(b *testing.B) {
			var m compilation
			for b.Loop() {
				m.run(b, w)
			}
			var us float64
			for _, d := range m.least {
				us += float64(d.Nanoseconds()) / 1e3
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(m.pcs), "guest")
			b.ReportMetric(float64(m.bytes)/float64(m.pcs), "bytes/guest")
			b.ReportMetric(us/float64(m.pcs), "us/guest")
			b.ReportMetric(float64(m.insts), "insts")
			b.ReportMetric(float64(m.bytes)/float64(m.insts), "bytes/inst")
			b.ReportMetric(us/float64(m.insts), "us/inst")
		})
	}
}

// TestCodeSize bounds the machine code of an instruction on x86-64.
func TestCodeSize(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the bounds are those of x86-64")
	}
	bounds := map[string]float64{
		"flat": 23.2, "alu_em4_dmips": 57, "alu_hs38": 57, "crc32_em4_dmips": 80, "crc32_hs38": 81.8, "dspfir_hs38": 98.4,
		"sort_em4_dmips": 46.4, "sort_hs38": 45.7,
	}
	list := compiledPrograms(t)
	require.Len(t, list, len(bounds))
	for _, w := range list {
		var m compilation
		m.run(t, w)
		require.LessOrEqual(t, float64(m.bytes)/float64(m.insts), bounds[w.name], w.name)
	}
}
