package mli20

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/testkit/shared"
	"arcv2dsp/mlikernels/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/mlirecord"
)

// userCases reads the user tests whose calls are recorded; those of moves have no configuration.
func userCases(t *testing.T) (cases []*mlirecord.UserCase, moves int) {
	t.Helper()
	file, err := os.Open(shared.Path(t, "vectors", "mli", "user_tests", "mli2_user_tests.jsonl.gz"))
	require.NoError(t, err)
	defer file.Close()
	r, err := gzip.NewReader(file)
	require.NoError(t, err)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		c, err := mlirecord.ParseUser(lines.Bytes())
		if errors.Is(err, mlirecord.ErrMove) {
			moves++
			continue
		}
		require.NoError(t, err)
		cases = append(cases, c)
	}
	require.NoError(t, lines.Err())
	return cases, moves
}

// checksums are the published ones by group, case and configuration of the build.
func checksums(t *testing.T) map[string]map[string]map[string]string {
	t.Helper()
	text, err := os.ReadFile(shared.Path(t, "vectors", "mli", "user_tests", "mli2_expected_crc_by_config.json"))
	require.NoError(t, err)
	var all map[string]map[string]map[string]string
	require.NoError(t, json.Unmarshal(text, &all))
	return all
}

// TestUserTests runs the user tests of MLI 2.0 on the simulated kernels, in both builds, and compares with the
// checksums that are published for builds with the reduced accumulator. The cases left out, and the reasons:
// docs/validation.md.
func TestUserTests(t *testing.T) {
	want := checksums(t)
	cases, moves := userCases(t)
	require.Equal(t, 23, moves)
	for _, core := range testCores {
		for _, round := range Collection().Roundings {
			t.Run(fmt.Sprintf("%s/%v", core, round), func(t *testing.T) {
				t.Parallel()
				m := newTestMachine(t, core, round)
				equal, overwritten := 0, 0
				for _, c := range cases {
					i := slices.IndexFunc(functions(), func(f *function) bool { return f.Name == c.Kernel })
					require.GreaterOrEqual(t, i, 0, c.Kernel)
					call, _ := c.Call(functions()[i].Operator)
					call.Rounding = round
					require.NoError(t, call.Prepare(), "%s %s", c.Group, c.Descr)
					rep, err := m.Run(context.Background(), functions()[i].kernel, &kernel.Job{Call: call, Strides: c.Strides})
					require.NoError(t, err, "%s %s", c.Group, c.Descr)
					require.True(t, rep.OK(), "%s %s: %s", c.Group, c.Descr, rep.Status)
					sum, err := c.Checksum(rep.Results)
					require.NoError(t, err)
					name := strings.TrimSpace(c.Descr)
					published, ok := want[c.Group][name]
					if !ok {
						published, ok = want[c.Group][c.Descr]
					}
					require.True(t, ok, "%s %q", c.Group, c.Descr)
					column := map[nn.Rounding]string{nn.Convergent: "convergent_reducedacc", nn.Up: "up_reducedacc"}[round]
					switch {
					case strings.EqualFold(fmt.Sprintf("0x%08X", sum), published[column]):
						equal++
					case c.InPlace(): // what is recorded of the input is the output already
						overwritten++
					default:
						t.Errorf("%s %s: checksum %08X, published %v", c.Group, c.Descr, sum, published)
					}
				}
				require.Equal(t, []int{388, 8}, []int{equal, overwritten})
			})
		}
	}
}
