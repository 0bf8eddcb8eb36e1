package fast_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/cpu/internal/uop"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/internal/dev/testkit/cputime"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/isa"
)

// profiled runs a program with a profile, on blocks or instruction by instruction, in pieces.
func profiled(t *testing.T, cfg cpu.Config, file string, careful bool, limit uint64) (*cpu.CPU, []*uop.Context) {
	t.Helper()
	c := newCPU(t, cfg, false)
	e := fast.New()
	if careful {
		c.SetEngine(fast.Careful{Engine: e})
	} else {
		c.SetEngine(e)
	}
	c.Host = &compiled.Console{}
	compiled.Load(t, c, file)
	e.StartProfile(c)
	rng := rand.New(rand.NewPCG(3, 4))
	for c.Cycles < limit {
		if s := c.Run(min(limit, c.Cycles+1+rng.Uint64N(limit/4))); s.Reason != cpu.StopCycleLimit {
			break
		}
	}
	return c, e.StopProfile(c)
}

// flat adds up a profile by address.
func flat(list []*uop.Context) (total uop.Cost, byPC map[uint32]uop.Cost) {
	byPC = map[uint32]uop.Cost{}
	for _, x := range list {
		for pc, c := range x.Costs {
			sum := byPC[pc]
			for _, s := range []*uop.Cost{&sum, &total} {
				s.Insts += c.Insts
				for r, n := range c.Stalls {
					s.Stalls[r] += n
				}
			}
			byPC[pc] = sum
		}
	}
	for pc, c := range byPC {
		if c == (uop.Cost{}) {
			delete(byPC, pc)
		}
	}
	return total, byPC
}

// byChain lists the costs that are not zero by chain of calls and address.
func byChain(list []*uop.Context) map[string]uop.Cost {
	costs := map[string]uop.Cost{}
	for _, x := range list {
		var chain strings.Builder
		for y := x; y != nil; y = y.Caller {
			fmt.Fprintf(&chain, "%x>%x %v;", y.Site, y.Entry, y.Handler)
		}
		for pc, c := range x.Costs {
			if *c != (uop.Cost{}) {
				costs[fmt.Sprintf("%s%x", &chain, pc)] = *c
			}
		}
	}
	return costs
}

// observed runs a program with hooks and counts by address.
func observed(t *testing.T, cfg cpu.Config, file string, limit uint64) map[uint32]uop.Cost {
	t.Helper()
	c := newCPU(t, cfg, false)
	c.Host = &compiled.Console{}
	compiled.Load(t, c, file)
	byPC := map[uint32]uop.Cost{}
	c.SetHooks(&cpu.Hooks{
		After: func(pc uint32, _ *isa.Inst) {
			sum := byPC[pc]
			sum.Insts++
			byPC[pc] = sum
		},
		Stall: func(pc uint32, r timing.Reason, n uint32) {
			sum := byPC[pc]
			sum.Stalls.Add(r, n)
			byPC[pc] = sum
		},
	})
	c.Run(limit)
	return byPC
}

// TestProfile compares profiles of the block engine with those of the reference engine, call chain
// by call chain, and with what hooks see, address by address.
func TestProfile(t *testing.T) {
	var files []string
	for _, dir := range []string{"testdata/kernels", "testdata/loops", "../../testdata/elf/perf", "../../testdata/elf/small"} {
		list, err := filepath.Glob(filepath.Join(dir, "*.elf"))
		require.NoError(t, err)
		require.NotEmpty(t, list)
		files = append(files, list...)
	}
	const limit = 700_000
	for i, file := range files {
		if !level.Wants(i, 5, 17) {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".elf"), func(t *testing.T) {
			cfg := em9d()
			if strings.Contains(file, "hs38") {
				cfg = hs38()
			}
			c, got := profiled(t, cfg, file, false, limit)
			r, want := profiled(t, cfg, file, true, limit)
			require.Empty(t, compare(r, c))
			total, byPC := flat(got)
			require.Equal(t, uop.Cost{Insts: c.Insts, Stalls: c.Stalls}, total)
			require.Equal(t, c.Cycles, total.Cycles())
			require.Equal(t, observed(t, cfg, file, limit), byPC)
			require.Equal(t, byChain(want), byChain(got))
		})
	}
}

// TestProfileCost holds a profile to less than three times the time of a plain run on each engine,
// over all workloads. Each is the best of a few runs.
func TestProfileCost(t *testing.T) {
	level.NeedsLong(t, "it measures time")
	for _, engine := range []struct {
		name    string
		careful bool
		limit   uint64
	}{{"blocks", false, 6_000_000}, {"reference", true, 500_000}} {
		t.Run(engine.name, func(t *testing.T) {
			var plain, profile time.Duration
			for _, w := range workloads(t) {
				p := profileTime(t, w, engine.careful, false, engine.limit)
				q := profileTime(t, w, engine.careful, true, engine.limit)
				t.Logf("%-20s %8v plain, %8v with a profile: %.2f", w.name,
					p.Round(time.Microsecond), q.Round(time.Microsecond), float64(q)/float64(p))
				plain, profile = plain+p, profile+q
			}
			t.Logf("together %.2f", float64(profile)/float64(plain))
			require.Less(t, profile, 3*plain)
		})
	}
}

// profileTime returns the least CPU time that a workload takes, with a profile or without.
func profileTime(t *testing.T, w workload, careful, profile bool, limit uint64) (best time.Duration) {
	for i := range 3 {
		c := newCPU(t, w.cfg(), false)
		e := fast.New()
		switch {
		case !careful:
			c.SetEngine(e)
		case profile:
			c.SetEngine(fast.Careful{Engine: e})
		}
		c.Host = &compiled.Console{}
		compiled.Load(t, c, w.file)
		if profile {
			e.StartProfile(c)
		}
		c.InstLimit = limit
		took := cputime.Of(t, func() {
			c.Run(cpu.NoLimit)
			e.StopProfile(c)
		})
		if i == 0 || took < best {
			best = took
		}
	}
	return best
}
