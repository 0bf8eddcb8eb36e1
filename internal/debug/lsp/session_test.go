package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/mlikernels"
)

// TestLifecycle: requests before initialize and after shutdown are refused as the protocol says, and exit ends the session, with an
// error when nobody asked for it.
func TestLifecycle(t *testing.T) {
	c := connect(t, Options{})
	c.refused(uninitialized, "textDocument/hover", map[string]any{})
	c.notify("textDocument/didOpen", map[string]any{}) // dropped
	got := ask[map[string]any](c, "initialize", map[string]any{"rootUri": nil, "capabilities": map[string]any{}})
	require.Equal(t, "utf-16", got["capabilities"].(map[string]any)["positionEncoding"])
	c.refused(invalidRequest, "initialize", map[string]any{})
	c.refused(unknownMethod, "textDocument/flyAway", map[string]any{})
	c.refused(unknownMethod, "textDocument/didOpen", map[string]any{})
	c.refused(invalidParams, "textDocument/hover", []int{1})
	require.Contains(t, c.refused(invalidParams, "textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": "file:///x.s"}}), "not open")
	require.Nil(t, ask[any](c, "shutdown", nil))
	c.refused(invalidRequest, "textDocument/hover", map[string]any{})
	c.notify("exit", nil)
	require.NoError(t, <-c.done)

	c = begin(t, Options{}, "")
	c.notify("exit", nil)
	require.ErrorIs(t, <-c.done, ErrNoShutdown)

	c = begin(t, Options{}, "")
	require.NoError(t, c.conn.Close())
	require.NoError(t, <-c.done)
}

// TestDamage: bytes that are no message cost an answer, and the session goes on.
func TestDamage(t *testing.T) {
	c := begin(t, Options{}, "")
	for _, text := range []string{"Content-Length: 1\r\n\r\n{", "Content-Length: 2\r\n\r\n[]", "nonsense\r\n\r\n", "Content-Length: 2\r\n\r\n{}", "Content-Length: 16\r\n\r\n{\"id\":1,\"method\"",
		"Content-Length: 12\r\n\r\n{\"method\":1}"} {
		_, err := c.conn.Write([]byte(text))
		require.NoError(t, err)
		m := c.read()
		require.NotNil(t, m.Error, text)
		require.Contains(t, []int{parseError, invalidRequest}, m.Error.Code, text)
		require.Equal(t, "null", string(*orNull(m.ID)))
	}
	c.write(map[string]any{"jsonrpc": "2.0", "id": 7, "result": nil}) // an answer to nothing
	require.NotEmpty(t, c.open("/nowhere/a.s", "\tnop\n").hover(0, 2))
}

func orNull(id *json.RawMessage) *json.RawMessage {
	if id == nil {
		null := json.RawMessage("null")
		return &null
	}
	return id
}

// TestCancel: a request that is taken back before it comes up is answered so. The first one gives it the time.
func TestCancel(t *testing.T) {
	c := begin(t, Options{}, "")
	f := c.open("/nowhere/a.s", strings.Repeat("\tadd r0,r1,r2\n", 20_000))
	go func() {
		c.send("textDocument/documentSymbol", f.at(0, 0))
		c.notify("$/cancelRequest", map[string]any{"id": c.id + 1})
		c.send("textDocument/hover", f.at(0, 2))
	}()
	require.Nil(t, c.read().Error)
	m := c.read()
	require.NotNil(t, m.Error)
	require.Equal(t, cancelledCode, m.Error.Code)
}

// TestPositions: columns count UTF-16 units, and lines end as the protocol says.
func TestPositions(t *testing.T) {
	d := newText("aä😀b\r\nc\rd\n\n😀")
	for _, x := range []struct{ off, line, character int }{{0, 0, 0}, {1, 0, 1}, {3, 0, 2}, {7, 0, 4}, {8, 0, 5}, {10, 1, 0}, {11, 1, 1}, {12, 2, 0}, {14, 3, 0}, {15, 4, 0}, {19, 4, 2}} {
		require.Equal(t, position{Line: x.line, Character: x.character}, d.position(x.off), x.off)
		require.Equal(t, x.off, d.offset(position{Line: x.line, Character: x.character}), x.off)
	}
	require.Equal(t, 3, d.offset(position{Line: 0, Character: 3})) // inside a character
	require.Equal(t, 8, d.offset(position{Line: 0, Character: 99}))
	require.Equal(t, 19, d.offset(position{Line: 99}))
	require.Equal(t, 0, d.offset(position{Line: -1, Character: -1}))
	require.Equal(t, "aX\r\nc\rd\n\n😀", d.edited(stretch{Start: position{Character: 1}, End: position{Character: 5}}, "X"))
}

// TestDiagnostics: messages stand where the assembler puts them, in includes and macros as well, follow edits, and go away.
func TestDiagnostics(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"b.inc": "\t.macro BAD x\n\tadd \\x,q\n\t.endm\n\tnope\n"})
	c := begin(t, Options{}, dir)
	f := c.open(filepath.Join(dir, "a.s"), "\t.include \"b.inc\"\n\t.ascii \"😀\" x\n\tBAD r1\n\tmov r1 r2\n\t.warning \"w\"\n")
	list := f.messages()
	require.Equal(t, []string{
		`1:13-1:14 1 unexpected "x" at the end of the statement`, `3:8-3:10 1 expected a comma before "r2"`,
	}, shown(list)[:2], shown(list))
	inc := c.told[uri(filepath.Join(dir, "b.inc"))]
	require.Equal(t, "3:1-3:5 1 unknown instruction \"nope\", did you mean nop", shown(inc)[0])
	require.Contains(t, inc[0].Related[0].Message, "included from here")
	require.Equal(t, f.uri, inc[0].Related[0].Location.URI)
	f.change(stretch{Start: position{Line: 0}, End: position{Line: 4}}, "")
	require.Equal(t, []string{"0:1-0:9 2 w"}, shown(f.messages()))
	require.Empty(t, c.told[uri(filepath.Join(dir, "b.inc"))])

	// An include is told by the program that has it, with the text of the editor.
	write(t, dir, map[string]string{"main.s": "\t.include \"c.inc\"\n\tTWICE r0\n", "c.inc": ""})
	g := c.open(filepath.Join(dir, "c.inc"), "\t.macro TWICE r\n\tad \\r,\\r,\\r\n\t.endm\n")
	require.Equal(t, []string{`1:1-1:3 1 unknown instruction "ad", did you mean adc`}, shown(g.messages()))
	g.change(stretch{Start: position{Line: 1, Character: 3}, End: position{Line: 1, Character: 3}}, "d")
	require.Empty(t, g.messages())
	// One that nobody includes has none.
	h := c.open(filepath.Join(dir, "loose.inc"), "\tNOBODY r0\n")
	require.Empty(t, h.messages())
}

// shown writes diagnostics as range, severity and text.
func shown(list []diagnostic) []string {
	var out []string
	for _, d := range list {
		r, _ := json.Marshal([]int{d.Range.Start.Line, d.Range.Start.Character, d.Range.End.Line, d.Range.End.Character, d.Severity})
		n := strings.Split(strings.Trim(string(r), "[]"), ",")
		out = append(out, n[0]+":"+n[1]+"-"+n[2]+":"+n[3]+" "+n[4]+" "+d.Message)
	}
	return out
}

// TestSettings: what a client says counts before the flags, and can change.
func TestSettings(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"inc/x.inc": "\tmac r0,r1,LIMIT\n"})
	c := connect(t, Options{Core: "em9d"})
	ask[any](c, "initialize", map[string]any{"initializationOptions": map[string]any{"core": "em6", "include": []string{filepath.Join(dir, "inc")}, "defsym": map[string]int{"LIMIT": 5}}})
	f := c.open(filepath.Join(dir, "a.s"), "\t.include \"x.inc\"\n")
	require.Empty(t, f.messages())
	require.Contains(t, shown(c.told[uri(filepath.Join(dir, "inc", "x.inc"))])[0], "core em6 has no mac")
	c.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"arcsim": map[string]any{"core": "em9d"}}})
	g := c.open(filepath.Join(dir, "b.s"), "\tmac r0,r1,LIMIT\n")
	require.Empty(t, g.messages())
	require.Empty(t, c.told[uri(filepath.Join(dir, "inc", "x.inc"))])
	require.Contains(t, g.hover(0, 2), "on em9d")

	// Includes of the kernel libraries.
	k := begin(t, Options{Include: []string{"@mli11"}, Library: kernels}, "")
	names := libraryIncludes(t)
	h := k.open(filepath.Join(dir, "k.s"), "\t.include \""+names[0]+"\"\n")
	for _, m := range shown(h.messages()) {
		require.NotContains(t, m, "cannot read")
	}
	l := k.open(filepath.Join(dir, "l.s"), "\t.include \"mli.inc\"\n\tmov r0,EL_FX_16\n")
	require.Empty(t, l.messages())
	require.Contains(t, l.hover(1, 10), "`EL_FX_16`: constant 1")
	require.Empty(t, ask[[]location](k, "textDocument/definition", l.at(1, 10)), "no editor can open it")
	require.Contains(t, k.refused(requestFailed, "textDocument/rename", l.with(1, 10, map[string]any{"newName": "x"})), "of the kernel library")
}

// kernels finds the libraries of kernels.
func kernels(name string) (Library, error) {
	c, err := mlikernels.LookupCollection(name)
	if err != nil {
		return nil, err
	}
	return c.Complete, nil
}

func libraryIncludes(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../../mlikernels/internal/kernel/core/*.inc")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	return files
}

// TestDevices: a source cannot take the messages of the client, nor read what has no end.
func TestDevices(t *testing.T) {
	c := begin(t, Options{}, "")
	f := c.open("/nowhere/a.s", "\t.include \"/dev/stdin\"\n\t.incbin \"/dev/zero\"\n")
	got := shown(f.messages())
	require.Len(t, got, 2)
	require.Contains(t, got[0], `cannot read "/dev/stdin": not a file`)
	require.Contains(t, got[1], "not a file")
}

// TestHugeExpansion: a typing error that means millions of lines is a message.
func TestHugeExpansion(t *testing.T) {
	c := begin(t, Options{}, "")
	f := c.open("/nowhere/a.s", "\t.rept 100000000\n\tnop\n\t.endr\n\t.space 200000000\n")
	require.NotEmpty(t, f.messages())
}

func readText(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}
