package cpu_test

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/dspunit"
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

// loadELF puts an executable into memory and PC at its entry; it returns the symbols.
func loadELF(t testing.TB, c *cpu.CPU, path string) map[string]uint32 {
	t.Helper()
	f, err := elf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type != elf.PT_LOAD || p.Filesz == 0 {
			continue
		}
		data := make([]byte, p.Filesz)
		_, err := p.ReadAt(data, 0)
		require.NoError(t, err)
		require.NoError(t, c.Mem.Poke(uint32(p.Paddr), data))
	}
	symbols := map[string]uint32{}
	syms, err := f.Symbols()
	require.NoError(t, err)
	for _, s := range syms {
		symbols[s.Name] = uint32(s.Value)
	}
	c.PC = uint32(f.Entry)
	return symbols
}

func word(t testing.TB, c *cpu.CPU, addr uint32) uint32 {
	t.Helper()
	v, f := c.Mem.Load(addr, 4)
	require.Nil(t, f)
	return uint32(v)
}

// checksums reads the table of expected results.
func checksums(t testing.TB, path string) map[string]uint32 {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	sums := map[string]uint32{}
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) != 2 || strings.HasPrefix(line, "#") {
			continue
		}
		v, err := strconv.ParseUint(fields[1], 0, 32)
		require.NoError(t, err)
		sums[fields[0]] = uint32(v)
	}
	return sums
}

// TestSmallPrograms runs what the compiler made of five C programs for three cores at three levels
// of optimisation.
func TestSmallPrograms(t *testing.T) {
	const dir = "../testdata/elf/small"
	sums := checksums(t, filepath.Join(dir, "expected.tsv"))
	files, err := filepath.Glob(filepath.Join(dir, "*.elf"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
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
				symbols := loadELF(t, c, file)
				stop := c.Run(200_000_000)
				program, _, _ := strings.Cut(name, "-")
				last := c.LastException()
				require.Equal(t, cpu.StopHalt, stop.Kind, "%v at 0x%08x, %v", stop.Kind, stop.PC, last.String())
				require.Equal(t, sums[program], c.Reg(0))
				require.Equal(t, sums[program], word(t, c, symbols["checksum"]))
				require.EqualValues(t, 0x600d600d, word(t, c, symbols["done"]))
				require.Equal(t, c.Cycles-c.Insts, c.Stalls.Total())
				states = append(states, c.SaveState())
			}
			require.True(t, bytes.Equal(states[0], states[1]), "the engines agree about everything")
		})
	}
}
