// Package compiled is for tests that run the compiled C programs of testdata/elf on a bare core: it
// loads them, serves their host calls and reads the tables of what they should give.
//
// Start with Load.
package compiled

import (
	"debug/elf"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
)

// Load puts an executable into memory and PC at its entry; it returns the symbols.
func Load(t testing.TB, c *cpu.CPU, path string) map[string]uint32 {
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

// Console serves the two calls of the long programs: 1 exit, 4 write.
type Console struct {
	Out  strings.Builder
	Exit uint32
}

// SWI implements the host of a core.
func (h *Console) SWI(c *cpu.CPU) (handled, stop bool) {
	switch c.Reg(8) {
	case 1:
		h.Exit = c.Reg(0)
		return true, true
	case 4:
		buf := make([]byte, min(c.Reg(2), 256))
		if err := c.Mem.Peek(c.Reg(1), buf); err != nil {
			return false, false
		}
		h.Out.Write(buf)
		c.SetReg(0, uint32(len(buf)))
		return true, false
	}
	return false, false
}

// Table reads a file of expected results: names, and the fields behind each.
func Table(t testing.TB, path string) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	rows := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) > 1 && !strings.HasPrefix(line, "#") {
			rows[fields[0]] = fields[1:]
		}
	}
	return rows
}
