// Package bundle makes the page of the workbench complete: static files that any server can offer, which need no network.
//
// Start with Write.
package bundle

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"arcv2dsp/internal/debug/workbench"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// sizeLimit bounds a file that is built.
const sizeLimit = 256 << 20

// The command as the page loads it: programs alone at once, all of it when a view asks for more.
const (
	programsFile = "programs.wasm.gz"
	wholeFile    = "arcsim.wasm.gz"
)

// programsTag is the build tag of a command with programs alone.
const programsTag = "programs"

// packages has what npm needs to make the editor: the packages with their versions and sums, and what is taken of them.
//
//go:embed npm/package.json npm/package-lock.json npm/codemirror.js npm/build.mjs
var packages embed.FS

// Write writes the page into a folder. Its editor is a text area until Editor has written one beside it.
func Write(dir string) error {
	return steps.Run(func() {
		for name, data := range steps.Must(workbench.Files()) {
			save(dir, name, data)
		}
		save(dir, "wasm_exec.js", steps.Must(hostfile.Read(filepath.Join(support(), "wasm_exec.js"), sizeLimit)))
		save(dir, programsFile, packed(module(programsTag)))
		save(dir, wholeFile, packed(module("")))
	})
}

// Editor writes the editor into the folder of a page, made of packages that npm downloads, and the licences of those.
func Editor(dir string) error {
	return steps.Run(func() {
		dir = filepath.Join(dir, "vendor")
		work := steps.Must(os.MkdirTemp("", "bundle"))
		defer func() { _ = os.RemoveAll(work) }() // it is the system's to clean
		steps.Check(os.CopyFS(work, steps.Must(fs.Sub(packages, "npm"))))
		steps.Check(os.MkdirAll(dir, 0o755))
		for _, command := range [][]string{
			{"npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"},
			{"node", "build.mjs", steps.Must(filepath.Abs(dir))},
		} {
			c := exec.Command(command[0], command[1:]...)
			c.Dir = work
			run(c)
		}
	})
}

// support is the folder of what Go has for hosts of WebAssembly.
func support() string {
	return filepath.Join(strings.TrimSpace(run(exec.Command("go", "env", "GOROOT"))), "lib", "wasm")
}

// module builds the command for a worker.
func module(tag string) []byte {
	dir := steps.Must(os.MkdirTemp("", "bundle"))
	defer func() { _ = os.RemoveAll(dir) }() // it is the system's to clean
	out := filepath.Join(dir, "arcsim.wasm")
	steps.Check(Build(out, "js", tag))
	return steps.Must(hostfile.Read(out, sizeLimit))
}

// inlined are the packages whose functions the compiler puts into their callers: the engines. Elsewhere that makes the module a
// sixth larger, and its start slower than the calls do.
var inlined = []string{"arcv2dsp/cpu", "arcv2dsp/cpu/fast", "arcv2dsp/cpu/internal/semantics", "arcv2dsp/cpu/internal/fpunit",
	"arcv2dsp/memory", "arcv2dsp/dspunit"}

// Build builds the command as WebAssembly for a system, "js" or "wasip1", without what only a debugger of WebAssembly reads. A
// build tag may leave parts out.
func Build(out, system, tag string) error {
	return steps.Run(func() {
		c := exec.Command("go", "build", "-trimpath", "-tags="+tag, "-ldflags=-s -w", "-gcflags=all=-l")
		for _, pkg := range inlined {
			c.Args = append(c.Args, "-gcflags="+pkg+"=")
		}
		c.Args = append(c.Args, "-o", out, "arcv2dsp/cmd/arcsim")
		c.Env = append(os.Environ(), "GOOS="+system, "GOARCH=wasm", "CGO_ENABLED=0")
		run(c)
	})
}

// run runs a tool and returns what it prints.
func run(c *exec.Cmd) string {
	var failed bytes.Buffer
	c.Stderr = &failed
	out, err := c.Output()
	if err != nil {
		steps.Check(fmt.Errorf("%s: %w: %s", strings.Join(c.Args, " "), err, bytes.TrimSpace(failed.Bytes())))
	}
	return string(out)
}

func packed(data []byte) []byte {
	var b bytes.Buffer
	z := steps.Must(gzip.NewWriterLevel(&b, gzip.BestCompression))
	steps.Must(z.Write(data))
	steps.Check(z.Close())
	return b.Bytes()
}

// save writes a file below a folder.
func save(dir, name string, data []byte) {
	file := filepath.Join(dir, filepath.FromSlash(name))
	steps.Check(os.MkdirAll(filepath.Dir(file), 0o755))
	steps.Check(hostfile.Write(file, data))
}
