package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// deps is the import policy of the module, a line per package: "package < imports | imports of its tests".
// A package may import of ours the packages its line lists; its tests may also import those behind the bar, the
// standard test kit (internal/testkit/...) and the package itself. A package without a line may import nothing
// of ours. A trailing /... covers the tree below. A permission that nothing uses fails the test. Do not edit the
// table merely to make a build pass: it is the architecture.
const deps = `
	isa                  <
	isa/gen              < isa
	isa/gen/free         < isa
	isa/gen/ops          <
	memory               <
	dspunit              < | . asm loader
	fpunit               <
	cpu/semantics        < dspunit fpunit | isa
	cpu/timing           < isa
	cpu                  < isa memory dspunit fpunit cpu/semantics cpu/timing | asm cpu/fast
	cpu/calls            < isa
	cpu/uop              < cpu cpu/calls isa memory dspunit cpu/timing
	cpu/uop/body         < cpu cpu/uop dspunit memory
	cpu/fast             < cpu cpu/uop isa memory dspunit cpu/jit/ir cpu/jit/ssa cpu/jit/x86 cpu/jit/exec | asm cpu/timing
	cpu/jit/ir           <
	cpu/jit/ssa          < cpu/jit/ir
	cpu/jit/x86          < cpu/jit/ir cpu/jit/ssa | cpu/jit/exec
	cpu/jit/exec         <
	cpu/fast/gen         < isa dspunit cpu/jit/ir
	internal/spelling    <
	internal/elfarc      <
	internal/dwarf       < internal/elfarc
	asm                  < isa internal/elfarc internal/dwarf internal/spelling | asm/disasm
	asm/link             < internal/elfarc | asm internal/dwarf
	asm/disasm           < isa | internal/elfarc
	internal/objdump     < isa asm/disasm internal/elfarc
	internal/hostfile    <
	internal/source      <
	loader               < internal/elfarc internal/hostfile
	internal/quantity    <
	internal/cli         < internal/quantity internal/spelling
	internal/config      < internal/quantity internal/spelling
	internal/hostio      <
	internal/devices     < memory
	internal/trace       < cpu isa memory asm/disasm
	internal/machine     < cpu cpu/fast cpu/uop cpu/timing dspunit isa loader memory internal/config internal/devices internal/elfarc internal/hostfile internal/hostio internal/spelling
	.                    < cpu cpu/uop cpu/timing loader memory isa asm/disasm internal/config internal/devices internal/machine internal/trace | asm asm/link
	nn                   <
	quant                <
	nn/mlir              < nn quant | nn/golden
	nn/golden            < nn nn/golden/...
	nn/npy               < nn
	nn/tflite            < nn internal/flatbuffer | nn/golden/tflite
	nn/tflite/prepare    < nn quant | nn/golden/tflite nn/tflmrecord
	nn/gemmlowprecord    < nn nn/golden/gemmlowp
	nn/tflmrecord        < nn | nn/golden/tflite
	nn/golden/gemmlowp   < nn quant
	nn/golden/tflite     < nn quant
	nn/golden/tosa       < nn quant
	internal/gemm        < . mlikernels mlikernels/kernel nn nn/golden nn/golden/gemmlowp internal/report
	internal/model       < . nn nn/npy nn/tflite quant internal/report mlikernels | benchmarks/networks nn/golden nn/tflmrecord
	internal/netc        < nn mlikernels mlikernels/cstruct mlikernels/kernel | nn/golden
	internal/flatbuffer  <
	nn/golden/floats     < nn
	internal/quantnet    < . nn nn/golden nn/golden/floats nn/golden/mli11 nn/mlir nn/tflite quant mlikernels internal/report
	nn/lower             < nn nn/golden/tosa nn/tflite/prepare quant | benchmarks/networks internal/model mlikernels nn/golden nn/tflite nn/tosa
	nn/tosa              < nn nn/golden/tosa nn/npy internal/flatbuffer | testdata/tosa
	internal/tosacheck   < nn nn/golden/tosa nn/tosa internal/tosacheck/exact internal/report | . mlikernels mlikernels/kernel nn/npy testdata/tosa
	internal/tosacheck/mutation < | internal/tosacheck nn nn/golden/tosa testdata/tosa
	internal/tosacheck/exact < nn | internal/tosacheck testdata/tosa
	nn/golden/mli        < nn
	nn/golden/mli11      < nn nn/golden/mli | nn/mlirecord
	nn/golden/mli20      < nn nn/golden/mli | nn/mlirecord
	nn/golden/mli11/recorded <
	nn/golden/mli20/recorded <
	nn/mlirecord         < nn nn/golden/mli | nn/golden nn/golden/mli11
	mlikernels/kernel    < . memory isa asm asm/link loader nn internal/elfarc
	mlikernels/cstruct   <
	mlikernels/mli/structs < mlikernels/cstruct
	mlikernels/mli       < nn mlikernels/kernel mlikernels/cstruct mlikernels/mli/structs
	internal/testkit/gnutools < internal/testkit/level
	internal/testkit/mlitest < . nn nn/mlirecord mlikernels/kernel mlikernels/cstruct internal/testkit/gnutools internal/testkit/level
	mlikernels/mli11/structs < mlikernels/cstruct mlikernels/mli/structs
	mlikernels/mli20/structs < mlikernels/cstruct mlikernels/mli/structs
	mlikernels/mli20     < nn nn/golden/mli nn/golden/mli20 mlikernels/kernel mlikernels/cstruct mlikernels/mli mlikernels/mli/structs mlikernels/mli20/structs | internal/testkit/mlitest internal/testkit/shared nn/mlirecord
	mlikernels/mli11     < nn nn/golden/mli11 mlikernels/kernel mlikernels/cstruct mlikernels/mli mlikernels/mli/structs mlikernels/mli11/structs | internal/testkit/mlitest quant
	mlikernels/arcq      < nn nn/golden nn/golden/... nn/tflite/prepare quant mlikernels/kernel mlikernels/cstruct | nn/gemmlowprecord
	mlikernels/mli11/gen < nn/golden/mli11
	mlikernels           < . nn nn/golden mlikernels/... internal/spelling | asm asm/link loader nn/tflite
	benchmarks           < isa asm asm/link loader | .
	benchmarks/networks  < nn nn/tflite nn/golden/tflite internal/spelling
	internal/report      <
	internal/regress     < . internal/hostfile internal/dwarf mlikernels mlikernels/... nn nn/... internal/report internal/model internal/tosacheck benchmarks/networks | asm asm/link internal/elfarc
	internal/debug/cexpr < internal/dwarf isa
	internal/debug       < . internal/debug/cexpr internal/hostfile internal/source isa loader internal/dwarf internal/spelling mlikernels/mli/structs mlikernels/mli11/structs | dspunit
	internal/debug/repl  < internal/debug internal/debug/cexpr internal/spelling | .
	internal/debug/tui   < internal/debug | .
	internal/debug/gdbserver < internal/debug | .
	internal/debug/dap   < internal/debug internal/debug/cexpr internal/dwarf | .
	internal/profile     < . isa cpu/calls cpu/timing internal/dwarf internal/report internal/source | asm asm/link loader
	internal/timeline    < . isa cpu/timing internal/report | asm asm/link loader
	internal/bench       < . internal/hostfile isa mlikernels mlikernels/kernel benchmarks internal/report | asm asm/link loader
	internal/farm        < internal/bench internal/hostfile internal/model internal/regress internal/report | nn
	internal/policy      <
	internal/policy/lines <
	internal/policy/names <
	packaging            <
	docs/drawing         <
	docs/site            <
	internal/testkit/... < isa cpu nn
	internal/testkit/browser < internal/testkit/gnutools
	internal/oracle/...  < | . asm
	examples             <
	cmd/arcsim           < . examples asm asm/link loader mlikernels mlikernels/kernel benchmarks benchmarks/networks internal/... nn nn/golden nn/golden/gemmlowp nn/golden/tosa nn/npy nn/tflite nn/tosa nn/mlir quant nn/lower
	cmd/arcasm           < asm asm/link isa internal/objdump internal/cli internal/elfarc internal/dwarf
`

const module = "arcv2dsp"

// restricted names packages and modules from elsewhere that only some packages may link. Templates look methods up by
// name, which keeps every exported method in a program.
var restricted = map[string]string{
	"html/template":               "docs/site",
	"text/template":               "docs/site",
	"github.com/chzyer/readline":  "cmd/ internal/debug/repl",
	"github.com/google/go-dap":    "internal/debug/dap",
	"github.com/spf13/cobra":      "cmd/ internal/cli",
	"github.com/stretchr/testify": "internal/testkit",
	"github.com/yuin/goldmark":    "docs/site",
	"pgregory.net/rapid":          "internal/testkit",
}

type pkg struct {
	ImportPath   string
	Name         string
	Dir          string
	GoFiles      []string // without tests and without files of other systems
	Imports      []string
	TestImports  []string // of the files that test the package from inside
	XTestImports []string // of its external tests
}

// listPackages asks the go tool once for all tests.
var listPackages = sync.OnceValues(func() ([]pkg, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Name,Dir,GoFiles,Imports,TestImports,XTestImports", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var pkgs []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, err
		}
		pkgs = append(pkgs, p)
	}
})

// packages are those of the module; there is at least one.
func packages(t *testing.T) []pkg {
	t.Helper()
	list, err := listPackages()
	require.NoError(t, err)
	require.NotEmpty(t, list)
	return list
}

// local turns an import path into the name used in deps, or "" for a foreign package.
func local(path string) string {
	if path == module {
		return "."
	}
	if rest, ok := strings.CutPrefix(path, module+"/"); ok {
		return rest
	}
	return ""
}

func matches(pattern, name string) bool {
	if tree, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == tree || strings.HasPrefix(name, tree+"/")
	}
	return pattern == name
}

// permission allows the packages a pattern names to import those another pattern names.
type permission struct {
	from, to string
	testOnly bool
	used     bool
}

func permissions(t *testing.T) []*permission {
	var list []*permission
	for line := range strings.Lines(deps) {
		from, rest, ok := strings.Cut(line, "<")
		if !ok {
			continue
		}
		from = strings.TrimSpace(from)
		imports, testImports, _ := strings.Cut(rest, "|")
		for _, to := range strings.Fields(imports) {
			list = append(list, &permission{from: from, to: to})
		}
		for _, to := range strings.Fields(testImports) {
			list = append(list, &permission{from: from, to: to, testOnly: true})
		}
	}
	require.NotEmpty(t, list)
	return list
}

func TestImportsFollowTheArchitecture(t *testing.T) {
	allowed := permissions(t)
	mayImport := func(from, to string, inTest bool) bool {
		found := false
		for _, p := range allowed {
			if matches(p.from, from) && matches(p.to, to) && (inTest || !p.testOnly) {
				found = true
				p.used = p.used || inTest == p.testOnly
			}
		}
		return found || inTest && (to == from || matches("internal/testkit/...", to))
	}
	for _, p := range packages(t) {
		from := local(p.ImportPath)
		for _, imp := range p.Imports {
			if to := local(imp); to != "" && !mayImport(from, to, false) {
				t.Errorf("%s imports %s: the architecture does not allow it", from, to)
			}
			for mod, places := range restricted {
				if imp != mod && !strings.HasPrefix(imp, mod+"/") {
					continue
				}
				ok := false
				for _, place := range strings.Fields(places) {
					ok = ok || strings.HasPrefix(from, place)
				}
				if !ok {
					t.Errorf("%s imports %s: only %s may", from, imp, places)
				}
			}
		}
		for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
			if to := local(imp); to != "" && !mayImport(from, to, true) {
				t.Errorf("tests of %s import %s: the architecture does not allow it", from, to)
			}
		}
	}
	for _, p := range allowed {
		if !p.used {
			t.Errorf("%s may import %s and does not: take the permission out of the table", p.from, p.to)
		}
	}
}

// TestFailuresLeaveNoFiles: tests of properties that fail do not write into the tree.
func TestFailuresLeaveNoFiles(t *testing.T) {
	for _, p := range packages(t) {
		imports := slices.Concat(p.TestImports, p.XTestImports)
		if slices.Contains(imports, "pgregory.net/rapid") && !slices.Contains(imports, module+"/internal/testkit/nofiles") {
			t.Errorf("tests of %s import rapid without internal/testkit/nofiles", p.ImportPath)
		}
	}
}

func TestEveryPackageHasALine(t *testing.T) {
	var named []string
	for line := range strings.Lines(deps) {
		if from, _, ok := strings.Cut(line, "<"); ok {
			named = append(named, strings.TrimSpace(from))
		}
	}
	for i, pattern := range named {
		if slices.Contains(named[:i], pattern) {
			t.Errorf("%s has two lines in the table", pattern)
		}
		if !slices.ContainsFunc(packages(t), func(p pkg) bool { return matches(pattern, local(p.ImportPath)) }) {
			t.Errorf("%s is in the table and not in the tree", pattern)
		}
	}
	for _, p := range packages(t) {
		name := local(p.ImportPath)
		if !slices.ContainsFunc(named, func(pattern string) bool { return matches(pattern, name) }) {
			t.Errorf("%s is in the tree and not in the table", name)
		}
	}
}

// TestGoldenModelsStandAlone: the golden functions and their numbers are derived independently of the code they judge.
func TestGoldenModelsStandAlone(t *testing.T) {
	for _, p := range packages(t) {
		if name := local(p.ImportPath); name != "quant" && !matches("nn/golden/...", name) {
			continue
		}
		for _, imp := range p.Imports {
			first, _, _ := strings.Cut(imp, "/")
			if to := local(imp); strings.Contains(first, ".") || to != "" && to != "quant" && !matches("nn/...", to) {
				t.Errorf("%s imports %s: golden models import the standard library, nn and quant", local(p.ImportPath), imp)
			}
		}
	}
}
