package main

import (
	"bytes"
	"io"
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

	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/screen"
)

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

// longest is how long a text may take to appear on a machine that has much else to do.
const longest = 2 * time.Minute

// expects waits for a text behind what was expected before.
func (u *typist) expects(text string) {
	u.t.Helper()
	for deadline := time.Now().Add(longest); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
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

// interrupts types Ctrl-C when a command is executed: the editor of lines has given the terminal back, which makes a
// signal of the key, and the command has had a moment to listen for it.
func (u *typist) interrupts() {
	u.t.Helper()
	u.waits(true)
	time.Sleep(300 * time.Millisecond)
	u.types("\x03")
}

// waits until Ctrl-C is a signal, or until it is a key for the editor of lines.
func (u *typist) waits(signal bool) {
	u.t.Helper()
	require.Eventually(u.t, func() bool {
		state, err := unix.IoctlGetTermios(int(u.term.Fd()), unix.TCGETS)
		return err == nil && (state.Lflag&unix.ISIG != 0) == signal
	}, longest, 5*time.Millisecond)
}

// TestDebugOnTerminal: line editing, completion, history and Ctrl-C under a pseudo-terminal.
func TestDebugOnTerminal(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	guest, err := filepath.Abs("../../testdata/guest/elf/spin.elf")
	require.NoError(t, err)
	dir := t.TempDir()
	term, program := screen.Terminal(t, 120, 40)
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
	killed := time.AfterFunc(5*longest, func() { _ = cmd.Process.Kill() })
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
	u.expects(prompt)
	u.waits(false)
	u.types("nonsense\x03") // Ctrl-C abandons a line
	u.expects("Quit")
	u.expects(prompt)
	u.types("continue\r")
	u.interrupts() // the program, not the debugger
	u.expects("Program interrupted.")
	u.expects(prompt)
	u.types("c\r")
	u.interrupts() // again
	u.expects("Program interrupted.")
	u.expects(prompt)
	u.types("print 1 + 1\r")
	u.expects("$5 = 2")
	u.expects(prompt)
	u.types("runfor 30000000\r")
	u.expects(prompt)
	u.types("watch $r13 if $r13 == 77\r")
	u.expects(prompt)
	u.types("reverse-continue\r") // a search through the past says how far it is, and can be given up
	u.expects("Searched ")
	u.expects(" million instructions; Ctrl-C gives up.")
	u.types("\x03")
	u.expects("Program interrupted.")
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

// TestInBash: the Tab key in a bash that has no package bash-completion, and Ctrl-Z of the full-screen view.
func TestInBash(t *testing.T) {
	level.NeedsPlain(t, "starts a shell")
	bash := needed(t, "bash")
	guest, err := filepath.Abs("../../testdata/guest/elf/spin.elf")
	require.NoError(t, err)
	dir := t.TempDir()
	commandIn(t, dir)
	term, program := screen.Terminal(t, 120, 40)
	defer func() { _ = term.Close() }()
	cmd := &exec.Cmd{
		Path: bash, Args: []string{"bash", "--norc", "--noprofile", "-i"}, Dir: dir, Stdin: program, Stdout: program, Stderr: program,
		Env: append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "PS1=ready> ", "TERM=dumb",
			"INPUTRC=/dev/null", "HISTFILE=", "HOME="+dir),
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true},
	}
	require.NoError(t, cmd.Start())
	require.NoError(t, program.Close())
	killed := time.AfterFunc(5*longest, func() { _ = cmd.Process.Kill() })
	defer killed.Stop()
	u := &typist{t: t, term: term}
	go u.listen()
	u.expects("ready> ")
	u.types("source <(arcsim completion bash)\r")
	u.expects("ready> ")
	for _, c := range []struct{ typed, completed string }{
		{typed: "arcsim run --core emsk23-em9", completed: "d "},
		{typed: "arcsim run --core=emsk23-em9", completed: "d "},
		{typed: "arcsim kernels sh", completed: "ow "},
		{typed: "arcsim run -p mpy_op", completed: "tion="},
		{typed: "arcsim bench --core em7d,em11", completed: "d "},
		{typed: "arcsim regress --eng", completed: "ine "},
		{typed: "arcsim run --prop=mpy_op", completed: "tion="},
		{typed: "arcsim run --no-such-flag ./arc", completed: "sim "}, // a file
	} {
		u.types(c.typed + "\t\x05#end") // Ctrl-E: Tab has done what it does
		u.expects(c.typed + c.completed + "#end")
		u.types("\x03")
		u.expects("ready> ")
	}
	u.types("arcsim debug --nx --tui " + guest + "\r")
	u.expects("\x1b[?1049h")
	u.expects("(arcsim)")
	u.types("\x1a") // Ctrl-Z gives the terminal back
	u.expects("\x1b[?1049l")
	u.expects("Stopped")
	u.expects("ready> ")
	u.types("fg\r")
	u.expects("\x1b[?1049h")
	u.types("continue\r")
	u.expects("running; Ctrl-C stops the program")
	u.types("\x1a") // while the program runs, too
	u.expects("Stopped")
	u.expects("ready> ")
	u.types("fg\r")
	u.expects("running; Ctrl-C stops the program")
	u.types("\x03")
	u.expects("interrupted.")
	u.types("quit\r")
	u.expects("\x1b[?1049l")
	u.expects("ready> ")
	u.types("arcsim model \t\t") // all, with what they do
	u.expects("bench     (Measure networks layer by layer")
	u.expects("ready> arcsim model ")
	u.types("\x03")
	u.expects("ready> ")
	u.types("exit 7\r")
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	require.Equal(t, 7, exit.ExitCode())
}

// TestFullScreen: debug --tui under a pseudo-terminal: start, step, completion, a long run with a change of
// the terminal's size, Ctrl-C, scrolling, the end, and the terminal as it was before.
func TestFullScreen(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	guest, err := filepath.Abs("../../testdata/guest/elf/spin.elf")
	require.NoError(t, err)
	dir := t.TempDir()
	user, program := screen.Terminal(t, 120, 40)
	defer func() { _ = user.Close() }()
	size := func(w, h uint16) {
		require.NoError(t, unix.IoctlSetWinsize(int(user.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: h, Col: w}))
	}
	size(80, 24)
	before, err := unix.IoctlGetTermios(int(user.Fd()), unix.TCGETS)
	require.NoError(t, err)
	cmd := &exec.Cmd{
		Path: exe, Args: []string{"arcsim", "debug", "--nx", "--tui", guest}, Dir: dir, Stdin: program, Stdout: program, Stderr: program,
		Env:         append(os.Environ(), "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "TERM=xterm", "NO_COLOR="),
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true},
	}
	require.NoError(t, cmd.Start())
	require.NoError(t, program.Close())
	killed := time.AfterFunc(5*longest, func() { _ = cmd.Process.Kill() })
	defer killed.Stop()

	seen := screen.New(80, 24)
	go func() { _, _ = io.Copy(seen, user) }() // until the terminal is closed
	types := func(text string) {
		t.Helper()
		_, err := user.WriteString(text)
		require.NoError(t, err)
	}
	shows := func(text string) {
		t.Helper()
		require.Eventually(t, func() bool { return strings.Contains(seen.String(), text) }, longest, 5*time.Millisecond, "%q in\n%s", text, seen)
	}
	shows("(arcsim)")
	shows("instructions of _start")
	require.True(t, seen.Alternate())
	types("insp\t6*7\r")
	shows("$1 = 42")
	types("stepi\r")
	shows("1 instructions  ")
	types("layout regs\r")
	shows("registers: ")
	types("continue\r")
	shows("running; Ctrl-C stops the program")
	seen.Resize(100, 30)
	size(100, 30)
	shows("running; Ctrl-C stops the program")
	types("\x03")
	shows("Program interrupted.")
	require.Len(t, strings.Split(strings.TrimRight(seen.String(), "\n"), "\n"), 30, "the prompt is on the last line")
	types("help\r")
	shows("may be shortened")
	types("\x1b[5~\x1b[5~\x1b[5~\x1b[5~\x1b[5~\x1b[5~\x1b[5~\x1b[5~\x1b[5~\x1b[5~")
	shows("$1 = 42")
	types("tui disable\r")
	require.Eventually(t, func() bool { return !seen.Alternate() && !seen.Hidden() }, longest, 5*time.Millisecond)
	shows("(arcsim)")
	types("\x1b[A\x1b[A\x1b[A\x1b[A\x1b[A\x1b[A\r") // the history of the view is that of the prompt
	shows("$2 = 42")
	types("tui enable\r")
	require.Eventually(t, seen.Alternate, longest, 5*time.Millisecond)
	shows("registers: ")
	types("\x12ins") // Ctrl-R; the keys come one by one again
	shows("(search)`ins': inspect 6*7")
	types("\r")
	shows("$3 = 42")
	types("quit 5\r")
	err = cmd.Wait()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 5, exit.ExitCode())
	require.Eventually(t, func() bool { return !seen.Alternate() }, longest, 5*time.Millisecond)
	after, err := unix.IoctlGetTermios(int(user.Fd()), unix.TCGETS)
	require.NoError(t, err)
	require.Equal(t, before, after)
}
