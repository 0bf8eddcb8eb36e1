package main

import (
	"bytes"
	"debug/elf"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/internal/dev/testkit/level"
)

// TestExportedLines: a program that links a kernel exported with -g is debugged in the kernel's source.
// The objects have no constants of the sources among their symbols.
func TestExportedLines(t *testing.T) {
	level.NeedsPlain(t, "assembles both libraries with lines")
	dir := t.TempDir()
	var out, errs bytes.Buffer
	require.Zero(t, Main([]string{"kernels", "export", "-g", "-o", filepath.Join(dir, "mli")}, strings.NewReader(""), &out, &errs), errs.String())
	objects, err := filepath.Glob(filepath.Join(dir, "mli", "obj", "*", "*.o"))
	require.NoError(t, err)
	require.Greater(t, len(objects), 273)
	for _, name := range objects {
		f, err := elf.Open(name)
		require.NoError(t, err)
		symbols, err := f.Symbols()
		require.NoError(t, err)
		require.NoError(t, f.Close())
		for _, sym := range symbols {
			require.NotEqual(t, elf.SHN_ABS, sym.Section, "%s has the constant %s among its symbols", name, sym.Name)
		}
	}

	start, err := asm.AssembleString(asm.Options{CPU: "em9d"}, "start.s", `
		.global __start
	__start: bl mli_krn_relu_fx8
		flag 1
	`)
	require.NoError(t, err)
	object, err := start.Bytes()
	require.NoError(t, err)
	archive, err := os.ReadFile(filepath.Join(dir, "mli", "lib", "libmli_arcv2.a"))
	require.NoError(t, err)
	program, err := link.Link(link.Options{}, []link.Input{{Name: "start.o", Data: object}, {Name: "libmli_arcv2.a", Data: archive}})
	require.NoError(t, err)
	data, err := program.Bytes()
	require.NoError(t, err)
	file := filepath.Join(dir, "net.elf")
	require.NoError(t, os.WriteFile(file, data, 0o755))

	out.Reset()
	Main([]string{"debug", file}, strings.NewReader("break mli_krn_relu_fx8\ncontinue\nnext\nquit\n"), &out, &errs)
	require.Regexp(t, `Breakpoint 1, mli_krn_relu_fx8 \(\) at .*relu\.inc:\d+\n\d+\t\tFLAT_TENSORS r0,r2,r4\n`, out.String(), errs.String())
	require.Regexp(t, `\n\d+\t\tFLAT_REFUSALS\n`, out.String())
}
