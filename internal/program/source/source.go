// Package source finds and reads the source files that the debug information of a program names.
package source

import (
	"os"
	"path/filepath"
	"strings"

	"arcv2dsp/internal/term/hostfile"
)

// MaxFile bounds a source file.
const MaxFile = 64 << 20

// Files are the source files of a program. They are looked for where the compiler found them, then in Dirs, then beside the
// program and above it; in each place by their path, then by their name alone.
type Files struct {
	dirs    []string
	program string
	known   map[string]file
}

// file is a source file and where it was found.
type file struct {
	path  string // absolute; "" when it was not found
	lines []string
}

// New returns the source files of the program in a file, looked for in further directories.
func New(program string, dirs []string) *Files {
	return &Files{dirs: dirs, program: program, known: map[string]file{}}
}

// Dirs returns the directories in which files are looked for.
func (f *Files) Dirs() []string { return f.dirs }

// Add adds a directory before the others.
func (f *Files) Add(dir string) {
	f.dirs = append([]string{dir}, f.dirs...)
	clear(f.known)
}

// Lines returns the lines of a file; nil when it cannot be found.
func (f *Files) Lines(name string) []string { return f.find(name).lines }

// Path returns where a file is.
func (f *Files) Path(name string) (string, bool) {
	found := f.find(name)
	return found.path, found.path != ""
}

func (f *Files) find(name string) file {
	if found, ok := f.known[name]; ok {
		return found
	}
	found := f.search(name)
	f.known[name] = found
	return found
}

func (f *Files) search(name string) file {
	dirs := append([]string{""}, f.dirs...)
	dirs = append(dirs, filepath.Dir(f.program), filepath.Join(filepath.Dir(f.program), ".."))
	for _, dir := range dirs {
		for _, path := range []string{name, filepath.Base(name)} {
			if dir != "" && !filepath.IsAbs(path) {
				path = filepath.Join(dir, path)
			}
			info, err := os.Stat(path)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			data, err := hostfile.Read(path, MaxFile)
			if err != nil {
				continue
			}
			found := file{path: path, lines: strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")}
			if abs, err := filepath.Abs(path); err == nil { // else no working directory: as it was opened
				found.path = abs
			}
			return found
		}
	}
	return file{}
}
