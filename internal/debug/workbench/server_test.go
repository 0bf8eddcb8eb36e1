package workbench

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMain is the program of the page, too: by the name "page-program" it does what its first argument says.
func TestMain(m *testing.M) {
	if os.Args[0] != "page-program" {
		os.Exit(m.Run())
	}
	switch os.Args[1] {
	case "echo":
		_, _ = io.Copy(os.Stdout, os.Stdin)
		fmt.Fprint(os.Stderr, "done")
		os.Exit(7)
	case "files":
		text, err := os.ReadFile("in/a.txt")
		_ = os.MkdirAll("out", 0o755)
		fmt.Print(err, len(os.Environ()), os.WriteFile("out/b.txt", append(text, '!'), 0o600), os.Remove("gone.txt"))
	case "forever":
		fmt.Print(os.Getpid())
		for {
			time.Sleep(time.Hour)
		}
	case "loud":
		for {
			fmt.Println(strings.Repeat("x", 1000))
		}
	case "link":
		fmt.Print(os.Symlink("/etc/passwd", "passwd"), os.WriteFile("own", nil, 0o600))
	case "disk":
		f, _ := os.Create("large")
		fmt.Print(f.Truncate(maxDisk + 1))
		for {
			time.Sleep(time.Hour)
		}
	}
}

// serving starts a server for a test.
func serving(t *testing.T, o Options) (*Server, func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	o.Program, o.Name = must(t)(os.Executable()), "page-program"
	o.Page = map[string][]byte{"index.html": []byte("<head>" + place + "</head>"), "page.js": []byte("1")}
	s, err := New(l, o)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	end := func() {
		cancel()
		require.NoError(t, <-done)
		done <- nil
	}
	t.Cleanup(end)
	return s, end
}

func must(t *testing.T) func(string, error) string {
	return func(v string, err error) string {
		require.NoError(t, err)
		return v
	}
}

// host is where a server listens.
func host(s *Server) string { return s.listener.Addr().String() }

// send sends a request as it is and returns the answer.
func send(t *testing.T, s *Server, text string) (status int, body string, header http.Header) {
	t.Helper()
	conn, err := net.Dial("tcp", host(s))
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	go func() { _, _ = io.WriteString(conn, text) }() // a refused request is not read to its end
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, err.Error(), nil
	}
	data, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(data), answer.Header
}

// TestServerFiles: the page with the secret filled in, its files, and those of the folder; all others are refused.
func TestServerFiles(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.txt")
	for name, text := range map[string]string{
		filepath.Join(dir, "dot.s"): "nop", filepath.Join(dir, ".hidden"): "no", filepath.Join(dir, "inc", "a.inc"): "; a", outside: "secret",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link.txt")))
	require.NoError(t, os.Symlink(filepath.Dir(outside), filepath.Join(dir, "up")))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".git", "key.s"), nil, 0o600))
	linked := filepath.Join(t.TempDir(), "linked") // the user names the folder by a link
	require.NoError(t, os.Symlink(dir, linked))
	s, _ := serving(t, Options{Folder: linked})
	for _, c := range []struct {
		path   string
		header string
		status int
		body   string
	}{
		{path: "TOKEN/", status: 200, body: `<head><meta name="arcsim-serve" content="` + s.token + `"></head>`},
		{path: "TOKEN/page.js", header: "Origin: http://" + host(s), status: 200, body: "1"},
		{path: "TOKEN/files", header: "Sec-Fetch-Site: same-origin", status: 200, body: `{"open":"","files":["dot.s","inc/a.inc"]}` + "\n"},
		{path: "TOKEN/files/dot.s", status: 200, body: "nop"},
		{path: "TOKEN/files/inc/a.inc", status: 200, body: "; a"},
		{path: "", status: 403}, {path: "page.js", status: 403}, {path: "ABCDEFGHIJKLMNOPQRSTUVWXYZ/page.js", status: 403},
		{path: "TOKEN", header: "Origin: http://evil.example", status: 403},
		{path: "TOKEN/page.js", header: "Origin: null", status: 403},
		{path: "TOKEN/page.js", header: "Origin: http://127.0.0.1:1", status: 403},
		{path: "TOKEN/page.js", header: "Sec-Fetch-Site: cross-site", status: 403},
		{path: "TOKEN/page.js", header: "Sec-Fetch-Site: same-site", status: 403},
		{path: "TOKEN/no.js", status: 404},
		{path: "TOKEN/../page.js", status: 400}, {path: "TOKEN/%2e%2e/page.js", status: 400}, {path: "TOKEN//etc/passwd", status: 400},
		{path: "TOKEN/files/../../secret.txt", status: 400}, {path: "TOKEN/files/%2e%2e%2fsecret.txt", status: 400},
		{path: "TOKEN/files//etc/passwd", status: 400}, {path: "TOKEN/files/link.txt", status: 404},
		{path: "TOKEN/files/up/secret.txt", status: 404}, {path: "TOKEN/files/.hidden", status: 404}, {path: "TOKEN/files/inc", status: 404},
		{path: "TOKEN/page.js x", status: 400},
		{path: "TOKEN/%zz", status: 400},
		{path: "TOKEN/page.js", header: "Host: " + host(s), status: 400},
		{path: "TOKEN/page.js", header: "Origin: a\r\nOrigin: b", status: 400},
		{path: "TOKEN/page.js", header: "X Y: 1", status: 400},
		{path: "TOKEN/page.js", header: "X: " + strings.Repeat("x", maxHead), status: 431},
		{path: strings.Repeat("x", 1<<20), status: 431},
		{path: "TOKEN/page.js", header: strings.Repeat("X", 80) + ": " + strings.Repeat("x", maxHead/2) + "\r\nY: " + strings.Repeat("y", maxHead/2), status: 431},
		{path: "TOKEN/socket", status: 403},
		{path: "TOKEN/socket", header: "Origin: http://" + host(s), status: 400},
	} {
		head := "GET /" + strings.ReplaceAll(c.path, "TOKEN", s.token) + " HTTP/1.1\r\nHost: " + host(s) + "\r\n"
		if c.header != "" {
			head += c.header + "\r\n"
		}
		status, body, _ := send(t, s, head+"\r\n")
		require.Equal(t, c.status, status, "%.200s %.200s: %s", c.path, c.header, body)
		if c.status == 200 {
			require.Equal(t, c.body, body)
		} else {
			require.NotContains(t, body, "secret\n")
			require.NotContains(t, body, s.token)
		}
	}
	for name, status := range map[string]int{
		"evil.example": 403, "evil.example:80": 403, "127.0.0.1": 403, "127.0.0.1:1": 403, "": 403, host(s): 200,
		strings.Replace(host(s), "127.0.0.1", "localhost", 1): 200,
	} {
		got, _, header := send(t, s, "GET /"+s.token+"/page.js HTTP/1.1\r\nHost: "+name+"\r\n\r\n")
		require.Equal(t, status, got, "host %s", name)
		require.Equal(t, "no-referrer", header.Get("Referrer-Policy"))
		require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'self'")
	}
	for _, text := range []string{"POST / HTTP/1.1\r\n\r\n", "HEAD / HTTP/1.1\r\n\r\n"} {
		status, _, _ := send(t, s, text)
		require.Equal(t, 405, status)
	}
	for _, text := range []string{"GET / HTTP/1.0\r\n\r\n", "GET http://x/ HTTP/1.1\r\n\r\n", "\x16\x03\x01\n", "GET\n"} {
		status, _, _ := send(t, s, text)
		require.Equal(t, 400, status, "%q", text)
	}
	for _, name := range []string{"defs.inc", "notes.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	notes, _ := serving(t, Options{Folder: dir, Open: "notes.txt"})
	_, body, _ := send(t, notes, "GET /"+notes.token+"/files HTTP/1.1\r\nHost: "+host(notes)+"\r\n\r\n")
	require.JSONEq(t, `{"open":"notes.txt","files":["notes.txt"]}`, body)
	alone, _ := serving(t, Options{Folder: dir, Open: "dot.s"})
	_, body, _ = send(t, alone, "GET /"+alone.token+"/files HTTP/1.1\r\nHost: "+host(alone)+"\r\n\r\n")
	require.JSONEq(t, `{"open":"dot.s","files":["defs.inc","dot.s"]}`, body)
	status, _, _ := send(t, alone, "GET /"+alone.token+"/files/inc/a.inc HTTP/1.1\r\nHost: "+host(alone)+"\r\n\r\n")
	require.Equal(t, 404, status)
}

// TestServerLoopback: the page is not shown to other machines.
func TestServerLoopback(t *testing.T) {
	l, err := net.Listen("tcp", ":0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	_, err = New(l, Options{})
	require.ErrorContains(t, err, "the page is for this machine alone")
}

// tab is the page's end of a socket.
type tab struct {
	t    *testing.T
	conn net.Conn
	r    *bufio.Reader
}

// opens opens a socket as the page does.
func opens(t *testing.T, s *Server) *tab {
	t.Helper()
	conn, err := net.Dial("tcp", host(s))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	// The key and its answer are those of RFC 6455, section 1.3.
	_, err = fmt.Fprintf(conn, "GET /%s/socket HTTP/1.1\r\nHost: %s\r\nOrigin: http://%[2]s\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", s.token, host(s))
	require.NoError(t, err)
	r := bufio.NewReader(conn)
	answer, err := http.ReadResponse(r, nil)
	require.NoError(t, err)
	require.Equal(t, 101, answer.StatusCode)
	require.Equal(t, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", answer.Header.Get("Sec-WebSocket-Accept"))
	return &tab{t: t, conn: conn, r: r}
}

// frame is a masked frame.
func frame(first byte, data string) []byte {
	b := []byte{first}
	switch n := len(data); {
	case n < 126:
		b = append(b, 0x80|byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 0x80|126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 0x80|127), uint64(n))
	}
	mask := [4]byte{0xa5, 0x5a, 0x00, 0xff}
	b = append(b, mask[:]...)
	for i := range len(data) {
		b = append(b, data[i]^mask[i%4])
	}
	return b
}

func (b *tab) sends(frames ...[]byte) {
	b.t.Helper()
	for _, f := range frames {
		_, err := b.conn.Write(f)
		require.NoError(b.t, err)
	}
}

// gets reads a frame of the server.
func (b *tab) gets() (op byte, data string) {
	b.t.Helper()
	var head [10]byte
	_, err := io.ReadFull(b.r, head[:2])
	require.NoError(b.t, err)
	n := uint64(head[1])
	switch n {
	case 126:
		_, err = io.ReadFull(b.r, head[:2])
		n = uint64(binary.BigEndian.Uint16(head[:]))
	case 127:
		_, err = io.ReadFull(b.r, head[:8])
		n = binary.BigEndian.Uint64(head[:])
	}
	require.NoError(b.t, err)
	text := make([]byte, n)
	_, err = io.ReadFull(b.r, text)
	require.NoError(b.t, err)
	return head[0] & 0x0f, string(text)
}

// result is all that came from a process.
type result struct {
	out, err string
	end      ended
	files    map[string]string
	code     uint16 // of the end
	why      string
}

// rest reads to the end.
func (b *tab) rest() (r result) {
	b.t.Helper()
	r.files = map[string]string{}
	texts := 0
	for {
		switch op, data := b.gets(); {
		case op == opClose:
			r.code, r.why = binary.BigEndian.Uint16([]byte(data)), data[2:]
			return r
		case op == opText:
			require.NoError(b.t, json.Unmarshal([]byte(data), &r.end))
			texts++
		case texts > 0:
			r.files[r.end.Files[len(r.files)]] = data
		case data[0] == fromStdout:
			r.out += data[1:]
		default:
			r.err += data[1:]
		}
	}
}

const (
	text   = 0x80 | opText
	pieces = 0x80 | opBinary
)

// TestServerProcess: input in pieces, a ping between them, output, status and files of a process.
func TestServerProcess(t *testing.T) {
	s, _ := serving(t, Options{})
	b := opens(t, s)
	b.sends(frame(text, `{"argv":["echo"],"input":true}`), frame(opBinary, "one "), frame(0x80|opPing, "p"), frame(opMore, "two "), frame(0x80, "three"))
	op, data := b.gets()
	require.Equal(t, "10 p", fmt.Sprint(op, " ", data))
	large := strings.Repeat("y", 100_000)
	b.sends(frame(pieces, large), frame(text, "end"))
	r := b.rest()
	require.Equal(t, "one two three"+large, r.out)
	require.Equal(t, "done", r.err)
	require.Equal(t, ended{Status: 7, Files: []string{}, Left: []string{}}, r.end)
	require.Equal(t, uint16(closeDone), r.code)

	b = opens(t, s)
	b.sends(frame(text, `{"argv":["files"],"files":["in/a.txt","gone.txt"]}`), frame(pieces, "content"), frame(pieces, ""))
	r = b.rest()
	require.Equal(t, "<nil> 2 <nil> <nil>", r.out, "two variables are the whole environment")
	require.Equal(t, map[string]string{"out/b.txt": "content!"}, r.files)

	b = opens(t, s)
	b.sends(frame(text, `{"argv":["link"]}`))
	r = b.rest()
	require.Equal(t, map[string]string{"own": ""}, r.files, "no link comes back")
}

// TestServerRefusesOrders: paths out of the folder, commands that are not for the page, messages that are too long or broken.
func TestServerRefusesOrders(t *testing.T) {
	s, _ := serving(t, Options{})
	argv := func(words ...string) []byte {
		data, err := json.Marshal(map[string]any{"argv": words})
		require.NoError(t, err)
		return frame(text, string(data))
	}
	file := func(name string) []byte { return frame(text, `{"argv":["files"],"files":["`+name+`"]}`) }
	escape := func(arg string) []byte { return argv("run", arg) }
	many := `{"argv":["files"],"files":["a"` + strings.Repeat(`,"a"`, maxFileCount) + `]}`
	huge := binary.BigEndian.AppendUint64([]byte{pieces, 0x80 | 127}, 1<<62)
	for _, c := range []struct {
		frames [][]byte
		code   uint16
		why    string
	}{
		{frames: [][]byte{file("../a")}, code: closeRefused, why: `"../a" is no path`},
		{frames: [][]byte{file("/etc/a")}, code: closeRefused, why: `"/etc/a" is no path`},
		{frames: [][]byte{file("a/../../b")}, code: closeRefused, why: "is no path"},
		{frames: [][]byte{file("")}, code: closeRefused, why: "is no path"}, {frames: [][]byte{file(".")}, code: closeRefused, why: "is no path"},
		{frames: [][]byte{file(`a\u0000b`), frame(pieces, "")}, code: closeRefused},
		{frames: [][]byte{escape("/etc/passwd")}, code: closeRefused, why: "leads out"}, {frames: [][]byte{escape("../x")}, code: closeRefused, why: "leads out"},
		{frames: [][]byte{escape("--html=/x")}, code: closeRefused, why: "leads out"}, {frames: [][]byte{escape("-o/x")}, code: closeRefused, why: "leads out"},
		{frames: [][]byte{escape("@/x")}, code: closeRefused, why: "leads out"}, {frames: [][]byte{escape("a,../b")}, code: closeRefused, why: "leads out"},
		{frames: [][]byte{escape(`a\..\b`)}, code: closeRefused, why: "leads out"}, {frames: [][]byte{escape(`C:\x`)}, code: closeRefused, why: "leads out"},
		{frames: [][]byte{escape("/")}, code: closeRefused, why: "leads out"},
		{frames: [][]byte{argv("serve")}, code: closeRefused, why: "the page runs no serve"}, {frames: [][]byte{argv("farm", "run")}, code: closeRefused},
		{frames: [][]byte{argv()}, code: closeRefused, why: "no command"},
		{frames: [][]byte{frame(text, "{")}, code: closeBroken}, {frames: [][]byte{frame(pieces, "{}")}, code: closeBroken},
		{frames: [][]byte{frame(text, many)}, code: closeRefused, why: "at most 1000"},
		{frames: [][]byte{frame(text, strings.Repeat(" ", maxOrder+1))}, code: closeTooBig},
		{frames: [][]byte{frame(opText, strings.Repeat(" ", maxOrder)), frame(0x80|opMore, "  ")}, code: closeTooBig},
		{frames: [][]byte{huge, {0, 0, 0, 0}}, code: closeTooBig},
		{frames: [][]byte{binary.BigEndian.AppendUint64([]byte{pieces, 0x80 | 127}, 1<<63), {0, 0, 0, 0}}, code: closeTooBig},
		{frames: [][]byte{file("a"), huge, {0, 0, 0, 0}}, code: closeTooBig},
		{frames: [][]byte{file("a"), frame(text, "no bytes")}, code: closeBroken},
		{frames: [][]byte{{text, 2}, []byte("{}")}, code: closeBroken},  // no mask
		{frames: [][]byte{frame(0xc0|opText, "{}")}, code: closeBroken}, // an extension
		{frames: [][]byte{frame(0x80|3, "{}")}, code: closeBroken},      // no kind
		{frames: [][]byte{frame(0x80, "{}")}, code: closeBroken},        // goes on with nothing
		{frames: [][]byte{frame(opPing, "p")}, code: closeBroken},       // a control frame in pieces
		{frames: [][]byte{frame(0x80|opPing, strings.Repeat("p", 126))}, code: closeBroken},
		{frames: [][]byte{frame(opText, "{"), frame(text, "}")}, code: closeBroken}, // a message inside another
	} {
		b := opens(t, s)
		b.sends(c.frames...)
		r := b.rest()
		require.Equal(t, c.code, r.code, "%.80q: %s", c.frames, r.why)
		require.Contains(t, r.why, c.why)
		require.Empty(t, r.out)
	}
}

// alive reports whether a process runs.
func alive(pid string) bool {
	_, err := os.Stat("/proc/" + pid)
	return err == nil
}

// TestServerKills: a process ends with its socket, whatever it does, with the server, and when it fills the disk. Its folder is gone.
func TestServerKills(t *testing.T) {
	if _, err := os.Stat("/proc/self"); err != nil {
		t.Skip("needs /proc to see processes")
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	empty := func() bool {
		list, err := os.ReadDir(tmp)
		return err == nil && len(list) == 0
	}
	s, end := serving(t, Options{})
	const soon, often = 30 * time.Second, 5 * time.Millisecond
	begins := func() (*tab, string) {
		b := opens(t, s)
		b.sends(frame(text, `{"argv":["forever"],"input":true}`))
		_, pid := b.gets()
		require.True(t, alive(pid[1:]))
		return b, pid[1:]
	}
	b, pid := begins()
	for range 20 { // it reads none of it
		b.sends(frame(pieces, strings.Repeat("x", 100_000)))
	}
	b.sends(frame(0x80|opClose, ""))
	start := time.Now()
	require.Equal(t, 137, b.rest().end.Status)
	require.Less(t, time.Since(start), 5*time.Second)
	require.False(t, alive(pid))
	b, pid = begins()
	require.NoError(t, b.conn.Close())
	require.Eventually(t, func() bool { return !alive(pid) && empty() }, soon, often)

	b = opens(t, s) // prints more than anybody reads
	b.sends(frame(text, `{"argv":["loud"]}`))
	_, line := b.gets()
	require.Contains(t, line, "xxx")
	require.NoError(t, b.conn.Close())
	require.Eventually(t, empty, soon, often)

	b = opens(t, s)
	b.sends(frame(text, `{"argv":["disk"]}`))
	r := b.rest()
	require.Equal(t, 137, r.end.Status)
	require.Contains(t, r.err, "killed: its files have more than 512 MB")
	require.Equal(t, []string{"large"}, r.end.Left)

	var pids []string
	for range maxProcesses {
		_, pid := begins()
		pids = append(pids, pid)
	}
	b = opens(t, s)
	b.sends(frame(text, `{"argv":["echo"]}`))
	require.Equal(t, "16 processes run already", b.rest().why)
	end()
	for _, pid := range pids {
		require.False(t, alive(pid))
	}
	require.True(t, empty())
}
