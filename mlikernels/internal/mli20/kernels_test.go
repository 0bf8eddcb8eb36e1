package mli20

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mlitest"
	"arcv2dsp/nn"
)

// testCores are one core with AGU ports and one without.
var testCores = mlitest.Cores

// suite is the library under test.
var suite = mlitest.Suite{Collection: Collection}

// newTestMachine makes a core with the library in a rounding mode loaded.
func newTestMachine(t testing.TB, core string, round nn.Rounding) *kernel.Machine {
	t.Helper()
	return suite.Machine(t, core, round, kernel.MachineOptions{})
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
	return mlitest.Check(m, f.kernel, job)
}

// TestVectors runs every recorded call. Functions of which the library's own code gives nothing to compare with have none.
func TestVectors(t *testing.T) {
	suite.Vectors(t, "../../../nn/internal/golden/mli20/recorded/calls/*.jsonl.gz", func(t *testing.T, calls map[string]int) {
		var without []string
		for _, f := range functions() {
			if calls[f.Name] == 0 {
				without = append(without, f.Name)
			}
		}
		require.Equal(t, []string{"mli_hlp_convert_tensor", "mli_krn_fully_connected_fx8", "mli_krn_softmax_fx8"}, without)
	})
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
						if !level.Wants(i, 13, 61) {
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
