package kernel

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/loader"
	"arcv2dsp/nn"
)

// core has the includes that kernels of all libraries use: names of registers, frames, elements, and the loops of
// windows that slide over a map.
//
//go:embed core/*.inc
var core embed.FS

// coreDir is their folder.
const coreDir = "core"

// Variant is one way to assemble the sources of a collection: the rounding mode, where the collection is
// built for one, and the AGU that is used.
type Variant struct {
	Round nn.Rounding
	AGU   AGU
}

// Object is one assembled source.
type Object struct {
	Name string // "mli_krn_relu_fx8.o"
	Path string // of its source
	Data []byte // the ELF file
}

// Library is a collection, or some kernels of it, assembled in one variant.
type Library struct {
	Collection *Collection
	Variant    Variant
	Objects    []Object
	Image      *loader.Image // all objects linked, nil when there are none
	// Missing are the sources that are not part of the library, by path, and why.
	Missing map[string]error
	Foreign *Foreign // what it was linked of when it was built elsewhere, else nil

	// options and inputs are how the objects were linked; no inputs for a program that came linked.
	options link.Options
	inputs  []link.Input
	entries map[string]uint32
	base    uint32              // address of the code
	needs   map[string][]string // the sources whose functions a source calls
	lacking map[uint32]string   // functions that nobody defines, by the addresses that calls of them go to
	room    uint32              // bytes of memory for code that a foreign library wants
}

// conventions are those of the functions. Ours set the element types of outputs themselves, and calls show that they do.
func (l *Library) conventions() Conventions {
	if l.Foreign == nil {
		return Conventions{Bare: true}
	}
	return l.Foreign.Conventions
}

// codeSize is the number of bytes of memory for code.
func (l *Library) codeSize() uint32 { return max(codeSize, l.room) }

// Entry is the address of a function, 0 when the library does not have it.
func (l *Library) Entry(symbol string) uint32 { return l.entries[symbol] }

// Lines says whether objects have line tables, and in which folder debuggers look for the sources.
type Lines struct {
	On  bool
	Dir string
}

// Options are those to assemble a source of a tree with: includes are looked for in its folder, then in the
// collection's.
func (c *Collection) Options(tree fs.FS, file string, v Variant) asm.Options {
	cpu := assembleFor
	if c.Floats {
		cpu = assembleFloatsFor
	}
	return asm.Options{CPU: cpu, FS: layered{tree, c}, Include: slices.Concat([]string{path.Dir(file)}, c.Include, []string{coreDir}),
		Defsym: c.define(v), NoConstants: true}
}

// Complete gives the assembly of a user's source what our sources have: includes of the collection come where the user's files
// have none of the name, and the symbols that tell sources their variant are defined, as for the core with AGU ports,
// where it has them, and rounding to nearest even.
func (c *Collection) Complete(o asm.Options, file string) asm.Options {
	of := c.Options(o.FS, file, c.Variant(AGUOf(cmp.Or(o.CPU, assembleFor)), nn.Convergent))
	o.FS, o.NoConstants, o.CPU = of.FS, true, cmp.Or(o.CPU, of.CPU)
	o.Include = append(o.Include[:len(o.Include):len(o.Include)], of.Include...)
	maps.Copy(of.Defsym, o.Defsym)
	o.Defsym = of.Defsym
	return o
}

// Assemble assembles one source file of a tree.
func (c *Collection) Assemble(tree fs.FS, file string, v Variant, lines Lines) (*asm.Object, error) {
	o := c.Options(tree, file, v)
	o.Debug, o.CompDir = lines.On, lines.Dir
	text, err := fs.ReadFile(o.FS, file)
	if err != nil {
		return nil, err
	}
	return asm.Assemble(o, asm.Source{Name: file, Text: string(text)})
}

// assembleFor is the core the sources are assembled for: the one with all they may use.
const assembleFor = "em9d"

// assembleFloatsFor is the core that sources in floating point are assembled for. All with such a unit run them.
const assembleFloatsFor = "em4_fpus"

// layered is a tree that the sources of a collection complete: the texts of kernels without a file, and
// the includes, so that a kernel of a user can include what ours do.
type layered struct {
	fs.FS
	collection *Collection
}

func (l layered) Open(name string) (fs.File, error) {
	f, err := l.FS.Open(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	for _, k := range l.collection.Kernels {
		if k.Source.File == name && k.Source.Text != "" {
			return newTextFile(name, k.Source.Text), nil
		}
	}
	if text, ok := l.collection.Texts[name]; ok {
		return newTextFile(name, text), nil
	}
	switch dir := path.Dir(name); {
	case dir == coreDir:
		return core.Open(name)
	case dir == helperDir, slices.Contains(l.collection.Include, dir):
		return l.collection.Tree.Open(name)
	}
	return f, err
}

// Files is the tree of the collection with the sources of all kernels in it.
func (c *Collection) Files() fs.FS { return layered{c.Tree, c} }

// Sources lists the sources of the collection: those of its kernels, and in the folder helpers those of functions
// that are no kernels.
func (c *Collection) Sources() []string {
	var files []string
	for _, k := range c.Kernels {
		if !slices.Contains(files, k.Source.File) {
			files = append(files, k.Source.File)
		}
	}
	return append(files, c.Helpers()...)
}

// helperDir is the folder of a collection with functions that are no kernels.
const helperDir = "helpers"

// Helpers lists the sources of functions that are no kernels; kernels may call them.
func (c *Collection) Helpers() []string {
	const pattern = helperDir + "/*.s"
	files, err := fs.Glob(c.Tree, pattern)
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for _, name := range slices.Sorted(maps.Keys(c.Texts)) {
		if ok, _ := path.Match(pattern, name); ok {
			files = append(files, name)
		}
	}
	return files
}

// Includes lists the includes that sources of the collection may have.
func (c *Collection) Includes() ([]string, error) {
	files, err := fs.Glob(c.Tree, "*/*.inc")
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(c.Texts)) {
		if path.Ext(name) == ".inc" {
			files = append(files, name)
		}
	}
	ours, err := fs.Glob(core, coreDir+"/*.inc")
	return append(files, ours...), err
}

// Build assembles all sources in one variant and links them, once for all who ask: nobody changes a library.
func (c *Collection) Build(v Variant) (*Library, error) {
	build, _ := c.built.LoadOrStore(v, sync.OnceValues(func() (*Library, error) { return c.BuildFrom(c.Tree, v, Lines{}) }))
	return build.(func() (*Library, error))()
}

// BuildFrom assembles all sources from a tree with the files of the collection.
func (c *Collection) BuildFrom(tree fs.FS, v Variant, lines Lines) (*Library, error) {
	return c.BuildFiles(tree, c.Sources(), v, lines)
}

// Own is a source of a user that becomes part of a library.
type Own struct {
	Tree fs.FS
	File string
}

// BuildArchives assembles the libraries that C programs link, by the names of their files, with sources of users in
// all of them.
func (c *Collection) BuildArchives(agu AGU, lines Lines, own ...Own) (map[string]*Library, error) {
	libs := map[string]*Library{}
	for name, round := range c.Archives {
		b := newBuilder(c, c.Variant(agu, round), lines)
		err := b.add(c.Tree, c.Sources()...)
		for _, o := range own {
			err = cmp.Or(err, b.add(o.Tree, o.File))
		}
		if err = cmp.Or(err, b.finish()); err != nil {
			return nil, err
		}
		for _, err := range b.library.Missing {
			return nil, err
		}
		libs[name] = b.library
	}
	return libs, nil
}

// BuildFiles assembles some sources of a tree and links them. One that does not assemble, or refers
// to what no other defines, is left out and listed as missing.
func (c *Collection) BuildFiles(tree fs.FS, files []string, v Variant, lines Lines) (*Library, error) {
	b := newBuilder(c, v, lines)
	return b.library, cmp.Or(b.add(tree, files...), b.finish())
}

// builder assembles the sources of a library.
type builder struct {
	library   *Library
	lines     Lines
	undefined map[string][]asm.Symbol // by source
	defined   map[string]string       // sources by symbol
}

func newBuilder(c *Collection, v Variant, lines Lines) *builder {
	return &builder{library: &Library{Collection: c, Variant: v, Missing: map[string]error{}}, lines: lines,
		undefined: map[string][]asm.Symbol{}, defined: map[string]string{}}
}

// add assembles sources of a tree.
func (b *builder) add(tree fs.FS, files ...string) error {
	l := b.library
	for _, file := range files {
		o, err := l.Collection.Assemble(tree, file, l.Variant, b.lines)
		if err != nil {
			l.Missing[file] = err
			continue
		}
		data, err := o.Bytes()
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, s := range o.Symbols() {
			switch other := b.defined[s.Name]; {
			case s.Undefined:
				b.undefined[file] = append(b.undefined[file], s)
			case s.Local:
			case other != "":
				l.Missing[file] = fmt.Errorf("%s defines %s, which %s has already", file, s.Name, other)
			default:
				b.defined[s.Name] = file
			}
		}
		l.Objects = append(l.Objects, Object{Name: strings.TrimSuffix(path.Base(file), ".s") + ".o", Path: file, Data: data})
	}
	return nil
}

// finish leaves out what is not complete and links the rest.
func (b *builder) finish() error {
	l := b.library
	l.Objects = slices.DeleteFunc(l.Objects, func(o Object) bool {
		for _, s := range b.undefined[o.Path] {
			if b.defined[s.Name] == "" {
				l.Missing[o.Path] = s.Mention
			}
		}
		return l.Missing[o.Path] != nil
	})
	slices.SortFunc(l.Objects, func(a, b Object) int { return cmp.Compare(a.Name, b.Name) })
	l.needs = map[string][]string{}
	for file, list := range b.undefined {
		for _, s := range list {
			l.needs[file] = append(l.needs[file], b.defined[s.Name])
		}
	}
	return l.link(codeBase)
}

// Part is the library with what some kernels need and nothing else, its code at an address.
func (l *Library) Part(kernels []*Kernel, code uint32) (*Library, error) {
	wanted := map[string]bool{}
	var want func(file string)
	want = func(file string) {
		if !wanted[file] {
			wanted[file] = true
			for _, other := range l.needs[file] {
				want(other)
			}
		}
	}
	for _, k := range kernels {
		want(k.Source.File)
	}
	part := &Library{Collection: l.Collection, Variant: l.Variant, needs: l.needs}
	for _, o := range l.Objects {
		if wanted[o.Path] {
			part.Objects = append(part.Objects, o)
		}
	}
	return part, part.link(code)
}

// CodeBytes is the memory that the code takes from its address on, with constants of its own.
func (l *Library) CodeBytes() int {
	end := l.base
	if l.Image != nil {
		for _, s := range l.Image.Segments {
			if len(s.Data) > 0 || s.Zero > 0 {
				end = max(end, s.Addr+uint32(len(s.Data)), s.ZeroAddr+s.Zero)
			}
		}
	}
	return int(end - l.base)
}

// returnTo is the return address of kernels.
func (l *Library) returnTo() uint32 { return cmp.Or(l.base, codeBase) - returnBelow }

// codeBase is where the library is linked to: above the exception vectors.
const codeBase = 0x400

// entrySymbol is the entry point that the linker asks for. Nothing begins there: a library has none of its own.
const entrySymbol = "__kernel_library"

// VectorBytes is the memory before the code of a library, for the vectors of exceptions and interrupts.
const VectorBytes = codeBase

func (l *Library) link(code uint32) error {
	l.base = code
	if len(l.Objects) == 0 {
		return nil
	}
	inputs := make([]link.Input, len(l.Objects))
	for i, o := range l.Objects {
		inputs[i] = link.Input{Name: o.Name, Data: o.Data}
	}
	return l.linkWith(link.Options{Entry: entrySymbol, SectionStart: map[string]uint32{".text": code},
		Defines: []link.Define{{Name: entrySymbol, Expr: fmt.Sprint(code)}, {Name: "__HEAP_SIZE", Expr: "0"}, {Name: "__STACK_SIZE", Expr: "0"}}}, inputs)
}

func (l *Library) linkWith(o link.Options, inputs []link.Input) (err error) {
	defer steps.Return(&err)
	l.options, l.inputs = o, inputs
	im := steps.Must(link.Link(o, inputs))
	data := steps.Must(im.Bytes())
	l.Image, err = loader.Read("kernels", bytes.Clone(data))
	if err != nil && l.Foreign != nil {
		return fmt.Errorf("%s: %w", l.Foreign.paths(), err)
	}
	steps.Check(err)
	l.entries = map[string]uint32{}
	for _, s := range l.Image.Symbols.All() {
		l.entries[s.Name] = s.Addr
	}
	return nil
}
