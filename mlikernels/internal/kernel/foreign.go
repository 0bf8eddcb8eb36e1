package kernel

import (
	"bytes"
	"cmp"
	"debug/elf"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"arcv2dsp/asm"
	"arcv2dsp/asm/link"
	"arcv2dsp/internal/program/elfarc"
	"arcv2dsp/internal/term/steps"
	"arcv2dsp/loader"
)

// helpers are functions that compilers leave to their run-time library. A foreign library takes from them what
// it does not bring along.
//
//go:embed runtime/*.s
var helpers embed.FS

// ForeignFile is a file of a foreign library: an object, an archive or a linked program.
type ForeignFile struct {
	Name string
	Data []byte
}

// Foreign is a library that was built elsewhere, with the conventions its functions want.
type Foreign struct {
	Files       []ForeignFile
	Conventions Conventions
}

// Name names the library for people.
func (f *Foreign) Name() string {
	var names []string
	for _, file := range f.Files {
		names = append(names, path.Base(file.Name))
	}
	return strings.Join(names, "+")
}

// paths names the files of the library for messages.
func (f *Foreign) paths() string {
	var names []string
	for _, file := range f.Files {
		names = append(names, file.Name)
	}
	return strings.Join(names, ", ")
}

// Built says what a file is that is no assembly source: an archive or an ELF file; "" for anything else.
func Built(data []byte) string {
	switch {
	case elfarc.IsArchive(data):
		return "an archive"
	case elfarc.IsELF(data):
		return "an ELF file"
	}
	return ""
}

// Where foreign libraries lie: code and constants, and behind the arenas the data that they write.
const (
	foreignCodeEnd = codeBase + foreignRoom
	foreignData    = dccmBase + dccmSize
	foreignDataEnd = foreignData + foreignRoom
)

// roomFor is the memory for the code of objects: a power of two with all their sections in it.
func roomFor(objects []*elfarc.File) uint32 {
	bytes := uint64(codeBase)
	for _, o := range objects {
		for _, s := range o.Sections {
			if s.Flags&elf.SHF_ALLOC != 0 {
				bytes += uint64(s.Len()) + uint64(s.Align)
			}
		}
	}
	room := uint32(codeSize)
	for uint64(room) < bytes && room < 2*foreignRoom {
		room *= 2
	}
	return room
}

// Link makes a library of foreign files that has functions of the collection. A function that no file defines does
// not keep the others from being linked: calling it is an error that names it. Further functions are linked by name.
func (c *Collection) Link(f *Foreign, v Variant, more ...string) (_ *Library, err error) {
	defer steps.Return(&err)
	l := &Library{Collection: c, Variant: v, Foreign: f, Missing: map[string]error{}, lacking: map[uint32]string{}}
	objects := steps.Must(f.objects())
	if objects == nil {
		return l, l.program(f.Files[0])
	}
	l.room = roomFor(objects)
	defined, wanted := map[string]bool{}, map[string]bool{}
	for _, o := range objects {
		for _, s := range o.Symbols {
			switch {
			case s.Bind == elf.STB_LOCAL:
			case !s.Undefined():
				defined[s.Name] = true
			case s.Bind != elf.STB_WEAK:
				wanted[s.Name] = true
			}
		}
	}
	options := link.Options{Entry: entrySymbol, SectionStart: map[string]uint32{".text": codeBase, ".data": foreignData},
		Defines: []link.Define{{Name: entrySymbol, Expr: fmt.Sprint(codeBase)}, {Name: "__HEAP_SIZE", Expr: "0"}, {Name: "__STACK_SIZE", Expr: "0"}}}
	for _, k := range c.Kernels {
		if defined[k.Symbol] {
			options.Undefined = append(options.Undefined, k.Symbol)
		}
	}
	for _, name := range more {
		if defined[name] && !slices.Contains(options.Undefined, name) {
			options.Undefined = append(options.Undefined, name)
		}
	}
	if len(options.Undefined) == 0 {
		return nil, fmt.Errorf("%s defines no function of %s", f.paths(), c.Title)
	}
	var inputs []link.Input
	for _, file := range f.Files {
		inputs = append(inputs, link.Input{Name: file.Name, Data: file.Data, Group: 1})
	}
	runtime := steps.Must(runtimeArchive(defined))
	for _, name := range slices.Sorted(maps.Keys(f.Conventions.Define)) {
		options.Defines = append(options.Defines, link.Define{Name: name, Expr: f.Conventions.Define[name]})
		options.Undefined = append(options.Undefined, f.Conventions.Define[name])
		defined[name] = true
	}
	inputs = append(inputs, link.Input{Name: "runtime.a", Data: runtime, Group: 1})
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if !defined[name] {
			at := l.codeSize() + 4*uint32(len(l.lacking)) // no memory is there: a call of it is an exception
			l.lacking[at] = name
			options.Defines = append(options.Defines, link.Define{Name: name, Expr: fmt.Sprint(at)})
		}
	}
	steps.Check(l.linkWith(options, inputs))
	return l, l.fits()
}

// fits fails for a library that is too large. Sections that nobody placed follow those that were.
func (l *Library) fits() error {
	code, data := uint32(codeBase), uint32(foreignData)
	for _, s := range l.Image.Segments {
		end := max(s.Addr+uint32(len(s.Data)), s.ZeroAddr+s.Zero)
		if s.Addr >= foreignData || s.ZeroAddr >= foreignData {
			data = max(data, end)
		} else {
			code = max(code, end)
		}
	}
	for _, row := range []struct {
		what string
		size uint32
	}{{what: "code and constants", size: code - codeBase}, {what: "data", size: data - foreignData}} {
		if row.size > foreignRoom {
			return fmt.Errorf("%s has %d bytes of %s, there is room for %d", l.Foreign.paths(), row.size, row.what, foreignRoom)
		}
	}
	return nil
}

// objects are the relocatable objects of the files, archive members included; nil for one linked program.
func (f *Foreign) objects() ([]*elfarc.File, error) {
	var all []*elfarc.File
	for _, file := range f.Files {
		switch {
		case elfarc.IsArchive(file.Data):
			ar, err := elfarc.ReadArchive(file.Data)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file.Name, err)
			}
			for _, m := range ar.Members {
				if !elfarc.IsELF(m.Data) {
					continue // the linker says what is wrong when it is needed
				}
				o, err := elfarc.Read(m.Data)
				if err != nil {
					return nil, fmt.Errorf("%s(%s): %w", file.Name, m.Name, err)
				}
				all = append(all, o)
			}
		case elfarc.IsELF(file.Data):
			o, err := elfarc.Read(file.Data)
			switch {
			case err != nil:
				return nil, fmt.Errorf("%s: %w", file.Name, err)
			case o.Type == elf.ET_REL:
				all = append(all, o)
			case len(f.Files) > 1:
				return nil, fmt.Errorf("%s is linked: it goes without other files", file.Name)
			default:
				return nil, nil
			}
		default:
			return nil, fmt.Errorf("%s is no object, archive or program", file.Name)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: there is no object in the library", f.paths())
	}
	return all, nil
}

// runtimeArchive assembles the helpers, without those whose functions the files define themselves.
func runtimeArchive(defined map[string]bool) (_ []byte, err error) {
	defer steps.Return(&err)
	var ar elfarc.Archive
	files := steps.Must(fs.Glob(helpers, "runtime/*.s"))
	for _, file := range files {
		text := steps.Must(helpers.ReadFile(file))
		o := steps.Must(asm.Assemble(asm.Options{CPU: assembleFor}, asm.Source{Name: file, Text: string(text)}))
		data := steps.Must(o.Bytes())
		f := steps.Must(elfarc.Read(data))
		for _, s := range f.Symbols {
			if s.Bind != elf.STB_LOCAL && !s.Undefined() {
				if defined[s.Name] {
					s.Bind = elf.STB_WEAK // the library's own goes first
				}
				defined[s.Name] = true
			}
		}
		data = steps.Must(f.Bytes())
		ar.Members = append(ar.Members, &elfarc.Member{Name: strings.TrimSuffix(path.Base(file), ".s") + ".o", Data: data})
	}
	return ar.Bytes()
}

// program takes a linked program as it is: where it lies must be memory that the machine has for it.
func (l *Library) program(file ForeignFile) error {
	im, err := loader.Read(file.Name, bytes.Clone(file.Data))
	if err != nil {
		return err
	}
	for _, s := range im.Segments {
		for _, part := range []span{{s.Addr, s.Addr + uint32(len(s.Data))}, {s.ZeroAddr, s.ZeroAddr + s.Zero}} {
			code := part.from >= codeBase && part.to <= foreignCodeEnd
			data := part.from >= foreignData && part.to <= foreignDataEnd
			if part.from != part.to && (part.to < part.from || !code && !data) {
				return fmt.Errorf("%s has contents at %#x to %#x, there is room at %#x to %#x and at %#x to %#x; objects and archives are put there",
					file.Name, part.from, part.to, codeBase, foreignCodeEnd, uint32(foreignData), uint32(foreignDataEnd))
			}
		}
	}
	for l.room = codeSize; l.room < foreignCodeEnd; l.room *= 2 {
		if !slices.ContainsFunc(im.Segments, func(s loader.Segment) bool {
			return s.Addr < foreignData && max(s.Addr+uint32(len(s.Data)), s.ZeroAddr+s.Zero) > l.room
		}) {
			break
		}
	}
	l.Image, l.entries = im, map[string]uint32{}
	for _, s := range im.Symbols.All() {
		l.entries[s.Name] = s.Addr
	}
	if !slices.ContainsFunc(l.Collection.Kernels, func(k *Kernel) bool { return l.entries[k.Symbol] != 0 }) {
		return fmt.Errorf("%s defines no function of %s", file.Name, l.Collection.Title)
	}
	return nil
}

// written is the memory that functions of the library keep data in from call to call.
func (l *Library) written() []span {
	var all []span
	for _, s := range l.Image.Segments {
		if s.Flags&elf.PF_W != 0 {
			all = append(all, span{s.Addr, s.Addr + uint32(len(s.Data))}, span{s.ZeroAddr, s.ZeroAddr + s.Zero})
		}
	}
	return all
}

// ForeignCollection is the collection that most functions of a foreign library belong to.
func ForeignCollection(f *Foreign, of []*Collection) (*Collection, error) {
	names := map[string]bool{}
	objects, err := f.objects()
	if err != nil {
		return nil, err
	}
	if objects == nil {
		o, err := elfarc.Read(f.Files[0].Data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Files[0].Name, err)
		}
		objects = []*elfarc.File{o}
	}
	for _, o := range objects {
		for _, s := range o.Symbols {
			if !s.Undefined() {
				names[s.Name] = true
			}
		}
	}
	count := func(c *Collection) (n int) {
		for _, k := range c.Kernels {
			if names[k.Symbol] {
				n++
			}
		}
		return n
	}
	best := slices.MaxFunc(of, func(a, b *Collection) int { return cmp.Compare(count(a), count(b)) })
	if count(best) == 0 {
		return nil, fmt.Errorf("%s defines none of the functions that arcsim kernels list --functions prints", f.Name())
	}
	return best, nil
}
