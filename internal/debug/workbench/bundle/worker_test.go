package bundle

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/browser"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/npm"
)

// built is the folder of the page, which is built once for all tests. The last of them removes it.
var built = struct {
	sync.Once
	dir string
	err error
}{}

func TestMain(m *testing.M) {
	status := m.Run()
	_ = os.RemoveAll(built.dir)
	os.Exit(status)
}

// page is the folder of the page.
func page(t *testing.T) string {
	t.Helper()
	level.NeedsLong(t, "builds the command as WebAssembly")
	built.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "workbench"); built.err == nil {
			built.err = Write(built.dir)
		}
		if npm.There() && built.err == nil {
			built.err = Editor(built.dir)
		}
	})
	require.NoError(t, built.err)
	return built.dir
}

// served is the address of the page at a server of files.
func served(t *testing.T) string {
	t.Helper()
	dir := page(t)
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/empty" {
			files.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><link rel="icon" href="data:,"><title>empty</title>`)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// opened is an empty page with the page's modules and the names that they export, in a browser.
func opened(t *testing.T) *browser.Page {
	t.Helper()
	p := browser.OpenURL(t, served(t)+"/empty")
	p.Eval(`(async () => {
		globalThis.backend = await (await import("/backend.js")).open();
		globalThis.run = (argv, options = {}) => {
			const text = { stdout: "", stderr: "" }, decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
			const take = name => bytes => { text[name] += decoders[name].decode(bytes, { stream: true }); };
			const process = backend.run(argv, { stdout: take("stdout"), stderr: take("stderr"), ...options });
			const ended = process.exited.then(({ status, files }) => ({ ...text, status, files: Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)])) }));
			return { process, text, ended };
		};
	})()`, nil)
	return p
}

// result is how a process ended.
type result struct {
	Status         int
	Stdout, Stderr string
	Files          map[string]string
}

// TestWorkerRuns: the command runs in a worker with the files that it gets, prints, ends with its status, and gives the files back
// that it wrote.
func TestWorkerRuns(t *testing.T) {
	p := opened(t)
	dot, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "demo", "dot.s"))
	require.NoError(t, err)
	var r result
	p.Eval(fmt.Sprintf(`run(["run", "--json", "-o", "out/stat.json", "src/dot.s"], { files: { "src/dot.s": %q, "out/stat.json": "old" } }).ended`, dot), &r)
	require.Equal(t, 44, r.Status, r.Stderr)
	require.Equal(t, []string{"out/stat.json"}, slices.Collect(maps.Keys(r.Files)))
	require.Contains(t, r.Files["out/stat.json"], `"cycles": 24`)

	p.Eval(`run(["run", "none.s"]).ended`, &r)
	require.NotZero(t, r.Status)
	require.Equal(t, "arcsim: stat none.s: no such file or directory\n", strings.ToLower(r.Stderr))
	require.Empty(t, p.Console())
}

// endless prints a line and never ends.
const endless = `
	.global _start
_start:
	mov r8, 4
	mov r0, 1
	mov r1, text
	mov r2, 6
	swi
loop:
	add r3, r3, 1
	b loop
	.data
text:
	.ascii "began\n"
`

// TestWorkerEnds: an endless program has printed what it did, is killed at once, and hinders no other; a limit of time ends it, too.
func TestWorkerEnds(t *testing.T) {
	p := opened(t)
	files := fmt.Sprintf(`{ files: { "endless.s": %q } }`, endless)
	var r struct {
		Seen    string
		Killed  float64
		Status  int
		Other   result
		Limited result
	}
	p.Eval(`(async () => {
		const p = run(["run", "endless.s"], `+files+`);
		while (p.text.stdout === "") await new Promise(done => setTimeout(done, 10));
		const other = await run(["version"]).ended;
		const began = performance.now();
		p.process.kill();
		const { status } = await p.ended;
		const killed = performance.now() - began;
		const limited = await run(["run", "--timeout", "100ms", "endless.s"], `+files+`).ended;
		return { seen: p.text.stdout, killed, status, other, limited };
	})()`, &r)
	require.Equal(t, "began\n", r.Seen)
	require.Equal(t, 137, r.Status)
	require.Less(t, r.Killed, 1000.0)
	require.Contains(t, r.Other.Stdout, "js/wasm")
	require.NotZero(t, r.Limited.Status)
	require.Empty(t, p.Console())
}

// TestWorkerDebugs: the debug adapter talks over the standard streams; a program that runs without end is paused.
func TestWorkerDebugs(t *testing.T) {
	p := opened(t)
	var r struct {
		Reasons []string
		Frames  int
		Stderr  string
		Status  int
	}
	p.Eval(fmt.Sprintf(`(async () => {
		const bytes = new TextEncoder(), seen = [];
		let buffer = "", sent = 0;
		const p = run(["debug", "--dap"], {
			input: "open", files: { "endless.s": %q },
			stdout: chunk => {
				buffer += new TextDecoder().decode(chunk);
				for (let m; (m = /^Content-Length: (\d+)\r\n\r\n/.exec(buffer)) && buffer.length >= m[0].length + Number(m[1]);) {
					seen.push(JSON.parse(buffer.slice(m[0].length, m[0].length + Number(m[1]))));
					buffer = buffer.slice(m[0].length + Number(m[1]));
				}
			},
		});
		const message = found => new Promise((done, fail) => {
			const late = performance.now() + 30000;
			const look = () => {
				const m = seen.find(found);
				if (m) done(m);
				else if (performance.now() > late) fail(new Error("no message among " + JSON.stringify(seen)));
				else setTimeout(look, 5);
			};
			look();
		});
		const request = (command, args = {}) => {
			const text = JSON.stringify({ seq: ++sent, type: "request", command, arguments: args }), seq = sent;
			p.process.write("Content-Length: " + bytes.encode(text).length + "\r\n\r\n" + text);
			return message(m => m.type === "response" && m.request_seq === seq);
		};
		const stopped = count => message(m => m.event === "stopped" && seen.filter(e => e.event === "stopped").indexOf(m) === count);
		await request("initialize", { adapterID: "arcsim" });
		const launched = request("launch", { program: "endless.s", stopOnEntry: true });
		await message(m => m.event === "initialized");
		await request("configurationDone");
		await launched;
		await stopped(0);
		await request("continue", { threadId: 1 });
		await new Promise(done => setTimeout(done, 300));
		await request("pause", { threadId: 1 });
		await stopped(1);
		await request("stepBack", { threadId: 1 });
		await stopped(2);
		const frames = (await request("stackTrace", { threadId: 1 })).body.stackFrames.length;
		await request("disconnect", {});
		const end = await p.ended;
		return { reasons: seen.filter(m => m.event === "stopped").map(m => m.body.reason), frames, stderr: end.stderr, status: end.status };
	})()`, endless), &r)
	require.Equal(t, []string{"entry", "pause", "step"}, r.Reasons)
	require.Positive(t, r.Frames)
	require.Empty(t, p.Console())
}
