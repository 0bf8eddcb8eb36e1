package fast_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
)

// soaked are the programs of TestSoakStreams. Each makes processors about to run one of its programs.
var soaked = []struct {
	name     string
	profiles []string // nil for all
	cycles   uint64   // of a program
	percent  uint64   // of the instructions: streams compile what they rewrite and so take thirty times as long as loops
	start    func(t *testing.T, cfg cpu.Config, seed uint64) func() *cpu.CPU
}{
	{name: "streams", cycles: 250_000, percent: 3, start: func(t *testing.T, cfg cpu.Config, seed uint64) func() *cpu.CPU {
		s := newStream(seed, cfg, 40)
		image := s.image()
		table, handlers := s.handlers()
		timer := []uint32{0, 0, 101, 499, 1999}[seed%5]
		return func() *cpu.CPU { return streamCPU(t, cfg, seed, timer, image, table, handlers) }
	}},
	{name: "loops", profiles: loopProfiles, cycles: 2_000_000, percent: 70, start: func(t *testing.T, cfg cpu.Config, seed uint64) func() *cpu.CPU {
		s := newLoops(seed, cfg)
		image := s.image()
		table, handlers := s.handlers()
		return func() *cpu.CPU { return streamCPU(t, cfg, seed, 0, image, table, handlers) }
	}},
	{name: "short loops", profiles: []string{"em9d"}, cycles: 120_000, percent: 27, start: func(t *testing.T, cfg cpu.Config, seed uint64) func() *cpu.CPU {
		_, code, numbers := shortImage(rand.New(rand.NewPCG(seed, 11)))
		return func() *cpu.CPU { return shortCPU(t, code, numbers) }
	}},
}

// TestSoakStreams holds blocks and compiled code against the reference engine on random programs: streams of all
// instructions, long loops, short loops. Each engine executes as many instructions as ARCV2DSP_SOAK says, without it a
// few; -seed says where the programs begin. The whole state is compared after pieces of at most 300 to 300,000 cycles. A
// program that differs is executed again in ever smaller pieces.
func TestSoakStreams(t *testing.T) {
	all := soakInsts(t)
	for _, kind := range soaked {
		share := all * kind.percent / 100
		t.Run(kind.name, func(t *testing.T) {
			names := kind.profiles
			if names == nil {
				names = slices.Sorted(maps.Keys(profiles))
			}
			var insts, programs uint64
			for seed := *first; insts < share; seed++ {
				name := names[seed%uint64(len(names))]
				cfg := profiles[name]()
				start := kind.start(t, cfg, seed)
				run := func(longest uint64) (done uint64, diff string) {
					engines := [2]*fast.Engine{fast.New(), fast.New()}
					if err := engines[1].CompileAt(2); err != nil {
						t.Skip(err)
					}
					ref, others := start(), []*cpu.CPU{start(), start()}
					for i, e := range engines {
						others[i].SetEngine(e)
					}
					rng := rand.New(rand.NewPCG(seed, longest))
					diff = lockstepAll(ref, others, kind.cycles, func() uint64 { return 1 + rng.Uint64N(longest) })
					if err := engines[1].Fault(); err != nil && diff == "" {
						diff = err.Error()
					}
					engines[1].Interpret()
					return ref.Insts, diff
				}
				longest := uint64(300)
				for range seed % 4 {
					longest *= 10
				}
				done, diff := run(longest)
				for ; diff != ""; longest /= 10 {
					t.Errorf("%s, seed %d, pieces of %d cycles and less: %s", name, seed, longest, diff)
					if longest < 10 {
						t.FailNow()
					}
					_, diff = run(longest / 10)
				}
				insts += done
				programs++
			}
			t.Logf("%d instructions of %d programs on each of three engines", insts, programs)
		})
	}
}
