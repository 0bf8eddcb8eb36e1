package fast_test

import (
	"encoding/binary"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/internal/dev/testkit/cputime"
	"arcv2dsp/internal/dev/testkit/level"
)

// newNative makes a processor whose engine compiles blocks the second time it meets them.
func newNative(t testing.TB, cfg cpu.Config) (*cpu.CPU, *fast.Engine) {
	t.Helper()
	c := newCPU(t, cfg, false)
	e := fast.New()
	if err := e.CompileAt(2); err != nil {
		t.Skip(err)
	}
	c.SetEngine(e)
	t.Cleanup(func() { require.NoError(t, e.Fault()) })
	return c, e
}

// TestNativePrograms holds compiled code against the leaf, in pieces of some lengths.
func TestNativePrograms(t *testing.T) {
	files, err := filepath.Glob("../../testdata/elf/small/*.elf")
	require.NoError(t, err)
	for i, file := range files {
		if !level.Wants(i, 1, 11) {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			cfg := em9d()
			if strings.Contains(file, "hs38") {
				cfg = hs38()
			}
			for _, n := range []uint64{997, 10007, 1000003} {
				ref := newCPU(t, cfg, true)
				got, e := newNative(t, cfg)
				compiled.Load(t, ref, file)
				compiled.Load(t, got, file)
				diff := lockstep(ref, got, min(5000*n+50_000, 3_000_000), func() uint64 { return n })
				require.Empty(t, diff, "pieces of %d cycles", n)
				insts, blocks, bytes := e.Compiled()
				t.Logf("%d instructions in %d blocks, %d bytes", insts, blocks, bytes)
			}
		})
	}
}

// TestNativeLoops holds compiled loops against the reference engine: long ones of loads, stores and ports, from
// pointers that cross pages, in pieces that end within them.
func TestNativeLoops(t *testing.T) {
	n := *seeds
	if n == 0 {
		n = level.Count(300, 8, 3) // 300: more than a hundred million instructions
	}
	for _, name := range loopProfiles {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := profiles[name]()
			const apart = 1_000_000 // from the seeds of other streams
			for seed := *first + apart; seed < *first+apart+uint64(n); seed++ {
				s := newLoops(seed, cfg)
				image := s.image()
				table, handlers := s.handlers()
				ref, got := streamCPU(t, cfg, seed, 0, image, table, handlers), streamCPU(t, cfg, seed, 0, image, table, handlers)
				e := fast.New()
				if err := e.CompileAt(2); err != nil {
					t.Skip(err)
				}
				got.SetEngine(e)
				piece := []uint64{97, 499, 1009, 10007, 100003}[seed%5]
				diff := lockstep(ref, got, 2**streamCycles, func() uint64 { return piece })
				if diff != "" {
					t.Fatalf("seed %d: %s\nkept as %s", seed, diff, keepStream(t, name, seed, image, table, handlers, diff))
				}
			}
		})
	}
}

// stressed are the programs of TestNativeStress: one that calls itself, and one that timers interrupt.
var stressed = [2]struct {
	file string
	cfg  func() cpu.Config
}{
	{"../../testdata/elf/small/sort-em4-O2.elf", em9d},
	{"../../testdata/guest/elf/kernel.elf", func() cpu.Config {
		cfg := em9d()
		cfg.StackCheck, cfg.FastIRQ, cfg.Banks, cfg.Levels = true, true, 2, 4
		return cfg
	}},
}

// TestNativeStress runs compiled code in eight machines at once, in pieces of random lengths, while the garbage
// collector runs as often as it can and the CPU profiler interrupts: the state in the end is that of the leaf.
func TestNativeStress(t *testing.T) {
	const limit = 2_000_000
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		defer pprof.StopCPUProfile()
	}
	load := func(c *cpu.CPU, i int) {
		c.Host = &compiled.Console{}
		if at, ok := compiled.Load(t, c, stressed[i%2].file)["limit"]; ok {
			require.NoError(t, c.Mem.Poke(at, binary.LittleEndian.AppendUint32(nil, limit)))
		}
	}
	var refs [2]*cpu.CPU
	for i := range refs {
		refs[i] = newCPU(t, stressed[i].cfg(), true)
		load(refs[i], i)
		for refs[i].Cycles < limit && refs[i].Run(limit).Reason == cpu.StopCycleLimit {
		}
	}
	var cpus [8]*cpu.CPU
	for i := range cpus {
		cpus[i], _ = newNative(t, stressed[i%2].cfg())
		load(cpus[i], i)
	}
	before := pauses()
	var wait sync.WaitGroup
	for i, c := range cpus {
		wait.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 7))
			for c.Cycles < limit && c.Run(min(limit, c.Cycles+1+rng.Uint64N(20_000))).Reason == cpu.StopCycleLimit {
				garbage[i] = make([]byte, 1<<12)
			}
		})
	}
	wait.Wait()
	for i, c := range cpus {
		require.Empty(t, compare(refs[i%2], c), "machine %d", i)
		require.Empty(t, compareMemory(refs[i%2].Mem, c.Mem), "machine %d", i)
	}
	n, longest := stops(before, pauses())
	require.Positive(t, n)
	t.Logf("%d collections stopped the world, the longest for %.2g ms", n, longest*1e3)
}

var garbage [8][]byte

// pauses is how often the world has been stopped for a collection, by how long that took.
func pauses() *metrics.Float64Histogram {
	list := []metrics.Sample{{Name: "/sched/pauses/total/gc:seconds"}}
	metrics.Read(list)
	h := list[0].Value.Float64Histogram()
	return &metrics.Float64Histogram{Counts: slices.Clone(h.Counts), Buckets: h.Buckets}
}

// stops returns how many pauses there were in between, and a bound on the longest in seconds.
func stops(before, after *metrics.Float64Histogram) (n uint64, longest float64) {
	for i := range after.Counts {
		if d := after.Counts[i] - before.Counts[i]; d > 0 {
			n += d
			longest = after.Buckets[i+1]
		}
	}
	return n, longest
}

// TestStay bounds the CPU time that compiled code takes before it comes back to Go, which is how long a collection
// may have to wait for it: 10 ms.
func TestStay(t *testing.T) {
	const pieces = 20
	for _, w := range workloads(t) {
		t.Run(w.name, func(t *testing.T) {
			c, _ := newNative(t, w.cfg())
			c.Host = &compiled.Console{}
			compiled.Load(t, c, w.file)
			c.Run(3 * fast.Stay)
			before := c.Cycles
			d := cputime.Of(t, func() { c.Run(before + pieces*fast.Stay) })
			stays := float64(c.Cycles-before) / fast.Stay
			require.GreaterOrEqual(t, stays, 1.0)
			each := d.Seconds() * 1e3 / stays
			require.Less(t, each, 10.0, "milliseconds for %d cycles", fast.Stay)
			t.Logf("%.2f ms for %d cycles", each, fast.Stay)
		})
	}
}
