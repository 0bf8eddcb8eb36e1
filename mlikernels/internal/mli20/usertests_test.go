package mli20

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/shared"
	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// userFile opens a file of the user tests.
func userFile(t *testing.T, name string) io.Reader {
	t.Helper()
	file, err := os.Open(shared.Path(t, "vectors", "mli", "user_tests", name))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, file.Close()) })
	r, err := gzip.NewReader(file)
	require.NoError(t, err)
	return r
}

// userCases reads the user tests, calls of kernels and moves.
func userCases(t *testing.T) (cases, moves []*golden.MLIUserCase) {
	t.Helper()
	lines := bufio.NewScanner(userFile(t, "mli2_user_tests.jsonl.gz"))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		c, err := golden.ParseMLIUserCase(lines.Bytes())
		require.NoError(t, err)
		if c.Kernel == golden.MLIMove {
			moves = append(moves, c)
		} else {
			cases = append(cases, c)
		}
	}
	require.NoError(t, lines.Err())
	return cases, moves
}

// userArrays are the floats that the tests make their tensors of, by group and name. Some are written as in C, "1.5f";
// arrays with an expression among them are left out.
func userArrays(t *testing.T) map[string]map[string][]float64 {
	t.Helper()
	var written map[string]map[string][]any
	require.NoError(t, json.NewDecoder(userFile(t, "mli2_user_tests_float_arrays.json.gz")).Decode(&written))
	all := map[string]map[string][]float64{}
	for group, arrays := range written {
		all[group] = map[string][]float64{}
		for name, list := range arrays {
			floats := make([]float64, 0, len(list))
			for _, v := range list {
				x, err := strconv.ParseFloat(strings.TrimSuffix(fmt.Sprint(v), "f"), 64)
				if err == nil {
					floats = append(floats, x)
				}
			}
			if len(floats) == len(list) {
				all[group][name] = floats
			}
		}
	}
	return all
}

// quantized is a tensor of floats with the type, shape and format of another one, by the rules of
// mli_hlp_convert_tensor, as the tests make their tensors.
func quantized(t *testing.T, floats []float64, like *nn.Tensor) *nn.Tensor {
	t.Helper()
	require.Len(t, floats, like.Len())
	in := nn.New(nn.F32, like.Shape...)
	for i, v := range floats {
		in.Floats[i] = float32(v)
	}
	i := slices.IndexFunc(functions(), func(f *function) bool { return f.Name == "mli_hlp_convert_tensor" })
	out := &nn.Tensor{Type: like.Type, Shape: like.Shape, Format: like.Format}
	job, err := kernel.NewJob(&nn.Call{Op: functions()[i].Operator, Attrs: nn.Attrs{}, In: []*nn.Tensor{in}, Out: []*nn.Tensor{out}})
	require.NoError(t, err)
	return job.Want["out"]
}

// overwritten are the arrays of the inputs that a case wrote its output over, by group: the memory recorded of them is the
// output's.
var overwritten = map[string]string{"mli_krn_l2_normalize": "input_3_data", "mli_krn_leaky_relu": "input_1_data",
	"mli_krn_relu": "input_2_data", "mli_krn_sigm": "input_1_data", "mli_krn_tanh": "input_1_data"}

// TestUserTensors: the rules of quantized give every input as it is recorded whose floats there are. So they give also the
// inputs that are overwritten.
func TestUserTensors(t *testing.T) {
	cases, moves := userCases(t)
	arrays, found := userArrays(t), 0
	for _, c := range slices.Concat(cases, moves) {
		in := c.Tensors["in"]
		if in == nil || in.Type.Float() || c.InPlace() {
			continue
		}
		candidates, equal := 0, false
		for name, a := range arrays[c.Group] {
			if strings.HasPrefix(name, "input_") && strings.HasSuffix(name, "_data") && len(a) == in.Len() {
				candidates++
				equal = equal || slices.Equal(quantized(t, a, in).Ints, in.Ints)
			}
		}
		require.True(t, equal || candidates == 0, "%s %s", c.Group, c.Descr)
		found += min(1, candidates)
	}
	require.Equal(t, 333, found)
}

// checkSum compares a checksum with the published one for builds with the reduced accumulator.
func checkSum(t *testing.T, published map[string]map[string]map[string]string, group, descr string, round nn.Rounding, sum uint32) {
	t.Helper()
	columns, ok := published[group][strings.TrimSpace(descr)]
	if !ok {
		columns, ok = published[group][descr]
	}
	require.True(t, ok, "%s %q", group, descr)
	column := map[nn.Rounding]string{nn.Convergent: "convergent_reducedacc", nn.Up: "up_reducedacc"}[round]
	if got := fmt.Sprintf("0x%08X", sum); !strings.EqualFold(got, columns[column]) {
		t.Errorf("%s %s: checksum %s, published %v", group, descr, got, columns)
	}
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

// TestUserTests runs the user tests of MLI 2.0 on the simulated kernels, in both builds, and compares with the checksums
// that are published for builds with the reduced accumulator: those of kernels, of moves and of parts of tensors.
func TestUserTests(t *testing.T) {
	want, arrays := checksums(t), userArrays(t)
	cases, moves := userCases(t)
	require.Equal(t, []int{396, 23, 12}, []int{len(cases), len(moves), len(want["mli_hlp_tensor_struct"])})
	for _, core := range testCores {
		for _, round := range Collection().Roundings {
			t.Run(fmt.Sprintf("%s/%v", core, round), func(t *testing.T) {
				t.Parallel()
				m := newTestMachine(t, core, round)
				for i, c := range cases {
					if !level.Wants(i, 1, 7) {
						continue
					}
					n := slices.IndexFunc(functions(), func(f *function) bool { return f.Name == c.Kernel })
					require.GreaterOrEqual(t, n, 0, c.Kernel)
					call := c.Case(functions()[n].Operator).Call
					call.Rounding = round
					job := &kernel.Job{Call: call, Strides: c.Strides}
					if c.InPlace() {
						require.Contains(t, overwritten, c.Group)
						call.In[0], job.InPlace = quantized(t, arrays[c.Group][overwritten[c.Group]], call.In[0]), "in"
					}
					require.NoError(t, call.Prepare(), "%s %s", c.Group, c.Descr)
					rep, err := m.Run(context.Background(), functions()[n].kernel, job)
					require.NoError(t, err, "%s %s", c.Group, c.Descr)
					require.True(t, rep.OK(), "%s %s: %s", c.Group, c.Descr, rep.Status)
					sum, err := c.Checksum(rep.Results)
					require.NoError(t, err)
					checkSum(t, want, c.Group, c.Descr, round, sum)
				}
				for i, c := range moves {
					checkSum(t, want, c.Group, c.Descr, round, userMoves[i].run(t, m, c, arrays[c.Group]))
				}
				for _, p := range userParts() {
					checkSum(t, want, "mli_hlp_tensor_struct", p.descr, round, p.run(t, m, arrays["mli_hlp_tensor_struct"]))
				}
			})
		}
	}
}
