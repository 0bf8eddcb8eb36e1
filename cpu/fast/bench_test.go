package fast_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/internal/dev/testkit/cputime"
	"arcv2dsp/internal/dev/testkit/level"
)

// workload is a program whose execution speed is measured.
type workload struct {
	name string
	file string
	cfg  func() cpu.Config
}

// workloads are the kernels, the program with a large footprint and the long compiled programs.
func workloads(t testing.TB) []workload {
	var list []workload
	for _, dir := range []string{"testdata/kernels", "../../testdata/elf/perf"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.elf"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			cfg := em9d
			if strings.Contains(file, "hs38") {
				cfg = hs38
			}
			list = append(list, workload{
				name: strings.TrimSuffix(filepath.Base(file), ".elf"), file: file, cfg: cfg,
			})
		}
	}
	return list
}

// speed runs a workload, at most for the given number of instructions, and returns how many it
// executed in which CPU time. The code is warm: it has run before.
func (w *workload) speed(t testing.TB, engine bool, limit uint64) (insts uint64, d time.Duration) {
	c := newCPU(t, w.cfg(), engine)
	c.Host = &compiled.Console{}
	compiled.Load(t, c, w.file)
	c.InstLimit = limit / 10
	c.Run(cpu.NoLimit)
	before := c.Insts
	c.InstLimit = limit
	d = cputime.Of(t, func() { c.Run(cpu.NoLimit) })
	return c.Insts - before, d
}

// BenchmarkEngine measures both engines in guest MIPS and host cycles per guest instruction. Times
// are CPU times of the thread, best of the runs asked for; the clock is calibrated by a loop in the
// same process.
func BenchmarkEngine(b *testing.B) {
	rate := hostRate(b)
	for _, engine := range []struct {
		name  string
		fast  bool
		limit uint64
	}{{"ref", false, 3_000_000}, {"fast", true, 40_000_000}} {
		var logs float64
		var n int
		for _, w := range workloads(b) {
			b.Run(engine.name+"/"+w.name, func(b *testing.B) {
				best := math.Inf(1)
				for range max(b.N, 3) {
					insts, d := w.speed(b, engine.fast, engine.limit)
					best = min(best, d.Seconds()/float64(insts))
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(1e-6/best, "MIPS")
				b.ReportMetric(best*rate, "cycles/inst")
				logs += math.Log(best)
				n++
			})
		}
		if n > 0 {
			b.Run(engine.name+"/geomean", func(b *testing.B) {
				best := math.Exp(logs / float64(n))
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(1e-6/best, "MIPS")
				b.ReportMetric(best*rate, "cycles/inst")
			})
		}
	}
}

// kernels are programs that timers interrupt every few thousand cycles to switch tasks.
var kernels = []string{"kernel", "dispatch", "threads"}

// ticking is a core with an engine and one of the kernels, for a number of ticks.
func ticking(t testing.TB, cfg cpu.Config, e cpu.Engine, name string, cycles uint32) *cpu.CPU {
	cfg.StackCheck, cfg.FastIRQ, cfg.Banks, cfg.Levels = true, true, 2, 4
	c := newCPU(t, cfg, false)
	c.SetEngine(e)
	c.Host = &compiled.Console{}
	if limit, ok := compiled.Load(t, c, "../../testdata/guest/elf/"+name+".elf")["limit"]; ok {
		require.NoError(t, c.Mem.Poke(limit, binary.LittleEndian.AppendUint32(nil, cycles)))
	}
	return c
}

// BenchmarkTicks measures the kernels on the leaf and compiled, with their own timers and with ticks every 500 cycles: CPU
// time, best of the runs asked for. With so many ticks the threads see that some of them starve, and end.
func BenchmarkTicks(b *testing.B) {
	const cycles = 20_000_000
	rate := hostRate(b)
	for _, name := range kernels {
		for _, period := range []uint32{0, 500} {
			if name == "threads" && period != 0 {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d", name, period), func(b *testing.B) {
				var r race
				r.run(b, func(e *fast.Engine) (func(), func() float64) {
					c := ticking(b, em9d(), e, name, cycles)
					c.Run(10_000)
					if period != 0 {
						require.True(b, c.SetAux(0x23, period-1))
						require.True(b, c.SetAux(0x21, 0)) // it may be beyond the limit
					}
					c.Run(cycles / 10) // decode and compile
					before := c.Insts
					return func() { require.Equal(b, cpu.StopCycleLimit, c.Run(cycles).Reason) },
						func() float64 { return float64(c.Insts - before) }
				})
				b.ReportMetric(1e-6/r.best[0], "MIPS-T1")
				b.ReportMetric(1e-6/r.best[1], "MIPS-T2")
				b.ReportMetric(r.best[1]*rate, "cycles/inst")
				b.ReportMetric(r.ratio(), "ratio")
			})
		}
	}
}

// cached is a core with the caches of the templates that have some.
func cached(cfg cpu.Config) cpu.Config {
	cfg.ICache = timing.CacheGeometry{Size: 16 << 10, Line: 32, Ways: 2}
	cfg.DCache = cfg.ICache
	return cfg
}

// TestCachedSpeed holds the speed of cores with caches, instructions and data in cached memory, against
// that of the same cores without: CPU time, the best of interleaved runs.
func TestCachedSpeed(t *testing.T) {
	level.NeedsLong(t, "it measures for most of a minute")
	const limit = 10_000_000
	list := workloads(t)
	plain, with := make([]float64, len(list)), make([]float64, len(list)) // least seconds an instruction
	ratio := 0.0
	// A neighbour on the host disturbs the caches of either run, so a bad round is followed by others.
	for round := 0; round < 9 && (round < 3 || ratio <= 0.6); round++ {
		logs := 0.0
		for i, w := range list {
			behind := w
			behind.cfg = func() cpu.Config { return cached(w.cfg()) }
			least := func(best *float64, w *workload) {
				n, d := w.speed(t, true, limit)
				if s := d.Seconds() / float64(n); round == 0 || s < *best {
					*best = s
				}
			}
			least(&plain[i], &w)
			least(&with[i], &behind)
			logs += math.Log(plain[i] / with[i])
		}
		ratio = math.Exp(logs / float64(len(list)))
	}
	for i, w := range list {
		t.Logf("%s: %.0f MIPS, with caches %.0f: %.0f %%", w.name, 1e-6/plain[i], 1e-6/with[i], 100*plain[i]/with[i])
	}
	t.Logf("geometric mean %.0f %%", 100*ratio)
	require.Greater(t, ratio, 0.6)
}

// BenchmarkLoops measures DSP loops in nanoseconds of CPU time per iteration of the innermost loop,
// the fast engine alone. Each program has the form of testdata/loops: an outer loop of r20 passes,
// and its inner loop the only zero-overhead loop that matters.
func BenchmarkLoops(b *testing.B) {
	rate := hostRate(b)
	files, err := filepath.Glob("testdata/loops/*.elf")
	require.NoError(b, err)
	require.NotEmpty(b, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".elf")
		b.Run(name, func(b *testing.B) {
			best, mips := math.Inf(1), 0.0
			for range max(b.N, 3) {
				c := newCPU(b, em9d(), true)
				compiled.Load(b, c, file)
				iterations := float64(loopCount(b, c))
				c.Run(100_000) // decode
				insts := c.Insts
				var stop cpu.Stop
				d := cputime.Of(b, func() { stop = c.Run(cpu.NoLimit) })
				require.Equal(b, cpu.StopExited, stop.Reason)
				if ns := float64(d.Nanoseconds()) / iterations; ns < best {
					best, mips = ns, float64(c.Insts-insts)/d.Seconds()/1e6
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(best, "ns/iteration")
			b.ReportMetric(best*rate/1e9, "cycles/iteration")
			b.ReportMetric(mips, "MIPS")
		})
	}
}

// loopCount runs a copy of the program far enough to read how often its inner loop will run: passes
// in r20 as the program sets it first, iterations in lp_count at the first lp.
func loopCount(b *testing.B, c *cpu.CPU) uint64 {
	probe := newCPU(b, em9d(), false)
	for addr := uint32(0x1000); addr < 0x2000; addr += 256 {
		var page [256]byte
		require.NoError(b, c.Mem.Peek(addr, page[:]))
		require.NoError(b, probe.Mem.Poke(addr, page[:]))
	}
	probe.PC = c.PC
	for probe.Insts < 1000 {
		probe.Step()
		if probe.LPStart != 0 {
			return uint64(probe.Reg(20)) * uint64(probe.Reg(60))
		}
	}
	b.Fatal("no loop")
	return 0
}
