package machine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEngineNames: every engine is asked for by the name it prints.
func TestEngineNames(t *testing.T) {
	for e := range engineNames {
		got, err := ParseEngine(Engine(e).String())
		require.NoError(t, err)
		require.Equal(t, Engine(e), got)
	}
	_, err := ParseEngine("warp")
	require.ErrorContains(t, err, `unknown engine "warp"`)
}
