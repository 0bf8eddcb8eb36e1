package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/term/cli"
)

// TestBenchInterrupted: a bench that is interrupted prints what it has, says so and leaves the baseline
// alone.
func TestBenchInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	base := filepath.Join(t.TempDir(), "base.txt")
	var out, errs bytes.Buffer
	cmd := newRoot(cli.Streams{In: &bytes.Buffer{}, Out: &out, Err: &errs})
	cmd.SetArgs([]string{"bench", "--json", "--baseline", base, "--update-baseline", "dhry"})
	err := cmd.ExecuteContext(ctx)
	var e *cli.ExitError
	require.True(t, errors.As(err, &e), "%v", err)
	require.Equal(t, statusInterrupted, e.Status)
	require.Contains(t, out.String(), `"interrupted": true`)
	require.Contains(t, errs.String(), "interrupted: 0 results are there")
	_, err = os.Stat(base)
	require.ErrorIs(t, err, os.ErrNotExist)
}
