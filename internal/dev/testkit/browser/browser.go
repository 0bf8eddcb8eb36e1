// Package browser drives a Chromium without a window: pages of any width, light or dark, their console, their
// scripts, pictures of them. A test that has no Chromium is skipped, or fails where the tools are required.
//
// Start with Open for one page, Readable for the promises that all pages of the project keep.
package browser

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
)

// patience is how long a page may take to load or a script to end.
const patience = 60 * time.Second

// Page is a page in a browser of its own.
type Page struct {
	t       *testing.T
	link    *link
	session string
	File    string // that is shown
}

// Open shows a file. The browser ends with the test.
func Open(t *testing.T, file string) *Page {
	t.Helper()
	p := begin(t)
	p.Go(file)
	return p
}

// OpenURL shows a page of a server.
func OpenURL(t *testing.T, address string) *Page {
	t.Helper()
	p := begin(t)
	p.visit(address)
	return p
}

// begin starts a browser with an empty page.
func begin(t *testing.T) *Page {
	t.Helper()
	l := start(t)
	p := &Page{t: t, link: l}
	var target struct{ TargetID string }
	p.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct{ SessionID string }
	p.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	p.session = session.SessionID
	for _, domain := range []string{"Page.enable", "Runtime.enable", "Log.enable"} {
		p.call(domain, nil, nil)
	}
	return p
}

// Go loads another file.
func (p *Page) Go(file string) {
	p.t.Helper()
	path, err := filepath.Abs(file)
	require.NoError(p.t, err)
	p.File = path
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	p.visit(address.String())
}

func (p *Page) visit(address string) {
	p.t.Helper()
	p.link.loaded = false
	p.call("Page.navigate", map[string]any{"url": address}, nil)
	require.NoError(p.t, p.link.until(func() bool { return p.link.loaded }), "%s does not load", address)
}

// Follow evaluates a script that leads to another page, and waits for that.
func (p *Page) Follow(script string) {
	p.t.Helper()
	p.link.loaded = false
	p.Eval(script, nil)
	require.NoError(p.t, p.link.until(func() bool { return p.link.loaded }), "%s leads nowhere", script)
}

// Size gives the page a width, and a height for what depends on that.
func (p *Page) Size(width, height int) {
	p.t.Helper()
	p.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// Dark has the user prefer dark pages, or light ones.
func (p *Page) Dark(dark bool) {
	p.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	p.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Eval evaluates a script and stores its value, if to is not nil. Promises are awaited.
func (p *Page) Eval(script string, to any) {
	p.t.Helper()
	var out struct {
		Result struct {
			Value json.RawMessage
		}
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	p.call("Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true, "awaitPromise": true}, &out)
	if e := out.ExceptionDetails; e != nil {
		p.t.Fatalf("%s: %s %s", script, e.Text, e.Exception.Description)
	}
	if to != nil {
		require.NoError(p.t, json.Unmarshal(out.Result.Value, to), "%s gives %s", script, out.Result.Value)
	}
}

// Text evaluates a script that gives a text.
func (p *Page) Text(script string) string {
	p.t.Helper()
	var text string
	p.Eval(script, &text)
	return text
}

// Busy is how much processor time the page has taken so far, whatever else the machine did.
func (p *Page) Busy() time.Duration {
	p.t.Helper()
	p.call("Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil)
	var out struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	p.call("Performance.getMetrics", nil, &out)
	for _, m := range out.Metrics {
		if m.Name == "ThreadTime" {
			return time.Duration(m.Value * float64(time.Second))
		}
	}
	p.t.Fatal("the browser does not tell the time of a page")
	return 0
}

// Console returns all messages to the console so far, errors of scripts and of loading among them.
func (p *Page) Console() []string {
	p.Eval("0", nil) // what came before the answer has been read
	return p.link.console
}

// Picture keeps a picture of the page, from its top down to its end or the height, as an artifact of the test, and
// returns its path.
func (p *Page) Picture(name string, width, height int) string {
	p.t.Helper()
	var shot struct{ Data string }
	p.call("Page.captureScreenshot", map[string]any{
		"format": "png", "captureBeyondViewport": true,
		"clip": map[string]any{"x": 0, "y": 0, "width": width, "height": height, "scale": 1},
	}, &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	require.NoError(p.t, err)
	file := filepath.Join(p.t.ArtifactDir(), name+".png")
	require.NoError(p.t, os.WriteFile(file, data, 0o644))
	return file
}

// call sends a command to the page and waits for its answer.
func (p *Page) call(method string, params, to any) {
	p.t.Helper()
	require.NoError(p.t, p.link.call(p.session, method, params, to), "%s: %s", p.File, method)
}

// link is the connection to a browser: JSON messages, each with a zero byte behind it, over two pipes.
type link struct {
	out     *os.File
	answers chan message
	id      int
	loaded  bool
	console []string
}

// message is a command, an answer or an event.
type message struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    any             `json:"params,omitempty"`
	Raw       json.RawMessage `json:"-"` // of an event
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// start runs a browser until the test ends.
func start(t *testing.T) *link {
	t.Helper()
	theirs, out, err := os.Pipe()
	require.NoError(t, err)
	in, theirOut, err := os.Pipe()
	require.NoError(t, err)
	cmd := exec.Command(gnutools.Chromium(t), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
		"--allow-file-access-from-files", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{theirs, theirOut} // the browser's files 3 and 4
	cmd.WaitDelay = 5 * time.Second
	require.NoError(t, cmd.Start())
	_, _ = theirs.Close(), theirOut.Close() // the browser has them now
	l := &link{out: out, answers: make(chan message, 64)}
	go l.read(in)
	t.Cleanup(func() {
		_ = l.call("", "Browser.close", nil, nil) // if it is gone, that is well
		_ = out.Close()
		done := make(chan struct{})
		go func() { _ = cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-done
		}
		_ = in.Close()
	})
	return l
}

// read takes messages apart until the browser ends.
func (l *link) read(in *os.File) {
	defer close(l.answers)
	var rest []byte
	buf := make([]byte, 1<<16)
	for {
		n, err := in.Read(buf)
		rest = append(rest, buf[:n]...)
		for {
			i := bytes.IndexByte(rest, 0)
			if i < 0 {
				break
			}
			var m struct {
				message
				Params json.RawMessage `json:"params"`
			}
			if json.Unmarshal(rest[:i], &m) == nil {
				m.Raw = m.Params
				l.answers <- m.message
			}
			rest = append([]byte(nil), rest[i+1:]...)
		}
		if err != nil {
			return
		}
	}
}

// until handles events until a condition holds.
func (l *link) until(done func() bool) error {
	late := time.After(patience)
	for !done() {
		select {
		case m, ok := <-l.answers:
			if !ok {
				return fmt.Errorf("the browser has ended")
			}
			l.event(m)
		case <-late:
			return fmt.Errorf("no answer after %v", patience)
		}
	}
	return nil
}

func (l *link) call(session, method string, params, to any) error {
	l.id++
	data, err := json.Marshal(message{ID: l.id, SessionID: session, Method: method, Params: params})
	if err != nil {
		return err
	}
	if _, err := l.out.Write(append(data, 0)); err != nil {
		return err
	}
	late := time.After(patience)
	for {
		select {
		case m, ok := <-l.answers:
			switch {
			case !ok:
				return fmt.Errorf("the browser has ended")
			case m.ID != l.id:
				l.event(m)
			case m.Error != nil:
				return fmt.Errorf("%s", m.Error.Message)
			case to != nil:
				return json.Unmarshal(m.Result, to)
			default:
				return nil
			}
		case <-late:
			return fmt.Errorf("no answer after %v", patience)
		}
	}
}

// event notes what a page does.
func (l *link) event(m message) {
	var p struct {
		Type string
		Args []struct {
			Value       any
			Description string
		}
		Entry            struct{ Level, Text, URL string }
		ExceptionDetails struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	_ = json.Unmarshal(m.Raw, &p) // events of other forms are not for us
	switch m.Method {
	case "Page.loadEventFired":
		l.loaded = true
	case "Runtime.consoleAPICalled":
		var words []string
		for _, a := range p.Args {
			if a.Value != nil {
				words = append(words, fmt.Sprint(a.Value))
			} else {
				words = append(words, a.Description)
			}
		}
		l.console = append(l.console, p.Type+": "+strings.Join(words, " "))
	case "Runtime.exceptionThrown":
		l.console = append(l.console, "exception: "+p.ExceptionDetails.Text+" "+p.ExceptionDetails.Exception.Description)
	case "Log.entryAdded":
		l.console = append(l.console, p.Entry.Level+": "+p.Entry.Text+" "+p.Entry.URL)
	}
}
