package model

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/nn"
)

// TestCaseWithoutSteps: a case that does not have the steps which its manifest lists is named with its place.
func TestCaseWithoutSteps(t *testing.T) {
	dir := t.TempDir()
	data, err := nn.FormatNPY(nn.FromInts(nn.I8, []int{1, 2}, []int64{3, 4}))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "input0.npy"), data, 0o600))
	c, done, err := OpenCase(dir, 2)
	require.NoError(t, err)
	_, err = c.step("input0", 0)
	require.EqualError(t, err, dir+": input0 is [1 2], the first dimension must be the 2 steps")
	require.NoError(t, done())
}
