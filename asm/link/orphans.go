package link

import (
	"debug/elf"
	"slices"
	"sort"
	"strings"
)

// sectionClass decides the place of an orphan.
type sectionClass uint8

const (
	classText sectionClass = iota
	classRodata
	classData
	classBSS
	classNote
	classOther // not in memory
	classDebug // not in memory, and behind all else
)

// traits are the properties of a section that say which others it fits to.
type traits uint8

const (
	hasContents traits = 1 << iota
	inMemory
	loaded
	readonly
	hasCode
)

// homes are the sections whose neighbours orphans become, with the traits that they have by their names
// while the script puts nothing into them.
var homes = [...]struct {
	name   string
	traits traits
}{
	classText:   {name: ".text", traits: hasContents | inMemory | loaded | readonly | hasCode},
	classRodata: {name: ".rodata", traits: hasContents | inMemory | loaded | readonly},
	classData:   {name: ".data", traits: hasContents | inMemory | loaded},
	classBSS:    {name: ".bss", traits: inMemory},
	classNote:   {name: ".interp", traits: hasContents | inMemory | loaded | readonly},
	classOther:  {name: ".comment", traits: hasContents},
}

// orphanPlace is where the orphans of a class go.
type orphanPlace struct {
	home *outputStmt // once it is settled
	last *outputStmt // the orphan that was placed last
}

// classOf returns the class of an input section.
func classOf(s *section) sectionClass {
	t := traitsOf(s)
	switch {
	case t&inMemory == 0 && isDebugName(s.name):
		return classDebug
	case t&inMemory == 0:
		return classOther
	case t&loaded != 0 && s.typ == elf.SHT_NOTE:
		return classNote
	case t&loaded == 0:
		return classBSS
	case t&readonly == 0:
		return classData
	case t&hasCode == 0:
		return classRodata
	}
	return classText
}

// traitsOf returns the traits of an input section.
func traitsOf(s *section) traits {
	var t traits
	if s.typ != elf.SHT_NOBITS {
		t |= hasContents
	}
	if s.alloc() {
		t |= inMemory
		if s.typ != elf.SHT_NOBITS {
			t |= loaded
		}
	}
	if s.flags&elf.SHF_WRITE == 0 {
		t |= readonly
	}
	if s.flags&elf.SHF_EXECINSTR != 0 {
		t |= hasCode
	}
	return t
}

// traits returns what an output section is as far as its statements and inputs say, and its type, which
// is SHT_NULL when it is not that of an input.
func (o *outputStmt) traits() (t traits, typ elf.SectionType) {
	made, filled := false, false
	typ, _ = kindByName(o.name)
	for _, st := range o.body {
		switch st := st.(type) {
		case *assignStmt:
			made = true
		case *dataStmt:
			data := hasContents | inMemory | loaded
			switch o.kind {
			case kindNoload:
				data = inMemory
			case kindInfo:
				data = hasContents
			}
			if !made || o.kind == kindReadonly {
				data |= readonly
			}
			made = true
			t |= data
		case *inputStmt:
			for _, s := range st.matched {
				in := traitsOf(s)
				own := in
				switch o.kind {
				case kindNoload:
					in &^= loaded | hasContents
				case kindInfo:
					in &^= inMemory | loaded
				case kindReadonly:
					in |= readonly
				}
				t &= in | ^readonly
				if filled {
					in &^= readonly
				}
				if t |= in; !filled && t == own && typ == elf.SHT_NULL && o.kind != kindNoload {
					typ = s.typ
				}
				made, filled = true, true
			}
		}
	}
	if made {
		return t, typ
	}
	for _, h := range homes {
		if o.name == h.name {
			return h.traits, elf.SHT_NULL
		}
	}
	return 0, elf.SHT_NULL
}

// nameKinds are the types and flags that output sections have by their names alone.
var nameKinds = []struct {
	name  string
	alone bool // not with a dot and more behind it
	typ   elf.SectionType
	flags elf.SectionFlag
}{
	{name: ".text", typ: elf.SHT_PROGBITS, flags: elf.SHF_EXECINSTR},
	{name: ".init", alone: true, typ: elf.SHT_PROGBITS, flags: elf.SHF_EXECINSTR},
	{name: ".fini", alone: true, typ: elf.SHT_PROGBITS, flags: elf.SHF_EXECINSTR},
	{name: ".plt", alone: true, typ: elf.SHT_PROGBITS, flags: elf.SHF_EXECINSTR},
	{name: ".rodata", typ: elf.SHT_PROGBITS},
	{name: ".rodata1", alone: true, typ: elf.SHT_PROGBITS},
	{name: ".interp", alone: true, typ: elf.SHT_PROGBITS},
	{name: ".comment", alone: true, typ: elf.SHT_PROGBITS},
	{name: ".data", typ: elf.SHT_PROGBITS, flags: elf.SHF_WRITE},
	{name: ".data1", alone: true, typ: elf.SHT_PROGBITS, flags: elf.SHF_WRITE},
	{name: ".bss", typ: elf.SHT_NOBITS, flags: elf.SHF_WRITE},
	{name: ".note", typ: elf.SHT_NOTE},
	{name: ".init_array", typ: elf.SHT_INIT_ARRAY, flags: elf.SHF_WRITE},
	{name: ".fini_array", typ: elf.SHT_FINI_ARRAY, flags: elf.SHF_WRITE},
	{name: ".preinit_array", typ: elf.SHT_PREINIT_ARRAY, flags: elf.SHF_WRITE},
}

// kindByName returns the type and flags that an output section has by its name.
func kindByName(name string) (elf.SectionType, elf.SectionFlag) {
	for _, k := range nameKinds {
		if rest, ok := strings.CutPrefix(name, k.name); ok && (rest == "" || !k.alone && rest[0] == '.') {
			return k.typ, k.flags
		}
	}
	return elf.SHT_NULL, 0
}

// placeOrphans makes output sections for the input sections that no statement takes, next to sections
// of their kind.
func (l *linker) placeOrphans(all []*section) {
	var places [classDebug + 1]orphanPlace
	for i := range homes {
		for _, o := range l.outputs {
			if o.name == homes[i].name && places[i].home == nil {
				places[i].home = o
			}
		}
	}
	for _, s := range all {
		if s.out != nil || !s.live || s.reason != "" {
			continue
		}
		name := s.name
		if s == s.obj.commons {
			name = homes[classBSS].name
		}
		if o := l.sameOrphan(s, name); o != nil {
			o.out.add(s)
			continue
		}
		o := &outputStmt{name: name, orphan: true}
		in := &inputStmt{file: filePattern{pattern: "*"}, sections: []sectionPattern{{pattern: s.name}}}
		in.matched = []*section{s}
		o.body = []stmt{in}
		o.out = &outputSection{name: name, stmt: o}
		class := classOf(s)
		place := &places[class]
		home := place.home
		if home == nil && class != classDebug {
			var exact bool
			if home, exact = l.homeOf(s); exact {
				place.home = home
			}
		}
		switch {
		case class == classDebug:
			l.insert(len(l.script.stmts), o)
		case place.last != nil:
			l.insert(1+slices.Index(l.script.stmts, stmt(place.last)), o)
		default:
			l.insert(l.placeAfter(home), o)
		}
		place.last = o
		if home != nil && s.alloc() {
			o.region, o.lmaRegion = home.region, home.lmaRegion
		}
		o.out.add(s)
	}
	l.inheritLoadRegions()
	l.boundarySymbols()
}

// inheritLoadRegions gives sections the load region of the section before them in the same memory
// region, unless they say where they are loaded.
func (l *linker) inheritLoadRegions() {
	for i, o := range l.outputs {
		if i == 0 || o.lmaRegion.name != "" || o.at != nil || o.addr != nil {
			continue
		}
		if prev := l.outputs[i-1]; l.regionName(prev.region) == l.regionName(o.region) {
			o.lmaRegion = prev.lmaRegion
		}
	}
}

// regionName follows aliases.
func (l *linker) regionName(n nameAt) string {
	for _, d := range l.script.regions {
		if d.name == n.name && d.alias != "" {
			return d.alias
		}
	}
	return n.name
}

// sameOrphan finds an output section of the same name that an orphan can join: one with contents of its
// kind, else one that has none so far.
func (l *linker) sameOrphan(s *section, name string) *outputStmt {
	var unused, same *outputStmt
	of := traitsOf(s)
	for _, o := range l.outputs {
		if o.name != name || o.out.discard || o.constraint != always {
			continue
		}
		t, typ := o.traits()
		if !o.made() {
			unused = o
		} else if t == 0 || (t^of)&(loaded|inMemory) == 0 && (typ == s.typ || typ == elf.SHT_NULL) {
			same = o
			break
		}
	}
	if same == nil {
		same = unused
	}
	if same == nil {
		return nil
	}
	if same.orphan {
		in := same.body[0].(*inputStmt)
		in.matched = append(in.matched, s)
		return same
	}
	// The script describes the section but does not take this input: it goes to the end.
	in := &inputStmt{pos: same.pos, file: filePattern{pattern: "*"}, matched: []*section{s}}
	same.body = append(same.body, in)
	return same
}

// homeOf finds the output section that an orphan follows: the last that has all its traits, else the
// last that fits; in either case rather one with contents of the same type. Nil: the start.
func (l *linker) homeOf(s *section) (home *outputStmt, exact bool) {
	of := traitsOf(s)
	var differ traits // what may differ
	switch {
	case of&inMemory == 0:
		for _, o := range l.outputs {
			if !isDebugName(o.name) {
				home = o
			}
		}
	case of&hasCode != 0:
		differ = readonly
	case of&readonly != 0:
		differ = hasCode
	case of&hasContents != 0:
		differ = readonly | hasCode
	default:
		differ = ^inMemory
	}
	for _, typed := range []bool{true, false} {
		var same, near *outputStmt
		for _, o := range l.outputs {
			t, typ := o.traits()
			if typed && o.made() && typ != s.typ {
				continue
			}
			if t == of {
				same = o
			}
			if (t^of)&^differ == 0 {
				near = o
			}
		}
		switch {
		case same != nil:
			return same, typed
		case of&inMemory == 0:
			return home, false
		case near != nil:
			return near, false
		}
	}
	return nil, false
}

// made tells whether an output section exists so far: it has inputs, or statements that make one.
func (o *outputStmt) made() bool { return len(o.out.inputs) > 0 || o.hasContents() }

// placeAfter returns where a statement behind an output section stands, or behind the start: behind the
// symbol assignments that follow, but in front of the first assignment to the location counter that
// belongs to what comes next.
func (l *linker) placeAfter(home *outputStmt) int {
	stmts := l.script.stmts
	first := slices.Index(stmts, stmt(home)) + 1
	begins := home == nil // the first assignment at the start of the script sets where all begins
	dot := -1
	for i := first; i < len(stmts); i++ {
		switch s := stmts[i].(type) {
		case *assignStmt:
			if s.name == "." && dot < 0 {
				if !begins {
					dot = i
				}
				begins = false
			}
		case *outputStmt:
			if dot >= 0 && (len(s.out.inputs) == 0 || s.out.alloc()) {
				return dot
			}
			return i
		}
	}
	return len(stmts)
}

// insert makes an orphan a statement of the script.
func (l *linker) insert(at int, orphan *outputStmt) {
	l.script.stmts = slices.Insert(l.script.stmts, at, stmt(orphan))
	var outputs []*outputStmt
	for _, s := range l.script.stmts {
		if o, ok := s.(*outputStmt); ok {
			outputs = append(outputs, o)
		}
	}
	l.outputs = outputs
}

// boundarySymbols defines __start_NAME and __stop_NAME for output sections whose names are C
// identifiers, where something refers to them.
func (l *linker) boundarySymbols() {
	for _, o := range l.outputs {
		if o.out.discard || !isIdentifier(o.name) {
			continue
		}
		for _, prefix := range []string{"__start_", "__stop_"} {
			if s := l.symbols[prefix+o.name]; s != nil && s.kind == symUndefined {
				s.kind, s.weak, s.index, s.vis = symBoundary, false, o.out, elf.STV_PROTECTED
			}
		}
	}
}

func isIdentifier(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c == '.' || c == '$' || !isLetter(c) && (i == 0 || !isDigit(c)) {
			return false
		}
	}
	return name != ""
}

// sortByAddress orders output sections as they are in memory.
func sortByAddress(out []*outputSection) {
	sort.SliceStable(out, func(i, j int) bool { return out[i].addr < out[j].addr })
}
