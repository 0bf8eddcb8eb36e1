package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
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
func writeKernel(dir, name, like string, s cli.Streams) {
	k := cli.Valid(mlikernels.Lookup(like))
	cli.Refuse(!symbolForm.MatchString(name), "--kernel %s: a function has a name of letters, digits and _", name)
	cli.Refuse(name == k.Symbol, "--kernel %s: the library has a function of that name", name)
	a := steps.Must(regress.Ask(k.Name(), ""))
	var text bytes.Buffer
	steps.Check(a.Save(&text))
	source := ownSource(k, name)
	files := map[string][]byte{name + ".s": []byte(source), "case.json": text.Bytes()}
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
	writeFolder(dir, files)
	fmt.Fprintf(s.Out, "%s has a kernel that begins as %s; make -C %s test assembles and runs it\n", dir, k.Name(), dir)
}

// newFolder makes a folder, which may be there when it is empty.
func newFolder(dir string) {
	list, err := os.ReadDir(dir)
	steps.Refuse(len(list) > 0, "%s is not empty", dir)
	if !errors.Is(err, os.ErrNotExist) {
		steps.Check(err)
	}
	steps.Check(os.MkdirAll(dir, 0o777))
}

// ownSource is the source of a kernel under a new name, with the includes of its own folder in their places; what
// kernels share stays included. Further names of the kernel are left out: the library has them.
func ownSource(k *mlikernels.Kernel, name string) string {
	text := steps.Must(expanded(k.Of.Files(), k.Source.File))
	var b strings.Builder
	for line := range strings.Lines(text) {
		words := strings.FieldsFunc(line, func(r rune) bool { return !symbolForm.MatchString("_" + string(r)) })
		if !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(k.Aliases, w) }) {
			b.WriteString(line)
		}
	}
	return regexp.MustCompile(`\b`+regexp.QuoteMeta(k.Symbol)+`\b`).ReplaceAllString(b.String(), name)
}

// includeLine matches a line that includes a file.
var includeLine = regexp.MustCompile(`^\s*\.include\s+"([^"]+)"`)

// labelledIf matches a label in front of a condition.
var labelledIf = regexp.MustCompile(`^([\w.$]+:)\s*(\.if)`)

// expanded is a source with the includes of its folder in their places. Those in a macro stay: the text of a macro is
// read with its arguments.
func expanded(files fs.FS, file string) (string, error) {
	text, err := fs.ReadFile(files, file)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	macros := 0
	for line := range strings.Lines(string(text)) {
		switch words := strings.Fields(line); {
		case len(words) > 0 && words[0] == ".macro":
			macros++
		case len(words) > 0 && words[0] == ".endm":
			macros--
		}
		// In what a condition skips, an .if behind a label would not count.
		line = labelledIf.ReplaceAllString(line, "$1\n\t$2")
		m := includeLine.FindStringSubmatch(line)
		if m == nil || macros > 0 {
			b.WriteString(line)
			continue
		}
		part, err := expanded(files, path.Join(path.Dir(file), m[1]))
		if errors.Is(err, fs.ErrNotExist) && strings.Contains(m[1], "/") {
			part, err = expanded(files, m[1])
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			b.WriteString(line)
		case err != nil:
			return "", err
		default:
			b.WriteString(part)
		}
	}
	return b.String(), nil
}
