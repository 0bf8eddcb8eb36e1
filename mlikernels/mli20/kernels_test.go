package mli20

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/mlirecord"
)

// testCores are one core with AGU ports and one without.
var testCores = []string{"em9d", "em7d"}

// libraries are assembled once per variant for all tests.
var libraries sync.Map

func library(t testing.TB, v kernel.Variant) *kernel.Library {
	t.Helper()
	build, _ := libraries.LoadOrStore(v, sync.OnceValues(func() (*kernel.Library, error) { return Collection().Build(v) }))
	lib, err := build.(func() (*kernel.Library, error))()
	require.NoError(t, err)
	require.Empty(t, lib.Missing)
	return lib
}

// newTestMachine makes a core with the library in a rounding mode loaded.
func newTestMachine(t testing.TB, core string, round nn.Rounding) *kernel.Machine {
	t.Helper()
	m, err := kernel.NewMachine(kernel.MachineOptions{Core: core, Library: library(t, Collection().Variant(core, round))})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

// lookup finds a function.
func lookup(t testing.TB, name string) *function {
	t.Helper()
	i := slices.IndexFunc(functions(), func(f *function) bool { return f.Name == "mli_krn_"+name })
	require.GreaterOrEqual(t, i, 0, name)
	return functions()[i]
}

// check runs a job and compares status and outputs with what is wanted.
func check(m *kernel.Machine, f *function, job *kernel.Job) error {
	rep, err := m.Run(context.Background(), f.kernel, job)
	if err != nil {
		return err
	}
	if !rep.OK() {
		return fmt.Errorf("status %s", rep.Status)
	}
	for role, w := range job.Want {
		if err := kernel.Difference(rep.Results[role], w); err != nil {
			return fmt.Errorf("output %q: %w", role, err)
		}
	}
	return nil
}

// TestVectors runs every recorded case on the simulated kernels and wants what the library's own code gave, on a core
// with AGU ports and on one without.
func TestVectors(t *testing.T) {
	for _, core := range testCores {
		for _, round := range Collection().Roundings {
			t.Run(fmt.Sprintf("%s/%v", core, round), func(t *testing.T) {
				t.Parallel()
				m := newTestMachine(t, core, round)
				files, err := filepath.Glob("../../nn/golden/mli20/recorded/v20_" + round.String() + "/*.jsonl.gz")
				require.NoError(t, err)
				require.NotEmpty(t, files)
				for _, file := range files {
					for r, err := range mlirecord.ReadFile(file) {
						require.NoError(t, err)
						i := slices.IndexFunc(functions(), func(f *function) bool { return f.Name == r.Kernel })
						if i < 0 {
							continue
						}
						f := functions()[i]
						c, recorded := r.Call(f.Operator)
						require.NoError(t, c.Prepare())
						require.NotEmpty(t, recorded)
						require.NoError(t, check(m, f, &kernel.Job{Call: c, Want: recorded}), "%s: %s case %d", file, r.Kernel, r.ID)
					}
				}
			})
		}
	}
}

// TestGrid runs the standard grid on a core with AGU ports and on one without; the regression runs it on the others.
func TestGrid(t *testing.T) {
	for _, core := range testCores {
		for _, round := range Collection().Roundings {
			t.Run(fmt.Sprintf("%s/%v", core, round), func(t *testing.T) {
				t.Parallel()
				m := newTestMachine(t, core, round)
				for _, f := range functions() {
					for i, p := range f.points() {
						if testing.Short() && i%8 != 0 {
							continue
						}
						job, err := p.Job(round, 7)
						require.NoError(t, err, p.Name)
						require.NoError(t, check(m, f, job), "%s/%s", f.Name, p.Name)
					}
				}
			})
		}
	}
}
