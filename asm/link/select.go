package link

import (
	"debug/elf"
	"slices"
	"strconv"
	"strings"
)

// outputSection is a section of the result.
type outputSection struct {
	name    string
	stmt    *outputStmt
	inputs  []*section // in the order of the script
	discard bool

	typ   elf.SectionType
	flags elf.SectionFlag
	entry uint32 // sh_entsize when all inputs agree

	addr, lma, size uint32
	align           uint32
	region          *region
	lmaRegion       *region
	pieces          []piece // contents besides the input sections: data statements and gaps
	kept            bool    // in the result: has contents, or assigns the location counter
	fixed           bool    // the script computes the contents, which are there even when zero
}

// alloc tells whether the section is in memory.
func (o *outputSection) alloc() bool { return o.flags&elf.SHF_ALLOC != 0 }

// end returns the address behind the section.
func (o *outputSection) end() uint64 { return uint64(o.addr) + uint64(o.size) }

// discardName is the output section that takes what is not linked.
const discardName = "/DISCARD/"

// outputByName finds an output section that is in the result.
func (l *linker) outputByName(name string) *outputSection {
	for _, s := range l.outputs {
		if s.name == name && s.out != nil && !s.out.discard {
			return s.out
		}
	}
	return nil
}

// selectSections gives every input section an output section, or a reason to be left out.
func (l *linker) selectSections() {
	l.joinStatements()
	l.allocateCommons()
	all := l.allSections()
	for _, s := range all {
		s.live = true
	}
	l.markKept(all)
	if l.opts.GCSections {
		l.collect(all)
	}
	l.makeGOT()
	all = l.allSections()
	for _, o := range l.outputs {
		o.out = &outputSection{name: o.name, stmt: o, discard: o.name == discardName}
		l.selectFor(o, all)
	}
	l.placeOrphans(all)
	l.dropFrames(all)
}

// allSections returns the input sections that can be linked, in link order.
func (l *linker) allSections() []*section {
	var all []*section
	for _, o := range l.objects {
		for _, s := range o.sections {
			if l.strips(s) {
				s.reason = "debug information is stripped"
				continue
			}
			all = append(all, s)
		}
		if o.commons != nil {
			all = append(all, o.commons)
		}
	}
	return all
}

// strips tells whether a debug section is left out on the command line's wish.
func (l *linker) strips(s *section) bool {
	return (l.opts.StripAll || l.opts.StripDebug) && !s.alloc() && isDebugName(s.name)
}

func isDebugName(name string) bool {
	for _, p := range []string{".debug", ".zdebug", ".stab", ".line", ".gnu.linkonce.wi."} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// joinStatements collects the output sections in order. A section that is described twice is one, at
// the first place, unless constraints tell the two apart.
func (l *linker) joinStatements() {
	byName := map[string]*outputStmt{}
	var stmts []stmt
	for _, s := range l.script.stmts {
		o, ok := s.(*outputStmt)
		if !ok {
			stmts = append(stmts, s)
			continue
		}
		if first := byName[o.name]; first != nil && first.constraint == always && o.constraint == always {
			first.body = append(first.body, o.body...)
			if first.region.name == "" {
				first.region = o.region
			}
			continue
		}
		byName[o.name] = o
		l.outputs = append(l.outputs, o)
		stmts = append(stmts, o)
	}
	l.script.stmts = stmts
}

// markKept marks what KEEP statements match.
func (l *linker) markKept(all []*section) {
	for _, o := range l.outputs {
		if o.name == discardName {
			continue
		}
		for _, st := range o.body {
			in, ok := st.(*inputStmt)
			if !ok || !in.keep {
				continue
			}
			for _, s := range all {
				if _, ok := in.match(s); ok {
					s.keep = true
				}
			}
		}
	}
}

// selectFor takes the sections that the statements of an output section match first.
func (l *linker) selectFor(o *outputStmt, all []*section) {
	var taken []*section
	for _, st := range o.body {
		in, ok := st.(*inputStmt)
		if !ok {
			continue
		}
		in.matched = nil
		var orders []sortOrder
		for _, s := range all {
			if s.out != nil || !s.live || s.reason != "" {
				continue
			}
			order, ok := in.match(s)
			if !ok {
				continue
			}
			s.out = o.out
			in.matched, orders = in.insert(orders, s, order)
			taken = append(taken, s)
		}
	}
	if o.constraint != always {
		readonly := true
		for _, s := range taken {
			readonly = readonly && s.flags&elf.SHF_WRITE == 0
		}
		if readonly != (o.constraint == onlyIfRO) {
			for _, s := range taken {
				s.out = nil
			}
			for _, st := range o.body {
				if in, ok := st.(*inputStmt); ok {
					in.matched = nil
				}
			}
			return
		}
	}
	if o.out.discard {
		for _, s := range taken {
			s.out, s.reason = nil, "discarded by the script"
		}
		return
	}
	for _, st := range o.body {
		if in, ok := st.(*inputStmt); ok {
			for _, s := range in.matched {
				o.out.add(s)
			}
		}
	}
}

// add makes an input section part of an output section.
func (o *outputSection) add(s *section) {
	s.out = o
	first := len(o.inputs) == 0
	o.inputs = append(o.inputs, s)
	merging := elf.SHF_MERGE | elf.SHF_STRINGS
	flags := s.flags & (elf.SHF_WRITE | elf.SHF_ALLOC | elf.SHF_EXECINSTR | merging | elf.SHF_LINK_ORDER)
	if o.stmt.kind == kindInfo {
		flags &^= elf.SHF_ALLOC
	}
	if o.stmt.kind == kindReadonly {
		flags &^= elf.SHF_WRITE
	}
	entry := uint32(0)
	if s.elf != nil {
		entry = s.elf.Entry
	}
	if first {
		o.typ, o.flags, o.entry = s.typ, flags, entry
		return
	}
	if o.entry != entry || (o.flags^flags)&merging != 0 {
		o.entry = 0
		o.flags &^= merging
		flags &^= merging
	}
	o.flags |= flags
	if o.typ != s.typ {
		o.typ = joinTypes(o.typ, s.typ)
	}
}

// joinTypes returns the type of a section with inputs of two types.
func joinTypes(a, b elf.SectionType) elf.SectionType {
	for _, t := range []elf.SectionType{elf.SHT_INIT_ARRAY, elf.SHT_FINI_ARRAY, elf.SHT_PREINIT_ARRAY} {
		if a == t || b == t {
			return t // old compilers have the same lists without the type
		}
	}
	if b == elf.SHT_NOBITS && a != elf.SHT_NOBITS {
		return a
	}
	return elf.SHT_PROGBITS
}

// match tells whether an input statement takes a section, and how its pattern sorts.
func (in *inputStmt) match(s *section) (sortOrder, bool) {
	if !in.file.match(s.obj) {
		return 0, false
	}
	for _, f := range in.flags {
		if (uint32(s.flags)&f.flag != 0) == f.absent {
			return 0, false
		}
	}
	if len(in.sections) == 0 {
		return sortNone, true
	}
	for _, p := range in.sections {
		if p.pattern != s.name && !glob(p.pattern, s.name) {
			continue
		}
		if !matchesAny(p.exclude, s.obj) {
			return p.sort, true
		}
	}
	return 0, false
}

func (f *filePattern) match(o *object) bool {
	return (f.pattern == "*" || matchFile(f.pattern, o)) && !matchesAny(f.exclude, o)
}

func matchesAny(patterns []string, o *object) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matchFile(p, o) })
}

// matchFile matches a file pattern: archive:member, archive: for all members, :file for files that are
// in no archive, or a name of either.
func matchFile(pattern string, o *object) bool {
	if i := strings.IndexByte(pattern, ':'); i >= 0 {
		archive, file := pattern[:i], pattern[i+1:]
		switch {
		case archive == "":
			return o.archive == "" && glob(file, o.path)
		case o.archive == "" || !glob(archive, o.archive):
			return false
		}
		return file == "" || glob(file, o.path)
	}
	return glob(pattern, o.path) || o.archive != "" && glob(pattern, o.archive)
}

// insert puts a section into the list of an input statement: at the end, or in front of the first one
// that sorts behind it.
func (in *inputStmt) insert(orders []sortOrder, s *section, order sortOrder) ([]*section, []sortOrder) {
	at := len(in.matched)
	if in.file.sorted || order != sortNone {
		for i, o := range in.matched {
			if in.file.sorted {
				if c := compareFiles(s.obj, o.obj); c < 0 {
					at = i
					break
				} else if c > 0 {
					continue
				}
			}
			if order != sortNone && compareSections(order, s, o) < 0 {
				at = i
				break
			}
		}
	}
	matched := append(in.matched, nil)
	copy(matched[at+1:], matched[at:])
	matched[at] = s
	return matched, append(orders, order)
}

func compareFiles(a, b *object) int {
	key := func(o *object) (string, string) {
		if o.archive != "" {
			return o.archive, o.path
		}
		return o.path, ""
	}
	a1, a2 := key(a)
	b1, b2 := key(b)
	if c := strings.Compare(a1, b1); c != 0 {
		return c
	}
	return strings.Compare(a2, b2)
}

// compareSections orders two sections: larger alignments and higher priorities come first.
func compareSections(order sortOrder, a, b *section) int {
	byAlign := 0
	switch {
	case a.align > b.align:
		byAlign = -1
	case a.align < b.align:
		byAlign = 1
	}
	switch order {
	case sortAlign:
		return byAlign
	case sortAlignName:
		if byAlign != 0 {
			return byAlign
		}
	case sortNameAlign:
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return byAlign
	case sortPriority:
		p, ok1 := initPriority(a.name)
		q, ok2 := initPriority(b.name)
		if ok1 && ok2 && p != q {
			return p - q
		}
	}
	return strings.Compare(a.name, b.name)
}

// initPriority reads the number behind .init_array. and .ctors., where the latter count downwards.
func initPriority(name string) (int, bool) {
	i := strings.LastIndexByte(name, '.')
	if i <= 0 {
		return 0, false
	}
	n, err := strconv.ParseUint(name[i+1:], 10, 16)
	if err != nil {
		return 0, false
	}
	if strings.HasPrefix(name, ".ctors") || strings.HasPrefix(name, ".dtors") {
		return 65535 - int(n), true
	}
	return int(n), true
}
