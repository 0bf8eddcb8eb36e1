package bench

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/cputime"
	"arcv2dsp/mlikernels"
)

// BenchmarkEngines measures the calls that stand for kernels on em9d, on the block engine and on compiled code:
// CPU time of the guest's run alone, in turns in one process, the least of the calls after the first ones, and
// how much faster compiled code is. The last line is the geometric mean, the line before it the worst one.
func BenchmarkEngines(b *testing.B) {
	const (
		warm = 4_000_000 // cycles of calls that are not counted
		most = 400       // calls of a kernel on an engine
	)
	engines := [...]arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineJIT}
	var libs libraries
	var logs, sums [2]float64
	count, worst, worstName := 0, math.Inf(1), ""
	for _, s := range Subjects() {
		if s.Kind != Kernel {
			continue
		}
		b.Run(s.Name, func(b *testing.B) {
			call, err := s.kernel()
			require.NoError(b, err)
			lib, err := libs.get(libraryKey{of: call.kernel.Of, variant: mlikernels.Variant{AGU: mlikernels.LargeAGU}})
			require.NoError(b, err)
			entry := lib.Entry(call.kernel.Symbol)
			var best [2]float64
			var machines [2]*mlikernels.Machine
			var cycles uint64
			for i, engine := range engines {
				best[i] = math.Inf(1)
				machines[i], err = mlikernels.NewMachine(mlikernels.MachineOptions{Core: "em9d", Library: lib, Engine: engine})
				require.NoError(b, err)
				defer machines[i].Close()
			}
			for done := uint64(0); done < 2*warm && cycles*most > done || cycles == 0; done += cycles {
				for i, k := range machines {
					m, err := k.Prepare(entry, call.kernel, call.job)
					require.NoError(b, err)
					if m.Engine() != engines[i] {
						b.Skip("no compiled code on this host")
					}
					before := m.Stats()
					d := cputime.Of(b, func() { m.Run(b.Context(), arcv2dsp.Limits{}) })
					cycles = m.Stats().Cycles - before.Cycles
					if done >= warm || done >= cycles*most/2 {
						best[i] = min(best[i], float64(d.Nanoseconds()))
					}
				}
			}
			ratio := best[0] / best[1]
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(best[0]/1e3, "us-T1")
			b.ReportMetric(best[1]/1e3, "us-T2")
			b.ReportMetric(ratio, "ratio")
			b.ReportMetric(float64(cycles), "cycles")
			for i := range logs {
				logs[i] += math.Log(best[i])
				sums[i] += best[i]
			}
			count++
			if ratio < worst {
				worst, worstName = ratio, s.Name
			}
		})
	}
	if count > 0 {
		b.Run("worst/"+worstName, func(b *testing.B) {
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(worst, "ratio")
		})
		b.Run("geomean", func(b *testing.B) {
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(math.Exp((logs[0]-logs[1])/float64(count)), "ratio")
			b.ReportMetric(sums[0]/sums[1], "ratio-of-sums")
		})
	}
}
