package mli11

import (
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels/internal/kernel"
)

// TestSpecialisedNames: every specialised name of MLI 1.1 is a name of its general function, in both
// versions of the library, and the header declares it.
func TestSpecialisedNames(t *testing.T) {
	total, known := 0, map[string]bool{}
	for _, f := range functions() {
		known[f.Name] = true
	}
	for of := range aliases() {
		require.True(t, known[of], of)
	}
	for _, agu := range []kernel.AGU{kernel.NoAGU, kernel.LargeAGU} {
		lib := suite.Library(t, kernel.Variant{AGU: agu})
		for _, f := range functions() {
			for _, name := range f.kernel.Aliases {
				require.Equal(t, lib.Entry(f.Name), lib.Entry(name), name)
				total++
			}
		}
	}
	require.Equal(t, 2*352, total)
}
