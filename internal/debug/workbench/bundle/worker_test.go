package bundle

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/browser"
	"arcv2dsp/internal/dev/testkit/level"
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

// opened is an empty page with the page's modules and the names that they export, in a browser.
func opened(t *testing.T) *browser.Page {
	t.Helper()
	level.NeedsLong(t, "builds the command as WebAssembly")
	built.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "workbench"); built.err == nil {
			built.err = Write(built.dir)
		}
	})
	require.NoError(t, built.err)
	files := http.FileServer(http.Dir(built.dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/empty" {
			files.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><link rel="icon" href="data:,"><title>empty</title>`)
	}))
	t.Cleanup(server.Close)
	p := browser.OpenURL(t, server.URL+"/empty")
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

// TestWorkerRuns: the command runs in a worker with the files that it gets, prints, ends with its status, and gives the files back that it wrote.
func TestWorkerRuns(t *testing.T) {
	p := opened(t)
	dot, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "demo", "dot.s"))
	require.NoError(t, err)
	var r result
	p.Eval(fmt.Sprintf(`run(["run", "--json", "-o", "stat.json", "dot.s"], { files: { "dot.s": %q } }).ended`, dot), &r)
	require.Equal(t, 44, r.Status, r.Stderr)
	require.Contains(t, r.Files["stat.json"], `"cycles": 24`)
	require.Empty(t, p.Console())
}
