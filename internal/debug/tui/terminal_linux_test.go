package tui

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"arcv2dsp/internal/dev/testkit/screen"
)

// longest is how long the terminal may take to show something on a machine that has much else to do.
const longest = 2 * time.Minute

// TestTerminalIsGivenBack: the terminal is as before when the view ends, also when a panic ends it.
func TestTerminalIsGivenBack(t *testing.T) {
	_, d := stopped(t, 80, 24)
	user, program := screen.Terminal(t, 80, 24)
	seen := screen.New(80, 24)
	go func() { _, _ = io.Copy(seen, user) }() // until the terminal is closed
	before, err := unix.IoctlGetTermios(int(program.Fd()), unix.TCGETS)
	require.NoError(t, err)
	s := New(Config{In: program, Out: program, Size: func() (int, int, error) { return term.GetSize(int(program.Fd())) }})
	s.Attach(d, nil)
	use := func() (panicked any) {
		defer func() { panicked = recover() }()
		defer func() { _ = s.Disable() }()
		require.NoError(t, s.Enable())
		require.Eventually(t, seen.Alternate, longest, time.Millisecond)
		raw, err := unix.IoctlGetTermios(int(program.Fd()), unix.TCGETS)
		require.NoError(t, err)
		require.NotEqual(t, before.Lflag, raw.Lflag)
		_, err = user.WriteString("step\r")
		require.NoError(t, err)
		line, abandoned, err := s.Line("(arcsim) ")
		require.NoError(t, err)
		require.False(t, abandoned)
		panic(line)
	}
	require.Equal(t, "step", use())
	after, err := unix.IoctlGetTermios(int(program.Fd()), unix.TCGETS)
	require.NoError(t, err)
	require.Equal(t, before, after)
	require.Eventually(t, func() bool { return !seen.Alternate() && !seen.Hidden() }, longest, time.Millisecond)
	require.False(t, s.Enabled())
	n, err := s.Write([]byte("passed on"))
	require.NoError(t, err)
	require.Equal(t, 9, n)
	require.Eventually(t, func() bool { return strings.Contains(seen.String(), "passed on") }, longest, time.Millisecond)
}

// TestRunning: while the program runs Ctrl-C ends it, and keys wait for the next line.
func TestRunning(t *testing.T) {
	_, d := stopped(t, 80, 24)
	user, program := screen.Terminal(t, 80, 24)
	go func() { _, _ = io.Copy(io.Discard, user) }() // until the terminal is closed
	s := New(Config{In: program, Out: program, Size: func() (int, int, error) { return term.GetSize(int(program.Fd())) }})
	s.Attach(d, nil)
	require.NoError(t, s.Enable())
	defer func() { require.NoError(t, s.Disable()) }()
	ctx, stop := s.Running(context.Background())
	_, err := user.WriteString("ab\x03\r")
	require.NoError(t, err)
	select {
	case <-ctx.Done():
	case <-time.After(longest):
		t.Fatal("not interrupted")
	}
	stop()
	line, _, err := s.Line("> ")
	require.NoError(t, err)
	require.Equal(t, "ab", line)
}
