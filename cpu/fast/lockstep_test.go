package fast_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/memory"
)

// compare returns the first difference between two processors, memory apart; "" for none.
func compare(ref, got *cpu.CPU) string {
	for r := range ref.R[:cpu.SlotZero+1] {
		if ref.R[r] != got.R[r] {
			return fmt.Sprintf("slot %d: 0x%08x, want 0x%08x", r, got.R[r], ref.R[r])
		}
	}
	for _, x := range []struct {
		name      string
		want, got any
	}{
		{"pc", ref.PC, got.PC},
		{"flags", ref.F, got.F},
		{"status", ref.Status, got.Status},
		{"lp_start", ref.LPStart, got.LPStart},
		{"lp_end", ref.LPEnd, got.LPEnd},
		{"bta", ref.BTA, got.BTA},
		{"instructions", ref.Insts, got.Insts},
		{"cycles", ref.Cycles, got.Cycles},
		{"pipe", ref.Pipe.Settled(), got.Pipe.Settled()},
		{"sticky", ref.Sticky, got.Sticky},
		{"mode", ref.Mode, got.Mode},
		{"floating point", ref.FPU, got.FPU},
		{"agu", ref.AGU, got.AGU},
		{"stalls", ref.Stalls, got.Stalls},
		{"write buffers", *ref.WriteBuffers(), *got.WriteBuffers()},
		{"exception", ref.LastException(), got.LastException()},
	} {
		if x.want != x.got {
			return fmt.Sprintf("%s: %v, want %v", x.name, x.got, x.want)
		}
	}
	wantCode, wantData := ref.Caches()
	gotCode, gotData := got.Caches()
	if !slices.Equal(wantCode, gotCode) || !slices.Equal(wantData, gotData) {
		return "the caches hold other lines"
	}
	return ""
}

// compareMemory returns the first difference between the memories.
func compareMemory(ref, got *memory.Space) string {
	a, b := ref.Snapshot(), got.Snapshot()
	zero := new([memory.PageSize]byte)
	for _, addrs := range [][]uint32{a.Addrs(), b.Addrs()} {
		for _, addr := range addrs {
			x, y := a.Page(addr), b.Page(addr)
			if x == nil {
				x = zero
			}
			if y == nil {
				y = zero
			}
			for i := range x {
				if x[i] != y[i] {
					return fmt.Sprintf("memory at 0x%08x: 0x%02x, want 0x%02x", addr+uint32(i), y[i], x[i])
				}
			}
		}
	}
	return ""
}

// deadlines are the lengths of the pieces, in cycles, that lockstep cuts runs into.
var deadlines = []uint64{1, 7, 97, 1009, 100003}

// lockstep runs two processors in pieces and compares them after each. It returns the difference
// and where the piece began.
func lockstep(ref, got *cpu.CPU, limit uint64, piece func() uint64) (diff string) {
	return lockstepAll(ref, []*cpu.CPU{got}, limit, piece)
}

// lockstepAll is lockstep for several processors beside the one that is right.
func lockstepAll(ref *cpu.CPU, others []*cpu.CPU, limit uint64, piece func() uint64) (diff string) {
	for ref.Cycles < limit {
		from, at := ref.PC, ref.Cycles
		until := ref.Cycles + piece()
		s1 := ref.Run(until)
		for i, got := range others {
			s2 := got.Run(until)
			if s1.Reason != s2.Reason || s1.PC != s2.PC {
				return fmt.Sprintf("engine %d, in cycles from %d at 0x%x: stopped by %v at 0x%x, want %v at 0x%x",
					i, at, from, s2.Reason, s2.PC, s1.Reason, s1.PC)
			}
			if diff := compare(ref, got); diff != "" {
				return fmt.Sprintf("engine %d, in cycles %d to %d from 0x%x: %s", i, at, ref.Cycles, from, diff)
			}
		}
		if s1.Reason != cpu.StopCycleLimit {
			break
		}
	}
	for i, got := range others {
		if diff := compareMemory(ref.Mem, got.Mem); diff != "" {
			return fmt.Sprintf("engine %d: %s", i, diff)
		}
	}
	return ""
}

// TestLockstepPrograms runs compiled programs in pieces of odd lengths.
func TestLockstepPrograms(t *testing.T) {
	files, err := filepath.Glob("../../testdata/elf/small/*.elf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for i, file := range files {
		if !level.Wants(i, 4, 23) {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			cfg := em9d()
			if strings.Contains(file, "hs38") {
				cfg = hs38()
			}
			rng := rand.New(rand.NewPCG(1, 2))
			for _, n := range append(deadlines, 0) {
				ref, got := newCPU(t, cfg, false), newCPU(t, cfg, true)
				compiled.Load(t, ref, file)
				compiled.Load(t, got, file)
				limit := min(5000*n+50_000, 1_000_000)
				diff := lockstep(ref, got, limit, func() uint64 {
					if n == 0 {
						return 1 + rng.Uint64N(300)
					}
					return n
				})
				require.Empty(t, diff, "pieces of %d cycles", n)
			}
		})
	}
}

// TestLockstepKernels switches tasks by interrupts on the leaf and compiled, in pieces of odd lengths, on a core without
// caches and on one with.
func TestLockstepKernels(t *testing.T) {
	for i, name := range kernels {
		for k, compile := range []bool{false, true} {
			if !level.Wants(i+k, 2, 2) { // one of the two, in turn
				continue
			}
			t.Run(fmt.Sprintf("%s, compiled %v", name, compile), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(k)))
				for j, n := range append(deadlines, 0) {
					cfg := em9d()
					if (i+j)%2 == 0 {
						cfg = cached(cfg)
					}
					e := fast.New()
					if compile {
						if err := e.CompileAt(2); err != nil {
							t.Skip(err)
						}
					}
					// A comparison costs far more than an instruction: small pieces are of a shorter run.
					pieces, most := uint64(level.Count(5000, 5000, 1000)), uint64(level.Count(3_000_000, 1_000_000, 100_000))
					limit := min(pieces*(n+20), most)
					ref, got := ticking(t, cfg, nil, name, 1<<30), ticking(t, cfg, e, name, 1<<30)
					diff := lockstep(ref, got, limit, func() uint64 {
						if n == 0 {
							return 1 + rng.Uint64N(300)
						}
						return n
					})
					require.Empty(t, diff, "pieces of %d cycles", n)
				}
			})
		}
	}
}

// soakInsts is how many instructions a test of many shall execute: what ARCV2DSP_SOAK says, without it few.
func soakInsts(t *testing.T) uint64 {
	text := os.Getenv("ARCV2DSP_SOAK")
	if text == "" {
		return uint64(level.Count(20_000_000, 2_000_000, 200_000))
	}
	insts, err := strconv.ParseUint(text, 10, 64)
	require.NoError(t, err, "ARCV2DSP_SOAK is a number of instructions")
	return insts
}

// TestSoak runs the workloads in pieces of random lengths on the leaf and on compiled code, each beside the reference
// engine: as many instructions in all as ARCV2DSP_SOAK says, without it for a moment.
func TestSoak(t *testing.T) {
	list := workloads(t)
	share := soakInsts(t) / uint64(len(list))
	for i, w := range list {
		t.Run(w.name, func(t *testing.T) {
			for k, compile := range []bool{false, true} {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(k)))
				var executed uint64
				for executed < share {
					cpus := [2]*cpu.CPU{newCPU(t, w.cfg(), false), newCPU(t, w.cfg(), true)}
					if compile {
						cpus[1], _ = newNative(t, w.cfg())
					}
					for _, c := range cpus {
						c.Host = &compiled.Console{}
						compiled.Load(t, c, w.file)
					}
					longest := uint64(1) << (4 + rng.IntN(17))
					diff := lockstep(cpus[0], cpus[1], min(2*share, 20_000_000), func() uint64 { return 1 + rng.Uint64N(longest) })
					require.Empty(t, diff, "compiled: %v, pieces of %d cycles and less", compile, longest)
					executed += cpus[0].Insts
				}
			}
		})
	}
}
