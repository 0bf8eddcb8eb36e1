package cpu_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/internal/dev/testkit/compiled"
	"arcv2dsp/internal/dev/testkit/level"
)

// TestPerfPrograms runs the long programs to their ends. The root package runs them on the block engine at every level but
// the short one.
func TestPerfPrograms(t *testing.T) {
	level.NeedsLong(t, "the reference engine takes a minute")
	for name, row := range compiled.Table(t, "../testdata/elf/perf/expected.tsv") {
		insts, err := strconv.ParseUint(row[1], 10, 64)
		require.NoError(t, err)
		for _, e := range engines {
			t.Run(name+"/"+e.name, func(t *testing.T) { perfProgram(t, name, e.make(), row[0], insts) })
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
	h := &compiled.Console{}
	c.Host = h
	compiled.Load(t, c, "../testdata/elf/perf/"+name+".elf")
	stop := c.Run(cpu.NoLimit)
	last := c.LastException()
	require.Equal(t, cpu.StopExited, stop.Reason, last.String())
	require.Equal(t, want+"\n", h.Out.String())
	require.Zero(t, h.Exit)
	require.Equal(t, insts, c.Insts)
	require.Equal(t, c.Cycles-c.Insts, c.Stalls.Total())
}
