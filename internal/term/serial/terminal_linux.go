package serial

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// terminal is a pseudo-terminal. It holds the end of the user as well: without anybody at it, reading would fail.
type terminal struct {
	master, user *os.File
	full         bool // nobody reads, and it takes no more
}

// openTerminal opens a pseudo-terminal that changes no byte, and returns its name.
func openTerminal() (*terminal, string, error) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, "", err
	}
	var name string
	var user *os.File
	raw, err := master.SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) {
			var n int
			if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
				n, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
				name = fmt.Sprintf("/dev/pts/%d", n)
			}
		})
	}
	if err == nil {
		user, err = os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err == nil {
		if _, err = term.MakeRaw(int(user.Fd())); err == nil {
			return &terminal{master: master, user: user}, name, nil
		}
		_ = user.Close() // the first error counts
	}
	_ = master.Close() // the first error counts
	return nil, "", fmt.Errorf("no pseudo-terminal: %w", err)
}

func (t *terminal) Read(p []byte) (int, error) { return t.master.Read(p) }

// patience is how long a terminal that is full may take to be read.
const patience = 100 * time.Millisecond

// Write drops what nobody reads.
func (t *terminal) Write(p []byte) (int, error) {
	wait := patience
	if t.full {
		wait = 0
	}
	if err := t.master.SetWriteDeadline(time.Now().Add(wait)); err != nil {
		return 0, err
	}
	_, err := t.master.Write(p)
	t.full = errors.Is(err, os.ErrDeadlineExceeded)
	if t.full {
		err = nil
	}
	return len(p), err
}

// Close lets a reader take what is there first.
func (t *terminal) Close() error {
	for end := time.Now().Add(time.Second); time.Now().Before(end) && !t.full; time.Sleep(patience / 10) {
		if n, err := unix.IoctlGetInt(int(t.user.Fd()), unix.TIOCINQ); err != nil || n == 0 {
			break
		}
	}
	return errors.Join(t.user.Close(), t.master.Close())
}
