package link

import (
	"debug/elf"
	"fmt"

	"arcv2dsp/internal/program/elfarc"
)

// symbolKind says where a global symbol comes from.
type symbolKind uint8

const (
	symUndefined symbolKind = iota
	symObject               // a section or the absolute section of an object
	symCommon               // a common block, allocated when nothing defines the symbol
	symScript               // an assignment of the script
	symBoundary             // __start_NAME or __stop_NAME of an output section
)

// symbol is a global symbol.
type symbol struct {
	name string
	kind symbolKind
	weak bool // the definition, or with symUndefined every reference, is weak

	obj   *object // of the definition
	sec   *section
	addr  uint32 // offset in sec, or the value of an absolute symbol
	size  uint32
	align uint32 // of a common block
	typ   elf.SymType
	vis   elf.SymVis

	refs     []*object // objects that refer to it while it is undefined
	used     bool      // some object refers to it
	optional bool      // only the linker wants it: no error when it is missing
	local    bool      // not for others to see in the result

	// of symScript and symBoundary
	assigned bool // has a value, at least of an earlier pass
	pass     int  // in which it was assigned last
	result   value
	index    *outputSection // what the symbol table names as its section
}

// value returns the symbol's value in the present layout.
func (s *symbol) value(l *layout) value {
	switch s.kind {
	case symScript:
		return s.result
	case symBoundary:
		v := value{sec: s.index, ok: true}
		if s.name[len("__st")] == 'o' { // __stop_
			v.v = uint64(s.index.size)
		}
		return v
	case symObject, symCommon:
		if s.sec == nil {
			return value{v: uint64(s.addr), ok: true}
		}
		o, off := s.sec.place(s.addr)
		if o == nil {
			return value{ok: false}
		}
		return value{v: uint64(off), sec: o, ok: true}
	}
	return value{ok: false}
}

// defined tells whether the symbol has or will have a value.
func (s *symbol) defined() bool { return s.kind != symUndefined }

// where names the definition for messages.
func (s *symbol) where() string {
	switch {
	case s.sec != nil:
		return s.sec.String()
	case s.obj != nil:
		return s.obj.name
	case s.kind == symScript:
		return "the linker script"
	}
	return "nowhere"
}

// lookup returns the global symbol of a name, made when it is new.
func (l *linker) lookup(name string) *symbol {
	s := l.symbols[name]
	if s == nil {
		s = &symbol{name: name, weak: true}
		l.symbols[name] = s
		l.order = append(l.order, s)
	}
	return s
}

// reference notes that a symbol is wanted by the command line or the script.
func (l *linker) reference(name string) *symbol {
	s := l.lookup(name)
	if s.kind == symUndefined {
		s.weak = false
	}
	return s
}

// addSymbols enters the global symbols of an object.
func (l *linker) addSymbols(o *object) {
	for _, es := range o.file.Symbols {
		if es.Bind == elf.STB_LOCAL {
			continue
		}
		if es.Name == "" {
			l.rep.input(o.name, "a global symbol without a name")
			continue
		}
		s := l.lookup(es.Name)
		o.globals[es] = s
		if v := es.Vis; v != elf.STV_DEFAULT && (s.vis == elf.STV_DEFAULT || v < s.vis) {
			s.vis = v
		}
		switch {
		case es.Undefined():
			s.used = true
			if s.kind == symUndefined {
				s.weak = s.weak && es.Bind == elf.STB_WEAK
				s.refs = append(s.refs, o)
			}
		case es.Common():
			l.addCommon(o, s, es)
		default:
			l.define(o, s, es)
		}
	}
}

// addCommon enters a common block: it gives way to a definition, and the largest of several counts.
func (l *linker) addCommon(o *object, s *symbol, es *elfarc.Symbol) {
	align := max(es.Value, 1)
	if align&(align-1) != 0 || align > 1<<20 {
		l.rep.input(o.name, "common symbol %q has alignment %d", es.Name, es.Value)
		return
	}
	switch {
	case s.kind == symUndefined || s.kind == symObject && s.weak:
		*s = symbol{name: s.name, kind: symCommon, obj: o, size: es.Size, align: align, typ: elf.STT_OBJECT, vis: s.vis, used: s.used, optional: s.optional}
	case s.kind == symCommon:
		s.align = max(s.align, align)
		if es.Size > s.size {
			s.size, s.obj = es.Size, o
		}
	}
}

// define enters a definition. A strong one replaces weak and common ones; two strong ones are an error.
func (l *linker) define(o *object, s *symbol, es *elfarc.Symbol) {
	var sec *section
	if es.Section != nil {
		sec = o.section(es.Section)
		if sec == nil {
			// A table, a group, or a copy of a comdat group that is linked already: the other copy's
			// definition counts.
			if s.kind == symUndefined {
				s.refs = append(s.refs, o)
				s.used = true
			}
			return
		}
		if es.Value > sec.size {
			l.rep.input(sec.String(), "symbol %q at %#x is outside the section of %#x bytes", es.Name, es.Value, sec.size)
			return
		}
	}
	weak := es.Bind == elf.STB_WEAK
	switch {
	case s.kind == symObject && !s.weak && !weak && sec == nil && s.sec == nil && s.addr == es.Value:
		return // the same number twice is one constant, as GNU ld has it
	case s.kind == symObject && !s.weak && !weak:
		where := o.name
		if sec != nil {
			where = sec.String()
		}
		l.rep.input(where, "symbol %q is already defined in %s", es.Name, s.where())
		return
	case s.kind == symObject && (weak || !s.weak):
		return
	case s.kind == symCommon && weak:
		return
	}
	*s = symbol{
		name: s.name, kind: symObject, weak: weak, obj: o, sec: sec, addr: es.Value, size: es.Size,
		typ: es.Type, vis: s.vis, used: s.used, optional: s.optional,
	}
}

// scriptReferences marks the symbols that expressions of the script name, so that archives define
// them.
func (l *linker) scriptReferences() {
	assigned := map[string]bool{}
	walkStmts(l.script.stmts, func(s stmt) {
		if a, ok := s.(*assignStmt); ok {
			assigned[a.name] = true
		}
	})
	walkStmts(l.script.stmts, func(s stmt) {
		if a, ok := s.(*assignStmt); ok && !a.provide {
			walkExpr(a.value, func(e expr) {
				if n, ok := e.(*nameExpr); ok && !assigned[n.name] {
					// Missing ones are reported with their place when the expression is evaluated.
					l.reference(n.name).optional = true
				}
			})
		}
	})
}

// defineScriptSymbols enters the symbols that the script assigns. An assignment overrides definitions of objects; PROVIDE
// defines a symbol only if something refers to it and no object defines it.
func (l *linker) defineScriptSymbols() {
	script := func(a *assignStmt) {
		s := l.lookup(a.name)
		if a.provide && !l.provides(s) {
			return
		}
		if s.kind != symScript {
			*s = symbol{name: s.name, kind: symScript, vis: s.vis, used: s.used, refs: s.refs, optional: s.optional}
		}
		s.local = s.local || a.hidden
	}
	var provided []*assignStmt
	walkStmts(l.script.stmts, func(st stmt) {
		if a, ok := st.(*assignStmt); ok && a.name != "." {
			if a.provide {
				provided = append(provided, a)
				return
			}
			script(a)
			walkExpr(a.value, l.wantName)
		}
	})
	walkStmts(l.script.stmts, func(st stmt) {
		switch st := st.(type) {
		case *assertStmt:
			walkExpr(st.cond, l.wantName)
		case *outputStmt:
			walkExpr(st.addr, l.wantName)
			walkExpr(st.at, l.wantName)
		case *dataStmt:
			walkExpr(st.value, l.wantName)
		case *assignStmt:
			if st.name == "." {
				walkExpr(st.value, l.wantName)
			}
		}
	})
	// One PROVIDE may use a symbol that another one defines.
	for changed := true; changed; {
		changed = false
		for _, a := range provided {
			if s := l.lookup(a.name); s.kind != symScript && l.provides(s) {
				script(a)
				walkExpr(a.value, l.wantName)
				changed = true
			}
		}
	}
}

// provides tells whether PROVIDE defines s: something refers to it and nothing else defines it.
func (l *linker) provides(s *symbol) bool {
	return s.kind == symScript || s.kind == symUndefined && (s.used || s.optional || len(s.refs) > 0)
}

func (l *linker) wantName(e expr) {
	if n, ok := e.(*nameExpr); ok {
		l.lookup(n.name).optional = true
	}
}

// walkStmts visits all statements, those of output sections too.
func walkStmts(stmts []stmt, visit func(stmt)) {
	for _, s := range stmts {
		visit(s)
		if o, ok := s.(*outputStmt); ok {
			walkStmts(o.body, visit)
		}
	}
}

// walkExpr visits all parts of an expression, which may be nil.
func walkExpr(e expr, visit func(expr)) {
	if e == nil {
		return
	}
	visit(e)
	switch e := e.(type) {
	case *unaryExpr:
		walkExpr(e.x, visit)
	case *binaryExpr:
		walkExpr(e.x, visit)
		walkExpr(e.y, visit)
	case *condExpr:
		walkExpr(e.cond, visit)
		walkExpr(e.yes, visit)
		walkExpr(e.no, visit)
	case *funcExpr:
		for _, a := range e.args {
			walkExpr(a, visit)
		}
	case *segmentExpr:
		walkExpr(e.def, visit)
	case *assertExpr:
		walkExpr(e.cond, visit)
	}
}

// undefinedError is the message of a reference to nothing.
func undefinedError(name string) string { return fmt.Sprintf("undefined symbol %q", name) }
