package libm

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/gnutools"
)

// leftOut are sources that do not compile with these headers and that the program does not need.
var leftOut = []string{"s_isinf.c", "s_isnan.c", "sf_isinf.c", "sf_isnan.c"}

// unused tells the functions on long double and those that need more of the C library.
func unused(name string) bool {
	return strings.HasSuffix(name, "l.c") && !strings.Contains(name, "_") || strings.Contains(name, "gamma") || slices.Contains(leftOut, name)
}

func sources(t *testing.T, newlib string) (list []string) {
	for _, folder := range []string{"math", "common"} {
		files, err := filepath.Glob(filepath.Join(newlib, "libm", folder, "*.c"))
		require.NoError(t, err)
		for _, f := range files {
			name := filepath.Base(f)
			if !unused(name) && (folder == "common" || strings.Contains(name, "_")) {
				list = append(list, f)
			}
		}
	}
	require.NotEmpty(t, list)
	return list
}

func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", name, out)
}

// build compiles the library and the program with a compiler; it returns the object files.
func build(t *testing.T, newlib, values, cc string, flags ...string) []string {
	dir := t.TempDir()
	text, err := exec.Command(cc, "-print-file-name=include").Output()
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(dir, "include"), 0o777))
	for _, header := range []string{"newlib.h", "_newlib_version.h"} { // what configure would have made
		require.NoError(t, os.WriteFile(filepath.Join(dir, "include", header), nil, 0o666))
	}
	args := append(slices.Clone(flags), "-c", "-O1", "-w", "-ffp-contract=off", "-fno-builtin", "-nostdinc",
		"-isystem", strings.TrimSpace(string(text)), "-isystem", filepath.Join(newlib, "libc", "include"),
		"-Iinclude", "-I"+filepath.Join(newlib, "libm", "common"))
	command(t, dir, cc, append(append(args, sources(t, newlib)...), values)...)
	objects, err := filepath.Glob(filepath.Join(dir, "*.o"))
	require.NoError(t, err)
	// only what is needed of the library is to be linked
	var library []string
	for _, o := range objects {
		if filepath.Base(o) != "values.o" {
			library = append(library, o)
		}
	}
	archive := filepath.Join(dir, "libm.a")
	command(t, dir, strings.TrimSuffix(cc, "gcc")+"ar", append([]string{"rcs", archive}, library...)...)
	return []string{filepath.Join(dir, "values.o"), archive}
}

func TestValues(t *testing.T) {
	dir := os.Getenv("ARCV2DSP_ORACLE_DIR")
	if dir == "" {
		t.Skip("needs ARCV2DSP_ORACLE_DIR, see internal/dev/oracle/fetch.sh")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("needs an x86-64 host, which newlib's headers know")
	}
	cross := gnutools.Path(t, "gcc")
	here, err := os.Getwd()
	require.NoError(t, err)
	values, printer := filepath.Join(here, "testdata", "values.c"), filepath.Join(here, "testdata", "print.c")
	support := filepath.Join(here, "..", "torture", "runtime")
	newlib := filepath.Join(dir, "newlib-4.1.0", "newlib")
	tmp := t.TempDir()

	host := filepath.Join(tmp, "host")
	command(t, tmp, "gcc", append([]string{"-o", host, printer}, build(t, newlib, values, "gcc")...)...)
	want, err := exec.Command(host).Output()
	require.NoError(t, err)
	require.Equal(t, 43, bytes.Count(want, []byte("\n")))

	guest := filepath.Join(tmp, "guest.elf")
	core := []string{"-mcpu=hs38_linux", "-fno-pic", "-U__linux__", "-Ulinux", "-U__unix__"}
	objects := build(t, newlib, values, cross, core...)
	args := []string{"-mcpu=hs38_linux", "-O2", "-w", "-static", "-nostdlib", "-ffreestanding", "-fno-builtin", "-fno-pic", "-no-pie",
		"-fno-tree-loop-distribute-patterns", "-isystem", filepath.Join(support, "include"), "-T", filepath.Join(support, "link.ld"),
		"-Wl,--build-id=none,-z,max-page-size=0x2000,-z,muldefs", "-o", guest, filepath.Join(support, "start.S"), printer}
	command(t, tmp, cross, append(append(args, objects...), filepath.Join(support, "libc.c"), "-lgcc")...)
	for _, kind := range []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineReference} {
		var out bytes.Buffer
		m, err := arcv2dsp.New(arcv2dsp.Config{Core: "hs38", Engine: kind, Stdout: &out, Stderr: &out})
		require.NoError(t, err)
		require.NoError(t, m.LoadFile(guest))
		stop, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: 1_000_000_000, Timeout: 5 * time.Minute})
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopExited, stop.Reason, "%v at %s\n%s", stop.Reason, m.Locate(stop.PC), out.String())
		require.Equal(t, string(want), out.String(), "%s engine", kind)
		require.NoError(t, m.Close())
	}
}
