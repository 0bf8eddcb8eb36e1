package drawing

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// group is a box: packages by patterns, of which /... covers the tree below, and their names in the box.
type group struct {
	title string
	lines []string
	match []string
}

// groups are the rooms, those side by side from left to right. Tools and tests, which no command links, are outside.
var groups = []group{
	{"commands", []string{"cmd/arcsim, cmd/arcasm"}, []string{"cmd/..."}},
	{"debug", []string{"debugger, prompt, full screen,", "adapter, gdb server"}, []string{"internal/debug/..."}},
	{"check", []string{"regressions, compliance,", "many machines"}, []string{"internal/check/..."}},
	{"network", []string{"describe, run, quantize,", "lower, write C"}, []string{"internal/network/..."}},
	{"measure", []string{"profile, timeline,", "bench, report"}, []string{"internal/measure/..."}},
	{"kernels", []string{"mlikernels, benchmarks"}, []string{"mlikernels/...", "benchmarks"}},
	{"public face", []string{"arcv2dsp"}, []string{"."}},
	{"board", []string{"machine, config, devices,", "host calls, traces"}, []string{"internal/board/..."}},
	{"assembler, linker", []string{"asm, asm/link"}, []string{"asm", "asm/link"}},
	{"processor", []string{"cpu: reference, blocks,", "machine code, cycles"}, []string{"cpu/...", "dspunit"}},
	{"operators", []string{"nn: golden functions,", "files; quant"}, []string{"nn/...", "quant"}},
	{"program", []string{"ELF, DWARF, sources,", "listings; loader"}, []string{"internal/program/...", "loader"}},
	{"instructions", []string{"isa"}, []string{"isa"}},
	{"memory", []string{"memory"}, []string{"memory"}},
	{"terminal", []string{"flags, files, spelling"}, []string{"internal/term/..."}},
}

// outside are packages that no command links: generators and their sources, tests, oracles, packaging, documents.
var outside = []string{"isa/gen", "isa/gen/free", "isa/gen/ops", "cpu/internal/gen", "cpu/internal/uop/body", "mlikernels/internal/mlitest",
	"internal/dev/...", "packaging", "docs/...", "internal/board", "internal/program", "internal/measure", "internal/check", "internal/network", "internal/term"}

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
	return 0, fmt.Errorf("package %s is in no group of internal/dev/drawing and not outside", name)
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
			return nil, fmt.Errorf("group %s of internal/dev/drawing has no package", groups[i].title)
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
			return nil, errors.New("groups of internal/dev/drawing import each other in a ring")
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
