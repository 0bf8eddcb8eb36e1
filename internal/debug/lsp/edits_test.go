package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"arcv2dsp/asm"
	"arcv2dsp/internal/dev/testkit/level"
)

// typed are pieces of what people type, whole and broken.
var typed = []string{
	"\n", "\r\n", "\r", "\t", " ", ",", ":", ";", "\"", "'", "`", "#", "\\", "[", "]", "(", ")", "=", "@", "/*", "*/", "😀", "é", "x", "0", "1:", "1b", "2f", "$",
	"\tadd r0,r1,r2\n", "\tld.ab r3,[r0,4]\n", "mac", "\tbl\thelper\n", "b.d", ".if 1\n", ".ifdef x\n", ".else\n", ".endif\n", ".rept 3\n", ".irp a,1,2\n", ".endr\n",
	".macro m a\n", ".endm\n", "\tm r0\n", "\\a", "\\@", "\tCLEAR r3\n", "\t.include \"lib.inc\"\n", "\t.include \"main.s\"\n", "\t.include \"none\"\n", "\t.word start,SIZE\n",
	".equ SIZE,", "SIZE", "start", "\t.end\n", "\t.cpu em\n", "\t.section .x\n", "\t.align 4\n", ".altmacro\n", "\t.err\n", "\t.warning \"w\"\n", "\t.space 70000\n",
	"# 12 \"other.c\"\n", ".linefile 3\n", "lp 1f\n", "\tenter_s [r13-r15]\n", "0x", "99999999999999999999", "-", "<<", "\x00",
}

// harmless are lines that go anywhere in code.
var harmless = []string{"\n", "; 😀\n", "\tnop\n", "\tadd\tr0,r0,SIZE\r\n", "\t.align 4\n", "\tCLEAR\tr9\n", "\t.rept 2\n\tnop_s\n\t.endr\n"}

// units16 is a text as editors count it.
type units16 []uint16

func (u units16) String() string { return string(utf16.Decode(u)) }

// place counts lines and columns the way the protocol says, one unit after the other.
func (u units16) place(off int) position {
	var p position
	for i := range off {
		if u[i] == '\n' || u[i] == '\r' && (i+1 >= len(u) || u[i+1] != '\n') {
			p.Line++
			p.Character = 0
		} else {
			p.Character++
		}
	}
	return p
}

// edit chooses a stretch and what takes its place. It cuts neither characters nor the ends of lines, as no editor does.
func edit(rnd *rand.Rand, u units16) (from, to int, insert string) {
	whole := func(i int) int {
		for i > 0 && i < len(u) && (u[i] >= 0xdc00 && u[i] < 0xe000 || u[i] == '\n' && u[i-1] == '\r') {
			i--
		}
		return i
	}
	from = whole(rnd.IntN(len(u) + 1))
	to = from
	if rnd.IntN(2) == 0 { // a line that harms nothing, mostly
		for from > 0 && u[from-1] != '\n' {
			from--
		}
		return from, from, harmless[rnd.IntN(len(harmless))]
	}
	if rnd.IntN(2) == 0 {
		to = whole(min(len(u), from+1+rnd.IntN(1+rnd.IntN(40))))
	}
	for range rnd.IntN(3) {
		insert += typed[rnd.IntN(len(typed))]
	}
	return from, max(from, to), insert
}

var manyEdits = flag.Int("edits", 0, "how many random edits, when more than the level has")

// TestRandomEdits: after any edits of two files the diagnostics are those of the assembler run on the same texts, and no request panics.
// The test keeps the texts itself, in UTF-16.
func TestRandomEdits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 11))
	dir := filepath.ToSlash(t.TempDir())
	names := []string{"main.s", "lib.inc"}
	dot := readText(t, "../../../docs/demo/dot.s")
	t.Chdir(dir)
	edits := max(*manyEdits, level.Count(1500, 500, 60))
	var s *session
	var files map[string]units16
	var out bytes.Buffer
	send := func(method string, params any, id ...int) {
		m := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
		if len(id) > 0 {
			m["id"] = id[0]
		}
		data, err := json.Marshal(m)
		require.NoError(t, err)
		s.take(data)
	}
	wrong := 0
	for n := range edits {
		if n%10 == 0 { // texts that are nothing but damage show little
			s = newSession(&out, Options{})
			send("initialize", map[string]any{"rootUri": uri(dir)}, 0)
			files = map[string]units16{"main.s": utf16.Encode([]rune(sample["main.s"] + dot)), "lib.inc": utf16.Encode([]rune(sample["lib.inc"]))}
			for _, name := range names {
				send("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri(path.Join(dir, name)), "version": n, "text": files[name].String()}})
			}
		}
		name := names[rnd.IntN(len(names))]
		var changes []map[string]any
		for range 1 + rnd.IntN(5)/4 {
			u := files[name]
			from, to, insert := edit(rnd, u)
			change := map[string]any{"range": stretch{Start: u.place(from), End: u.place(to)}, "text": insert}
			u = slices.Concat(u[:from], utf16.Encode([]rune(insert)), u[to:])
			if rnd.IntN(20) == 0 {
				change = map[string]any{"text": u.String()}
			}
			files[name] = u
			changes = append(changes, change)
		}
		at := map[string]any{"uri": uri(path.Join(dir, name)), "version": n + 1}
		send("textDocument/didChange", map[string]any{"textDocument": at, "contentChanges": changes})
		s.diagnose()
		want := expected(t, dir, files)
		got := map[string][]string{}
		for uri, text := range s.published {
			var p struct {
				Diagnostics []diagnostic `json:"diagnostics"`
			}
			require.NoError(t, json.Unmarshal([]byte(text), &p))
			for _, d := range p.Diagnostics {
				got[uri] = append(got[uri], fmt.Sprintf("%d:%d %d %s", d.Range.Start.Line, d.Range.Start.Character, d.Severity, d.Message))
			}
		}
		wrong += min(1, len(want))
		require.Equal(t, want, got, "edit %d", n)
		for _, method := range []string{"hover", "completion", "definition", "references", "prepareRename", "documentHighlight"} {
			send("textDocument/"+method, map[string]any{"textDocument": at, "position": position{Line: rnd.IntN(50), Character: rnd.IntN(30)}}, n)
		}
		switch n % 6 {
		case 0:
			send("textDocument/documentSymbol", map[string]any{"textDocument": at}, n)
			send("textDocument/foldingRange", map[string]any{"textDocument": at}, n)
		case 1:
			send("textDocument/semanticTokens/full", map[string]any{"textDocument": at}, n)
			send("textDocument/inlayHint", map[string]any{"textDocument": at, "range": stretch{End: position{Line: 1000}}}, n)
		case 2:
			send("textDocument/formatting", map[string]any{"textDocument": at, "options": map[string]any{"tabSize": 8}}, n)
			send("textDocument/rename", map[string]any{"textDocument": at, "position": files[name].place(rnd.IntN(len(files[name]) + 1)), "newName": "other"}, n)
		}
		out.Reset()
	}
	t.Logf("%d edits, after %d of them the program had messages", edits, wrong)
	require.Greater(t, wrong, edits/3)
}

// expected are the messages of the assembler for the texts, by URI.
func expected(t *testing.T, dir string, files map[string]units16) map[string][]string {
	t.Helper()
	write(t, dir, map[string]string{"lib.inc": files["lib.inc"].String(), "main.s": files["main.s"].String()})
	o := asm.Options{Include: []string{dir}, MaxErrors: maxErrors, MaxText: maxText}
	obj, err := asm.AssembleString(o, path.Join(dir, "main.s"), files["main.s"].String())
	var list asm.ErrorList
	if obj != nil {
		list = obj.Warnings
	} else if !errors.As(err, &list) {
		require.NoError(t, err)
	}
	out := map[string][]string{}
	for _, e := range list {
		severity := 1
		if e.Warning {
			severity = 2
		}
		file := e.Pos.File
		if !path.IsAbs(file) {
			file = path.Join(dir, file)
		}
		line := fmt.Sprintf("%s %d %s", placeOf(files[path.Base(file)], e.Pos), severity, e.Msg)
		if at := uri(file); !slices.Contains(out[at], line) {
			out[at] = append(out[at], line)
		}
	}
	return out
}

// placeOf turns a place of the assembler, whose lines end with a line feed and whose columns count bytes, into one of the protocol.
func placeOf(u units16, p asm.Pos) string {
	lines := strings.SplitAfter(u.String(), "\n")
	before := strings.Join(lines[:min(p.Line-1, len(lines))], "")
	line := ""
	if p.Line-1 < len(lines) {
		line = strings.TrimSuffix(lines[p.Line-1], "\n")
	} else if len(lines) > 0 {
		before, line = strings.Join(lines[:len(lines)-1], ""), lines[len(lines)-1]
	}
	off := min(p.Col-1, len(line))
	whole := utf16.Encode([]rune(before + line[:off]))
	at := u.place(len(whole))
	return fmt.Sprintf("%d:%d", at.Line, at.Character)
}

// FuzzMessages: no messages make a session panic or hang. Each line is a message; its frame is right, unless the line begins with an
// exclamation mark.
func FuzzMessages(f *testing.F) {
	open := `{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///n/a.s","version":1,"text":"a:\tadd r0,r1,r2\n\t.macro m x\n\\x\n\t.endm\n\tb a\n"}}}`
	for method := range handlers {
		f.Add([]byte(`{"id":0,"method":"initialize","params":{}}` + "\n" + open + "\n" + fmt.Sprintf(`{"id":1,"method":%q,"params":{"textDocument":{"uri":"file:///n/a.s"},"position":{"line":0,"character":1},"newName":"b","range":{"end":{"line":9}}}}`, method)))
	}
	f.Add([]byte("!Content-Length: 99999999999\r\n"))
	f.Add([]byte(`{"id":0,"method":"initialize","params":{}}` + "\n" + open + "\n" + `{"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///n/a.s"},"contentChanges":[{"range":{"start":{"line":-4,"character":9},"end":{"line":0,"character":-1}},"text":"x"}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var in bytes.Buffer
		for _, line := range bytes.Split(data, []byte("\n")) {
			if raw, ok := bytes.CutPrefix(line, []byte("!")); ok {
				in.Write(raw)
				continue
			}
			fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(line), line)
		}
		err := Serve(context.Background(), struct {
			io.Reader
			io.Writer
		}{&in, io.Discard}, Options{})
		if err != nil && !errors.Is(err, ErrNoShutdown) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatal(err)
		}
	})
}

// FuzzText: no text makes an answer panic or hang, whatever is asked about it.
func FuzzText(f *testing.F) {
	f.Add(sample["main.s"], uint8(4), uint8(15))
	f.Add(sample["lib.inc"], uint8(5), uint8(17))
	f.Add(strings.Join(typed, "\t"), uint8(0), uint8(9))
	f.Fuzz(func(t *testing.T, text string, line, character uint8) {
		s := newSession(io.Discard, Options{})
		place := map[string]any{
			"textDocument": map[string]any{"uri": "file:///nowhere/a.s", "version": 1, "text": text}, "newName": "n", "context": map[string]any{"includeDeclaration": true},
			"position": position{Line: int(line), Character: int(character)}, "range": stretch{End: position{Line: 99}}, "options": map[string]any{"tabSize": 8},
		}
		params, err := json.Marshal(place)
		require.NoError(t, err)
		for i, method := range append([]string{"initialize", "textDocument/didOpen"}, slices.Sorted(maps.Keys(handlers))...) {
			id := fmt.Sprintf(`"id":%d,`, i)
			if handlers[method].notice {
				id = ""
			}
			if method == "exit" || method == "shutdown" || method == "textDocument/didClose" {
				continue
			}
			s.take([]byte(fmt.Sprintf(`{%s"method":%q,"params":%s}`, id, method, params)))
		}
		s.diagnose()
	})
}
