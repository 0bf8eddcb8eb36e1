package bundle

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
	"arcv2dsp/internal/dev/testkit/level"
	"arcv2dsp/internal/dev/testkit/npm"
)

// command is the command for some platform: a program with the arguments before its own.
type command []string

// run runs it in a folder and returns its standard output and its status.
func (c command) run(t *testing.T, dir string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(c[0], append(c[1:len(c):len(c)], args...)...)
	cmd.Dir = dir
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if e := (*exec.ExitError)(nil); !errors.As(err, &e) {
		require.NoError(t, err, "%v", args)
	}
	t.Logf("%s of CPU time: %s", (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(10*time.Millisecond), strings.Join(args, " "))
	if status := cmd.ProcessState.ExitCode(); status != 0 {
		return string(out) + failed.String(), status
	}
	return string(out), 0
}

// inNode is a module of the page under Node.js.
func inNode(t *testing.T, file string) command {
	t.Helper()
	node, dir := gnutools.Node(t), page(t)
	packed, err := os.Open(filepath.Join(dir, file))
	require.NoError(t, err)
	defer func() { _ = packed.Close() }() // only read
	text, err := gzip.NewReader(packed)
	require.NoError(t, err)
	data, err := io.ReadAll(text)
	require.NoError(t, err)
	module := filepath.Join(t.TempDir(), "arcsim.wasm")
	require.NoError(t, os.WriteFile(module, data, 0o644))
	return command{node, "--stack-size=8192", filepath.Join(support(), "wasm_exec_node.js"), module}
}

// figures is a JSON document without what depends on the host and on what a build has.
func figures(t *testing.T, text string) string {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(text), &v), "%.2000s", text)
	if m, ok := v.(map[string]any); ok {
		delete(m, "host")
		delete(m, "left_out")
	}
	out, err := json.MarshalIndent(v, "", " ")
	require.NoError(t, err)
	return string(out)
}

// TestSameFigures: 429 calls of kernels, programs and twelve networks have the same cycles and results as WebAssembly as in the
// command for this machine. Regressions compare results with golden functions, recorded calls with what MLI itself computed.
func TestSameFigures(t *testing.T) {
	wasm, native := inNode(t, wholeFile), command{npm.Command(t, t.TempDir())}
	calls, err := filepath.Abs(filepath.Join("..", "..", "..", "..", "nn", "internal", "golden", "mli11", "recorded", "calls"))
	require.NoError(t, err)
	networks := []string{"anomaly", "resnet8", "keywords", "vww", "person", "cifar10"}
	dir := t.TempDir()
	for _, args := range [][]string{
		{"bench", "--json"},
		append([]string{"model", "bench", "--json"}, networks...),
		{"regress", "--core", "em9d", "--run", "^pictures_.*/picture0/up/", "--json"}, // networks of MLI
		{"regress", "--short", "--core", "em9d", "--json", "--vectors", filepath.Join(calls, "fully_connected.jsonl.gz"), filepath.Join(calls, "maxpool.jsonl.gz"),
			filepath.Join(calls, "softmax.jsonl.gz"), filepath.Join(calls, "avepool.jsonl.gz")},
	} {
		want, status := native.run(t, dir, args...)
		require.Zero(t, status, want)
		got, status := wasm.run(t, dir, args...)
		require.Zero(t, status, got)
		require.Equal(t, figures(t, want), figures(t, got), "%v", args)
		if args[0] == "bench" {
			require.Greater(t, strings.Count(want, `"kind": "kernel"`), 400)
		}
	}
	for _, name := range networks {
		want, status := native.run(t, dir, "model", "run", name)
		require.Zero(t, status)
		got, status := wasm.run(t, dir, "model", "run", name)
		require.Zero(t, status, got)
		require.Equal(t, want, got)
	}
}

// programsLimit is how large a module with programs alone may be, packed.
const programsLimit = 4_000_000

// TestModuleSize: what the page loads does not grow unseen.
func TestModuleSize(t *testing.T) {
	for name, limit := range map[string]int64{programsFile: programsLimit, wholeFile: 8_300_000} {
		info, err := os.Stat(filepath.Join(page(t), name))
		require.NoError(t, err)
		require.Less(t, info.Size(), limit)
		t.Logf("%s: %d bytes", name, info.Size())
	}
}

// TestPageCommands: what a page asks for is there, and what cannot be says so in a line.
func TestPageCommands(t *testing.T) {
	programs, whole := inNode(t, programsFile), inNode(t, wholeFile)
	dir := t.TempDir()
	dot, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "demo", "dot.s"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "dot.s"), dot, 0o644))
	for _, c := range []struct {
		in     command
		args   string
		status int
		says   string
	}{
		{in: programs, args: "run dot.s", status: 44},
		{in: programs, args: "debug --batch -ex stepi -ex reverse-stepi dot.s", says: "mov\tr0, x"},
		{in: programs, args: "report timeline dot.s", says: "load-use"},
		{in: programs, args: "report --html page.html dot.s", status: 44},
		{in: programs, args: "cores", says: "em9d"},
		{in: programs, args: "help run", says: "--max-inst"},
		{in: programs, args: "kernels list", status: 2, says: "kernels is not in this build, which is for programs alone"},
		{in: programs, args: "report timeline --kernel relu_fx8", status: 2, says: "this build is for programs alone"},
		{in: programs, args: "debug --gdb=:0 dot.s", status: 2, says: "this build is for programs alone"},
		{in: programs, args: "lsp -I @mli", status: 2, says: "this build is for programs alone"},
		{in: whole, args: "run dot.s", status: 44},
		{in: whole, args: "kernels list", says: "relu"},
		{in: whole, args: "regress --short --core em9d --run krn_relu_fx8/", says: "PASSED"},
		{in: whole, args: "debug --gdb=:0 dot.s", status: 3, says: "WebAssembly has no sockets"},
		{in: whole, args: "serve", status: 3, says: "WebAssembly has no sockets"},
		{in: whole, args: "model check --grid", status: 3, says: "not in this build"},
	} {
		out, status := c.in.run(t, dir, strings.Fields(c.args)...)
		require.Equal(t, c.status, status, "%s: %s", c.args, out)
		require.Contains(t, out, c.says, c.args)
	}
}

// TestWASI: the command with programs alone runs one and writes a file under a runtime of WASI, and is as small as the page's.
func TestWASI(t *testing.T) {
	level.NeedsLong(t, "builds the command for WASI")
	node, dir := gnutools.Node(t), t.TempDir()
	module := filepath.Join(dir, "arcsim.wasm")
	require.NoError(t, Build(module, "wasip1", programsTag))
	data, err := os.ReadFile(module)
	require.NoError(t, err)
	size := len(packed(data))
	require.Less(t, size, programsLimit)
	t.Logf("%d bytes packed", size)
	dot, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "demo", "dot.s"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "dot.s"), dot, 0o644))
	script, err := filepath.Abs(filepath.Join("testdata", "wasi.mjs"))
	require.NoError(t, err)
	// Without fast calls: Node.js 20 and 22 collect garbage within such a call of WASI, and die of it (nodejs/node#46777, #53087).
	out, status := command{node, "--no-warnings", "--no-turbo-fast-api-calls", script, module}.run(t, dir, "run", "--json", "-o", "stat.json", "dot.s")
	require.Equal(t, 44, status, out)
	stat, err := os.ReadFile(filepath.Join(dir, "stat.json"))
	require.NoError(t, err)
	require.Contains(t, string(stat), `"cycles": 24`)
}
