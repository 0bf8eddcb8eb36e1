package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/browser"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/screen"
)

// server is arcsim serve as a process of its own.
type server struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser // nil on a terminal
	url   string
	ended chan error
}

// serves starts arcsim serve, with a pipe as its input unless it is on a terminal.
func serves(t *testing.T, terminal *os.File, args ...string) *server {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	// TestMain runs main when the program is called by that name.
	s := &server{cmd: &exec.Cmd{Path: exe, Args: append([]string{"arcsim", "serve"}, args...)}, ended: make(chan error, 1)}
	if terminal != nil {
		s.cmd.Stdin, s.cmd.SysProcAttr = terminal, &syscall.SysProcAttr{Setsid: true, Setctty: true}
	} else {
		s.stdin, err = s.cmd.StdinPipe()
		require.NoError(t, err)
	}
	out, err := s.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	s.url = strings.TrimSpace(line)
	go func() { s.ended <- s.cmd.Wait() }()
	return s
}

// TestServeEnds: the server ends by a signal, with the pipe that is its input, and with its terminal.
func TestServeEnds(t *testing.T) {
	user, program := screen.Terminal(t, 80, 24)
	for what, end := range map[string]func(*server) error{
		"SIGTERM":  func(s *server) error { return s.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":   func(s *server) error { return s.cmd.Process.Signal(os.Interrupt) },
		"pipe":     func(s *server) error { return s.stdin.Close() },
		"terminal": func(*server) error { return user.Close() },
	} {
		var terminal *os.File
		if what == "terminal" {
			terminal = program
		}
		s := serves(t, terminal)
		if terminal != nil {
			require.NoError(t, program.Close())
		}
		answer, err := http.Get(s.url + "files")
		require.NoError(t, err)
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.JSONEq(t, `{"open":"","files":[]}`, string(text))
		require.NoError(t, end(s), what)
		select {
		case err := <-s.ended:
			require.NoError(t, err, what)
		case <-time.After(longest):
			t.Fatalf("%s does not end it", what)
		}
	}
}

// TestServeBrowser: a page that is served runs a program of the folder as the command does, gets the files that it writes, talks to
// one that reads, and ends an endless one at once; a page of another origin gets nothing.
func TestServeBrowser(t *testing.T) {
	level.NeedsLong(t, "starts a browser")
	dir := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	for name, text := range map[string]string{
		"loop.s":  ".global __start\n__start: mov r0, 3\nloop: sub.f r0, r0, 1\n bne loop\n.include \"end.inc\"\n",
		"end.inc": " flag 1\n", "spin.s": ".global __start\n__start: b __start\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	s := serves(t, nil, dir)
	p := browser.OpenURL(t, s.url)
	p.Eval(`(async () => {
const { open } = await import("./socket-backend.js"), backend = await open(document.baseURI);
const list = await (await fetch("files")).json(), files = {};
for (const name of list.files) files[name] = new Uint8Array(await (await fetch("files/" + name)).arrayBuffer());
globalThis.run = async (argv, opts = {}, act = () => {}) => {
  const seen = { out: "", err: "" }, decoder = new TextDecoder();
  const p = backend.run(argv, { files, ...opts, stdout: b => { seen.out += decoder.decode(b); act(p); }, stderr: b => seen.err += decoder.decode(b) });
  if (opts.begin) opts.begin(p);
  const end = await p.exited;
  return { ...seen, status: end.status, files: Object.keys(end.files).sort().join(), text: f => decoder.decode(end.files[f]) };
};
})()`, nil)
	var direct bytes.Buffer
	require.Zero(t, Main([]string{"run", "--json", filepath.Join(dir, "loop.s")}, nil, &direct, io.Discard))
	var counts struct{ Cycles, Instructions int }
	require.NoError(t, json.Unmarshal(direct.Bytes(), &counts))
	require.Equal(t, 8, counts.Instructions)
	require.Equal(t, fmt.Sprintf("0 %d 8", counts.Cycles), p.Text(`run(["run", "--json", "loop.s"]).then(r => { const j = JSON.parse(r.out); return [r.status, j.cycles, j.instructions].join(" ") })`))
	require.Equal(t, "page.html <!DOCTYPE html>", p.Text(`run(["report", "--html", "page.html", "loop.s"]).then(r => r.files + " " + r.text("page.html").slice(0, 15))`))
	require.Contains(t, p.Text(`run(["run", "none.s"]).then(r => r.status + r.err)`), "none.s: no such file")
	require.Contains(t, p.Text(`run(["debug", "--nx", "loop.s"], { input: "open", begin: p => { p.write("print 6*"); p.write("7\n"); p.closeInput() } }).then(r => r.status + r.out)`), "0$1 = 42")
	require.Equal(t, "137 fast", p.Text(`(() => { let at; return run(["run", "spin.s"], { begin: p => setTimeout(() => { at = performance.now(); p.kill() }, 500) })
.then(r => r.status + " " + (performance.now() - at < 1000 ? "fast" : "slow")) })()`))
	require.Equal(t, `Error: "--fs=/" leads out of the folder of the page`, p.Text(`run(["run", "--fs=/", "loop.s"]).catch(e => String(e))`))
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, <-s.ended)
	require.Equal(t, "Error: the command that serves this page has ended", p.Text(`run(["run", "loop.s"]).catch(e => String(e))`))

	killed := serves(t, nil, dir) // nothing that it runs outlives it, although it cannot say so
	p = browser.OpenURL(t, killed.url)
	p.Eval(`import("./socket-backend.js").then(m => m.open(document.baseURI)).then(b => { b.run(["run", "spin.s"], { files: { "spin.s": ".global __start\n__start: b __start\n" } }).exited.catch(() => 0) })`, nil)
	var children []string // of the page itself, too
	require.Eventually(t, func() bool {
		children = nil
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", killed.cmd.Process.Pid))
		require.NoError(t, err)
		for _, task := range tasks {
			if list, err := os.ReadFile(task); err == nil {
				children = append(children, strings.Fields(string(list))...)
			}
		}
		return len(children) > 0
	}, longest, 10*time.Millisecond)
	require.NoError(t, killed.cmd.Process.Kill())
	require.Error(t, <-killed.ended)
	for _, child := range children {
		require.Eventually(t, func() bool { _, err := os.Stat("/proc/" + child); return err != nil }, longest, 10*time.Millisecond)
	}

	other := serves(t, nil, dir)
	evil := filepath.Join(t.TempDir(), "evil.html")
	require.NoError(t, os.WriteFile(evil, []byte("<!DOCTYPE html><title>evil</title>"), 0o600))
	p = browser.Open(t, evil) // it knows the secret, and gets nothing even so
	require.Equal(t, "TypeError", p.Text(`fetch("`+other.url+`files").catch(e => e.name)`))
	require.Equal(t, "closed", p.Text(`new Promise(done => { const s = new WebSocket("`+strings.Replace(other.url, "http", "ws", 1)+`socket");
s.onopen = () => done("open"); s.onclose = () => done("closed") })`))
}
