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
// standard test kit (internal/dev/testkit/...) and the package itself. A package without a line may import nothing
// of ours. A trailing /... covers the tree below. A permission that nothing uses fails the test. Do not edit the
// table merely to make a build pass: it is the architecture.
const deps = `
	isa                                < | internal/program/elfarc
	internal/board                     <
	internal/program                   <
	internal/measure                   <
	internal/check                     <
	internal/network                   <
	internal/term                      <
	internal/dev                       <
	isa/gen                            < isa
	isa/gen/free                       < isa
	isa/gen/ops                        <
	memory                             <
	dspunit                            < | . asm loader
	cpu/internal/fpunit                <
	cpu/internal/semantics             < dspunit cpu/internal/fpunit | isa
	cpu/internal/timing                < isa
	cpu/internal/timing/gen            <
	cpu                                < isa memory dspunit cpu/internal/fpunit cpu/internal/semantics cpu/internal/timing | asm cpu/fast
	internal/program/calls             < isa
	cpu/internal/uop                   < cpu internal/program/calls isa memory dspunit cpu/internal/timing
	cpu/internal/uop/body              < cpu cpu/internal/uop dspunit memory
	cpu/fast                           < cpu isa cpu/internal/uop memory dspunit cpu/internal/jit/ir cpu/internal/jit/ssa cpu/internal/jit/code cpu/internal/jit/exec | asm cpu/internal/timing cpu/internal/jit/jittest
	cpu/internal/jit/ir                < | cpu/internal/jit/jittest
	cpu/internal/jit/ssa               < cpu/internal/jit/ir
	cpu/internal/jit/code              < cpu/internal/jit/ir cpu/internal/jit/ssa | cpu/internal/jit/exec cpu/internal/jit/jittest
	cpu/internal/jit/x86               < cpu/internal/jit/code cpu/internal/jit/ir cpu/internal/jit/ssa
	cpu/internal/jit/arm64             < cpu/internal/jit/code cpu/internal/jit/ir cpu/internal/jit/ssa
	cpu/internal/jit/exec              < cpu/internal/jit/arm64 cpu/internal/jit/code cpu/internal/jit/x86
	cpu/internal/jit/jittest           < cpu/internal/jit/ir cpu/internal/jit/ssa
	cpu/internal/gen                   < internal/term/steps isa cpu/internal/jit/ir
	internal/term/spelling             <
	internal/program/elfarc            < internal/term/steps
	internal/program/cstruct           <
	internal/program/mlistructs        < internal/program/cstruct
	internal/program/mli11structs      < internal/program/cstruct internal/program/mlistructs
	internal/program/dwarf             < internal/term/steps internal/program/elfarc
	asm                                < isa internal/program/elfarc internal/program/dwarf internal/term/hostfile internal/term/spelling
	asm/link                           < internal/program/elfarc | asm internal/program/dwarf
	internal/term/hostfile             <
	internal/program/source            < internal/term/hostfile
	loader                             < internal/program/elfarc internal/term/hostfile
	internal/term/quantity             <
	internal/term/serial               <
	internal/term/steps                <
	internal/term/watch                < internal/term/hostfile internal/term/steps
	internal/term/cli                  < internal/term/hostfile internal/term/quantity internal/term/spelling internal/term/steps
	internal/board/config              < cpu internal/term/quantity internal/term/spelling
	internal/board/hostio              <
	internal/board/devices             < memory
	internal/board/trace               < cpu isa memory
	internal/board/machine             < cpu cpu/fast dspunit isa loader memory internal/board/config internal/board/devices internal/program/elfarc internal/term/hostfile internal/board/hostio internal/term/spelling
	.                                  < cpu loader memory isa internal/board/config internal/board/devices internal/board/machine internal/board/trace | asm asm/link
	cmd/arcsim/internal/table          < . | asm asm/link loader
	nn                                 < internal/term/hostfile
	quant                              <
	internal/network/mlir              < internal/term/steps nn nn/tosa quant | nn/golden
	nn/golden                          < nn nn/internal/...
	nn/tflite                          < internal/term/steps nn nn/internal/flatbuffer quant | nn/internal/golden/tflite nn/internal/tflmrecord
	nn/internal/gemmlowprecord         < internal/term/steps nn nn/internal/golden/gemmlowp
	nn/internal/tflmrecord             < internal/term/steps nn | nn/internal/golden/tflite
	nn/internal/golden/gemmlowp        < nn quant
	nn/internal/golden/window          < nn
	nn/internal/golden/rule            < nn
	nn/internal/golden/tflite          < nn quant nn/internal/golden/window nn/internal/golden/rule
	nn/internal/golden/tosa            < nn quant
	internal/network/gemm              < internal/term/steps . mlikernels nn nn/golden internal/measure/report internal/network/model internal/term/hostfile
	internal/network/model             < internal/term/steps internal/term/hostfile . nn nn/tflite quant internal/measure/report mlikernels | nn/golden benchmarks
	internal/network/netc              < internal/term/steps nn mlikernels | nn/golden
	nn/internal/flatbuffer             <
	nn/internal/golden/floats          < nn nn/internal/golden/tflite nn/internal/golden/window
	internal/network/calculator        < nn quant internal/measure/report
	internal/network/quantnet          < internal/term/steps . nn nn/golden nn/tosa internal/network/mlir internal/network/lower nn/tflite quant mlikernels internal/measure/report | internal/dev/testkit/gnutools internal/dev/testkit/level internal/dev/testkit/shared benchmarks
	internal/network/lower             < nn quant nn/tosa nn/tflite | internal/network/model mlikernels nn/golden benchmarks
	nn/tosa                            < internal/term/steps nn nn/internal/golden/tosa nn/internal/flatbuffer internal/term/hostfile | testdata/tosa
	internal/check/tosacheck           < internal/term/steps nn nn/tosa internal/measure/report | . mlikernels testdata/tosa internal/network/mlir
	nn/internal/golden/mli             < nn
	nn/internal/golden/mli11           < nn nn/internal/golden/mli nn/internal/golden/rule | nn/internal/mlirecord
	nn/internal/golden/mli20           < nn nn/internal/golden/mli nn/internal/golden/rule | nn/internal/mlirecord
	nn/internal/golden/mli11/recorded  <
	nn/internal/golden/mli20/recorded  <
	nn/internal/mlirecord              < internal/term/steps nn nn/internal/golden/mli | nn/golden
	mlikernels/internal/kernel         < internal/term/steps . memory isa asm asm/link loader nn internal/program/elfarc internal/term/spelling
	mlikernels/internal/mli            < internal/term/steps nn mlikernels/internal/kernel internal/program/cstruct internal/program/mlistructs
	internal/dev/testkit/gnutools      < internal/dev/testkit/level
	mlikernels/internal/mlitest        < . nn mlikernels/internal/kernel internal/program/cstruct internal/dev/testkit/gnutools internal/dev/testkit/level internal/dev/testkit/records nn/golden
	mlikernels/internal/mli20/structs  < internal/program/cstruct internal/program/mlistructs
	mlikernels/internal/mli20          < internal/term/steps nn mlikernels/internal/kernel internal/program/cstruct mlikernels/internal/mli internal/program/mlistructs mlikernels/internal/mli20/structs nn/golden | mlikernels/internal/mlitest
	mlikernels/internal/mli11          < internal/term/steps nn mlikernels/internal/kernel mlikernels/internal/mli internal/program/mli11structs nn/golden | quant mlikernels/internal/mlitest internal/program/cstruct internal/program/mlistructs
	mlikernels/internal/arcq           < nn nn/golden nn/golden/... quant mlikernels/internal/kernel internal/program/cstruct nn/tflite | . mlikernels/internal/mlitest
	mlikernels                         < internal/term/steps . internal/program/cstruct nn nn/golden mlikernels/... internal/term/spelling | asm asm/link loader nn/tflite benchmarks
	benchmarks                         < isa asm asm/link loader internal/term/spelling nn nn/golden nn/tflite | .
	internal/measure/report            < internal/term/hostfile internal/term/steps
	internal/check/numbers             < internal/term/steps quant nn/tflite internal/network/mlir
	internal/check/regress             < internal/term/steps . internal/check/numbers internal/term/hostfile internal/program/dwarf mlikernels mlikernels/... nn nn/... internal/measure/report internal/network/model internal/program/elfarc internal/check/tosacheck benchmarks | asm asm/link
	internal/debug/cexpr               < internal/program/dwarf isa
	internal/debug                     < internal/term/steps . internal/debug/cexpr internal/term/hostfile internal/program/source isa loader internal/program/dwarf internal/program/mlistructs internal/program/mli11structs internal/term/spelling | dspunit
	internal/debug/repl                < internal/term/hostfile . internal/debug internal/debug/cexpr internal/term/spelling internal/term/steps
	internal/debug/tui                 < internal/debug internal/term/hostfile | .
	internal/debug/gdbserver           < . internal/debug
	internal/debug/message             <
	internal/debug/workbench           < internal/measure/report
	internal/debug/lsp                 < . asm isa internal/debug/message internal/measure/profile internal/program/elfarc internal/term/hostfile | asm/link loader mlikernels
	internal/debug/dap                 < internal/term/steps . internal/debug internal/debug/cexpr internal/debug/message internal/program/dwarf internal/term/hostfile
	internal/debug/workbench/bundle    < internal/debug/workbench internal/term/hostfile internal/term/steps
	internal/measure/profile           < internal/term/steps . isa internal/program/calls internal/program/dwarf internal/term/hostfile internal/measure/report internal/program/source | asm asm/link loader
	internal/measure/timeline          < . isa internal/measure/report internal/program/dwarf internal/term/spelling | asm asm/link loader
	internal/measure/bench             < internal/term/steps . internal/measure/profile internal/term/hostfile internal/term/spelling isa mlikernels benchmarks internal/measure/report | asm asm/link loader
	internal/check/farm                < internal/term/steps internal/measure/bench internal/term/hostfile internal/network/model internal/check/regress internal/measure/report | nn
	internal/dev/mutants               <
	internal/dev/policy                <
	internal/dev/module                <
	internal/dev/policy/lines          <
	internal/dev/policy/names          <
	packaging                          < internal/term/steps
	docs/site                          < internal/term/steps internal/debug/workbench/bundle
	internal/dev/testkit/...           < isa cpu nn
	internal/dev/testkit/browser       < internal/dev/testkit/gnutools
	internal/dev/testkit/tosaexact     < nn | internal/check/tosacheck testdata/tosa
	internal/dev/oracle/...            < | . asm
	internal/dev/oracle/speed          < | . internal/dev/oracle/torture
	cmd/arcsim                         < . cmd/arcsim/internal/... asm asm/link loader mlikernels benchmarks internal/... nn nn/golden nn/tflite nn/tosa internal/network/mlir quant internal/network/lower
	cmd/arcasm                         < internal/term/steps asm asm/link mlikernels internal/term/cli internal/term/hostfile internal/program/source internal/program/elfarc internal/program/dwarf internal/program/listing
	internal/program/listing           < internal/program/elfarc isa
	internal/dev/drawing               <
`

const module = "arcv2dsp"

// restricted names packages and modules from elsewhere that only some packages may link. Templates look methods up by
// name, which keeps every exported method in a program.
var restricted = map[string]string{
	"html/template":               "docs/site",
	"text/template":               "docs/site",
	"github.com/chzyer/readline":  "cmd/ internal/debug/repl",
	"github.com/google/go-dap":    "internal/debug/dap",
	"github.com/spf13/cobra":      "cmd/ internal/term/cli",
	"github.com/stretchr/testify": "internal/dev/testkit mlikernels/internal/mlitest",
	"github.com/yuin/goldmark":    "docs/site",
	"pgregory.net/rapid":          "internal/dev/testkit",
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
	cmd.Dir = "../../.."
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

// TestProgramsAlone: a build with the tag programs, which the page of the workbench loads first, contains nothing of what it is
// there to leave out.
func TestProgramsAlone(t *testing.T) {
	cmd := exec.Command("go", "list", "-tags=programs", "-deps", "../../../cmd/arcsim")
	cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := cmd.Output()
	require.NoError(t, err)
	list := strings.Fields(string(out))
	require.Contains(t, list, "arcv2dsp/internal/debug/repl")
	for _, path := range list {
		for _, left := range []string{"mlikernels/...", "nn/...", "quant", "benchmarks", "internal/network/...", "internal/check/...", "internal/measure/bench",
			"internal/debug/gdbserver", "internal/debug/tui", "internal/debug/workbench"} {
			require.False(t, matches(left, local(path)), path)
		}
		require.NotContains(t, []string{"github.com/BurntSushi/toml", "net/http"}, path)
	}
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
		return found || inTest && (to == from || matches("internal/dev/testkit/...", to))
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
		if slices.Contains(imports, "pgregory.net/rapid") && !slices.Contains(imports, module+"/internal/dev/testkit/nofiles") {
			t.Errorf("tests of %s import rapid without internal/dev/testkit/nofiles", p.ImportPath)
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
		if name := local(p.ImportPath); name != "quant" && !matches("nn/internal/golden/...", name) {
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
