package link

import (
	"debug/elf"
	"encoding/binary"

	"arcv2dsp/internal/program/elfarc"
)

// gotTable is the global offset table of position-independent objects: a word for each symbol that is
// reached through it. In a static program the linker fills it.
type gotTable struct {
	sec   *section // the words, ".got"
	head  *section // three reserved words, ".got.plt"; the base of the table
	slots map[gotKey]uint32
	order []gotKey
}

// gotKey names what a slot holds the address of.
type gotKey struct {
	global *symbol        // a global symbol
	local  *elfarc.Symbol // or a local one
	obj    *object
}

const gotHeadSize = 12

func gotKeyOf(s *section, r *elfarc.Rela) gotKey {
	if g := s.obj.globals[r.Sym]; g != nil {
		return gotKey{global: g}
	}
	return gotKey{local: r.Sym, obj: s.obj}
}

// makeGOT makes the table when linked sections refer to it.
func (l *linker) makeGOT() {
	t := &gotTable{slots: map[gotKey]uint32{}}
	wanted := false
	for _, o := range l.objects {
		for _, s := range o.sections {
			if !s.live || !s.alloc() {
				continue
			}
			for i := range s.elf.Relocs {
				r := &s.elf.Relocs[i]
				switch r.Type.Row().Rule {
				case elfarc.RuleGOTSlot:
					key := gotKeyOf(s, r)
					if _, ok := t.slots[key]; !ok {
						t.slots[key] = uint32(4 * len(t.order))
						t.order = append(t.order, key)
					}
					wanted = true
				case elfarc.RuleGOT, elfarc.RuleGOTOff:
					wanted = true
				default:
					// That an object lists the symbol says nothing: the assembler adds it for @plt too.
					wanted = wanted || r.Sym != nil && r.Sym.Name == elfarc.SymbolGOT
				}
			}
		}
	}
	if s := l.symbols[elfarc.SymbolGOT]; s != nil && s.optional {
		wanted = true
	}
	if !wanted {
		return
	}
	maker := &object{name: "the linker", path: "*linker*", file: &elfarc.File{}}
	make := func(name string, size uint32) *section {
		s := &section{
			obj: maker, name: name, typ: elf.SHT_PROGBITS, flags: elf.SHF_ALLOC | elf.SHF_WRITE,
			align: 4, size: size, live: true,
		}
		maker.sections = append(maker.sections, s)
		return s
	}
	t.head = make(".got.plt", gotHeadSize)
	t.sec = make(".got", uint32(4*len(t.order)))
	l.objects = append(l.objects, maker)
	base := l.lookup(elfarc.SymbolGOT)
	if !base.defined() {
		*base = symbol{name: base.name, kind: symObject, obj: maker, sec: t.head, typ: elf.STT_OBJECT, local: true, used: base.used}
	}
	l.got = t
}

// gotSlot returns the address of the word for what a relocation refers to.
func (l *linker) gotSlot(s *section, r *elfarc.Rela) uint32 {
	out, off := l.got.sec.place(l.got.slots[gotKeyOf(s, r)])
	if out == nil {
		return 0
	}
	return out.addr + off
}

// fillGOT computes the contents of the table.
func (l *linker) fillGOT() {
	t := l.got
	if t == nil {
		return
	}
	if t.sec.out == nil || t.head.out == nil {
		l.rep.add(&Error{Msg: "the script discards the global offset table, which is needed"})
		return
	}
	t.head.data = make([]byte, gotHeadSize)
	t.sec.data = make([]byte, 4*len(t.order))
	order := binary.ByteOrder(binary.LittleEndian)
	if l.big {
		order = binary.BigEndian
	}
	for i, key := range t.order {
		addr := uint32(0)
		if key.global != nil {
			addr = l.resolveGlobal(key.global).addr // a missing one is reported where it is used
		} else if sec := key.obj.section(key.local.Section); sec != nil {
			if out, off := sec.place(key.local.Value); out != nil {
				addr = out.addr + off
			}
		}
		order.PutUint32(t.sec.data[4*i:], addr)
	}
}
