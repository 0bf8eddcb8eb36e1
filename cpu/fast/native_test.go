package fast_test

import (
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/testkit/compiled"
	"arcv2dsp/internal/testkit/level"
	"arcv2dsp/isa"
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
		n = 60
		if testing.Short() {
			n = 6
		}
	}
	for _, name := range []string{"em4", "em9d", "em9d-split", "em11d", "hs38", "hs45d"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := profiles[name]()
			const apart = 1_000_000 // from the seeds of other streams
			for seed := *first + apart; seed < *first+apart+uint64(n); seed++ {
				s := &stream{
					rng: rand.New(rand.NewPCG(seed, 78)), cfg: cfg, dec: isa.NewDecoder(cfg.Features),
					ports: cfg.Features.Has(isa.AGU), loops: true,
				}
				s.write(12)
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

// TestNativeStress runs compiled code in eight machines at once, in pieces of random lengths, while the garbage
// collector runs as often as it can and the CPU profiler interrupts: the state in the end is that of the leaf.
func TestNativeStress(t *testing.T) {
	const file, limit = "../../testdata/elf/small/sort-em4-O2.elf", 2_000_000
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		defer pprof.StopCPUProfile()
	}
	ref := newCPU(t, em9d(), true)
	compiled.Load(t, ref, file)
	ref.Run(limit)
	var cpus [8]*cpu.CPU
	for i := range cpus {
		cpus[i], _ = newNative(t, em9d())
		compiled.Load(t, cpus[i], file)
	}
	var wait sync.WaitGroup
	for i, c := range cpus {
		wait.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 7))
			for c.Cycles < limit && c.Status&cpu.StatusH == 0 {
				c.Run(min(limit, c.Cycles+1+rng.Uint64N(20_000)))
				garbage[i] = make([]byte, 1<<12)
			}
		})
	}
	wait.Wait()
	for i, c := range cpus {
		require.Empty(t, compare(ref, c), "machine %d", i)
		require.Empty(t, compareMemory(ref.Mem, c.Mem), "machine %d", i)
	}
}

var garbage [8][]byte
