package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/goldenfile"
)

// TestDebugScripts runs the sessions of testdata/debug. A test of internal/debug/repl checks that
// every command is in one.
func TestDebugScripts(t *testing.T) {
	dirs := map[string]string{"SMALL": "../../testdata/elf/small", "GUEST": "../../testdata/guest/elf", "SRC": "testdata/src"}
	for name, dir := range dirs {
		abs, err := filepath.Abs(dir)
		require.NoError(t, err)
		dirs[name] = abs
	}
	testscript.Run(t, testscript.Params{
		Files:               scripts(t, "debug"),
		RequireExplicitExec: true,
		UpdateScripts:       goldenfile.Update(),
		Setup: func(env *testscript.Env) error {
			for name, dir := range dirs {
				env.Setenv(name, dir)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}
