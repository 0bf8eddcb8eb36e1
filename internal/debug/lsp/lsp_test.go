package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/debug/message"
)

// client is the other end of a session.
type client struct {
	t    testing.TB
	conn net.Conn
	r    *bufio.Reader
	id   int
	done chan error

	told map[string][]diagnostic // by URI, the last ones
}

// came is a message of the server.
type came struct {
	ID     *json.RawMessage `json:"id"`
	Method string           `json:"method"`
	Params json.RawMessage  `json:"params"`
	Result json.RawMessage  `json:"result"`
	Error  *protocolError   `json:"error"`
}

func connect(t testing.TB, opt Options) *client {
	t.Helper()
	ours, theirs := net.Pipe()
	c := &client{t: t, conn: ours, r: bufio.NewReader(ours), done: make(chan error, 1), told: map[string][]diagnostic{}}
	go func() {
		c.done <- Serve(context.Background(), theirs, opt)
		_ = theirs.Close() // a pipe
	}()
	t.Cleanup(func() { _ = ours.Close() })
	return c
}

// begin connects and initializes.
func begin(t testing.TB, opt Options, folder string) *client {
	t.Helper()
	c := connect(t, opt)
	params := map[string]any{"capabilities": map[string]any{}}
	if folder != "" {
		params["workspaceFolders"] = []map[string]string{{"uri": uri(folder), "name": "w"}}
	}
	ask[json.RawMessage](c, "initialize", params)
	c.notify("initialized", map[string]any{})
	return c
}

func (c *client) write(m any) {
	c.t.Helper()
	require.NoError(c.t, c.conn.SetDeadline(time.Now().Add(2*time.Minute)))
	require.NoError(c.t, message.Write(c.conn, m))
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	c.write(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// read returns the next answer; what the server tells on the way is kept.
func (c *client) read() came {
	c.t.Helper()
	for {
		m := c.any()
		if m.Method == "" {
			return m
		}
	}
}

// any returns the next message.
func (c *client) any() came {
	c.t.Helper()
	require.NoError(c.t, c.conn.SetDeadline(time.Now().Add(2*time.Minute)))
	data, err := message.Read(c.r)
	require.NoError(c.t, err)
	var m came
	require.NoError(c.t, json.Unmarshal(data, &m))
	if m.Method == "textDocument/publishDiagnostics" {
		var p struct {
			URI         string       `json:"uri"`
			Diagnostics []diagnostic `json:"diagnostics"`
		}
		require.NoError(c.t, json.Unmarshal(m.Params, &p))
		c.told[p.URI] = p.Diagnostics
	}
	return m
}

// send asks without waiting.
func (c *client) send(method string, params any) {
	c.t.Helper()
	c.id++
	c.write(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
}

// ask sends a request and returns the result.
func ask[R any](c *client, method string, params any) R {
	c.t.Helper()
	c.send(method, params)
	m := c.read()
	require.Nil(c.t, m.Error, "%s: %v", method, m.Error)
	var r R
	require.NoError(c.t, json.Unmarshal(m.Result, &r), string(m.Result))
	return r
}

// refused sends a request that is refused.
func (c *client) refused(code int, method string, params any) string {
	c.t.Helper()
	c.send(method, params)
	m := c.read()
	require.NotNil(c.t, m.Error, method)
	require.Equal(c.t, code, m.Error.Code, m.Error.Message)
	return m.Error.Message
}

func uri(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// file is a document of a test.
type file struct {
	c       *client
	uri     string
	version int
}

func (c *client) open(path, text string) *file {
	c.t.Helper()
	f := &file{c: c, uri: uri(path), version: 1}
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": f.uri, "languageId": "arcasm", "version": 1, "text": text}})
	return f
}

func (f *file) at(line, character int) map[string]any {
	return map[string]any{"textDocument": map[string]string{"uri": f.uri}, "position": position{Line: line, Character: character}}
}

func (f *file) with(line, character int, more map[string]any) map[string]any {
	p := f.at(line, character)
	for k, v := range more {
		p[k] = v
	}
	return p
}

// change replaces a stretch.
func (f *file) change(r stretch, text string) {
	f.c.t.Helper()
	f.version++
	f.c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": f.uri, "version": f.version},
		"contentChanges": []map[string]any{{"range": r, "text": text}}})
}

// messages waits for the next diagnostics of the file.
func (f *file) messages() []diagnostic {
	f.c.t.Helper()
	for {
		if m := f.c.any(); m.Method == "textDocument/publishDiagnostics" {
			var p struct {
				URI     string `json:"uri"`
				Version int    `json:"version"`
			}
			require.NoError(f.c.t, json.Unmarshal(m.Params, &p))
			if p.URI == f.uri && p.Version == f.version {
				f.c.refused(unknownMethod, "test/sync", nil) // those of other files have come by now
				return f.c.told[f.uri]
			}
		}
	}
}

// hover is the text at a place.
func (f *file) hover(line, character int) string {
	f.c.t.Helper()
	h := ask[*hover](f.c, "textDocument/hover", f.at(line, character))
	if h == nil {
		return ""
	}
	return h.Contents.Value
}

// write puts files into a folder.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, []byte(text), 0o644))
	}
}
