package fast_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/cpu"
	"arcv2dsp/cpu/fast"
	"arcv2dsp/internal/testkit/compiled"
)

// newNative makes a processor whose engine compiles blocks the second time it meets them.
func newNative(t testing.TB, cfg cpu.Config) (*cpu.CPU, *fast.Engine) {
	t.Helper()
	c := newCPU(t, cfg, false)
	e := fast.New()
	if err := e.CompileAt(2); err != nil {
		t.Skip(err)
	}
	c.SetEngine(e)
	return c, e
}

// TestNativePrograms holds compiled code against the leaf, in pieces of some lengths.
func TestNativePrograms(t *testing.T) {
	files, err := filepath.Glob("../../testdata/elf/small/*.elf")
	require.NoError(t, err)
	for i, file := range files {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			cfg := em9d()
			if strings.Contains(file, "hs38") {
				cfg = hs38()
			}
			for _, n := range []uint64{997, 10007, 1000003} {
				ref := newCPU(t, cfg, true)
				got, e := newNative(t, cfg)
				compiled.Load(t, ref, file)
				compiled.Load(t, got, file)
				diff := lockstep(ref, got, min(5000*n+50_000, 3_000_000), func() uint64 { return n })
				require.Empty(t, diff, "pieces of %d cycles", n)
				insts, blocks, bytes := e.Compiled()
				t.Logf("%d instructions in %d blocks, %d bytes", insts, blocks, bytes)
			}
		})
	}
}
