package quant

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The logarithm of fixed point is that of real numbers, to a few units of its last place.
func TestLogIsNearReals(t *testing.T) {
	const integer = 12
	q5 := Fixed[int32]{5}
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Int32Range(1<<(31-integer), math.MaxInt32).Draw(t, "a")
		want := math.Log(math.Ldexp(float64(a), integer-31))
		require.InDelta(t, want, q5.Real(q5.Log(a, integer)), 1e-7)
	})
	require.InDelta(t, 0, q5.Real(q5.Log(1<<(31-integer), integer)), 1e-7)
}
