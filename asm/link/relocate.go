package link

import (
	"debug/elf"
	"errors"
	"fmt"

	"arcv2dsp/internal/program/elfarc"
)

// relocate returns the contents of an input section with its relocations applied.
func (l *linker) relocate(s *section, terms *elfarc.Terms) []byte {
	if s.elf == nil || len(s.elf.Relocs) == 0 {
		return s.data
	}
	data := append([]byte(nil), s.elf.Data...)
	for i := range s.elf.Relocs {
		l.relocateOne(s, &s.elf.Relocs[i], data, *terms)
	}
	if s.frame != nil {
		return s.frame.cut(data)
	}
	return data
}

// target is the symbol or section that a relocation refers to.
type target struct {
	name    string
	addr    uint32
	weak    bool // an undefined weak symbol: address 0
	dropped bool // in a section that is not linked
	missing bool
}

func (l *linker) relocateOne(s *section, r *elfarc.Rela, data []byte, t elfarc.Terms) {
	row := r.Type.Row()
	if row.Rule == elfarc.RuleNone {
		return
	}
	_, off := s.place(r.Offset)
	where := func() string { return fmt.Sprintf("%s(%s+%#x)", s.obj.name, s.name, r.Offset) }
	addend := r.Addend
	to := l.resolve(s, r, &addend)
	switch {
	case to.missing:
		l.rep.input(where(), "%s", undefinedError(to.name))
		return
	case to.dropped && (!s.alloc() || isFrameSection(s.name) || s.name == ".gcc_except_table"):
		// Descriptions of code that is not linked say so by address 0. In range lists 0 and 0 would
		// end the list, so that an empty range stands there.
		v := int32(0)
		if s.name == ".debug_ranges" {
			v = 1
		}
		if err := row.Apply(data, r.Offset, v, l.big); err != nil {
			l.rep.input(where(), "%v", err)
		}
		return
	case to.dropped:
		l.rep.input(where(), "symbol %q is in a section that is not linked", to.name)
		return
	}
	t.S, t.A = to.addr, addend
	t.Place = s.out.addr + off
	switch row.Rule {
	case elfarc.RuleSDA:
		if !l.needs(where, row, elfarc.SymbolSDA, &t.SDA) {
			return
		}
	case elfarc.RuleJLI:
		if !l.needs(where, row, elfarc.SymbolJLI, &t.JLI) {
			return
		}
	case elfarc.RuleGOTSlot:
		t.Slot = l.gotSlot(s, r)
	}
	v, err := row.Value(t)
	if err != nil {
		l.rep.input(where(), "%v (symbol %q)", err, to.name)
		return
	}
	if to.weak && (row.Rule == elfarc.RulePC || row.Rule == elfarc.RulePlace) {
		v = 0 // a branch to nowhere stays where it is, as in GNU ld
	}
	if err := row.Apply(data, r.Offset, v, l.big); err != nil {
		var outOfRange *elfarc.RangeError
		if errors.As(err, &outOfRange) {
			l.rep.input(where(), "%v: from %#x to %q at %#x", err, t.Place, to.name, to.addr+uint32(addend))
			return
		}
		l.rep.input(where(), "%v", err)
	}
}

// needs finds the value of a symbol that a formula refers to.
func (l *linker) needs(where func() string, row *elfarc.Row, name string, v *uint32) bool {
	s := l.symbols[name]
	if s == nil || !s.defined() {
		l.rep.input(where(), "%s needs the symbol %s, which nothing defines", row.Name, name)
		return false
	}
	*v = uint32(s.value(&layout{link: l, rep: l.rep}).abs())
	return true
}

// resolve finds the address that a relocation refers to. Section symbols of merged sections name an
// entry by the addend, which then becomes 0.
func (l *linker) resolve(s *section, r *elfarc.Rela, addend *int32) target {
	es := r.Sym
	if es == nil {
		return target{name: "0"}
	}
	if g := s.obj.globals[es]; g != nil {
		return l.resolveGlobal(g)
	}
	to := target{name: es.Name, addr: es.Value}
	if es.Section == nil {
		to.missing = es.Undefined()
		return to
	}
	sec := s.obj.section(es.Section)
	if sec == nil && !s.alloc() && isDebugName(s.name) {
		sec = s.obj.twins[es.Section] // debug information that several objects share
	}
	if sec == nil {
		to.dropped = true
		return to
	}
	off := es.Value
	if sec.merge != nil && es.Type == elf.STT_SECTION {
		off += uint32(*addend)
		*addend = 0
	}
	out, at := sec.place(off)
	if out == nil {
		to.dropped = true
		return to
	}
	to.addr = out.addr + at
	return to
}

func (l *linker) resolveGlobal(g *symbol) target {
	to := target{name: g.name}
	if g.kind == symUndefined {
		to.weak, to.missing = g.weak, !g.weak
		return to
	}
	v := g.value(&layout{link: l, rep: l.rep})
	if !v.ok {
		to.dropped = true
		return to
	}
	to.addr = uint32(v.abs())
	return to
}
