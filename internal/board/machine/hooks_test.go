package machine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/isa"
	"arcv2dsp/memory"
)

// TestJoin: observers are called in the order they came, the second even where the first stops the run, and an event that
// nothing observes has no function.
func TestJoin(t *testing.T) {
	var calls []string
	observer := func(name string, stop bool) Hooks {
		var h Hooks
		h.Before = func(uint32, *isa.Inst) bool { calls = append(calls, name); return stop }
		h.Memory = func(memory.Event) { calls = append(calls, name+" memory") }
		return h
	}
	for _, stops := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
		calls = nil
		first, second := observer("first", stops[0]), observer("second", stops[1])
		first.join(&second)
		require.Equal(t, stops[0] || stops[1], first.Before(0, nil))
		first.Memory(memory.Event{})
		require.Equal(t, []string{"first", "second", "first memory", "second memory"}, calls)
		require.Nil(t, first.After)
		require.Nil(t, first.Syscall)
	}
	alone, nobody := observer("alone", false), Hooks{}
	nobody.join(&alone)
	calls = nil
	require.False(t, nobody.Before(0, nil))
	require.Equal(t, []string{"alone"}, calls)
}
