package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	for name, c := range map[string]struct {
		command func(s Streams) error
		status  int
		want    string
	}{
		"success":      {command: func(Streams) error { return nil }},
		"usage":        {command: func(Streams) error { return errors.New("unknown flag -z") }, status: Usage, want: "tool: unknown flag -z\n"},
		"host":         {command: func(Streams) error { return HostError(errors.New("no file")) }, status: Host, want: "tool: no file\n"},
		"failed":       {command: func(Streams) error { return FailedError(errors.New("2 errors")) }, status: Failed, want: "tool: 2 errors\n"},
		"wrapped":      {command: func(Streams) error { return fmt.Errorf("in a.s: %w", UsageError(errors.New("what"))) }, status: Usage, want: "tool: what\n"},
		"told already": {command: func(Streams) error { return &ExitError{Status: 77} }, status: 77},
		"output lost": {command: func(s Streams) error {
			fmt.Fprintln(s.Out, "result") // a print whose error nobody looks at
			return nil
		}, status: Host, want: "tool: no space\n"},
		"write error": {command: func(s Streams) error {
			_, err := fmt.Fprintln(s.Out, "result")
			return err
		}, status: Host, want: "tool: no space\n"},
		"failed and lost": {command: func(s Streams) error {
			fmt.Fprintln(s.Out, "result")
			return FailedError(errors.New("2 errors"))
		}, status: Failed, want: "tool: 2 errors\n"},
		"panic": {command: func(Streams) error { panic("lost") }, status: Host, want: "please report it: lost"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			s := Streams{Name: "tool", Out: full{}, Err: &out}
			require.Equal(t, c.status, s.Run(c.command))
			require.Contains(t, out.String(), c.want)
			if c.want == "" {
				require.Empty(t, out.String())
			}
		})
	}
}

// full is a file on a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

// TestLongLines: a message quotes the beginning and the end of what is long, line by line, and arguments on one line.
func TestLongLines(t *testing.T) {
	var out bytes.Buffer
	s := Streams{Name: "x", Err: &out}
	s.Warn("file.txt:3: %s is wrong\nnear é", strings.Repeat("é", 1<<20))
	first, second, _ := strings.Cut(out.String(), "\n")
	require.Less(t, len(first), longest+50)
	require.True(t, utf8.ValidString(first))
	require.Regexp(t, "^x: file.txt:3: é+ ...\\(20[0-9]+ bytes left out\\)... é+ is wrong$", first)
	require.Equal(t, "near é\n", second)
	require.Equal(t, `r1=\n\x1b[2J`, Line("r1=\n\x1b[2J"))
}
