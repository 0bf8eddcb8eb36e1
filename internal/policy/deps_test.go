package policy

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// deps is the import policy of the module, a line per package: "package < what it may import of
// ours". A package that is not listed may import nothing of ours. A trailing /... covers the tree
// below. Do not edit it merely to make a build pass: it is the architecture.
const deps = `
	isa                  <
	isa/gen              < isa
	memory               <
	dspunit              <
	fpunit               <
	cpu/semantics        < dspunit fpunit
	cpu/timing           < isa dspunit
	cpu                  < isa memory dspunit fpunit cpu/semantics cpu/timing
	cpu/fast             < cpu isa memory dspunit cpu/semantics cpu/timing
	cpu/fast/gen         < cpu/fast/gen/... cpu isa dspunit
	internal/elfarc      <
	internal/dwarfline   < internal/elfarc
	asm                  < isa internal/elfarc internal/dwarfline
	asm/link             < isa internal/elfarc internal/dwarfline
	asm/disasm           < isa internal/elfarc internal/dwarfline
	loader               < memory internal/elfarc internal/dwarfline
	internal/cli         <
	internal/config      < isa
	internal/hostio      <
	internal/devices     < memory internal/hostio
	.                    < cpu cpu/fast cpu/timing loader memory dspunit isa asm/disasm internal/hostio internal/devices internal/config
	nn                   <
	quant                <
	nn/mlir              < nn quant
	nn/golden            < nn nn/golden/...
	nn/npy               < nn
	nn/tflite            < nn
	nn/tflite/prepare    < nn quant
	nn/gemmlowprecord    < nn nn/golden/gemmlowp
	nn/tflmrecord        < nn
	nn/golden/gemmlowp   < nn quant
	nn/golden/tflite     < nn quant
	nn/golden/tosa       < nn quant
	internal/gemm        < . mlikernels mlikernels/kernel nn nn/golden nn/golden/gemmlowp internal/report
	internal/model       < . nn nn/npy nn/tflite quant internal/report mlikernels
	internal/netc        < nn mlikernels mlikernels/cstruct mlikernels/kernel
	internal/flatbuffer  <
	nn/golden/floats     < nn
	internal/quantnet    < . nn nn/golden nn/golden/floats nn/golden/mli11 nn/mlir nn/tflite quant mlikernels internal/report
	nn/lower             < nn nn/golden/tosa nn/tflite/prepare quant
	nn/tosa              < nn nn/golden/tosa nn/npy internal/flatbuffer
	internal/tosacheck   < nn nn/golden/tosa nn/tosa internal/tosacheck/exact internal/report
	internal/tosacheck/exact < nn
	nn/golden/mli11      < nn
	nn/golden/mli11/recorded <
	nn/mlirecord         < nn nn/golden/mli11
	mlikernels/kernel    < . memory isa asm asm/link loader nn
	mlikernels/cstruct   <
	mlikernels/mli11/structs < mlikernels/cstruct
	mlikernels/mli11     < nn nn/golden/mli11 mlikernels/kernel mlikernels/cstruct mlikernels/mli11/structs
	mlikernels/arcq      < nn nn/golden nn/golden/... nn/tflite/prepare quant mlikernels/kernel mlikernels/cstruct
	mlikernels/mli11/gen < nn/golden/mli11
	mlikernels           < . nn nn/golden mlikernels/...
	benchmarks           < . isa asm asm/link mlikernels loader
	benchmarks/networks  < nn nn/tflite nn/golden/tflite
	internal/report      <
	internal/regress     < . isa mlikernels mlikernels/... nn nn/... internal/report internal/model internal/tosacheck benchmarks/networks
	internal/debug       < . isa loader asm/disasm internal/dwarfline mlikernels/mli11/structs
	internal/debug/repl  < internal/debug
	internal/debug/gdbserver < internal/debug
	internal/profile     < . isa loader asm/disasm internal/dwarfline
	internal/timeline    < . isa asm asm/disasm cpu/timing internal/report
	internal/bench       < . isa mlikernels mlikernels/kernel benchmarks internal/report
	internal/policy      <
	internal/testkit/... < isa memory dspunit cpu asm nn . internal/testkit/...
	internal/oracle/...  < . asm asm/link loader internal/oracle/...
	cmd/arcsim           < . asm asm/link asm/disasm isa loader mlikernels mlikernels/kernel benchmarks benchmarks/networks internal/... nn nn/golden nn/golden/gemmlowp nn/golden/tosa nn/npy nn/tflite nn/tosa nn/mlir quant nn/lower
	cmd/arcasm           < asm asm/link asm/disasm isa loader internal/cli internal/elfarc internal/dwarfline
`

const module = "arcv2dsp"

// restricted names third-party modules that only some packages may link.
var restricted = map[string]string{
	"github.com/chzyer/readline":  "cmd/ internal/debug/repl",
	"github.com/spf13/cobra":      "cmd/ internal/cli",
	"github.com/stretchr/testify": "internal/testkit",
}

type pkg struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	require.NoError(t, err)
	var pkgs []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
		pkgs = append(pkgs, p)
	}
	require.NotEmpty(t, pkgs)
	return pkgs
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

func TestImportsFollowTheArchitecture(t *testing.T) {
	allowed := map[string][]string{}
	for line := range strings.Lines(deps) {
		if name, rest, ok := strings.Cut(line, "<"); ok {
			allowed[strings.TrimSpace(name)] = strings.Fields(rest)
		}
	}
	mayImport := func(from, to string) bool {
		for pattern, list := range allowed {
			if !matches(pattern, from) {
				continue
			}
			for _, p := range list {
				if matches(p, to) {
					return true
				}
			}
		}
		return false
	}
	packages := listPackages(t)
	for pattern := range allowed {
		lives := strings.HasPrefix(pattern, "testdata/") // the go tool does not list those
		for _, p := range packages {
			lives = lives || matches(pattern, local(p.ImportPath))
		}
		if !lives {
			t.Errorf("%s is in the table and not in the tree", pattern)
		}
	}
	for _, p := range packages {
		from := local(p.ImportPath)
		for _, imp := range p.Imports {
			if to := local(imp); to != "" && !mayImport(from, to) {
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
	}
}

// TestGoldenModelsStandAlone: what must be computed, and the numbers it is made of, are derived
// independently of what computes it.
func TestGoldenModelsStandAlone(t *testing.T) {
	for _, p := range listPackages(t) {
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
