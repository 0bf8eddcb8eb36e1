package fast_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/testkit/compiled"
	"arcv2dsp/internal/testkit/cputime"
)

// BenchmarkCompiled measures compiled code beside the leaf in one process, in turns: CPU time of the thread,
// best of the runs. The last line is the geometric mean over the long compiled programs.
func BenchmarkCompiled(b *testing.B) {
	rate := hostRate(b)
	const limit = 40_000_000
	var logs float64
	var n int
	for _, w := range workloads(b) {
		b.Run(w.name, func(b *testing.B) {
			best := [2]float64{math.Inf(1), math.Inf(1)}
			var bytes, insts int
			var compiling time.Duration
			for range max(b.N, 3) {
				for k := range best {
					c := newCPU(b, w.cfg(), false)
					e := fast.New()
					if k == 1 {
						if err := e.Compile(); err != nil {
							b.Skip(err)
						}
						start := time.Now()
						e.Time(func() time.Duration { return time.Since(start) })
					}
					c.SetEngine(e)
					c.Host = &compiled.Console{}
					compiled.Load(b, c, w.file)
					c.InstLimit = limit / 10
					c.Run(cpu.NoLimit)
					before := c.Insts
					c.InstLimit = limit
					d := cputime.Of(b, func() { c.Run(cpu.NoLimit) })
					best[k] = min(best[k], d.Seconds()/float64(c.Insts-before))
					if k == 1 {
						insts, _, bytes = e.Compiled()
						compiling = e.Compiling()
					}
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(1e-6/best[0], "MIPS-T1")
			b.ReportMetric(1e-6/best[1], "MIPS-T2")
			b.ReportMetric(best[1]*rate, "cycles/inst")
			b.ReportMetric(best[0]/best[1], "ratio")
			if insts > 0 {
				b.ReportMetric(float64(bytes)/float64(insts), "bytes/inst")
				b.ReportMetric(float64(compiling.Nanoseconds())/float64(insts)/1e3, "compile-us/inst")
			}
			if strings.Contains(w.file, "/perf/") {
				logs += math.Log(best[0] / best[1])
				n++
			}
		})
	}
	if n > 0 {
		b.Run("geomean", func(b *testing.B) {
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(math.Exp(logs/float64(n)), "ratio")
		})
	}
}
