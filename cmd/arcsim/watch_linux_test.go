package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/browser"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/term/watch"
)

// watcher is a command that watches files in a folder.
type watcher struct {
	t     *testing.T
	dir   string
	cmd   *exec.Cmd
	ended chan error

	mu   sync.Mutex
	said strings.Builder
}

// Write takes what the command prints.
func (w *watcher) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said.Write(p)
}

func (w *watcher) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said.String()
}

// words is the text with one blank between its words.
func (w *watcher) words() string { return strings.Join(strings.Fields(w.text()), " ") }

// source writes what a source includes: a loop has this number of iterations.
func (w *watcher) source(iterations string) {
	w.t.Helper()
	require.NoError(w.t, os.WriteFile(filepath.Join(w.dir, "count.inc"), []byte("\tmov r0, "+iterations+"\n"), 0o600))
}

// watches starts a command in a folder with a source of three iterations.
func watches(t *testing.T, args ...string) *watcher {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	w := &watcher{t: t, dir: t.TempDir(), ended: make(chan error, 1)}
	w.source("3")
	require.NoError(t, os.WriteFile(filepath.Join(w.dir, "loop.s"), []byte("\t.globl __start\n__start:\n\t.include \"count.inc\"\nloop:\n\tsub.f r0, r0, 1\n\tbne loop\n\tflag 1\n"), 0o600))
	// TestMain runs main when the program is called by that name.
	w.cmd = &exec.Cmd{Path: exe, Args: append([]string{"arcsim"}, args...), Dir: w.dir, Stdout: w, Stderr: w}
	require.NoError(t, w.cmd.Start())
	t.Cleanup(func() { _ = w.cmd.Process.Kill() })
	go func() { w.ended <- w.cmd.Wait() }()
	return w
}

// soon waits until something holds.
func (w *watcher) soon(holds func() bool, what string) {
	w.t.Helper()
	for deadline := time.Now().Add(longest); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if holds() {
			return
		}
	}
	w.t.Fatalf("%s: %s", what, w.text())
}

// page waits until the page has a text.
func (w *watcher) page(text string) {
	w.t.Helper()
	w.soon(func() bool {
		page, _ := os.ReadFile(filepath.Join(w.dir, "loop.html"))
		return strings.Contains(string(page), text)
	}, text)
}

// ends ends the command by a signal, which is no failure.
func (w *watcher) ends(sig os.Signal) {
	w.t.Helper()
	require.NoError(w.t, w.cmd.Process.Signal(sig))
	select {
	case err := <-w.ended:
		require.NoError(w.t, err)
	case <-time.After(longest):
		w.t.Fatal("the signal does not end it")
	}
}

// files are the names of all files in the folder.
func (w *watcher) files() (names []string) {
	list, err := os.ReadDir(w.dir)
	require.NoError(w.t, err)
	for _, f := range list {
		names = append(names, f.Name())
	}
	return names
}

// TestWatchReport: an included file changes, is wrong, is right again, and never ends the program; the page is the last good one
// beside the one before, and at the end nothing else is left.
func TestWatchReport(t *testing.T) {
	w := watches(t, "report", "--watch", "--html", "loop.html", "loop.s")
	w.page("<b>8</b><span>instructions</span>")
	w.source("5")
	w.page("<b>12</b><span>instructions</span>")
	w.page(`<tr class="worse"><td>instructions</td><td class="n">8</td><td class="n">12</td><td class="n delta">+50.00 %</td></tr>`)
	w.source("none")
	w.soon(func() bool { return strings.Contains(w.text(), "none") }, "the message of the assembler")
	w.page("<b>12</b><span>instructions</span>")
	w.source("0x7fffffff") // runs for minutes
	w.soon(func() bool {
		news, _ := os.ReadFile(filepath.Join(w.dir, "loop.html.watch.js"))
		return strings.Contains(string(news), "none")
	}, "the message in the news")
	time.Sleep(watch.Pause)
	w.source("4")
	w.page("<b>10</b><span>instructions</span>")
	w.page(`<tr class="better"><td>instructions</td><td class="n">12</td><td class="n">10</td>`)
	w.ends(syscall.SIGTERM)
	require.Equal(t, []string{"count.inc", "loop.html", "loop.s"}, w.files())
	page, err := os.ReadFile(filepath.Join(w.dir, "loop.html"))
	require.NoError(t, err)
	require.NotContains(t, string(page), "arcsimNews")
	require.Contains(t, string(page), "<b>10</b><span>instructions</span>")
}

// TestWatchTimeline: the text is printed again, beside the one before. An error of the command line ends the command, one of the first
// source does not; a page that never was good is gone at the end.
func TestWatchTimeline(t *testing.T) {
	w := watches(t, "report", "timeline", "--watch", "--view", "summary", "loop.s")
	w.soon(func() bool { return strings.Contains(w.words(), "Instructions: 8 Total") }, "first")
	w.source("5")
	w.soon(func() bool { return strings.Contains(w.words(), "instructions 8 12 +50.00 % lost") }, "second")
	w.ends(os.Interrupt)

	w = watches(t, "report", "timeline", "--watch", "--core", "em99", "loop.s")
	require.ErrorContains(t, <-w.ended, "exit status 2")
	require.Contains(t, w.text(), "em99")

	w = watches(t, "report", "timeline", "--watch", "--html", "loop.html", "--from", "nowhere", "loop.s")
	w.soon(func() bool { return strings.Contains(w.text(), `no symbol "nowhere"`) }, "no symbol")
	w.page("arcsimNews")
	w.ends(syscall.SIGHUP)
	require.Equal(t, []string{"count.inc", "loop.s"}, w.files())
}

// TestWatchBrowser: a page that was opened from its file follows the source. What is open stays open, an error stands on the last good
// page, and when the command has ended the page is left alone.
func TestWatchBrowser(t *testing.T) {
	level.NeedsLong(t, "a browser follows edits")
	w := watches(t, "report", "--watch", "--html", "loop.html", "loop.s")
	w.page("<b>8</b><span>instructions</span>")
	p := browser.Open(t, filepath.Join(w.dir, "loop.html"))
	shows := func(script, text string) {
		t.Helper()
		w.soon(func() bool {
			return p.Text(`String((() => { try { return `+script+` } catch { return "" } })())`) == text
		}, text)
	}
	const insts = `document.querySelector(".tile b").textContent`
	shows(insts, "8")
	p.Eval(`document.querySelectorAll("details.inner")[0].open = true`, nil)
	w.source("5")
	shows(insts, "12")
	shows(`document.querySelectorAll("details.inner")[0].open`, "true")
	shows(`document.querySelector("#against tbody tr:nth-child(2)").innerText.split(/\s+/).join(" ")`, "instructions 8 12 +50.00 %")
	w.source("none")
	shows(`/none/.test(document.querySelector("[role=alert]").innerText)`, "true")
	shows(insts, "12")
	p.Picture("watch-error", 1280, 800)
	w.source("4")
	shows(insts, "10")
	shows(`document.querySelector("[role=alert]").hidden`, "true")
	require.Empty(t, p.Console())
	w.ends(syscall.SIGTERM)
	p.Eval(`new Promise(done => setTimeout(done, 1500))`, nil)
	require.LessOrEqual(t, len(p.Console()), 1, "one look for news that come no more: %v", p.Console())
	shows(insts, "10")
}
