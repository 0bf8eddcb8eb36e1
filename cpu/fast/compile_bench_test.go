package fast_test

import (
	"strings"
	"testing"
	"time"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/internal/dev/testkit/cputime"
)

// BenchmarkCompile measures compilation: CPU time and bytes per guest instruction of a program, each counted once and
// as often as it is compiled, over the long compiled programs and the one with a large footprint.
func BenchmarkCompile(b *testing.B) {
	for _, w := range workloads(b) {
		if !strings.Contains(w.file, "/perf/") && w.name != "flat" {
			continue
		}
		b.Run(w.name, func(b *testing.B) {
			var insts, bytes, pcs int
			var spent time.Duration
			for b.Loop() {
				c := newCPU(b, w.cfg(), false)
				e := fast.New()
				if err := e.Compile(); err != nil {
					b.Skip(err)
				}
				e.Measure(func(compile func()) { spent += cputime.Of(b, compile) })
				c.SetEngine(e)
				c.Host = &compiled.Console{}
				compiled.Load(b, c, w.file)
				c.InstLimit = 4_000_000
				c.Run(cpu.NoLimit)
				n, _, size := e.Compiled()
				insts, bytes, pcs = insts+n, bytes+size, pcs+e.CompiledPCs()
				e.Interpret()
			}
			b.ReportMetric(0, "ns/op")
			us := float64(spent.Nanoseconds()) / 1e3
			b.ReportMetric(float64(pcs)/float64(b.N), "guest")
			b.ReportMetric(float64(bytes)/float64(pcs), "bytes/guest")
			b.ReportMetric(us/float64(pcs), "us/guest")
			b.ReportMetric(float64(insts)/float64(b.N), "insts")
			b.ReportMetric(float64(bytes)/float64(insts), "bytes/inst")
			b.ReportMetric(us/float64(insts), "us/inst")
		})
	}
}
