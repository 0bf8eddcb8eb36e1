package policy

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// openers are the functions of the standard library that open files of the host.
var openers = map[string][]string{
	"os":        {"Open", "OpenFile", "OpenRoot", "OpenInRoot", "Create", "CreateTemp", "ReadFile", "WriteFile", "DirFS", "CopyFS", "NewFile"},
	"io/ioutil": {"ReadFile", "WriteFile", "ReadDir", "TempFile"}, "archive/zip": {"OpenReader"}, "debug/elf": {"Open"},
	"syscall": {"Open", "Openat"}, "text/template": {"ParseFiles", "ParseGlob"}, "html/template": {"ParseFiles", "ParseGlob"},
	"github.com/BurntSushi/toml": {"DecodeFile"},
}

// doors are the folders whose files may be opened by other ways than internal/term/hostfile, each with its reason.
var doors = map[string]string{
	"internal/term/hostfile":      "the door itself",
	"internal/term/serial":        "a terminal, the other end of which is a program",
	"internal/board/hostio":       "files of the guest, below the root that the user gave it",
	"internal/debug/workbench":    "folders that no process of the page leaves",
	"internal/dev":                "tools and test kits of the project",
	"mlikernels/internal/mlitest": "a test kit",
	"cpu/internal/gen":            "a generator of the project's code",
	"cpu/internal/timing/gen":     "a generator of the project's code",
	"isa/gen":                     "generators of the project's code",
	"docs/site":                   "makes the project's pages",
	"packaging":                   "makes releases",
}

// TestOneDoorForFiles: files of the host are opened by internal/term/hostfile, which bounds what is read and leaves nothing half
// written.
func TestOneDoorForFiles(t *testing.T) {
	used := map[string]bool{}
	sources(t, func(path, _ string) {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "/testdata/") {
			return
		}
		file, err := parse(path)
		require.NoError(t, err)
		for _, call := range opened(file) {
			name := strings.TrimPrefix(path, "../../../")
			folder := ""
			for door := range doors {
				if strings.HasPrefix(name, door+"/") {
					folder = door
				}
			}
			used[folder] = true
			if folder == "" {
				t.Errorf("%s: %s opens a file; internal/term/hostfile does that", name, call)
			}
		}
	})
	for door := range doors {
		require.True(t, used[door], "no file is opened in %s", door)
	}
}

// opened lists the functions that a file uses to open others.
func opened(file *ast.File) (list []string) {
	names := map[string]string{} // of imports
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		name := path[strings.LastIndex(path, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = path
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				for _, f := range openers[names[x.Name]] {
					if s.Sel.Name == f {
						list = append(list, x.Name+"."+f)
					}
				}
			}
		}
		return true
	})
	return list
}
