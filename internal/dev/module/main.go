// Command module copies the source tree and gives the copy another module path, under which it can be published.
//
//	go run ./internal/dev/module PATH [DIR]
//
// DIR is a folder that does not exist yet; without it, a folder beside the tree with the last element of the path.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "module:", err)
		os.Exit(1)
	}
}

// pathForm is the form of a module path that a go command can fetch: its first element is a host.
var pathForm = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9._~-]+)*$`)

func run(args []string) error {
	if len(args) == 0 || len(args) > 2 || !pathForm.MatchString(args[0]) {
		return errors.New("usage: make module PATH=HOST/NAME, such as example.org/x, with DIR=FOLDER for another place than beside this tree")
	}
	dir := filepath.Join("..", path.Base(args[0]))
	if len(args) == 2 {
		dir = args[1]
	}
	n, err := copyTree(".", dir, args[0])
	if err != nil {
		return err
	}
	fmt.Printf("%s: module %s, %d files\n", dir, args[0], n)
	return nil
}

// copyTree copies the files that git has of a source tree, as they are now, to a new folder and rewrites them.
func copyTree(from, to, module string) (files int, err error) {
	if list, err := os.ReadDir(to); err == nil && len(list) > 0 {
		return 0, fmt.Errorf("%s: it is there already, a copy goes to a new folder", to)
	}
	cmd := exec.Command("git", "ls-files", "-z")
	cmd.Dir = from
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%s: git does not list the files: %w", from, err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		source, target := filepath.Join(from, name), filepath.Join(to, name)
		info, err := os.Stat(source)
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, and not yet committed
		}
		if err != nil {
			return 0, err
		}
		data, err := os.ReadFile(source)
		if err != nil {
			return 0, err
		}
		if slices.Contains(rewritten, path.Ext(name)) {
			if data, err = rewrite(name, data, module); err != nil {
				return 0, err
			}
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return 0, err
		}
		if err := os.WriteFile(target, data, info.Mode().Perm()); err != nil {
			return 0, err
		}
		files++
	}
	return files, nil
}

// rewritten are the endings of files that name packages by their paths.
var rewritten = []string{".go", ".mod", ".md", ".txt", ".txtar"}

// The places of the module path: a package below the module, the import of the module's own package, and its declaration.
var (
	below    = regexp.MustCompile(`(^|[^\w./-])arcv2dsp/([a-z"])`)
	imported = regexp.MustCompile(`(?m)^((?:\s*|import )(?:\w+ )?)"arcv2dsp"$`)
	declared = regexp.MustCompile(`(?m)^(module |const module = ")arcv2dsp("?)$`)
)

// rewrite gives a file another module path. Sources stay in gofmt's form, which orders imports.
func rewrite(name string, data []byte, module string) ([]byte, error) {
	out := below.ReplaceAll(data, []byte("${1}"+module+"/${2}"))
	out = imported.ReplaceAll(out, []byte("${1}\""+module+"\""))
	out = declared.ReplaceAll(out, []byte("${1}"+module+"${2}"))
	if path.Ext(name) != ".go" || bytes.Equal(out, data) {
		return out, nil
	}
	formatted, err := format.Source(out)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return formatted, nil
}
