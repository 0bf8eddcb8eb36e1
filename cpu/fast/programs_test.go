package fast_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/cpu/internal/timing"
	"arcv2dsp/dspunit"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

const base = isa.EM | isa.CodeDensity | isa.BarrelShift | isa.ShiftAssist | isa.BitScan | isa.Swap |
	isa.DivRem | isa.AllMPY&^isa.MPY9 | isa.Atomic

// em4 is an EM without DSP, its multiplier the one that programs for em4_dmips are compiled for.
func em4() cpu.Config {
	return cpu.Config{
		Features: base, Timing: "em4", ARCVer: 0x43, MPYOption: 2, DivOption: 1,
		Interrupts: 20, External: 18, Levels: 4, Timer0: true, Timer1: true, RTC: true,
	}
}

// em9d is an EM with DSP, AGU and X/Y memory.
func em9d() cpu.Config {
	c := em4()
	c.Features |= isa.DSP | isa.DSPComplex | isa.DSPDivSqrt | isa.DSPAccShift | isa.DSPITU | isa.AGU
	c.Timing = "em9d"
	c.MPYOption = 8
	c.AGU = dspunit.AGULarge
	c.DSPDivSqrt, c.DSPAccShift = 1, 2
	c.XYConfig, c.XYSize, c.XYInterleaved = 2, 64<<10, true
	c.DCCMInterleaved = true
	return c
}

// hs38 is an HS core.
func hs38() cpu.Config {
	c := em4()
	c.Features = c.Features&^isa.EM | isa.HS | isa.MPY9 | isa.LL64
	c.Timing, c.MPYOption, c.Unaligned = "hs38", 9, true
	return c
}

// hs45d is an HS core with the DSP option.
func hs45d() cpu.Config {
	c := hs38()
	c.Features |= isa.DSP | isa.DSPComplex | isa.DSPDivSqrt | isa.DSPAccShift | isa.DSPITU
	c.DSPAccShift = 2
	return c
}

// em11d is an em9d with small caches, whose lines are soon replaced, and stack checking.
func em11d() cpu.Config {
	c := em9d()
	c.ICache = timing.CacheGeometry{Size: 1 << 10, Line: 16, Ways: 2}
	c.DCache = timing.CacheGeometry{Size: 1 << 9, Line: 32, Ways: 4}
	c.StackCheck, c.Unaligned, c.MPURegions = true, true, 4
	c.FastIRQ, c.Banks, c.BankRegs = true, 2, 8
	return c
}

// hs38c is an hs38 with direct-mapped caches, the lines of one as short as they can be.
func hs38c() cpu.Config {
	c := hs38()
	c.ICache = timing.CacheGeometry{Size: 1 << 11, Line: 4, Ways: 1}
	c.DCache = timing.CacheGeometry{Size: 1 << 9, Line: 8, Ways: 1}
	return c
}

// withFPU is a core with all of a floating-point unit; an EM has the double-precision assist.
func withFPU(c cpu.Config) cpu.Config {
	c.Features |= isa.AllFPUSingle
	if c.Has(isa.HS) {
		c.Features |= isa.AllFPUDouble
	} else {
		c.Features |= isa.FPUDoubleAssist
	}
	return c
}

// withFPX is an EM with FPX.
func withFPX(c cpu.Config) cpu.Config {
	c.Features |= isa.FPXSingle | isa.FPXDouble
	return c
}

func newCPU(t testing.TB, cfg cpu.Config, engine bool) *cpu.CPU {
	t.Helper()
	mem := memory.New(memory.RAM, 64<<20)
	if cfg.XYConfig != 0 {
		require.NoError(t, mem.Map(memory.Region{Name: "X", Kind: memory.XCCM, Base: 0xc0000000, Size: 64 << 10}))
		require.NoError(t, mem.Map(memory.Region{Name: "Y", Kind: memory.YCCM, Base: 0xe0000000, Size: 64 << 10}))
	}
	c, err := cpu.New(cfg, mem)
	require.NoError(t, err)
	if engine {
		c.SetEngine(fast.New())
	}
	return c
}

// TestSmallPrograms runs the compiled programs in both engines: checksum, instructions, cycles and
// lost cycles by reason must agree. On EM cores CPI must be plausible.
func TestSmallPrograms(t *testing.T) {
	const dir = "../../testdata/elf/small"
	sums := compiled.Table(t, filepath.Join(dir, "expected.tsv"))
	files, err := filepath.Glob(filepath.Join(dir, "*.elf"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for i, file := range files {
		if testing.Short() && i%4 != 0 {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".elf")
		cores := map[string]cpu.Config{"em4": em4(), "em9d": em9d()}
		if strings.Contains(name, "hs38") {
			cores = map[string]cpu.Config{"hs38": hs38()}
		}
		for core, cfg := range cores {
			t.Run(name+"/"+core, func(t *testing.T) {
				program, _, _ := strings.Cut(name, "-")
				want, err := strconv.ParseUint(sums[program][0], 0, 32)
				require.NoError(t, err)
				var cpus [2]*cpu.CPU
				for i := range cpus {
					c := newCPU(t, cfg, i == 1)
					symbols := compiled.Load(t, c, file)
					stop := c.Run(200_000_000)
					last := c.LastException()
					require.Equal(t, cpu.StopExited, stop.Reason, "%v at 0x%08x, %v", stop.Reason, stop.PC, last.String())
					require.EqualValues(t, want, c.Reg(0))
					done, _ := c.Mem.Load(symbols["done"], 4)
					require.EqualValues(t, 0x600d600d, done)
					require.Equal(t, c.Cycles-c.Insts, c.Stalls.Total(), "lost cycles")
					cpus[i] = c
				}
				require.Equal(t, cpus[0].Insts, cpus[1].Insts, "instructions")
				require.Equal(t, cpus[0].Cycles, cpus[1].Cycles, "cycles")
				require.Equal(t, cpus[0].Stalls, cpus[1].Stalls)
				require.Equal(t, cpus[0].R[:64], cpus[1].R[:64])
				cpi := float64(cpus[0].Cycles) / float64(cpus[0].Insts)
				t.Logf("CPI %.2f %v insts %d", cpi, cpus[0].Stalls, cpus[0].Insts)
				if core != "hs38" {
					require.InDelta(t, 1.4, cpi, 0.4, "CPI between 1.0 and 1.8")
				}
			})
		}
	}
}
