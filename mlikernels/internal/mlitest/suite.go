// Package mlitest serves the tests of all versions of MLI: libraries, cores to run them on, and comparisons
// with recorded calls and with the C compiler.
package mlitest

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/records"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// Cores are one core with AGU ports and one without.
var Cores = []string{"em9d", "em7d"}

// vectorCores are the cores of recorded calls: besides Cores one with caches, a board with the small AGU, and X and Y
// memory that is not interleaved.
var vectorCores = []struct {
	name, core string
	settings   []arcv2dsp.Setting
	long       bool // not in a short run
}{
	{name: "em9d", core: "em9d"},
	{name: "em7d", core: "em7d"},
	{name: "em11d", core: "em11d", long: true},
	{name: "iotdk-em9d", core: "iotdk-em9d", long: true},
	{name: "em9d not interleaved", core: "em9d", long: true,
		settings: []arcv2dsp.Setting{{Property: "xy_interleave=0", Origin: "test"}}},
}

// Suite is a library under test.
type Suite struct {
	Collection func() *kernel.Collection
}

// Library is the library in a variant.
func (s *Suite) Library(t testing.TB, v kernel.Variant) *kernel.Library {
	t.Helper()
	lib, err := s.Collection().Build(v)
	require.NoError(t, err)
	require.Empty(t, lib.Missing)
	return lib
}

// Machine is a core with the library in a rounding mode loaded; o says what else is special about it.
func (s *Suite) Machine(t testing.TB, core string, round nn.Rounding, o kernel.MachineOptions) *kernel.Machine {
	t.Helper()
	o.Core, o.Library = core, s.Library(t, s.Collection().Variant(kernel.AGUOf(core), round))
	m, err := kernel.NewMachine(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

// Engines are the engines that the n-th of several like tests runs on: one by turns, all where it takes what minutes need.
func Engines(n int) []arcv2dsp.EngineKind {
	if level.Long() {
		return []arcv2dsp.EngineKind{arcv2dsp.EngineFast, arcv2dsp.EngineJIT, arcv2dsp.EngineReference}
	}
	return [][]arcv2dsp.EngineKind{{arcv2dsp.EngineFast}, {arcv2dsp.EngineJIT}}[n%2]
}

// Check runs a job and compares status and outputs with what is wanted.
func Check(m *kernel.Machine, k *kernel.Kernel, job *kernel.Job) error {
	rep, err := m.Run(context.Background(), k, job)
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

// Vectors runs every recorded call on the simulated kernels and wants what the library's own code gave; in a plain run, a core
// takes a third of the calls. The files match pattern; done is told which functions had calls in a rounding.
func (s *Suite) Vectors(t *testing.T, pattern string, done func(t *testing.T, calls map[string]int)) {
	for n, on := range vectorCores {
		if on.long && testing.Short() {
			continue
		}
		for i, round := range s.Collection().Roundings {
			for _, engine := range Engines(n + i) {
				t.Run(fmt.Sprintf("%s/%v/%s", on.name, round, engine), func(t *testing.T) {
					t.Parallel()
					m := s.Machine(t, on.core, round, kernel.MachineOptions{Settings: on.settings, Engine: engine})
					done(t, s.vectors(t, m, pattern, round, n))
				})
			}
		}
	}
}

// vectors makes the recorded calls with a rounding on a machine, in a plain run every third, beginning with the n-th. It
// returns how many calls each function has.
func (s *Suite) vectors(t *testing.T, m *kernel.Machine, pattern string, round nn.Rounding, n int) map[string]int {
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	calls := map[string]int{}
	for _, file := range files {
		for _, r := range records.Each(t, file, golden.ParseMLIRecord) {
			if r.Round != round {
				continue
			}
			i := slices.IndexFunc(s.Collection().Kernels, func(k *kernel.Kernel) bool { return k.Symbol == r.Kernel })
			require.GreaterOrEqual(t, i, 0, r.Kernel)
			calls[r.Kernel]++
			if !level.Wants(calls[r.Kernel]-1+n, 3, 23) {
				continue
			}
			k := s.Collection().Kernels[i]
			c := r.Case(k.Computes[0])
			require.NoError(t, c.Prepare())
			require.NotEmpty(t, c.Want)
			require.NoError(t, Check(m, k, &kernel.Job{Call: c.Call, Want: c.Want}), "%s: %s case %d", file, r.Kernel, r.ID)
		}
	}
	return calls
}
