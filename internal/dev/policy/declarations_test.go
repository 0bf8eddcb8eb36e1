package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// positions has the places of all names in the files that the tests parse.
var positions = token.NewFileSet()

// parsed is the result of parsing a file.
type parsed struct {
	file *ast.File
	err  error
}

var parsedFiles = map[string]parsed{}

// parse returns a file with its comments. It is read once for all tests.
func parse(name string) (*ast.File, error) {
	done, ok := parsedFiles[name]
	if !ok {
		done.file, done.err = parser.ParseFile(positions, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		parsedFiles[name] = done
	}
	return done.file, done.err
}

// checker type-checks the declarations of the module's packages from their sources and leaves out the bodies of
// functions, so that nothing of the module has to be compiled. Other packages come from the compiler's export data.
type checker struct {
	ours    map[string]pkg
	checked map[string]*types.Package
	foreign types.Importer
}

// Import returns the declarations of a package, for the type checker and for tests.
func (c *checker) Import(path string) (*types.Package, error) {
	p, ok := c.ours[path]
	if !ok {
		return c.foreign.Import(path)
	}
	if done, ok := c.checked[path]; ok {
		return done, nil
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parse(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: c, IgnoreFuncBodies: true}
	done, err := conf.Check(path, positions, files, nil)
	if err != nil {
		return nil, err
	}
	c.checked[path] = done
	return done, nil
}

// newChecker asks the go tool once for the export data of the foreign packages that those of the module import.
var newChecker = sync.OnceValues(func() (*checker, error) {
	list, err := listPackages()
	if err != nil {
		return nil, err
	}
	c := &checker{ours: map[string]pkg{}, checked: map[string]*types.Package{}}
	for _, p := range list {
		c.ours[p.ImportPath] = p
	}
	foreign := map[string]bool{}
	args := []string{"list", "-export", "-deps", "-json=ImportPath,Export"}
	for _, p := range list {
		for _, path := range p.Imports {
			if _, ok := c.ours[path]; !ok && p.Name != "main" && !foreign[path] {
				foreign[path] = true
				args = append(args, path)
			}
		}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = "../../.."
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		files[p.ImportPath] = p.Export
	}
	c.foreign = importer.ForCompiler(positions, "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(files[path])
	})
	return c, nil
})

// declarations gives the types of the module's packages.
func declarations(t *testing.T) *checker {
	t.Helper()
	c, err := newChecker()
	require.NoError(t, err)
	return c
}
