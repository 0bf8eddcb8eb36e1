package regress

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// TestResultsThatAreMissing: a function of one's own may leave an output that cannot be read; files and report go without it.
func TestResultsThatAreMissing(t *testing.T) {
	out := nn.FromInts(nn.I8, []int{2}, []int64{1, 2})
	names, err := WriteNPY(t.TempDir(), map[string]*nn.Tensor{"out": nil, "in": out})
	require.NoError(t, err)
	require.Len(t, names, 1)

	s := &Single{Asked: &Asked{Kernel: mlikernels.Kernels()[0], Job: &mlikernels.Job{Call: &nn.Call{}}}, Report: &mlikernels.Report{Results: map[string]*nn.Tensor{"out": nil, "in": out}}}
	var text bytes.Buffer
	require.NoError(t, s.JSON(&text))
	var j singleJSON
	require.NoError(t, json.Unmarshal(text.Bytes(), &j))
	require.Len(t, j.Outputs, 1)
}
