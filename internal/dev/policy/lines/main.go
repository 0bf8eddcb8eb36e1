// Command lines counts the lines of a source tree by area: Go written by hand, its tests, generated Go, assembly.
// Blank lines and comments count, as they are read too.
//
//	go run ./internal/dev/policy/lines [DIR]
package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// area is a part of the house. A folder belongs to the area that names it or the nearest folder above.
type area struct {
	name    string
	since   string // the version that brought it, where that is not the first
	folders string
}

var areas = []area{
	{"simulator", "", `. cpu dspunit isa loader memory internal/board/config internal/board/devices internal/term/hostfile internal/board/hostio
		internal/board/machine internal/board/trace`},
	{"floating point", "0.2", "cpu/internal/fpunit"},
	{"machine code", "0.2", "cpu/internal/jit"},
	{"assembler, linker, listings", "", "asm cmd/arcasm internal/program/dwarf internal/program/elfarc internal/program/listing internal/term/spelling"},
	{"debugger", "", "internal/debug"},
	{"editors, full screen", "0.2", "internal/debug/dap internal/debug/lsp internal/debug/message internal/debug/tui internal/debug/workbench editors"},
	{"operators and MLI 1.1", "", `internal/program/cstruct internal/program/mlistructs internal/program/mli11structs mlikernels nn
		nn/internal/golden/mli nn/internal/golden/rule nn/internal/golden/mli11 nn/internal/mlirecord testdata/mli`},
	{"MLI 2.0", "0.2", "mlikernels/internal/mli20 nn/internal/golden/mli20"},
	{"TensorFlow Lite, gemmlowp", "0.2", `nn/internal/flatbuffer internal/network/gemm internal/network/model internal/network/netc mlikernels/internal/arcq
		nn/internal/gemmlowprecord nn/internal/golden/gemmlowp nn/internal/golden/tflite nn/tflite nn/internal/tflmrecord`},
	{"TOSA, MLIR", "0.2", "internal/check/tosacheck nn/internal/golden/tosa internal/network/lower internal/network/mlir nn/tosa testdata/tosa"},
	{"quantization", "0.2", "internal/check/numbers internal/network/calculator internal/network/quantnet nn/internal/golden/floats quant"},
	{"measuring", "", "benchmarks internal/measure/bench internal/measure/profile internal/check/regress internal/measure/report internal/measure/timeline"},
	{"many machines", "0.2", "internal/check/farm"},
	{"command line", "", "cmd internal/term/cli internal/term/quantity internal/term/serial internal/term/steps internal/term/watch"},
	{"house", "", "docs internal internal/dev/mutants internal/dev/oracle internal/dev/policy internal/dev/testkit packaging python testdata .ci .github"},
}

// counts are the lines of an area.
type counts struct{ written, tests, generated, assembly int }

func (c *counts) add(d counts) {
	c.written += d.written
	c.tests += d.tests
	c.generated += d.generated
	c.assembly += d.assembly
}

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	byArea, err := count(os.DirFS(dir))
	if err == nil {
		err = print(os.Stdout, byArea)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "lines:", err)
		os.Exit(1)
	}
}

// areaOf is the area of a folder.
func areaOf(folder string) (string, error) {
	for at := folder; ; at = path.Dir(at) {
		for _, a := range areas {
			for name := range strings.FieldsSeq(a.folders) {
				if name == at {
					return a.name, nil
				}
			}
		}
		if at == "." || path.Dir(at) == "." { // the root is no folder above: it has an area of its own
			return "", fmt.Errorf("%s belongs to no area", folder)
		}
	}
}

// count reads all sources but those of folders that begin with a dot.
func count(tree fs.FS) (map[string]counts, error) {
	byArea := map[string]counts{}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && strings.HasPrefix(path.Base(name), ".") {
				return fs.SkipDir
			}
			return nil
		}
		var c counts
		switch path.Ext(name) {
		case ".go", ".s", ".S", ".inc":
			text, err := fs.ReadFile(tree, name)
			if err != nil {
				return err
			}
			c = countFile(name, text)
		default:
			return nil
		}
		a, err := areaOf(path.Dir(name))
		if err != nil {
			return err
		}
		sum := byArea[a]
		sum.add(c)
		byArea[a] = sum
		return nil
	})
	return byArea, err
}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// testKits are the folders of code that serves tests alone: no command that users get is made of it. Two stand where they may
// see the inside of what they test.
var testKits = []string{"internal/dev/", "mlikernels/internal/mlitest/", "cpu/internal/jit/jittest/"}

// countFile tells what a source is. Code that serves tests alone counts as tests.
func countFile(name string, text []byte) counts {
	n := bytes.Count(text, []byte("\n"))
	switch {
	case path.Ext(name) != ".go":
		return counts{assembly: n}
	case generated.Match(text):
		return counts{generated: n}
	case strings.HasSuffix(name, "_test.go"), slices.ContainsFunc(testKits, func(dir string) bool { return strings.HasPrefix(name, dir) }):
		return counts{tests: n}
	}
	return counts{written: n}
}

// print writes the table, and below it the sums of the first version's areas and of all.
func print(w io.Writer, byArea map[string]counts) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, c counts) {
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t  %s\n", c.written, c.tests, c.generated, c.assembly, name)
	}
	fmt.Fprintln(t, "written\ttests\tgenerated\tassembly\t  area")
	var first, all counts
	for _, a := range areas {
		name := a.name
		if a.since != "" {
			name += " (since " + a.since + ")"
		} else {
			first.add(byArea[a.name])
		}
		all.add(byArea[a.name])
		row(name, byArea[a.name])
	}
	row("areas of the first version", first)
	row("all", all)
	return t.Flush()
}
