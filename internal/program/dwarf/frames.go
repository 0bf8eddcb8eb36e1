package dwarf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"sort"

	"arcv2dsp/internal/program/elfarc"
)

// Frames is the call frame information of a program: how to find the caller of each instruction.
type Frames struct {
	fdes []fde // by address
	set  *Variables
}

// RuleKind says how a register of the caller is found.
type RuleKind uint8

const (
	SameValue RuleKind = iota // the callee has not changed it
	Undefined                 // lost
	AtOffset                  // stored at CFA+Off
	IsOffset                  // is CFA+Off
	InReg                     // in another register
	AtExpr                    // stored where the expression says
	IsExpr                    // what the expression gives
)

// Rule is how one register of the caller, or the CFA, is found.
type Rule struct {
	Kind RuleKind
	Reg  uint8
	Off  int32
	expr []byte
}

// Rules are the rules in force at an address.
type Rules struct {
	CFA    Rule // InReg: register and offset; IsExpr
	Regs   map[uint8]Rule
	Return uint8 // register whose rule gives the return address
}

type cie struct {
	codeAlign uint64
	dataAlign int64
	ret       uint8
	init      []byte
	encoding  byte // of pointers in .eh_frame
	augmented bool
}

type fde struct {
	cie         *cie
	first, last uint32
	program     []byte
}

// ReadFrames collects .debug_frame and .eh_frame; nil when there is neither.
func ReadFrames(f *elfarc.File) (*Frames, error) {
	fr := &Frames{set: &Variables{order: binary.LittleEndian}}
	if f.BigEndian {
		fr.set.order = binary.BigEndian
	}
	code := linkedCode(f, func(s *elfarc.Section) uint32 { return s.Addr })
	for _, s := range f.Sections {
		if s.Name != ".debug_frame" && s.Name != ".eh_frame" {
			continue
		}
		if err := fr.read(s.Data, s.Addr, s.Name == ".eh_frame", &code); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	if fr.fdes == nil {
		return nil, nil
	}
	sort.SliceStable(fr.fdes, func(i, j int) bool { return fr.fdes[i].first < fr.fdes[j].first })
	return fr, nil
}

func (fr *Frames) read(data []byte, addr uint32, eh bool, code *liveCode) error {
	cies := map[uint32]*cie{}
	cieAt := func(off uint32) (*cie, error) {
		if c, ok := cies[off]; ok {
			return c, nil
		}
		c, err := readCIE(data, off, eh, fr.set.order)
		cies[off] = c
		return c, err
	}
	for off := 0; off+4 <= len(data); {
		n := fr.set.order.Uint32(data[off:])
		if n == 0 {
			if eh {
				return nil // terminator
			}
			off += 4
			continue
		}
		if n >= 0xfffffff0 || uint64(n) > uint64(len(data)-off-4) || n < 4 {
			return fmt.Errorf("offset %#x: entry of %#x bytes in a section of %#x", off, n, len(data))
		}
		c := cursor{data: data[:off+4+int(n)], off: off + 4, order: fr.set.order}
		id := c.u32()
		next := off + 4 + int(n)
		isCIE := id == 1<<32-1
		at := id
		if eh {
			isCIE, at = id == 0, uint32(off+4)-id
		}
		if isCIE {
			off = next
			continue
		}
		owner, err := cieAt(at)
		if err != nil {
			return fmt.Errorf("offset %#x: %w", off, err)
		}
		e := fde{cie: owner}
		size := uint32(0)
		if eh {
			e.first = encoded(&c, owner.encoding, addr)
			size = encoded(&c, owner.encoding&0x0f, addr)
			if owner.augmented {
				c.bytes(c.uleb())
			}
		} else {
			e.first, size = c.u32(), c.u32()
		}
		if c.bad {
			return fmt.Errorf("offset %#x: truncated entry", off)
		}
		e.program = c.data[c.off:]
		e.last = e.first + size - 1
		if size > 0 && e.last >= e.first && code.hasFrame(e.first, size) {
			fr.fdes = append(fr.fdes, e)
		}
		off = next
	}
	return nil
}

// encoded reads a pointer of .eh_frame: absolute or relative to its place.
func encoded(c *cursor, encoding byte, addr uint32) uint32 {
	place := addr + uint32(c.off)
	var v uint32
	switch encoding & 0x0f {
	case 0x01:
		v = uint32(c.uleb())
	case 0x02:
		v = uint32(c.u16())
	case 0x0a:
		v = uint32(int16(c.u16()))
	case 0x09:
		v = uint32(c.sleb())
	default:
		v = c.u32()
	}
	if encoding&0x70 == 0x10 {
		v += place
	}
	return v
}

func readCIE(data []byte, off uint32, eh bool, order binary.ByteOrder) (*cie, error) {
	if uint64(off)+8 > uint64(len(data)) {
		return nil, fmt.Errorf("no common entry at %#x", off)
	}
	n := order.Uint32(data[off:])
	if n < 4 || uint64(n) > uint64(len(data))-uint64(off)-4 {
		return nil, fmt.Errorf("the common entry at %#x has %#x bytes", off, n)
	}
	c := cursor{data: data[:int(off)+4+int(n)], off: int(off) + 8, order: order}
	version := c.u8()
	start := c.off
	for c.u8() != 0 && !c.bad {
	}
	if c.bad {
		return nil, fmt.Errorf("the common entry at %#x is truncated", off)
	}
	augmentation := string(c.data[start : c.off-1])
	e := &cie{}
	if version >= 4 {
		c.u8() // address size
		c.u8() // segment size
	}
	e.codeAlign = c.uleb()
	e.dataAlign = c.sleb()
	if version == 1 {
		e.ret = c.u8()
	} else {
		e.ret = uint8(min(c.uleb(), 255))
	}
	if len(augmentation) > 0 && augmentation[0] == 'z' {
		e.augmented = true
		end := int(min(c.uleb(), 1<<20)) + c.off
		for _, letter := range augmentation[1:] {
			switch letter {
			case 'R':
				e.encoding = c.u8()
			case 'P':
				encoded(&c, c.u8(), 0)
			case 'L':
				c.u8()
			}
		}
		if end > len(c.data) {
			c.bad = true
		} else {
			c.off = end
		}
	} else if augmentation != "" && eh {
		return nil, fmt.Errorf("augmentation %q is not supported", augmentation)
	}
	if c.bad || e.ret > 63 {
		return nil, fmt.Errorf("the common entry at %#x is damaged", off)
	}
	e.init = c.data[c.off:]
	return e, nil
}

// At returns the rules at an address; ok is false when there are none.
func (fr *Frames) At(pc uint32) (rules *Rules, ok bool, err error) {
	if fr == nil {
		return nil, false, nil
	}
	n := sort.Search(len(fr.fdes), func(i int) bool { return fr.fdes[i].first > pc })
	for i := n - 1; i >= 0 && i >= n-maxOverlap; i-- {
		if e := &fr.fdes[i]; pc <= e.last {
			r, err := e.rules(pc, fr.set.order)
			return r, err == nil, err
		}
	}
	return nil, false, nil
}

// frameState executes call frame instructions.
type frameState struct {
	Rules
	initial map[uint8]Rule
	saved   []Rules
	loc     uint32
}

func (e *fde) rules(pc uint32, order binary.ByteOrder) (*Rules, error) {
	s := frameState{loc: e.first}
	s.Regs = map[uint8]Rule{}
	s.Return = e.cie.ret
	if _, err := s.run(e.cie, e.cie.init, 1<<32-1, order); err != nil {
		return nil, err
	}
	s.initial = maps.Clone(s.Regs)
	s.loc = e.first
	if _, err := s.run(e.cie, e.program, pc, order); err != nil {
		return nil, err
	}
	return &s.Rules, nil
}

var errFrame = errors.New("damaged call frame instructions")

func (s *frameState) set(n uint64, r Rule) error {
	if n > 63 {
		return errFrame
	}
	s.Regs[uint8(n)] = r
	return nil
}

// run executes a program until it passes pc.
func (s *frameState) run(c *cie, program []byte, pc uint32, order binary.ByteOrder) (done bool, err error) {
	m := cursor{data: program, order: order}
	for steps := 0; m.off < len(program); steps++ {
		if m.bad || steps > 1<<16 {
			return false, errFrame
		}
		op := m.u8()
		var err error
		delta, advance := uint64(0), false
		switch op >> 6 {
		case 1:
			delta, advance = uint64(op&63), true
		case 2:
			err = s.set(uint64(op&63), Rule{Kind: AtOffset, Off: int32(int64(m.uleb()) * c.dataAlign)})
		case 3:
			err = s.restore(uint64(op & 63))
		default:
			switch op {
			case 0x02:
				delta, advance = uint64(m.u8()), true
			case 0x03:
				delta, advance = uint64(m.u16()), true
			case 0x04:
				delta, advance = uint64(m.u32()), true
			default:
				err = s.instruction(c, op, &m)
			}
		}
		if err != nil {
			return false, err
		}
		if advance {
			next := uint64(s.loc) + delta*c.codeAlign
			if next > uint64(pc) {
				return true, nil
			}
			s.loc = uint32(next)
		}
	}
	if m.bad {
		return false, errFrame
	}
	return false, nil
}

func (s *frameState) restore(n uint64) error {
	if n > 63 {
		return errFrame
	}
	if r, ok := s.initial[uint8(n)]; ok {
		s.Regs[uint8(n)] = r
	} else {
		delete(s.Regs, uint8(n))
	}
	return nil
}

// instruction executes what is neither an advance nor one of the short forms.
func (s *frameState) instruction(c *cie, op byte, m *cursor) error {
	scaled := func() int32 { return int32(int64(m.uleb()) * c.dataAlign) }
	scaledSigned := func() int32 { return int32(m.sleb() * c.dataAlign) }
	block := func() []byte { return m.bytes(m.uleb()) }
	reg := func() uint8 {
		n := m.uleb()
		if n > 63 {
			m.bad = true
			return 0
		}
		return uint8(n)
	}
	switch op {
	case 0x00: // nop
	case 0x01: // set_loc
		s.loc = m.u32()
	case 0x05: // offset_extended
		n := m.uleb()
		return s.set(n, Rule{Kind: AtOffset, Off: scaled()})
	case 0x06: // restore_extended
		return s.restore(m.uleb())
	case 0x07: // undefined
		return s.set(m.uleb(), Rule{Kind: Undefined})
	case 0x08: // same_value
		return s.set(m.uleb(), Rule{Kind: SameValue})
	case 0x09: // register
		n := m.uleb()
		return s.set(n, Rule{Kind: InReg, Reg: reg()})
	case 0x0a: // remember_state
		if len(s.saved) >= maxStack {
			return errFrame
		}
		s.saved = append(s.saved, Rules{CFA: s.CFA, Regs: maps.Clone(s.Regs)})
	case 0x0b: // restore_state
		if len(s.saved) == 0 {
			return errFrame
		}
		last := s.saved[len(s.saved)-1]
		s.saved = s.saved[:len(s.saved)-1]
		s.CFA, s.Regs = last.CFA, last.Regs
	case 0x0c: // def_cfa
		n := reg()
		s.CFA = Rule{Kind: InReg, Reg: n, Off: int32(m.uleb())}
	case 0x12: // def_cfa_sf
		n := reg()
		s.CFA = Rule{Kind: InReg, Reg: n, Off: scaledSigned()}
	case 0x0d: // def_cfa_register
		s.CFA.Kind, s.CFA.Reg = InReg, reg()
	case 0x0e: // def_cfa_offset
		s.CFA.Off = int32(m.uleb())
	case 0x13: // def_cfa_offset_sf
		s.CFA.Off = scaledSigned()
	case 0x0f: // def_cfa_expression
		s.CFA = Rule{Kind: IsExpr, expr: block()}
	case 0x10, 0x16: // expression, val_expression
		n := m.uleb()
		kind := AtExpr
		if op == 0x16 {
			kind = IsExpr
		}
		return s.set(n, Rule{Kind: kind, expr: block()})
	case 0x11: // offset_extended_sf
		n := m.uleb()
		return s.set(n, Rule{Kind: AtOffset, Off: scaledSigned()})
	case 0x14: // val_offset
		n := m.uleb()
		return s.set(n, Rule{Kind: IsOffset, Off: scaled()})
	case 0x15: // val_offset_sf
		n := m.uleb()
		return s.set(n, Rule{Kind: IsOffset, Off: scaledSigned()})
	case 0x2e: // GNU_args_size
		m.uleb()
	default:
		return fmt.Errorf("call frame instruction %#02x is not supported", op)
	}
	return nil
}

// Value computes an expression rule; the CFA is on its stack.
func (fr *Frames) Value(r Rule, cfa uint32, t Target) (uint32, error) {
	ev := evaluator{set: fr.set, target: t}
	return ev.value(r.expr, cfa)
}
