package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/term/cli"
)

// TestFewCommands: the list that arcsim alone prints is short.
func TestFewCommands(t *testing.T) {
	var out, errs bytes.Buffer
	require.Zero(t, Main(nil, nil, &out, &errs))
	listed := 0
	for _, cmd := range newRoot(cli.Streams{}).Commands() {
		if strings.Contains(out.String(), "\n  "+cmd.Name()+" ") {
			listed++
		}
	}
	require.Equal(t, 12, listed, out.String())
	require.Contains(t, out.String(), "arcsim help COMMAND explains a command")
}

// TestOneCommand: a root for a command line has what the line names, with all its flags, and the root of all has the same.
// Completion of arguments is for commands that exist.
func TestOneCommand(t *testing.T) {
	whole := newRoot(cli.Streams{})
	for _, c := range subcommands() {
		one, _, err := rootFor([]string{c.name}, cli.Streams{}).Find([]string{c.name})
		require.NoError(t, err)
		all, _, err := whole.Find([]string{c.name})
		require.NoError(t, err)
		require.Equal(t, c.name, one.Name())
		require.Equal(t, all.LocalFlags().FlagUsages(), one.LocalFlags().FlagUsages(), c.name)
		require.Equal(t, all.Hidden, one.Hidden)
	}
	for path := range kernelArgumentValues() {
		cmd, rest, err := whole.Find(strings.Fields(path))
		require.NoError(t, err, path)
		require.Empty(t, rest, path)
		require.NotNil(t, cmd.ValidArgsFunction, path)
	}
}

// TestHelp: each command with many flags has help of one screen that names them all, and every flag has a topic.
func TestHelp(t *testing.T) {
	root := newRoot(cli.Streams{})
	for path := range help().Often {
		t.Run(path, func(t *testing.T) {
			cmd, rest, err := root.Find(strings.Fields(path))
			require.NoError(t, err)
			require.Empty(t, rest)
			var out, errs bytes.Buffer
			require.Zero(t, Main(append(strings.Fields(path), "--help"), nil, &out, &errs))
			require.Less(t, strings.Count(out.String(), "\n"), 35)
			for _, topic := range help().Flags(cmd) {
				require.NotEqual(t, cli.OtherTopic, topic.Name, "a flag without a topic")
				for _, f := range topic.Flags {
					require.Contains(t, out.String(), "--"+f.Name)
				}
			}
		})
	}
}
