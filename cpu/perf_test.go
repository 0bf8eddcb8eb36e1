package cpu_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
)

// console serves the two calls of the perf programs: 1 exit, 4 write.
type console struct {
	out  strings.Builder
	exit uint32
}

func (h *console) SWI(c *cpu.CPU) (handled, stop bool) {
	switch c.Reg(8) {
	case 1:
		h.exit = c.Reg(0)
		return true, true
	case 4:
		buf := make([]byte, min(c.Reg(2), 256))
		if err := c.Mem.Peek(c.Reg(1), buf); err != nil {
			return false, false
		}
		h.out.Write(buf)
		c.SetReg(0, uint32(len(buf)))
		return true, false
	}
	return false, false
}

// TestPerfPrograms runs a long program to the end, all of them when ARCV2DSP_LONG is set: the
// reference engine takes a minute for that. The root package runs all on the fast engine.
func TestPerfPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds per program")
	}
	table, err := os.ReadFile("../testdata/elf/perf/expected.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(table)) {
		fields := strings.Fields(line)
		if strings.HasPrefix(line, "#") || len(fields) != 3 {
			continue
		}
		name, want := fields[0], fields[1]
		insts, err := strconv.ParseUint(fields[2], 10, 64)
		require.NoError(t, err)
		if os.Getenv("ARCV2DSP_LONG") == "" && name != "sort_em4_dmips" {
			continue
		}
		for _, e := range engines {
			t.Run(name+"/"+e.name, func(t *testing.T) { perfProgram(t, name, e.make(), want, insts) })
		}
	}
}

func perfProgram(t *testing.T, name string, e cpu.Engine, want string, insts uint64) {
	cfg := em9d()
	if strings.Contains(name, "hs38") {
		cfg = hs()
	}
	c := newCPU(t, cfg)
	c.SetEngine(e)
	h := &console{}
	c.Host = h
	loadELF(t, c, "../testdata/elf/perf/"+name+".elf")
	stop := c.Run(cpu.NoLimit)
	last := c.LastException()
	require.Equal(t, cpu.StopHost, stop.Kind, last.String())
	require.Equal(t, want+"\n", h.out.String())
	require.Zero(t, h.exit)
	require.Equal(t, insts, c.Insts)
	require.Equal(t, c.Cycles-c.Insts, c.Stalls.Total())
}
