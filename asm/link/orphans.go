package link

import (
	"debug/elf"
	"sort"
)

// sectionClass is what decides where an orphan goes.
type sectionClass uint8

const (
	classText sectionClass = iota
	classRodata
	classData
	classBSS
	classOther // not in memory
)

// homes are the sections whose neighbours orphans become.
var homes = [...]string{
	classText: ".text", classRodata: ".rodata", classData: ".data",
	classBSS: ".bss", classOther: ".comment",
}

func classOf(flags elf.SectionFlag, typ elf.SectionType) sectionClass {
	switch {
	case flags&elf.SHF_ALLOC == 0:
		return classOther
	case typ == elf.SHT_NOBITS:
		return classBSS
	case flags&elf.SHF_WRITE != 0:
		return classData
	case flags&elf.SHF_EXECINSTR != 0:
		return classText
	}
	return classRodata
}

// placeOrphans makes output sections for the input sections that no statement takes, next to sections
// of their kind.
func (l *linker) placeOrphans(all []*section) {
	tails := map[*outputStmt]*outputStmt{} // the orphan that was last placed behind a home
	var found [len(homes)]*outputStmt      // the homes of the classes so far
	for _, s := range all {
		if s.out != nil || !s.live || s.reason != "" {
			continue
		}
		name := s.name
		if s == s.obj.commons {
			name = homes[classBSS]
		}
		if o := l.sameOrphan(s, name); o != nil {
			o.out.add(s)
			continue
		}
		o := &outputStmt{name: name, orphan: true}
		o.body = []stmt{&inputStmt{file: filePattern{pattern: "*"}, sections: []sectionPattern{{pattern: s.name}}}}
		o.out = &outputSection{name: name, stmt: o}
		home := l.homeOf(s, &found)
		if after := tails[home]; home != nil && after != nil {
			l.insertAfter(after, o)
		} else {
			l.insertAfter(home, o)
		}
		if home != nil {
			tails[home] = o
			o.region, o.lmaRegion = home.region, home.lmaRegion
		}
		o.out.add(s)
	}
	for _, o := range l.outputs {
		if o.orphan {
			o.body[0].(*inputStmt).matched = o.out.inputs
		}
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

// sameOrphan finds an output section of the same name that an orphan can join.
func (l *linker) sameOrphan(s *section, name string) *outputStmt {
	for _, o := range l.outputs {
		if o.name != name || o.out.discard || o.constraint != always {
			continue
		}
		if o.orphan || len(o.out.inputs) == 0 || o.out.alloc() == s.alloc() {
			if !o.orphan {
				// The script describes the section but does not take this input: it goes to the end.
				in := &inputStmt{pos: o.pos, file: filePattern{pattern: "*"}, matched: []*section{s}}
				o.body = append(o.body, in)
			}
			return o
		}
	}
	return nil
}

// homeOf finds the output section that an orphan follows: the one that is named for its kind, else the
// last that fits best. Nil: the end.
func (l *linker) homeOf(s *section, found *[len(homes)]*outputStmt) *outputStmt {
	class := classOf(s.flags, s.typ)
	if class == classOther && isDebugName(s.name) {
		return nil
	}
	if found[class] != nil {
		return found[class]
	}
	var exact, near *outputStmt
	for _, o := range l.outputs {
		if o.out.discard {
			continue
		}
		if o.name == homes[class] && !o.orphan {
			found[class] = o
			return o
		}
		if len(o.out.inputs) == 0 {
			continue
		}
		c := classOf(o.out.flags, o.out.typ)
		switch {
		case c == class:
			exact = o
		case class == classRodata && c == classText, class == classBSS && c != classOther, class == classData && (c == classRodata || c == classText):
			near = o
		}
	}
	if exact != nil {
		found[class] = exact
		return exact
	}
	return near
}

// insertAfter puts an orphan behind a statement and the symbol assignments that follow it, but in front
// of the first assignment to the location counter, which belongs to what comes next.
func (l *linker) insertAfter(home, orphan *outputStmt) {
	stmts := l.script.stmts
	at := len(stmts)
	if home != nil {
		for i, s := range stmts {
			if s == stmt(home) {
				at = i + 1
			}
		}
		dot := -1
		i := at
	scan:
		for ; i < len(stmts); i++ {
			switch s := stmts[i].(type) {
			case *assignStmt:
				if s.name == "." && dot < 0 {
					dot = i
				}
			case *outputStmt:
				if dot >= 0 && (len(s.out.inputs) == 0 || s.out.alloc()) {
					i = dot
				}
				break scan
			}
		}
		at = i
	}
	l.script.stmts = append(stmts[:at:at], append([]stmt{orphan}, stmts[at:]...)...)
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
