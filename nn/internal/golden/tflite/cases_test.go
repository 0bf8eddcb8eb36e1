package tflite

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
)

// Every case that was computed on paper has the results of the paper.
func TestCasesByHand(t *testing.T) {
	for _, k := range Cases() {
		t.Run(fmt.Sprintf("%s_%d", k.Call.Op.Name, k.Line), func(t *testing.T) {
			c := k.Call.Clone()
			require.NoError(t, c.Prepare())
			require.NoError(t, c.Run())
			for name, want := range k.Want {
				require.NoError(t, nn.Difference(c.Results()[name], want), name)
			}
		})
	}
}
