package golden_test

import (
	"testing"

	"arcv2dsp/nn"
	"arcv2dsp/nn/golden"

	"github.com/stretchr/testify/require"
)

// Every operator can be described: a line of documentation, ports with names, attributes with a kind.
func TestOperatorsAreDescribed(t *testing.T) {
	registry := golden.Operators()
	require.NotEmpty(t, registry.Library(nn.Gemmlowp))
	for _, op := range registry.All() {
		require.NotEmpty(t, op.Doc, op)
		require.NotEmpty(t, op.Outputs, op)
		results := map[string]bool{}
		for _, p := range op.Outputs {
			results[p.Role] = true
		}
		for _, p := range append(op.Inputs[:len(op.Inputs):len(op.Inputs)], op.Outputs...) {
			require.NotEmpty(t, p.Role, op)
			require.False(t, p.State && results[p.Role], "%v: results go by their names, %s is a state and an output", op, p.Role)
		}
		for _, a := range op.Attrs {
			require.NotNil(t, a.Default, "%v %s", op, a.Name)
			require.NotEmpty(t, a.Doc, "%v %s", op, a.Name)
		}
	}
}
