//go:build unix

package tui

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// terminal is a terminal whose keys come one by one.
type terminal struct {
	in    *os.File
	state *term.State
}

func (t *terminal) begin(in *os.File) (err error) {
	t.in = in
	t.state, err = term.MakeRaw(int(in.Fd()))
	return err
}

func (t *terminal) end() error { return term.Restore(int(t.in.Fd()), t.state) }

// suspendWait is how long a process that its system does not stop waits for the shell; one whose shell knows no jobs
// goes on at once.
const suspendWait = 500 * time.Millisecond

// suspend stops the job until its shell continues it.
func suspend() error {
	again := make(chan os.Signal, 1)
	signal.Notify(again, unix.SIGCONT)
	defer signal.Stop(again)
	if err := unix.Kill(0, unix.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-again:
	case <-time.After(suspendWait):
	}
	return nil
}

// read returns what is typed, or nothing after a while.
func (t *terminal) read(wait time.Duration) ([]byte, error) {
	fd := int(t.in.Fd())
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	n, err := unix.Poll(poll, int(wait.Milliseconds()))
	switch {
	case errors.Is(err, unix.EINTR) || err == nil && n == 0:
		return nil, nil
	case err != nil:
		return nil, err
	}
	buf := make([]byte, 256)
	n, err = unix.Read(fd, buf)
	switch {
	case errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN):
		return nil, nil
	case err != nil:
		return nil, err
	case n == 0:
		return nil, io.EOF
	}
	return buf[:n], nil
}
