package golden

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
)

// TestMixed: floats get an operator of floats where the other takes none, and nothing else does.
func TestMixed(t *testing.T) {
	of := func(r *nn.Registry, name string) *nn.Operator {
		op, ok := r.Lookup(nn.TFLite, name)
		require.True(t, ok, name)
		return op
	}
	for _, c := range []struct {
		name  string
		types []nn.Type
		from  *nn.Registry
	}{
		{name: "CONV_2D", types: []nn.Type{nn.F32, nn.I8, nn.F32}, from: Floats()},
		{name: "CONV_2D", types: []nn.Type{nn.I8, nn.I8, nn.I32, nn.I8}, from: Operators()},
		{name: "UNIDIRECTIONAL_SEQUENCE_LSTM", types: []nn.Type{nn.F32, nn.F32}, from: Floats()},
		{name: "EXP", types: []nn.Type{nn.F32, nn.F32}, from: Operators()},
		{name: "DEQUANTIZE", types: []nn.Type{nn.I8, nn.F32}, from: Operators()},
		{name: "FAKE_QUANT", types: []nn.Type{nn.F32, nn.F32}, from: Floats()},
	} {
		op, ok := Mixed().Find(nn.TFLite, c.name, c.types)
		require.True(t, ok, c.name)
		require.Same(t, of(c.from, c.name), op, "%s of %v", c.name, c.types)
	}
	_, ok := Mixed().Find(nn.TFLite, "NO_SUCH", []nn.Type{nn.F32})
	require.False(t, ok)
}
