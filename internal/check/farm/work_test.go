package farm

import (
	"bytes"
	"encoding/json"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/check/regress"
	"arcv2dsp/internal/measure/report"
	"arcv2dsp/nn"
)

// TestRegressInPieces expects a regression in three shards to give the JUnit file and the JSON of the whole one,
// failures with their neighbourhoods included.
func TestRegressInPieces(t *testing.T) {
	suite, err := regress.Plan(regress.Options{Cores: []string{"em9d"}, Rounds: []nn.Rounding{nn.Convergent}, Seed: regress.DefaultSeed,
		Match: regexp.MustCompile(`^mli_krn_(relu_fx8|sigm_fx16|permute_fx8)/`)})
	require.NoError(t, err)
	w := Regress{Suite: suite}
	pieces := w.Pieces(Recorded())
	require.Greater(t, len(pieces), 20)
	whole, err := suite.Run(t.Context(), regress.RunOptions{})
	require.NoError(t, err)

	shards, err := Divide(pieces, 3)
	require.NoError(t, err)
	merged := make([]json.RawMessage, len(pieces))
	for _, shard := range shards {
		results, err := w.Run(t.Context(), shard, 1, report.NewProgress(nil))
		require.NoError(t, err)
		for k, i := range shard {
			merged[i] = results[k]
		}
	}
	results, err := w.Results(merged)
	require.NoError(t, err)
	require.Equal(t, printed(t, suite, whole), printed(t, suite, results))

	// The kernels are right, so a failure is put in, as it is passed on.
	wrong := []regress.Outcome{{Cycles: 7, Failure: &regress.Failure{Kind: regress.KindMismatch, Message: "differs", Repeat: "arcsim",
		Mismatch: &regress.Mismatch{Output: "out", Index: 3, At: []int{1, 1}, Want: "5", Got: "-6", Differ: 1, Of: 4, Neighbourhood: "5 -6\n"}}}}
	merged[0], err = json.Marshal(wrong)
	require.NoError(t, err)
	results, err = w.Results(merged)
	require.NoError(t, err)
	require.Equal(t, wrong[0], results[0].Outcome)

	merged[1] = nil
	results, err = w.Results(merged)
	require.NoError(t, err)
	require.True(t, results[1].NotRun)
	merged[1] = json.RawMessage("[]")
	_, err = w.Results(merged)
	require.ErrorContains(t, err, "0 results of 1 cases")
}

// printed is the output of a regression without the times of the host.
func printed(t *testing.T, suite *regress.Suite, results []regress.Result) string {
	t.Helper()
	var b bytes.Buffer
	sum := suite.Summarize(results, 0, 1)
	require.True(t, sum.Good())
	require.NoError(t, sum.JUnit(&b, regress.CoreTimes))
	require.NoError(t, sum.JSON(&b))
	return b.String()
}
