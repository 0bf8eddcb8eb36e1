package cpu_test

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// em is an EM core with everything that compiled C can use.
func em() cpu.Config {
	return cpu.Config{
		Features: isa.EM | isa.CodeDensity | isa.BarrelShift | isa.ShiftAssist | isa.BitScan | isa.Swap |
			isa.DivRem | isa.AllMPY&^isa.MPY9 | isa.Atomic,
		Timing: "em4", ARCVer: 0x43, MPYOption: 8, DivOption: 1,
		Interrupts: 20, External: 18, Levels: 4, Timer0: true, Timer1: true, RTC: true,
	}
}

// em9d is an EM9D-like core.
func em9d() cpu.Config {
	c := em()
	c.Features |= isa.DSP | isa.DSPComplex | isa.DSPDivSqrt | isa.DSPAccShift | isa.DSPITU | isa.AGU | isa.Bitstream
	c.Timing = "em9d"
	c.AGU = dspunit.AGULarge
	c.DSPDivSqrt, c.DSPAccShift = 1, 2
	return c
}

// hs is an HS38-like core.
func hs() cpu.Config {
	c := em()
	c.Features = c.Features&^isa.EM | isa.HS | isa.MPY9 | isa.LL64
	c.Timing, c.MPYOption, c.Unaligned = "hs38", 9, true
	return c
}

func newCPU(t testing.TB, cfg cpu.Config) *cpu.CPU {
	t.Helper()
	c, err := cpu.New(cfg, memory.New(memory.RAM, 64<<20))
	require.NoError(t, err)
	return c
}

func word(t testing.TB, c *cpu.CPU, addr uint32) uint32 {
	t.Helper()
	v, f := c.Mem.Load(addr, 4)
	require.Nil(t, f)
	return uint32(v)
}

// TestSmallPrograms runs what the compiler made of five C programs for three cores at three levels
// of optimisation.
func TestSmallPrograms(t *testing.T) {
	const dir = "../testdata/elf/small"
	sums := compiled.Table(t, filepath.Join(dir, "expected.tsv"))
	files, err := filepath.Glob(filepath.Join(dir, "*.elf"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for i, file := range files {
		if testing.Short() && i%4 != 0 {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(file), ".elf")
		t.Run(name, func(t *testing.T) {
			var states [][]byte
			for _, e := range engines {
				cfg := em()
				if strings.Contains(name, "hs38") {
					cfg = hs()
				}
				c := newCPU(t, cfg)
				c.SetEngine(e.make())
				symbols := compiled.Load(t, c, file)
				stop := c.Run(200_000_000)
				program, _, _ := strings.Cut(name, "-")
				last := c.LastException()
				require.Equal(t, cpu.StopExited, stop.Reason, "%v at 0x%08x, %v", stop.Reason, stop.PC, last.String())
				want, err := strconv.ParseUint(sums[program][0], 0, 32)
				require.NoError(t, err)
				require.EqualValues(t, want, c.Reg(0))
				require.EqualValues(t, want, word(t, c, symbols["checksum"]))
				require.EqualValues(t, 0x600d600d, word(t, c, symbols["done"]))
				require.Equal(t, c.Cycles-c.Insts, c.Stalls.Total())
				states = append(states, c.SaveState())
			}
			require.True(t, bytes.Equal(states[0], states[1]), "the engines agree about everything")
		})
	}
}
