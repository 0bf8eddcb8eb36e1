package mlikernels

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/internal/kernel"
)

// TestBounds: no kernel takes fewer cycles than what is said to be the least.
func TestBounds(t *testing.T) {
	for _, core := range []string{"em9d", "em7d", "iotdk-em9d"} {
		t.Run(core, func(t *testing.T) {
			t.Parallel()
			for _, c := range Collections() {
				bounds(t, core, c)
			}
		})
	}
}

// bounds runs what is measured of the kernels of a library.
func bounds(t *testing.T, core string, c *kernel.Collection) {
	t.Helper()
	agu := kernel.AGUOf(core)
	lib, err := c.Build(c.Variant(agu, c.Roundings[0]))
	require.NoError(t, err)
	m, err := kernel.NewMachine(kernel.MachineOptions{Core: core, Library: lib})
	require.NoError(t, err)
	defer func() { require.NoError(t, m.Close()) }()
	for _, k := range c.Kernels {
		for _, p := range k.Measured() {
			job, err := p.Typical()
			require.NoError(t, err, p.FullName())
			rep, err := m.Run(t.Context(), k, job)
			require.NoError(t, err, p.FullName())
			bound := k.Bound(job.Call, agu)
			if bound == 0 || bound > rep.Cycles {
				t.Errorf("%s of %s takes %d cycles, its bound is %d", p.FullName(), core, rep.Cycles, bound)
			}
		}
	}
}
