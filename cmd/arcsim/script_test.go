package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
	"arcv2dsp/internal/dev/testkit/level"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"arcsim": main})
}

// commandIn puts the command into a folder: a link to the test, whose TestMain runs main by that name, and where there are no
// links the program itself.
func commandIn(t *testing.T, dir string) {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	if os.Symlink(exe, filepath.Join(dir, "arcsim")) != nil {
		buildInto(t, dir, ".")
	}
}

// buildInto builds a program into a folder.
func buildInto(t *testing.T, dir, path string) {
	t.Helper()
	text, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), path).CombinedOutput()
	require.NoError(t, err, string(text))
}

// scripts are the files of a folder in testdata; a short run takes every fifth.
func scripts(t *testing.T, folder string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("testdata", folder, "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts in %s: %v", folder, err)
	}
	var some []string
	for i, name := range all {
		if level.Wants(i, 1, 5) {
			some = append(some, name)
		}
	}
	return some
}

// TestScripts runs the command lines of testdata/script. Beside the usual commands they have
// "exits STATUS COMMAND...": the command ends with exactly that status, and the condition [long].
func TestScripts(t *testing.T) {
	guest, err := filepath.Abs("../../testdata/guest/elf")
	if err != nil {
		t.Fatal(err)
	}
	small, err := filepath.Abs("../../testdata/elf/small")
	if err != nil {
		t.Fatal(err)
	}
	calls, err := filepath.Abs("../../internal/measure/profile/testdata/calls.elf")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files:               scripts(t, "script"),
		RequireExplicitExec: true,
		UpdateScripts:       goldenfile.Update(),
		Setup: func(env *testscript.Env) error {
			env.Setenv("GUEST", guest)
			env.Setenv("CALLS", calls)
			env.Setenv("SMALL", small)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Condition: func(name string) (bool, error) {
			if name != "long" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			return level.Long(), nil
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARGUMENT...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("status %d, want %d", got, want)
	}
}
