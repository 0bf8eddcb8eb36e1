//go:build !programs

package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"arcv2dsp/internal/check/regress"
	"arcv2dsp/internal/term/cli"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/mlikernels"
)

// symbolForm is what the name of a new kernel must look like: it is a symbol of C and the name of a file.
var symbolForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// writeKernel writes the folder of a kernel that begins as another one: its source, a case with the results, what
// computes those in Python and in Go, and a Makefile.
func writeKernel(ctx context.Context, dir, name, like string, s cli.Streams) {
	k := cli.Valid(mlikernels.Lookup(like))
	cli.Refuse(!symbolForm.MatchString(name), "--kernel %s: a function has a name of letters, digits and _", name)
	cli.Refuse(name == k.Symbol, "--kernel %s: the library has a function of that name", name)
	a := steps.Must(regress.Ask(k.Name(), ""))
	var text bytes.Buffer
	steps.Check(a.Save(&text))
	files := map[string][]byte{name + ".s": []byte(steps.Must(k.OwnSource(name))), "case.json": text.Bytes()}
	var results []string
	for _, result := range slices.Sorted(maps.Keys(a.Job.Want)) {
		results = append(results, fmt.Sprintf("%q", result))
	}
	list := strings.Join(results, ", ")
	fill := strings.NewReplacer("@NAME@", name, "@LIKE@", k.Name(), "@LIBRARY@", k.Of.Name, "@RESULTS@", "["+list+"]", "@GORESULTS@", list,
		"@INPUT@", k.Computes[0].Inputs[0].Role)
	const templates = "examples/kernel"
	steps.Check(fs.WalkDir(examples, templates, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := examples.ReadFile(file)
		files[strings.TrimSuffix(path.Base(file), ".txt")] = []byte(fill.Replace(string(text)))
		return err
	}))
	newFolder(dir)
	writeFolder(ctx, dir, files)
	fmt.Fprintf(s.Out, "%s has a kernel that begins as %s; make -C %s test assembles and runs it\n", dir, k.Name(), dir)
}
