package torture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Suite is one configuration of the tests: a compiler source tree, a core and an optimisation level.
type Suite struct {
	Source  string // root of the compiler source tree
	Runtime string // the folder runtime/ of this package
	Libgcc  string // script that builds libgcc; empty for the compiler's own, which is for its default core
	Cache   string // where built files are kept
	CPU     string // -mcpu=
	Opt     string // -O0, -O2 or -Os
}

// Program is one test after building.
type Program struct {
	Name string
	ELF  string // path of the executable; empty when Err is set
	Err  error  // why it was not built
}

// buildTimeout bounds one compiler call.
const buildTimeout = 2 * time.Minute

// ieee is the folder of the floating-point tests, beside the others.
const ieee = "ieee"

// folder holds the tests of a compiler source tree.
func folder(source string) string {
	return filepath.Join(source, "gcc", "testsuite", "gcc.c-torture", "execute")
}

// Tests lists the names of all tests of the tree, sorted; those of floating point start with ieee/.
func Tests(source string) ([]string, error) {
	dir := folder(source)
	files, err := filepath.Glob(filepath.Join(dir, "*.c"))
	if err != nil {
		return nil, err
	}
	more, err := filepath.Glob(filepath.Join(dir, ieee, "*.c"))
	if err != nil {
		return nil, err
	}
	files = append(files, more...)
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no tests there", dir)
	}
	for i, f := range files {
		name, err := filepath.Rel(dir, strings.TrimSuffix(f, ".c"))
		if err != nil {
			return nil, err
		}
		files[i] = filepath.ToSlash(name)
	}
	slices.Sort(files)
	return files, nil
}

// Sample picks n names spread evenly over the list, always the same.
func Sample(names []string, n int) []string {
	if n <= 0 || n >= len(names) {
		return names
	}
	out := make([]string, n)
	for i := range out {
		out[i] = names[i*len(names)/n]
	}
	return out
}

var dgOptions = regexp.MustCompile(`dg-(?:additional-)?options (?:\{ )?"([^"]*)"\s*\}?\s*(\{[^}]*\})?`)

// options returns the compiler options a test asks for by its own comments, those limited to other
// targets left out.
func options(source []byte) []string {
	var out []string
	for _, m := range dgOptions.FindAllSubmatch(source, -1) {
		if len(m[2]) == 0 {
			out = append(out, strings.Fields(string(m[1]))...)
		}
	}
	return out
}

// besides are the compiler options that the suite's own scripts name for a test.
var besides = map[string][]string{
	"ieee/compare-fp-3": {"-fno-trapping-math"},
	"ieee/compare-fp-4": {"-fno-trapping-math"},
	"ieee/fp-cmp-7":     {"-fno-trapping-math"},
	"ieee/pr38016":      {"-fno-ivopts", "-fno-gcse"},
}

func run(dir, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), buildTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out.String())
	}
	return nil
}

// libraries builds what every program of the suite links: start file, C functions and libgcc.
func (s Suite) libraries() ([]string, error) {
	dir := filepath.Join(s.Cache, s.CPU)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	start, libc := filepath.Join(dir, "start.o"), filepath.Join(dir, "libc.o")
	cc := func(out, in string) error {
		return run(s.Runtime, "arc-linux-gnu-gcc", "-mcpu="+s.CPU, "-O2", "-w", "-ffreestanding", "-fno-builtin", "-fno-pic",
			"-fno-tree-loop-distribute-patterns", "-Iinclude", "-c", in, "-o", out)
	}
	if err := errors.Join(cc(start, "start.S"), cc(libc, "libc.c")); err != nil {
		return nil, err
	}
	if s.Libgcc == "" {
		return []string{start, libc, "-lgcc"}, nil
	}
	lib := filepath.Join(dir, "libgcc", "libgcc.a")
	if _, err := os.Stat(lib); err != nil {
		if err := run("", "/bin/sh", s.Libgcc, s.Source, s.CPU, filepath.Dir(lib)); err != nil {
			return nil, err
		}
	}
	return []string{start, libc, lib}, nil
}

// Build compiles and links the named tests with the given number of workers.
func (s Suite) Build(names []string, workers int) ([]Program, error) {
	libs, err := s.libraries()
	if err != nil {
		return nil, err
	}
	out := make([]Program, len(names))
	next := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range next {
				out[i] = s.build(names[i], libs)
			}
		})
	}
	for i := range names {
		next <- i
	}
	close(next)
	wg.Wait()
	return out, nil
}

func (s Suite) build(name string, libs []string) Program {
	p := Program{Name: name}
	group, file := path.Split(name)
	dir := filepath.Join(folder(s.Source), group)
	text, err := os.ReadFile(filepath.Join(dir, file+".c"))
	if err != nil {
		p.Err = err
		return p
	}
	elf := filepath.Join(s.Cache, s.CPU, strings.ReplaceAll(name, "/", "-")+s.Opt+".elf")
	if _, err := os.Stat(elf); err == nil {
		p.ELF = elf
		return p
	}
	var args []string
	if group != "" { // as the suite does for these
		args = append(args, "-fno-inline", "-DSIGNAL_SUPPRESS")
	}
	args = append(args, options(text)...)
	args = append(args, besides[name]...)
	args = append(args, file+".c")
	if p.Err = s.link(dir, elf+".tmp", args, libs); p.Err == nil {
		p.Err = os.Rename(elf+".tmp", elf)
		p.ELF = elf
	}
	return p
}

// Compile builds an executable of other sources, with the libraries of the tests.
func (s Suite) Compile(elf string, args ...string) error {
	libs, err := s.libraries()
	if err != nil {
		return err
	}
	return s.link("", elf, args, libs)
}

// link compiles and links in a folder.
func (s Suite) link(dir, elf string, args, libs []string) error {
	all := []string{"-mcpu=" + s.CPU, s.Opt, "-w", "-static", "-nostdlib", "-fno-pic", "-fno-pie", "-no-pie",
		"-fno-stack-protector", "-fno-asynchronous-unwind-tables", "-mno-millicode", "-isystem", filepath.Join(s.Runtime, "include"),
		"-T", filepath.Join(s.Runtime, "link.ld"), "-Wl,--build-id=none", "-Wl,-z,max-page-size=0x2000", "-o", elf}
	return run(dir, "arc-linux-gnu-gcc", slices.Concat(all, args, libs)...)
}
