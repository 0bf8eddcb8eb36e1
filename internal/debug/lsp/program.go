package lsp

import (
	"errors"
	"path"
	"slices"
	"sort"
	"strings"

	"arcv2dsp/asm"
)

// program is what the assembler says about a source and what it includes.
type program struct {
	root   string
	index  asm.Index
	object *asm.Object // nil when there are errors
	errs   asm.ErrorList
	failed string // why nothing was assembled

	files []programFile // as index.Files
}

// programFile is a file of a program.
type programFile struct {
	path string
	*text
	uses []useOf // by offset
}

// useOf is a use with its name.
type useOf struct {
	asm.Use
	name *asm.Name
}

// Bounds of one assembly: an editor shows no more messages, and a typing error must not take minutes.
const (
	maxErrors = 250
	maxText   = 1 << 24
)

// assembly are the options of a program.
func (s *session) assembly(root string) asm.Options {
	cpu := ""
	if slices.Contains(asm.CPUs(), s.opt.Core) {
		cpu = s.opt.Core // chosen, so that .cpu of a source does not count
	}
	o := asm.Options{CPU: cpu, FS: s.sources, Include: []string{path.Dir(root)}, Defsym: s.opt.Defsym, MaxErrors: maxErrors, MaxText: maxText}
	var library Library
	for _, dir := range s.opt.Include {
		name, ok := strings.CutPrefix(dir, "@")
		if !ok {
			o.Include = append(o.Include, dir)
		} else if s.opt.Library != nil {
			if found, err := s.opt.Library(name); err == nil {
				library = found
			}
		}
	}
	if library != nil {
		o = library(o, root)
	}
	return o
}

// program assembles a source, unless nothing of it has changed.
func (s *session) program(root string) *program {
	if p := s.programs[root]; p != nil {
		return p
	}
	p := &program{root: root}
	s.programs[root] = p
	o := s.assembly(root)
	o.Index = &p.index
	var err error
	p.object, err = asm.Assemble(o, asm.Source{Name: root, Text: s.sources.read(root)})
	if !errors.As(err, &p.errs) && err != nil {
		p.failed = err.Error()
	}
	for _, f := range p.index.Files {
		p.files = append(p.files, programFile{path: s.sources.absolute(f.Name), text: newText(f.Text)})
	}
	for _, n := range p.index.Names {
		for _, u := range n.Uses {
			f := &p.files[u.File]
			f.uses = append(f.uses, useOf{Use: u, name: n})
		}
	}
	for i := range p.files {
		uses := p.files[i].uses
		sort.Slice(uses, func(i, j int) bool { return uses[i].Off < uses[j].Off })
	}
	return p
}

// messages are all errors and warnings.
func (p *program) messages() asm.ErrorList {
	if p.object != nil {
		return p.object.Warnings
	}
	return p.errs
}

// has reports whether a file belongs to the program.
func (p *program) has(file string) bool { return p.file(file) >= 0 || p.root == file }

// file is the number of a file in the index, -1 when it does not belong to the program.
func (p *program) file(file string) int {
	return slices.IndexFunc(p.files, func(f programFile) bool { return f.path == file })
}

// nameAt returns the name that stands at an offset, or ends there.
func (p *program) nameAt(file string, off int) (useOf, bool) {
	i := p.file(file)
	if i < 0 {
		return useOf{}, false
	}
	uses := p.files[i].uses
	k := sort.Search(len(uses), func(k int) bool { return uses[k].Off > off })
	if k == 0 || off > uses[k-1].Off+uses[k-1].Len {
		return useOf{}, false
	}
	return uses[k-1], true
}

// named finds a name by what is written: a macro in any case of letters, otherwise a symbol.
func (p *program) named(word string, macro bool) *asm.Name {
	for _, n := range p.index.Names {
		switch {
		case n.Kind == asm.NameNumber:
		case macro && n.Kind == asm.NameMacro && equalFold(n.Text, word), !macro && n.Kind != asm.NameMacro && n.Text == word:
			return n
		}
	}
	return nil
}

// programsOf are the programs that a document belongs to. One that is included nowhere is assembled by itself, for its names.
func (s *session) programsOf(d *document) []*program {
	var list []*program
	for _, root := range s.sources.roots(d.path) {
		if len(list) == maxPrograms {
			break
		}
		if p := s.program(root); p.has(d.path) {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		list = append(list, s.program(d.path))
	}
	return list
}

// maxPrograms bounds how many programs a change of an include is tried on.
const maxPrograms = 16
