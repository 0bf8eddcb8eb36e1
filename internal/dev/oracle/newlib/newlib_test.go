package newlib

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/gnutools"
)

const cpu = "em4_dmips"

func command(t *testing.T, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	require.NoError(t, err, "%s %v\n%s", name, args, out)
}

// library builds newlib and libgcc once and returns their folders.
func library(t *testing.T, dir string) (lib, include, libgcc string) {
	root := filepath.Join(dir, "newlib-"+cpu)
	lib, include = filepath.Join(root, "arc-elf32", "lib"), filepath.Join(root, "arc-elf32", "include")
	libgcc = filepath.Join(root, "libgcc", "libgcc.a")
	if _, err := os.Stat(filepath.Join(lib, "libnsim.a")); err != nil {
		command(t, "../newlib.sh", filepath.Join(dir, "newlib-4.1.0"), cpu, root)
	}
	if _, err := os.Stat(libgcc); err != nil {
		command(t, "../libgcc.sh", filepath.Join(dir, "gcc-12.2.0"), cpu, filepath.Dir(libgcc))
	}
	return lib, include, libgcc
}

// TestPrograms runs each program unmodified on the simulator and on the host.
func TestPrograms(t *testing.T) {
	dir := os.Getenv("ARCV2DSP_ORACLE_DIR")
	if dir == "" {
		t.Skip("needs ARCV2DSP_ORACLE_DIR, see internal/dev/oracle/fetch.sh")
	}
	gcc := gnutools.Path(t, "gcc")
	lib, include, libgcc := library(t, dir)
	sources, err := filepath.Glob("testdata/*.c")
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	for _, source := range sources {
		t.Run(filepath.Base(source), func(t *testing.T) {
			tmp := t.TempDir()
			elf, host := filepath.Join(tmp, "guest.elf"), filepath.Join(tmp, "host")
			command(t, gcc, "-mcpu="+cpu, "-O2", "-w", "-U__linux__", "-Ulinux", "-U__unix__", "-fno-pic", "-fno-pie", "-no-pie",
				"-static", "-nostdlib", "-msdata", "-mtp-regno=none", "-fno-builtin", "-isystem", include, "-Wl,-marcelf", "-Wl,--defsym=__HEAP_SIZE=0x100000", "-o", elf,
				filepath.Join(lib, "crt0.o"), "testdata/initfini.S", source, "-L"+lib,
				"-Wl,--start-group", "-lm", "-lc", "-lnsim", libgcc, "-Wl,--end-group")
			command(t, "cc", "-O1", "-w", "-fno-builtin", "-o", host, source, "-lm")
			args := []string{"program", "two words", "", "-x"}

			work := filepath.Join(tmp, "work")
			require.NoError(t, os.Mkdir(work, 0o777))
			cmd := exec.Command(host)
			cmd.Args, cmd.Dir = args, work
			want, err := cmd.Output()
			status := 0
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				status = exit.ExitCode()
			} else {
				require.NoError(t, err)
			}

			for _, kind := range []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineReference} {
				var out bytes.Buffer
				m, err := arcv2dsp.New(arcv2dsp.Config{Core: "em9d", Engine: kind, Stdout: &out, Stderr: &out, FileRoot: work, Args: args})
				require.NoError(t, err)
				require.NoError(t, m.LoadFile(elf))
				stop, err := m.Run(context.Background(), arcv2dsp.Limits{Insts: 1_000_000_000, Timeout: time.Minute})
				require.NoError(t, err)
				require.Equal(t, arcv2dsp.StopExited, stop.Reason, "%v at %s\n%s", stop.Reason, m.Locate(stop.PC), out.String())
				require.Equal(t, string(want), out.String())
				require.Equal(t, status, stop.ExitCode())
				require.NoError(t, m.Close())
			}
		})
	}
}

// TestExample builds and runs the example's program on newlib as docs/first_program.md says, in a clean folder.
func TestExample(t *testing.T) {
	dir := os.Getenv("ARCV2DSP_ORACLE_DIR")
	if dir == "" {
		t.Skip("needs ARCV2DSP_ORACLE_DIR, see internal/dev/oracle/fetch.sh")
	}
	gnutools.Path(t, "gcc")
	lib, _, _ := library(t, dir)
	root, err := filepath.Abs(filepath.Join(lib, "..", ".."))
	require.NoError(t, err)
	bin, hello := t.TempDir(), filepath.Join(t.TempDir(), "hello")
	command(t, "go", "build", "-o", bin, "../../../../cmd/arcsim", "../../../../cmd/arcasm")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	command(t, "arcsim", "new", hello)
	out, err := exec.Command("make", "-s", "-C", hello, "newlib", "NEWLIB="+root).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "argument 1 is \"one\"\nargument 2 is \"two words\"\n0 1 2 3 4\na third is 0.3333\n", string(out))
}
