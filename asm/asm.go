package asm

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sort"

	"arcv2dsp/internal/term/hostfile"
)

// Options are the options of an assembly. The zero value is usable.
type Options struct {
	CPU string // core, one of CPUs; DefaultCPU when empty

	// Extras of the GNU port, on top of what CPU has.
	CodeDensity bool // -mcode-density
	SPFP        bool // -mspfp
	DPFP        bool // -mdpfp
	FPUDA       bool // -mfpuda

	BigEndian bool // -EB
	Relax     bool // -mrelax: choose the shortest encoding of symbolic operands
	Strict    bool // refuse instructions that the core lacks, also for GNU's core names
	GNUBugs   bool // encode as GNU as 2.40 does where it is wrong

	Debug       bool // -g: line table of the assembler source
	CompDir     string
	KeepLocals  bool // -L: keep .L symbols in the symbol table
	NoConstants bool // leave local names of numbers, such as those of .equ, out of the symbol table
	NoPad       bool // -no-pad-sections
	FoldData    bool // -R: put .data at the end of .text
	WarnSize    bool // --size-check=warning: a .size that is no constant is no error

	FS      fs.FS // where .include and .incbin look; the host's files when nil
	Include []string
	Defsym  map[string]int64

	Listing   *ListingOptions // record what Object.WriteListing prints
	Index     *Index          // note here what the names of the program mean, also when it has errors
	MaxText   int             // bytes that macros, loops and included files may add up to, and fillings as well; 256 MB when zero
	MaxErrors int             // DefaultMaxErrors when zero
}

// Source is one source file.
type Source struct {
	Name string
	Text string
}

// Assemble translates sources, taken one after the other as one program, into one object. Errors in
// the sources come as an ErrorList.
func Assemble(opts Options, sources ...Source) (*Object, error) {
	a, err := newAssembler(&opts)
	if err != nil {
		return nil, err
	}
	return a.run(sources)
}

// AssembleString assembles one text.
func AssembleString(opts Options, name, text string) (*Object, error) {
	return Assemble(opts, Source{Name: name, Text: text})
}

// ReadSources reads source files from the host, or from opts.FS when it is set.
func ReadSources(opts Options, names ...string) ([]Source, error) {
	sources := make([]Source, 0, len(names))
	for _, name := range names {
		text, err := readFile(opts.FS, name)
		if err != nil {
			return nil, err
		}
		sources = append(sources, Source{Name: name, Text: string(text)})
	}
	return sources, nil
}

// readFile reads a file of no more than maxExpanded bytes: a device such as /dev/zero has no end.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	if fsys == nil {
		return hostfile.Read(name, maxExpanded)
	}
	file, err := fsys.Open(path.Clean(filepath.ToSlash(name)))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	size := info.Size()
	if size <= maxExpanded {
		text.Grow(int(size) + bytes.MinRead)
		size, err = text.ReadFrom(io.LimitReader(file, maxExpanded+1))
	}
	if err == nil && size > maxExpanded {
		err = &fs.PathError{Op: "read", Path: name, Err: errTooLong}
	}
	return text.Bytes(), err
}

var errTooLong = fmt.Errorf("the file has more than %d MB", maxExpanded>>20)

// findFile reads a file named by .include or .incbin: as it is, beside the including file, then in
// the directories of Options.Include.
func (a *assembler) findFile(name string) (found string, text []byte, err error) {
	dirs := append([]string{"", path.Dir(filepath.ToSlash(a.fileName()))}, a.opts.Include...)
	if filepath.IsAbs(name) {
		dirs = []string{""}
	}
	for i, dir := range dirs {
		file := name
		if dir != "" {
			file = path.Join(filepath.ToSlash(dir), name)
		}
		text, e := readFile(a.opts.FS, file)
		if e == nil {
			a.noteFile(file)
			return file, text, nil
		}
		if i == 0 || err == nil {
			err = e
		}
	}
	return "", nil, err
}

// noteFile remembers a file that the object depends on.
func (a *assembler) noteFile(name string) {
	if !slices.Contains(a.files, name) {
		a.files = append(a.files, name)
	}
}

// sortedNames returns the keys of Defsym in a fixed order.
func sortedNames(m map[string]int64) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// DefaultMaxErrors is how many errors end a run unless Options.MaxErrors says otherwise.
const DefaultMaxErrors = 20

func (o *Options) maxErrors() (int, error) {
	if o.MaxErrors < 0 {
		return 0, fmt.Errorf("the error limit %d is negative", o.MaxErrors)
	}
	if o.MaxErrors == 0 {
		return DefaultMaxErrors, nil
	}
	return o.MaxErrors, nil
}
