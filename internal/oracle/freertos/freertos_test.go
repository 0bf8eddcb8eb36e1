package freertos

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/testkit/gnutools"
	"arcv2dsp/internal/testkit/level"
)

var (
	kernel = flag.String("kernel", "", "folder of FreeRTOS's kernel, with tasks.c")
	embarc = flag.String("embarc", "", "folder of embARC's headers, with arc/arc.h")
	demo   = flag.String("demo", "", "folder Common of FreeRTOS's demos, with Minimal/BlockQ.c")
	libgcc = flag.String("libgcc", "", "libgcc.a for em4_dmips, made by ../libgcc.sh; without it the suites run on hs38 only")
	rounds = flag.String("rounds", "3", "how often the suites are asked, every 30 million cycles")
)

// tree is a copy of FreeRTOS and embARC's headers.
type tree struct{ kernel, embarc, demo string }

// standin is a tree of this project with the names that are used of the real one.
func standin(demo string) tree {
	const dir = "testdata/standin/"
	return tree{kernel: dir + "kernel", embarc: dir + "embarc", demo: dir + demo}
}

// build runs the script. Its output is returned when it fails.
func build(t *testing.T, tr tree, cpu string, env ...string) (elf, message string) {
	t.Helper()
	gnutools.Path(t, "gcc")
	out := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "../freertos.sh", tr.kernel, tr.embarc, tr.demo, cpu, out)
	cmd.Env = append(os.Environ(), env...)
	said, err := cmd.CombinedOutput()
	if err != nil {
		return "", string(said)
	}
	require.Empty(t, string(said))
	return filepath.Join(out, "freertos.elf"), ""
}

// run executes the program on both engines, which agree, and returns its status and what it printed.
func run(t *testing.T, cpu, elf string) (status uint32, printed string) {
	t.Helper()
	core := "em9d"
	if strings.HasPrefix(cpu, "hs") {
		core = "hs38"
	}
	var stats [2]arcv2dsp.Stats
	for i, engine := range []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineReference} {
		var out bytes.Buffer
		m, err := arcv2dsp.New(arcv2dsp.Config{
			Core: core, Engine: engine, Stdout: &out, Stderr: &out,
			Settings: []arcv2dsp.Setting{{Property: "nsim_isa_stack_checking=1"}},
		})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, m.Close()) })
		require.NoError(t, m.LoadFile(elf))
		stop, err := m.Run(context.Background(), arcv2dsp.Limits{})
		require.NoError(t, err)
		require.Equal(t, arcv2dsp.StopExited, stop.Reason, "%s\n%v", &out, stop)
		stats[i] = m.Stats()
		if i == 0 {
			status, printed = stop.Status, out.String()
		}
		require.Equal(t, status, stop.Status)
		require.Equal(t, printed, out.String())
	}
	require.Equal(t, stats[0], stats[1])
	t.Logf("%s: %d instructions, %d cycles", core, stats[0].Insts, stats[0].Cycles)
	return status, printed
}

// TestSuites runs the suites of a user's copy.
func TestSuites(t *testing.T) {
	if *kernel == "" || *embarc == "" || *demo == "" {
		t.Skip("needs -kernel, -embarc and -demo: a copy of FreeRTOS and of embARC's headers")
	}
	cpus := []string{"hs38_linux"}
	if *libgcc != "" {
		cpus = append(cpus, "em4_dmips")
	}
	for _, cpu := range cpus {
		t.Run(cpu, func(t *testing.T) {
			env := []string{"ROUNDS=" + *rounds}
			if cpu == "em4_dmips" {
				env = append(env, "LIBGCC="+*libgcc)
			}
			elf, message := build(t, tree{*kernel, *embarc, *demo}, cpu, env...)
			require.NotEmpty(t, elf, message)
			status, printed := run(t, cpu, elf)
			require.Zero(t, status, printed)
			t.Logf("well: %s", strings.ReplaceAll(strings.TrimSpace(printed), "\n", ", "))
		})
	}
}

// TestStandIn builds and runs what surrounds the kernel, with a stand-in for it: start-up, vectors, timer,
// the list of suites, and the verdict.
func TestStandIn(t *testing.T) {
	level.NeedsPlain(t, "builds two programs")
	elf, message := build(t, standin("demo"), "hs38_linux", "ROUNDS=1")
	require.NotEmpty(t, elf, message)
	status, printed := run(t, "hs38_linux", elf)
	require.Zero(t, status, printed)
	require.Equal(t, "BlockQ\nIntSemTest\n", printed)

	elf, message = build(t, standin("ill"), "hs38_linux", "ROUNDS=2")
	require.NotEmpty(t, elf, message)
	status, printed = run(t, "hs38_linux", elf)
	require.EqualValues(t, 1, status)
	require.Equal(t, "BlockQ: not well in round 2\n", printed)
}

// TestErrors: a missing or wrong file gives one line that names it.
func TestErrors(t *testing.T) {
	good := standin("demo")
	broken := t.TempDir()
	require.NoError(t, os.CopyFS(broken, os.DirFS(good.kernel)))
	require.NoError(t, os.WriteFile(filepath.Join(broken, "queue.c"), []byte("int x = ;\n"), 0o666))
	partial := t.TempDir()
	require.NoError(t, os.CopyFS(partial, os.DirFS(good.kernel)))
	require.NoError(t, os.Remove(filepath.Join(partial, "timers.c")))
	for _, row := range []struct {
		name string
		tree tree
		cpu  string
		env  string
		want string
	}{
		{"no kernel", tree{"nowhere", good.embarc, good.demo}, "hs38_linux", "", "the kernel: no folder nowhere"},
		{"another folder", tree{good.embarc, good.embarc, good.demo}, "hs38_linux", "", "the kernel: no file tasks.c in " + good.embarc},
		{"a kernel without a file", tree{partial, good.embarc, good.demo}, "hs38_linux", "", "the kernel: no file timers.c in " + partial},
		{"no embARC", tree{good.kernel, good.demo, good.demo}, "hs38_linux", "", "the headers of embARC: no file arc/arc.h in " + good.demo},
		{"no demos", tree{good.kernel, good.embarc, good.kernel}, "hs38_linux", "", "the demos: no file include/BlockQ.h in " + good.kernel},
		{"core", good, "em7d", "", "unknown core em7d: em4_dmips or hs38_linux"},
		{"no libgcc", good, "em4_dmips", "LIBGCC=", "em4_dmips needs LIBGCC, the compiler's runtime library for it: see libgcc.sh"},
		{"wrong libgcc", good, "em4_dmips", "LIBGCC=nowhere.a", "LIBGCC: no file nowhere.a"},
		{"rounds", good, "hs38_linux", "ROUNDS=many", `ROUNDS is a number from 1 on, not "many"`},
		{"source", tree{broken, good.embarc, good.demo}, "hs38_linux", "", "arc-linux-gnu-gcc: " + broken + "/queue.c:1:9: error: expected expression before ';' token"},
	} {
		t.Run(row.name, func(t *testing.T) {
			elf, message := build(t, row.tree, row.cpu, "LC_ALL=C", row.env)
			require.Empty(t, elf)
			require.Equal(t, "freertos.sh: "+row.want+"\n", message)
		})
	}
}
