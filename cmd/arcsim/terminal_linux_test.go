package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// pseudoTerminal opens a pair of terminals: the user's side, and the program's.
func pseudoTerminal(t *testing.T) (user, program *os.File) {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	fd := int(user.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120}))
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	return user, program
}

// typist is a user at a terminal.
type typist struct {
	t    *testing.T
	term *os.File
	mu   sync.Mutex
	seen bytes.Buffer
	read int // what was expected up to here
}

func (u *typist) listen() {
	buf := make([]byte, 4096)
	for {
		n, err := u.term.Read(buf)
		u.mu.Lock()
		u.seen.Write(buf[:n])
		u.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (u *typist) types(text string) {
	u.t.Helper()
	_, err := u.term.WriteString(text)
	require.NoError(u.t, err)
}

// expects waits for a text behind what was expected before.
func (u *typist) expects(text string) {
	u.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		u.mu.Lock()
		all := u.seen.String()
		u.mu.Unlock()
		if i := strings.Index(all[u.read:], text); i >= 0 {
			u.read += i + len(text)
			return
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.t.Fatalf("%q was not seen in %q", text, u.seen.String()[u.read:])
}

// TestDebugOnTerminal: line editing, completion, history and Ctrl-C under a pseudo-terminal.
func TestDebugOnTerminal(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	guest, err := filepath.Abs("../../testdata/guest/elf/spin.elf")
	require.NoError(t, err)
	dir := t.TempDir()
	term, program := pseudoTerminal(t)
	defer func() { _ = term.Close() }()
	// TestMain runs main when the program is called by that name.
	cmd := &exec.Cmd{
		Path: exe, Args: []string{"arcsim", "debug", guest}, Dir: dir,
		Stdin: program, Stdout: program, Stderr: program,
		Env:         append(os.Environ(), "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "TERM=xterm", "NO_COLOR="),
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true},
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "arcsim"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "arcsim", "init"), []byte("set $greeting = 99\n"), 0o644))
	require.NoError(t, cmd.Start())
	require.NoError(t, program.Close())
	killed := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	defer killed.Stop()

	u := &typist{t: t, term: term}
	go u.listen()
	const prompt = "(arcsim) "
	u.expects(prompt)
	u.types("print $greeting\r") // the init file was executed
	u.expects("$1 = 99")
	u.expects(prompt)
	u.types("insp\t6*7\r") // completion
	u.expects("inspect 6*7")
	u.expects("$2 = 42")
	u.expects(prompt)
	u.types("\x1b[A\r") // the line before
	u.expects("$3 = 42")
	u.expects(prompt)
	u.types("\x1b[3~") // Delete on an empty line is no end of the session
	u.types("xprint 6*7\x1b[H\x1b[3~\r")
	u.expects("$4 = 42")
	u.expects(prompt)
	u.types("stepi\r")
	u.expects("=> ")
	u.expects("\x1b[") // colour, or the editor at work
	u.types("\r")      // an empty line repeats
	u.expects("=> ")
	u.types("nonsense\x03") // Ctrl-C abandons a line
	u.expects("Quit")
	u.expects(prompt)
	u.types("continue\r")
	time.Sleep(300 * time.Millisecond)
	u.types("\x03") // Ctrl-C stops the program, not the debugger
	u.expects("Program interrupted.")
	u.expects(prompt)
	u.types("c\r")
	time.Sleep(200 * time.Millisecond)
	u.types("\x03") // again
	u.expects("Program interrupted.")
	u.expects(prompt)
	u.types("print 1 + 1\r")
	u.expects("$5 = 2")
	u.expects(prompt)
	u.types("quit 5\r")
	err = cmd.Wait()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 5, exit.ExitCode())
	history, err := os.ReadFile(filepath.Join(dir, "arcsim", "history"))
	require.NoError(t, err)
	require.Contains(t, string(history), "print 6*7\n")
	require.NotContains(t, string(history), "nonsense")
}
