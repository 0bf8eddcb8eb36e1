package kernel

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAbsent: a function that the library does not have is missing for the reason that its source has.
func TestAbsent(t *testing.T) {
	one := &Kernel{Symbol: "one", Source: Source{File: "one.s"}}
	l := &Library{Collection: &Collection{Kernels: []*Kernel{one}}, Missing: map[string]error{"one.s": errors.New("one.s:3: no such instruction")}}
	require.EqualError(t, l.absent("one"), "the library has no one: one.s:3: no such instruction")
	require.EqualError(t, l.absent("two"), "the library has no two")
}
