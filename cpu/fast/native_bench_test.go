package fast_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/internal/dev/testkit/cputime"
)

// race is a measurement of compiled code beside the leaf in one process, in turns: CPU time of the thread,
// best of the runs.
type race struct {
	best   [2]float64   // least seconds of the leaf and of compiled code
	engine *fast.Engine // the last that compiled
}

// run measures once each what prepare makes ready: it returns how to run it, and what one of its units is.
func (r *race) run(b *testing.B, prepare func(e *fast.Engine) (run func(), units func() float64)) {
	r.best = [2]float64{math.Inf(1), math.Inf(1)}
	for range max(b.N, 3) {
		for k := range r.best {
			e := fast.New()
			if k == 1 {
				if err := e.Compile(); err != nil {
					b.Skip(err)
				}
				r.engine = e
			}
			run, units := prepare(e)
			d := cputime.Of(b, run)
			r.best[k] = min(r.best[k], d.Seconds()/units())
		}
	}
	b.ReportMetric(0, "ns/op")
}

func (r *race) ratio() float64 { return r.best[0] / r.best[1] }

// BenchmarkCompiled measures compiled code beside the leaf: programs in guest MIPS, among them the one with a
// large footprint, loops in nanoseconds per iteration. The last line is the geometric mean over the long
// compiled programs.
func BenchmarkCompiled(b *testing.B) {
	rate := hostRate(b)
	const limit = 40_000_000
	var logs float64
	var n int
	for _, w := range workloads(b) {
		b.Run("programs/"+w.name, func(b *testing.B) {
			var r race
			r.run(b, func(e *fast.Engine) (func(), func() float64) {
				c := newCPU(b, w.cfg(), false)
				c.SetEngine(e)
				c.Host = &compiled.Console{}
				compiled.Load(b, c, w.file)
				c.InstLimit = limit / 10
				c.Run(cpu.NoLimit)
				before := c.Insts
				c.InstLimit = limit
				return func() { c.Run(cpu.NoLimit) }, func() float64 { return float64(c.Insts - before) }
			})
			b.ReportMetric(1e-6/r.best[0], "MIPS-T1")
			b.ReportMetric(1e-6/r.best[1], "MIPS-T2")
			b.ReportMetric(r.best[1]*rate, "cycles/inst")
			b.ReportMetric(r.ratio(), "ratio")
			if insts, _, bytes := r.engine.Compiled(); insts > 0 {
				b.ReportMetric(float64(bytes)/float64(insts), "bytes/inst")
			}
			if strings.Contains(w.file, "/perf/") {
				logs += math.Log(r.ratio())
				n++
			}
		})
	}
	files, err := filepath.Glob("testdata/loops/*.elf")
	require.NoError(b, err)
	for _, file := range files {
		b.Run("loops/"+strings.TrimSuffix(filepath.Base(file), ".elf"), func(b *testing.B) {
			var r race
			r.run(b, func(e *fast.Engine) (func(), func() float64) {
				c := newCPU(b, em9d(), false)
				c.SetEngine(e)
				compiled.Load(b, c, file)
				iterations := float64(loopCount(b, c))
				c.Run(100_000)
				return func() { require.Equal(b, cpu.StopExited, c.Run(cpu.NoLimit).Reason) },
					func() float64 { return iterations }
			})
			b.ReportMetric(1e9*r.best[0], "ns/iteration-T1")
			b.ReportMetric(1e9*r.best[1], "ns/iteration-T2")
			b.ReportMetric(rate*r.best[1], "cycles/iteration")
			b.ReportMetric(r.ratio(), "ratio")
		})
	}
	if n > 0 {
		b.Run("geomean", func(b *testing.B) {
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(math.Exp(logs/float64(n)), "ratio")
		})
	}
}
