package tflmrecord_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/records"
	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/tflite"
	"arcv2dsp/nn/internal/tflmrecord"
)

// recorded reads all recorded kernels.
func recorded(t testing.TB) map[string][]*tflmrecord.Record {
	ops := nn.NewRegistry(tflite.Operators())
	files, err := filepath.Glob("../../../testdata/tflm/*.jsonl.gz")
	require.NoError(t, err)
	require.Len(t, files, 11)
	byKernel := map[string][]*tflmrecord.Record{}
	for _, path := range files {
		for _, r := range records.Each(t, path, func(line []byte) (*tflmrecord.Record, error) { return tflmrecord.Parse(line, ops) }) {
			if r != nil { // no table
				byKernel[r.Op] = append(byKernel[r.Op], r)
			}
		}
	}
	return byKernel
}

func TestGoldenEqualsReferenceKernels(t *testing.T) {
	byKernel := recorded(t)
	require.Len(t, byKernel, 31)
	total := map[string]int{}
	for kernel, list := range byKernel {
		for _, r := range list {
			total[r.Rounding]++
		}
		t.Run(kernel, func(t *testing.T) {
			for _, r := range list {
				for i, c := range r.Calls {
					require.NoError(t, c.Call.Prepare(), "%s %d %s, call %d", kernel, r.ID, r.Rounding, i)
					require.NoError(t, c.Call.Run())
					require.NoError(t, nn.Difference(c.Call.Out[0], c.Want[c.Op.Outputs[0].Role]), "%s %d %s, call %d", kernel, r.ID, r.Rounding, i)
				}
			}
		})
	}
	require.Equal(t, map[string]int{"double": 334, "single": 310}, total)
}

// Lines whose fields do not fit each other are refused, not indexed.
func TestUnusableLines(t *testing.T) {
	ops := nn.NewRegistry(tflite.Operators())
	for line, want := range map[string]string{
		`{"op":"transpose_conv_s8","rounding":"double","filter_shape":[0,1,1,1],"input_shape":[1,1,1,1],"output_shape":[1,1,1,1]}`: "0 channels",
		`{"op":"transpose_conv_s8","rounding":"double"}`:                              "four dimensions are needed",
		`{"op":"fully_connected_s8","rounding":"double","weight_scales":[0.5]}`:       "no multiplier and shift",
		`{"op":"add_s8","rounding":"double","input1_shape":[1],"input2_shape":[1,1]}`: "input 2 has shape [1 1], input 1 [1]",
		`{"op":"add_s8","rounding":"sideways"}`:                                       `unknown rounding "sideways"`,
	} {
		_, err := tflmrecord.Parse([]byte(line), ops)
		require.ErrorContains(t, err, want)
	}
	rec, err := tflmrecord.Parse([]byte(`{"op":"a table","multiplier":[1]}`), ops)
	require.NoError(t, err)
	require.Nil(t, rec)
}
