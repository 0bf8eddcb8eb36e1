package cli

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	for name, c := range map[string]struct {
		command func() error
		status  int
		want    string
	}{
		"success":      {command: func() error { return nil }},
		"usage":        {command: func() error { return errors.New("unknown flag -z") }, status: Usage, want: "tool: unknown flag -z\n"},
		"host":         {command: func() error { return HostError(errors.New("no file")) }, status: Host, want: "tool: no file\n"},
		"failed":       {command: func() error { return FailedError(errors.New("2 errors")) }, status: Failed, want: "tool: 2 errors\n"},
		"wrapped":      {command: func() error { return fmt.Errorf("in a.s: %w", UsageError(errors.New("what"))) }, status: Usage, want: "tool: what\n"},
		"told already": {command: func() error { return &ExitError{Status: 77} }, status: 77},
		"panic":        {command: func() error { panic("lost") }, status: Host, want: "please report it: lost"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			s := Streams{Name: "tool", Err: &out}
			require.Equal(t, c.status, s.Run(c.command))
			require.Contains(t, out.String(), c.want)
			if c.want == "" {
				require.Empty(t, out.String())
			}
		})
	}
}
