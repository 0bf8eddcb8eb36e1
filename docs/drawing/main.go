// Command drawing draws the packages of the project and who imports whom, as ARCHITECTURE.md shows them: boxes are groups
// of packages, each stands above all that it imports, and a line leads to what it imports directly and through nobody else.
//
//	go run ./docs/drawing -o docs/pictures/architecture.svg
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

//go:generate go run . -C ../.. -o ../pictures/architecture.svg

func main() {
	out := flag.String("o", "architecture.svg", "`FILE` to write to")
	root := flag.String("C", ".", "`DIR` of the module")
	flag.Parse()
	err := func() error {
		list, err := packages(*root)
		if err != nil {
			return err
		}
		picture, err := draw(list)
		if err != nil {
			return err
		}
		return os.WriteFile(*out, picture, 0o644)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "drawing:", err)
		os.Exit(1)
	}
}

// group is a box: packages by patterns, of which /... covers the tree below, and their names in the box.
type group struct {
	title string
	lines []string
	match []string
}

// groups are the boxes, those side by side from left to right. Tools and tests, which no command links, are outside.
var groups = []group{
	{"commands", []string{"cmd/arcsim, cmd/arcasm"}, []string{"cmd/...", "internal/cli", "examples"}},
	{"debugger", []string{"debug: repl, tui", "gdbserver, dap, cexpr"}, []string{"internal/debug/..."}},
	{"profiles", []string{"profile, timeline"}, []string{"internal/profile", "internal/timeline"}},
	{"measuring", []string{"regress, bench, farm"}, []string{"internal/regress", "internal/bench", "internal/farm", "internal/gemm"}},
	{"networks on cores", []string{"model, quantnet, netc"}, []string{"internal/model", "internal/quantnet", "internal/netc"}},
	{"compliance", []string{"tosacheck"}, []string{"internal/tosacheck/..."}},
	{"kernels", []string{"mlikernels: mli11,", "mli20, arcq, kernel"}, []string{"mlikernels/..."}},
	{"guest programs", []string{"benchmarks"}, []string{"benchmarks"}},
	{"networks", []string{"benchmarks/networks"}, []string{"benchmarks/networks"}},
	{"assembler, linker", []string{"asm, asm/link"}, []string{"asm", "asm/link"}},
	{"listings", []string{"asm/disasm, objdump"}, []string{"asm/disasm", "internal/objdump"}},
	{"public face", []string{"arcv2dsp, trace"}, []string{".", "internal/trace"}},
	{"machine, board", []string{"machine, devices,", "hostio, config"}, []string{"internal/machine", "internal/devices", "internal/hostio", "internal/config"}},
	{"files", []string{"loader, elfarc, dwarf"}, []string{"loader", "internal/elfarc", "internal/dwarf", "internal/hostfile", "internal/source"}},
	{"block engine", []string{"cpu/uop, cpu/fast"}, []string{"cpu/uop", "cpu/fast"}},
	{"machine code", []string{"cpu/jit: ir, ssa,", "x86, exec"}, []string{"cpu/jit/..."}},
	{"processor", []string{"cpu, cpu/calls"}, []string{"cpu", "cpu/calls"}},
	{"cycle model", []string{"cpu/timing"}, []string{"cpu/timing"}},
	{"meaning", []string{"cpu/semantics, dspunit,", "fpunit"}, []string{"cpu/semantics", "dspunit", "fpunit"}},
	{"instructions", []string{"isa"}, []string{"isa"}},
	{"memory", []string{"memory"}, []string{"memory"}},
	{"formats, lowering", []string{"nn/tflite, tosa, mlir,", "npy, lower"}, []string{"nn/tflite/...", "nn/tosa", "nn/mlir", "nn/npy", "nn/lower", "internal/flatbuffer"}},
	{"golden functions", []string{"nn/golden/..."}, []string{"nn/golden/..."}},
	{"recorded results", []string{"nn/mlirecord, tflmrecord,", "gemmlowprecord"}, []string{"nn/mlirecord", "nn/tflmrecord", "nn/gemmlowprecord"}},
	{"operators, numbers", []string{"nn, quant"}, []string{"nn", "quant"}},
	{"pages, tables", []string{"report, spelling"}, []string{"internal/report", "internal/spelling", "internal/quantity"}},
}

// outside are packages that no command links: generators and their sources, tests, oracles, packaging, documents.
var outside = []string{"isa/gen/...", "cpu/fast/gen", "cpu/uop/body", "mlikernels/mli11/gen", "internal/testkit/...", "internal/oracle/...", "internal/policy/...", "internal/tosacheck/mutation",
	"packaging", "docs/..."}

// pkg is a package with what it imports, paths in the module.
type pkg struct {
	name    string
	imports []string
}

// packages asks the go tool.
func packages(root string) ([]pkg, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Module", "./...")
	cmd.Dir = root
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var list []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
			Module     struct{ Path string }
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		local := func(path string) (string, bool) {
			if path == p.Module.Path {
				return ".", true
			}
			return strings.CutPrefix(path, p.Module.Path+"/")
		}
		this := pkg{}
		this.name, _ = local(p.ImportPath)
		for _, path := range p.Imports {
			if name, ok := local(path); ok {
				this.imports = append(this.imports, name)
			}
		}
		list = append(list, this)
	}
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		tree, ok := strings.CutSuffix(p, "/...")
		return p == name || ok && (name == tree || strings.HasPrefix(name, tree+"/"))
	})
}

// groupOf returns the group of a package: the one that names it, else the one whose tree it is in.
func groupOf(name string) (int, error) {
	for _, tree := range []bool{false, true} {
		for i, g := range groups {
			if tree && matches(g.match, name) || slices.Contains(g.match, name) {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("package %s is in no group of docs/drawing and not outside", name)
}

// graph is who imports whom among groups.
type graph [][]bool

func graphOf(list []pkg) (graph, error) {
	g := make(graph, len(groups))
	for i := range g {
		g[i] = make([]bool, len(groups))
	}
	used := make([]bool, len(groups))
	for _, p := range list {
		if matches(outside, p.name) {
			continue
		}
		from, err := groupOf(p.name)
		if err != nil {
			return nil, err
		}
		used[from] = true
		for _, name := range p.imports {
			to, err := groupOf(name)
			if err != nil {
				return nil, fmt.Errorf("%s imports %s: %w", p.name, name, err)
			}
			if from != to {
				g[from][to] = true
			}
		}
	}
	for i, ok := range used {
		if !ok {
			return nil, fmt.Errorf("group %s of docs/drawing has no package", groups[i].title)
		}
	}
	return g, nil
}

// levels puts each group below all that import it, right below the lowest of them. Groups that import each other in a
// ring have no place.
func (g graph) levels() ([]int, error) {
	depth := make([]int, len(g))
	for round, changed := 0, true; changed; round++ {
		if changed = false; round > len(g) {
			return nil, errors.New("groups of docs/drawing import each other in a ring")
		}
		for i := range g {
			for j, imports := range g[i] {
				if imports && depth[j] <= depth[i] {
					depth[j], changed = depth[i]+1, true
				}
			}
		}
	}
	lowest := slices.Max(depth)
	for i := range depth {
		depth[i] = lowest - depth[i]
	}
	return depth, nil
}

// reduced leaves the imports out that lead to where others lead as well.
func (g graph) reduced() graph {
	n := len(g)
	reach := make(graph, n)
	for i := range g {
		reach[i] = slices.Clone(g[i])
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	direct := make(graph, n)
	for i := range g {
		direct[i] = make([]bool, n)
		for j := range n {
			direct[i][j] = g[i][j]
			for k := range n {
				if g[i][k] && reach[k][j] {
					direct[i][j] = false
				}
			}
		}
	}
	return direct
}
