package mlikernels

import (
	"bytes"
	"cmp"
	"debug/elf"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/loader"
	"arcv2dsp/mlikernels/golden"
)

// Sources are the assembly sources, their includes and the C headers.
//
//go:embed */*.s */*.inc include/*.h
var Sources embed.FS

// Variant is one way to assemble the sources: the rounding mode, and whether the AGU is used.
type Variant struct {
	Round golden.Rounding
	AGU   bool
}

// defsym is what the sources look at.
func (v Variant) defsym() map[string]int64 {
	d := map[string]int64{"MLI_ROUND_UP": 0, "MLI_AGU": 0}
	if v.Round == golden.Up {
		d["MLI_ROUND_UP"] = 1
	}
	if v.AGU {
		d["MLI_AGU"] = 1
	}
	return d
}

// Object is one assembled source.
type Object struct {
	Name string // "mli_krn_relu_fx8.o"
	Path string // of its source
	Data []byte // the ELF file
}

// Library is a set of kernels in one variant.
type Library struct {
	Variant Variant
	Objects []Object
	Image   *loader.Image // all objects linked, nil when there are none
	// Missing are the sources that are not part of the library, by path, and why.
	Missing map[string]error

	entries map[string]uint32
}

// Entry is the address of a function, 0 when the library does not have it.
func (l *Library) Entry(symbol string) uint32 { return l.entries[symbol] }

// sharedDir holds the includes that several operators use.
const sharedDir = "shared"

// Lines says whether objects have line tables, and in which folder debuggers look for the sources.
type Lines struct {
	On  bool
	Dir string
}

// AssembleSource assembles one source file of a tree; includes are looked for in its folder and in
// shared.
func AssembleSource(tree fs.FS, file string, v Variant, lines Lines) (*asm.Object, error) {
	text, err := fs.ReadFile(tree, file)
	if err != nil {
		return nil, err
	}
	return asm.Assemble(asm.Options{CPU: assembleFor, FS: layered{tree}, Include: []string{path.Dir(file), sharedDir},
		Defsym: v.defsym(), Debug: lines.On, CompDir: lines.Dir}, asm.Source{Name: file, Text: string(text)})
}

// assembleFor is the core the sources are assembled for: the one with all they may use.
const assembleFor = "em9d"

// layered is a tree whose shared folder is completed from Sources, so that a kernel of a user can
// include what ours do.
type layered struct{ fs.FS }

func (l layered) Open(name string) (fs.File, error) {
	f, err := l.FS.Open(name)
	if errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(name, sharedDir+"/") {
		return Sources.Open(name)
	}
	return f, err
}

// Build assembles all sources in one variant and links them.
func Build(v Variant) (*Library, error) { return BuildFrom(Sources, v, Lines{}) }

// Archives are the libraries that C programs link, by the names of their files: one rounds to nearest
// even, one rounds ties up.
func Archives(agu bool, lines Lines) (map[string]*Library, error) {
	libs := map[string]*Library{}
	for name, round := range map[string]golden.Rounding{"libmli_arcv2.a": golden.Convergent, "libmli_arcv2_up.a": golden.Up} {
		lib, err := BuildFrom(Sources, Variant{Round: round, AGU: agu}, lines)
		if err != nil {
			return nil, err
		}
		for _, err := range lib.Missing {
			return nil, err
		}
		libs[name] = lib
	}
	return libs, nil
}

// BuildFrom assembles all sources of a tree: one folder per operator with .s files.
func BuildFrom(tree fs.FS, v Variant, lines Lines) (*Library, error) {
	files, err := fs.Glob(tree, "*/*.s")
	if err != nil {
		return nil, err
	}
	return BuildFiles(tree, files, v, lines)
}

// BuildFiles assembles some sources of a tree and links them. One that does not assemble, or refers
// to what no other defines, is left out and listed as missing.
func BuildFiles(tree fs.FS, files []string, v Variant, lines Lines) (*Library, error) {
	l := &Library{Variant: v, Missing: map[string]error{}}
	undefined, defined := map[string][]string{}, map[string]bool{}
	for _, file := range files {
		o, err := AssembleSource(tree, file, v, lines)
		if err != nil {
			l.Missing[file] = err
			continue
		}
		data, err := o.Bytes()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, s := range o.File.Symbols {
			switch {
			case s.Undefined():
				undefined[file] = append(undefined[file], s.Name)
			case s.Bind != elf.STB_LOCAL:
				defined[s.Name] = true
			}
		}
		l.Objects = append(l.Objects, Object{Name: strings.TrimSuffix(path.Base(file), ".s") + ".o", Path: file, Data: data})
	}
	l.Objects = slices.DeleteFunc(l.Objects, func(o Object) bool {
		for _, name := range undefined[o.Path] {
			if !defined[name] {
				l.Missing[o.Path] = fmt.Errorf("%s: no source defines %s", o.Path, name)
				return true
			}
		}
		return false
	})
	slices.SortFunc(l.Objects, func(a, b Object) int { return cmp.Compare(a.Name, b.Name) })
	return l, l.link()
}

// codeBase is where the library is linked to: above the exception vectors.
const codeBase = 0x400

// entrySymbol lets the linker be satisfied: a library has no entry point.
const entrySymbol = "__mli_library"

func (l *Library) link() error {
	if len(l.Objects) == 0 {
		return nil
	}
	inputs := make([]link.Input, len(l.Objects))
	for i, o := range l.Objects {
		inputs[i] = link.Input{Name: o.Name, Data: o.Data}
	}
	im, err := link.Link(link.Options{Entry: entrySymbol, SectionStart: map[string]uint32{".text": codeBase},
		Defines: []link.Define{{Name: entrySymbol, Expr: fmt.Sprint(codeBase)}}}, inputs)
	if err != nil {
		return err
	}
	data, err := im.Bytes()
	if err != nil {
		return err
	}
	if l.Image, err = loader.Read("kernels", bytes.Clone(data)); err != nil {
		return err
	}
	l.entries = map[string]uint32{}
	for _, s := range im.File.Symbols {
		l.entries[s.Name] = s.Value
	}
	return nil
}
