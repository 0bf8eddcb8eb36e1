package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/hostfile"
	"arcv2dsp/internal/term/steps"
)

// maxInput bounds the files that commands read.
const maxInput = 1 << 30

func readFile(path string) ([]byte, error) { return hostfile.Read(path, maxInput) }

// writeText writes what a function prints as a whole file at once; - is standard output.
func writeText(path string, s cli.Streams, print func(io.Writer) error) error {
	var b bytes.Buffer
	if err := print(&b); err != nil {
		return err
	}
	return writeFile(path, b.Bytes(), s)
}

// writeFile writes a whole file at once; - is standard output.
func writeFile(path string, data []byte, s cli.Streams) error {
	if path == "-" {
		_, err := s.Out.Write(data)
		return err
	}
	return hostfile.Write(path, data)
}

// show prints a document, as JSON or as text for people.
func show(s cli.Streams, asJSON bool, d render.Document) {
	if asJSON {
		d.Text = func(w io.Writer) error { return render.JSON(w, d.JSON) }
	}
	steps.Check(d.Text(s.Out))
}

// writeFolder writes files below a folder, which is made: none of them once the command is to end, and all that it has begun with.
func writeFolder(ctx context.Context, dir string, files map[string][]byte) {
	steps.Check(ctx.Err())
	for _, name := range slices.Sorted(maps.Keys(files)) {
		to := filepath.Join(dir, filepath.FromSlash(name))
		steps.Check(cmp.Or(os.MkdirAll(filepath.Dir(to), 0o755), hostfile.Write(to, files[name])))
	}
}

// writable reports early that a file cannot be written, before minutes of measuring.
func writable(path string) {
	if path == "-" {
		return
	}
	if err := hostfile.Writable(path); err != nil {
		steps.Check(fmt.Errorf("%s cannot be written: %w", path, err))
	}
}
