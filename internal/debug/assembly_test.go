package debug

import (
	"context"
	"testing"

	"arcv2dsp"

	"github.com/stretchr/testify/require"
)

// TestBreakInAssembly: a breakpoint on a function of assembly is before its first instruction, whether it saves
// registers there or not.
func TestBreakInAssembly(t *testing.T) {
	d, _ := start(t, "testdata/function.elf", Options{})
	for _, c := range []struct {
		function string
		line     int
		insts    uint64 // executed before
	}{
		{function: "f", line: 16, insts: 2},
		{function: "saves", line: 24, insts: 6},
	} {
		_, err := d.Break(c.function, "", false)
		require.NoError(t, err)
		entry, ok := d.image.Symbols.Lookup(c.function)
		require.True(t, ok)
		require.Equal(t, arcv2dsp.StopBreakpoint, d.Continue(context.Background(), Limits{}).Reason, c.function)
		require.Equal(t, entry.Addr, d.PC())
		require.Equal(t, c.insts, d.Position().Insts)
		row, ok := d.line(d.PC())
		require.True(t, ok)
		require.Equal(t, c.line, row.Line)
	}
}
