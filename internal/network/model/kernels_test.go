package model

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/records"
	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"
)

// The recorded calls of the reference kernels, in both roundings, by the kernels on the cores: there is one for every
// call.
func TestKernelsEqualReferenceKernels(t *testing.T) {
	level.NeedsPlain(t, "runs networks on a core")
	files, err := filepath.Glob("../../../testdata/tflm/*.jsonl.gz")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	parse := func(line []byte) (*golden.TFLMRecord, error) { return golden.ParseTFLMRecord(line, golden.Operators()) }
	var list []*golden.TFLMRecord
	for _, path := range files {
		for _, r := range records.Each(t, path, parse) {
			if r != nil { // no table
				list = append(list, r)
			}
		}
	}
	for _, core := range []string{"em9d", "em7d"} {
		sim, err := mlikernels.NewExecutor(mlikernels.ExecutorOptions{Core: core})
		require.NoError(t, err)
		for i, r := range list {
			if testing.Short() && i%3 != 0 {
				continue
			}
			for _, recorded := range r.Calls {
				c := *recorded.Call
				out := *c.Out[0]
				c.Out = []*nn.Tensor{&out}
				require.NoError(t, c.Prepare())
				require.NoError(t, sim.Execute(context.Background(), 0, &c), "%s %d %s", r.Op, r.ID, r.Rounding)
				require.NoError(t, nn.Difference(c.Out[0], recorded.Want[recorded.Op.Outputs[0].Role]), "%s %d %s on %s", r.Op, r.ID, r.Rounding, core)
			}
		}
		require.NotEmpty(t, sim.Executions())
		t.Log(sim.Summary())
		require.NoError(t, sim.Close())
	}
}
