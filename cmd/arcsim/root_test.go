package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/cli"
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
