package link

import (
	_ "embed"
	"fmt"
	"io"
	"slices"

	"arcv2dsp/internal/program/elfarc"
)

// Input is one file to link: an object, an archive, or a linker script of INPUT and GROUP commands.
type Input struct {
	Name string
	Data []byte
	// Group, when not 0, is shared by archives that are searched again and again until none of them
	// defines anything that is missing.
	Group int
	// Whole links every member of an archive.
	Whole bool
}

// Script is a linker script as text.
type Script struct{ Name, Text string }

// Define gives a symbol a value, as --defsym does.
type Define struct {
	Name string
	Expr string // a number or another symbol, with + and - terms
}

// Options say how to link. The zero value links with the default script.
type Options struct {
	Script *Script // nil: the default script
	// Open reads the files that scripts name (INCLUDE, INPUT, GROUP). Nil: they name none.
	Open func(name string) ([]byte, error)

	Entry        string            // overrides ENTRY of the script
	SectionStart map[string]uint32 // addresses of output sections: -Ttext, -Tdata, -Tbss, --section-start
	SegmentStart map[string]uint32 // values of SEGMENT_START: -Ttext-segment
	Defines      []Define
	Undefined    []string // symbols to link from archives though nothing refers to them

	GCSections    bool   // leave out sections that nothing refers to
	NoCheck       bool   // allow sections to overlap
	MaxPageSize   uint32 // 0: 0x2000
	StripDebug    bool   // leave out debug sections
	StripAll      bool   // leave out debug sections and the symbol table
	StripDiscards bool   // leave out local symbols
	Map           io.Writer
}

// defaultPageSize is the page size of the GNU tools for ARC.
const defaultPageSize = 0x2000

func (o *Options) pageSize() uint32 {
	if o.MaxPageSize != 0 {
		return o.MaxPageSize
	}
	return defaultPageSize
}

// defaultScript places code at 0x100 and data on the page after it, as GNU ld's arcelf emulation does.
//
//go:embed default.ld
var defaultScript string

// DefaultScript returns the script that is used when none is given.
func DefaultScript() Script { return Script{Name: "default.ld", Text: defaultScript} }

// Image is a linked program.
type Image struct {
	Warnings []string

	file *elfarc.File
}

// Bytes returns the program as an ELF file.
func (im *Image) Bytes() ([]byte, error) { return im.file.Bytes() }

// linker is one link.
type linker struct {
	opts    *Options
	rep     *report
	script  *script
	objects []*object // in link order

	archives []*archive
	symbols  map[string]*symbol // global symbols
	order    []*symbol          // the same in the order of appearance
	groups   map[string]comdat  // comdat groups linked so far, by signature
	big      bool
	flags    uint32  // e_flags
	named    *object // the first one whose e_flags name a processor

	outputs  []*outputStmt // in script order, orphans in their places
	segments int           // program headers of the pass before, for SIZEOF_HEADERS
	got      *gotTable
	attrs    elfarc.Attrs
	pulled   []pulledMember
}

// Link links the inputs. The error is an ErrorList.
func Link(opts Options, inputs []Input) (*Image, error) {
	l := &linker{opts: &opts, rep: &report{}, symbols: map[string]*symbol{}, groups: map[string]comdat{}}
	file := l.run(inputs)
	if err := l.rep.err(); err != nil {
		return nil, err
	}
	return &Image{file: file, Warnings: l.rep.warnings}, nil
}

// run does the link in steps; each step runs only when the ones before found no error, because later
// messages would only be consequences.
func (l *linker) run(inputs []Input) *elfarc.File {
	if p := l.opts.pageSize(); p&(p-1) != 0 {
		l.rep.add(&Error{Msg: fmt.Sprintf("page size %#x is not a power of two", p)})
		return nil
	}
	var result *elfarc.File
	for _, step := range []func(){
		l.readScript,
		func() { l.readInputs(inputs) },
		l.checkEntry,
		l.selectSections,
		l.mergeStrings,
		l.layOut,
		func() { result = l.output() },
	} {
		if step(); len(l.rep.errors) > 0 {
			return nil
		}
	}
	if l.opts.Map != nil {
		if err := l.writeMap(l.opts.Map); err != nil {
			l.rep.add(&Error{Msg: "cannot write the map: " + err.Error()})
		}
	}
	return result
}

func (l *linker) readScript() {
	source := DefaultScript()
	if l.opts.Script != nil {
		source = *l.opts.Script
	}
	s, err := parseScript(source.Name, source.Text, l.opts.Open)
	if err != nil {
		l.rep.add(err)
		return
	}
	if !s.sections {
		// A script without SECTIONS adds to the default one.
		base, err := parseScript("default.ld", defaultScript, nil)
		if err != nil {
			l.rep.add(err)
			return
		}
		if s.entry.name == "" {
			s.entry = base.entry
		}
		s.stmts = append(s.stmts, base.stmts...)
	}
	for _, d := range l.opts.Defines {
		p := &parser{scan: &scanner{name: "--defsym " + d.Name, text: d.Expr, line: 1}, script: s}
		e := p.expression()
		if t := p.next(modeExpr); t.kind != tokEOF {
			p.fail(t.pos, "unexpected %s", t)
		}
		if p.err != nil {
			l.rep.add(p.err)
			continue
		}
		s.stmts = append([]stmt{&assignStmt{pos: e.position(), name: d.Name, op: "=", value: e}}, s.stmts...)
	}
	if l.opts.Entry != "" {
		s.entry = nameAt{name: l.opts.Entry}
	}
	l.script = s
}

// readFile reads a file that a script names.
func (l *linker) readFile(f inputFile) {
	if l.opts.Open == nil {
		l.rep.script(f.pos, "cannot read %q: no files can be read here", f.name)
		return
	}
	data, err := l.opts.Open(f.name)
	if err != nil {
		l.rep.script(f.pos, "cannot read %q: %v", f.name, err)
		return
	}
	l.readInput(Input{Name: f.name, Data: data, Group: f.group}, true)
}

// readInputs reads the files and resolves the symbols between them, pulling members of archives.
func (l *linker) readInputs(inputs []Input) {
	// Symbols that must come from archives though no object asks for them.
	for _, name := range l.opts.Undefined {
		l.reference(name)
	}
	for _, name := range l.script.externs {
		l.reference(name)
	}
	if e := l.script.entry.name; e != "" {
		if _, ok := parseNumber(e); !ok {
			l.reference(e).optional = true
		}
	}
	l.scriptReferences()
	for _, f := range l.script.inputs {
		l.readFile(f)
	}
	for _, in := range inputs {
		l.readInput(in, false)
	}
	l.searchGroup()
	if len(l.objects) == 0 && len(l.rep.errors) == 0 {
		l.rep.add(&Error{Msg: "no input files"})
		return
	}
	l.checkFormat()
	l.defineScriptSymbols()
	l.mergeAttributes()
}

// checkFormat compares the byte order that the script asks for with that of the inputs.
func (l *linker) checkFormat() {
	if len(l.script.formats) != 1 {
		return // one for each byte order
	}
	if f := l.script.formats[0]; (f.name == formatBig) != l.big {
		l.rep.script(f.pos, "the script asks for %s, but the inputs are %s", f.name, endianName(l.big))
	}
}

// readInput reads one file by its kind. Scripts cannot name scripts.
func (l *linker) readInput(in Input, nested bool) {
	if len(l.archives) > 0 && (in.Group == 0 || in.Group != l.archives[0].group) {
		l.searchGroup()
	}
	switch {
	case len(in.Data) == 0:
		l.rep.input(in.Name, "the file is empty")
	case elfarc.IsELF(in.Data):
		if o := l.readObject(in.Name, "", in.Data); o != nil {
			l.addObject(o)
		}
	case elfarc.IsArchive(in.Data):
		l.addArchive(in)
	case nested || !isScriptText(in.Data):
		l.rep.input(in.Name, "offset 0x0: neither an ELF object nor an archive")
	default:
		s, err := parseScript(in.Name, string(in.Data), l.opts.Open)
		if err != nil {
			l.rep.add(err)
			return
		}
		if s.sections || len(s.regions) > 0 {
			l.rep.input(in.Name, "a linker script with MEMORY or SECTIONS is given by -T")
			return
		}
		l.script.stmts = append(s.stmts, l.script.stmts...)
		for _, f := range s.inputs {
			l.readFile(f)
		}
	}
}

// isScriptText tells whether a file can be a linker script: text, as far as its beginning shows.
func isScriptText(data []byte) bool {
	return !slices.ContainsFunc(data[:min(len(data), 512)], func(c byte) bool { return c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f })
}

// checkEntry finds the entry symbol before anything is left out because of it.
func (l *linker) checkEntry() {
	e := l.script.entry
	if e.name == "" {
		if s := l.symbols["start"]; s != nil && s.defined() {
			l.script.entry.name = s.name // GNU ld looks for this one when the script names none
		}
		return
	}
	if _, ok := parseNumber(e.name); ok {
		return
	}
	if s := l.symbols[e.name]; s == nil || s.kind == symUndefined {
		l.rep.warn("entry symbol %q is not defined: the program starts at the beginning of .text", e.name)
	}
}
