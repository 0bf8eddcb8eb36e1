package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/term/cli"
)

// TestCompletion expects a script for each shell and an error for what is none.
func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{args: []string{"completion", "bash"}, want: "# bash completion of arcsim"},
		{args: []string{"completion"}, want: "arcsim completion [command]"},
		{args: []string{"completion", "csh"}, status: cli.Usage,
			want: `unknown shell "csh" for "arcsim completion", there is bash, fish, powershell, zsh`},
	} {
		var out, errs bytes.Buffer
		require.Equal(t, c.status, Main(c.args, nil, &out, &errs), "%v", c.args)
		require.Contains(t, out.String()+errs.String(), c.want)
	}
}

// TestObvious: a file named as a command is does not take its place.
func TestObvious(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("run", []byte("a file"), 0o644))
	require.Equal(t, [][]string{{"run", "x.elf"}}, obvious([]string{"run", "x.elf"}))
	require.Equal(t, [][]string{{"run", "./run", "1"}}, obvious([]string{"./run", "1"}))
	require.Equal(t, [][]string{{"model", "show", "n.tflite"}, {"model", "bench", "n.tflite"}}, obvious([]string{"n.tflite"}))
	require.Equal(t, [][]string{{nsimName, "-p", "x"}}, obvious([]string{"run", "--nsim", "-p", "x"}))
}
