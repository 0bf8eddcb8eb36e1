package dwarf

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Target is the machine that location expressions ask.
type Target interface {
	// Reg returns a core register in the frame; ok is false when a callee may have changed it.
	Reg(n uint8) (v uint32, ok bool)
	// CFA returns the canonical frame address.
	CFA() (uint32, bool)
	// ReadMemory copies memory.
	ReadMemory(addr uint32, buf []byte) error
}

// Place is where a variable, or a piece of it, is.
type Place struct {
	Kind PlaceKind
	Addr uint32 // InMemory
	Reg  uint8  // InRegister; a value of more than 4 bytes goes on in the next one
	Data []byte // Constant
	Size uint32 // of a piece, 0 for all of the variable
}

// PlaceKind says what a Place is.
type PlaceKind uint8

const (
	Nowhere PlaceKind = iota // optimised out
	InMemory
	InRegister
	Constant
)

// ErrOptimizedOut is the error for variables without a value at an address.
var ErrOptimizedOut = errors.New("optimized out")

// Where finds the variable in the frame whose scopes are given, innermost first.
func (v *Variable) Where(pc uint32, scopes []*Scope, t Target) ([]Place, error) {
	if v.value != nil {
		return []Place{{Kind: Constant, Data: v.value}}, nil
	}
	var base location
	if n := len(scopes); n > 0 {
		base = scopes[n-1].base
	}
	ev := evaluator{set: v.set, target: t, pc: pc, base: base}
	expr, err := v.set.expression(&v.where, pc)
	if err != nil {
		return nil, err
	}
	return ev.places(expr)
}

// expression picks the expression of a location for an address.
func (v *Variables) expression(l *location, pc uint32) ([]byte, error) {
	switch {
	case l.expr != nil:
		return l.expr, nil
	case !l.hasList:
		return nil, ErrOptimizedOut
	case l.v5:
		return v.fromLists(l, pc)
	}
	c := cursor{data: v.loc, order: v.order}
	if l.list < 0 || l.list >= int64(len(v.loc)) {
		return nil, fmt.Errorf(".debug_loc: no list at %#x", l.list)
	}
	c.off = int(l.list)
	base := l.base
	for !c.bad {
		first, last := c.u32(), c.u32()
		switch {
		case c.bad || first == 0 && last == 0:
			return nil, ErrOptimizedOut
		case first == 1<<32-1:
			base = last
			continue
		}
		expr := c.bytes(uint64(c.u16()))
		if pc >= base+first && pc < base+last {
			return expr, nil
		}
	}
	return nil, ErrOptimizedOut
}

// fromLists reads a list of DWARF 5.
func (v *Variables) fromLists(l *location, pc uint32) ([]byte, error) {
	if l.list < 0 || l.list >= int64(len(v.lists)) {
		return nil, fmt.Errorf(".debug_loclists: no list at %#x", l.list)
	}
	c := cursor{data: v.lists, order: v.order, off: int(l.list)}
	base := l.base
	var fallback []byte
	for !c.bad {
		var first, last uint32
		switch kind := c.u8(); kind {
		case 0: // end of list
			if fallback != nil {
				return fallback, nil
			}
			return nil, ErrOptimizedOut
		case 4: // offset pair
			first = base + uint32(c.uleb())
			last = base + uint32(c.uleb())
		case 5: // default location
			fallback = c.bytes(c.uleb())
			continue
		case 6: // base address
			base = c.u32()
			continue
		case 7: // start, end
			first, last = c.u32(), c.u32()
		case 8: // start, length
			first = c.u32()
			last = first + uint32(c.uleb())
		case 9: // GNU view pair
			c.uleb()
			c.uleb()
			continue
		default:
			return nil, fmt.Errorf(".debug_loclists: offset %#x: entry %d is not supported", c.off-1, kind)
		}
		expr := c.bytes(c.uleb())
		if pc >= first && pc < last {
			return expr, nil
		}
	}
	return nil, ErrOptimizedOut
}

// Operations of location expressions.
const (
	opAddr        = 0x03
	opDeref       = 0x06
	opConst1u     = 0x08
	opDup         = 0x12
	opPick        = 0x15
	opAbs         = 0x19
	opPlusUconst  = 0x23
	opSkip        = 0x2f
	opBra         = 0x28
	opLit0        = 0x30
	opReg0        = 0x50
	opBreg0       = 0x70
	opRegx        = 0x90
	opFbreg       = 0x91
	opBregx       = 0x92
	opPiece       = 0x93
	opDerefSize   = 0x94
	opNop         = 0x96
	opCallCFA     = 0x9c
	opImplicit    = 0x9e
	opStackValue  = 0x9f
	opEntryValue  = 0xa3
	opEntryGNU    = 0xf3
	maxOperations = 4096
	maxStack      = 256
)

// evaluator runs location expressions.
type evaluator struct {
	set    *Variables
	target Target
	pc     uint32
	base   location
	nested int
}

// exprMachine is the state of one expression.
type exprMachine struct {
	cursor
	stack []uint32
}

func (m *exprMachine) push(v uint32) {
	if len(m.stack) >= maxStack {
		m.bad = true
		return
	}
	m.stack = append(m.stack, v)
}

func (m *exprMachine) pop() uint32 {
	if len(m.stack) == 0 {
		m.bad = true
		return 0
	}
	v := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return v
}

// places evaluates an expression to one place, or to several that make up the variable.
func (ev *evaluator) places(expr []byte) ([]Place, error) {
	if len(expr) == 0 {
		return nil, ErrOptimizedOut
	}
	m := &exprMachine{cursor: cursor{data: expr, order: ev.order()}}
	var places []Place
	current := Place{Kind: Nowhere}
	for steps := 0; m.off < len(expr); steps++ {
		if steps > maxOperations || m.bad {
			return nil, errors.New("a location expression that does not end")
		}
		op := m.u8()
		switch {
		case op >= opReg0 && op < opReg0+32:
			current = Place{Kind: InRegister, Reg: op - opReg0}
		case op == opRegx:
			n := m.uleb()
			if n > 63 {
				return nil, fmt.Errorf("a location expression names register %d", n)
			}
			current = Place{Kind: InRegister, Reg: uint8(n)}
		case op == opStackValue:
			current = Place{Kind: Constant, Data: binary.LittleEndian.AppendUint32(nil, m.pop())}
		case op == opImplicit:
			current = Place{Kind: Constant, Data: m.bytes(m.uleb())}
		case op == opPiece:
			size := uint32(m.uleb())
			if current.Kind == Nowhere && len(m.stack) > 0 {
				current = Place{Kind: InMemory, Addr: m.pop()}
			}
			current.Size = size
			places = append(places, current)
			current = Place{Kind: Nowhere}
		default:
			if err := ev.operation(m, op); err != nil {
				return nil, err
			}
		}
		if m.bad {
			return nil, errors.New("a damaged location expression")
		}
	}
	if places != nil {
		return places, nil
	}
	if current.Kind == Nowhere {
		current = Place{Kind: InMemory, Addr: m.pop()}
		if m.bad {
			return nil, errors.New("a location expression without a result")
		}
	}
	return []Place{current}, nil
}

func (ev *evaluator) order() binary.ByteOrder {
	if ev.set == nil {
		return binary.LittleEndian
	}
	return ev.set.order
}

// value evaluates an expression to a number; start, when there, is on the stack first.
func (ev *evaluator) value(expr []byte, start ...uint32) (uint32, error) {
	m := &exprMachine{cursor: cursor{data: expr, order: ev.order()}, stack: append([]uint32(nil), start...)}
	for steps := 0; m.off < len(expr); steps++ {
		if steps > maxOperations {
			return 0, errors.New("a location expression that does not end")
		}
		if err := ev.operation(m, m.u8()); err != nil {
			return 0, err
		}
		if m.bad {
			break
		}
	}
	v := m.pop()
	if m.bad {
		return 0, errors.New("a damaged location expression")
	}
	return v, nil
}

func (ev *evaluator) reg(n uint64, off int64) (uint32, error) {
	if n > 63 {
		return 0, fmt.Errorf("a location expression names register %d", n)
	}
	v, ok := ev.target.Reg(uint8(n))
	if !ok {
		return 0, ErrOptimizedOut
	}
	return v + uint32(off), nil
}

// operation executes one operation that works on the stack.
func (ev *evaluator) operation(m *exprMachine, op byte) error {
	switch {
	case op >= opLit0 && op < opLit0+32:
		m.push(uint32(op - opLit0))
		return nil
	case op >= opBreg0 && op < opBreg0+32:
		v, err := ev.reg(uint64(op-opBreg0), m.sleb())
		m.push(v)
		return err
	case op >= opReg0 && op < opReg0+32: // inside a frame base: the register's value
		v, err := ev.reg(uint64(op-opReg0), 0)
		m.push(v)
		return err
	case op >= opAbs && op <= 0x2e:
		return m.arithmetic(op)
	}
	switch op {
	case opNop:
	case opAddr:
		m.push(m.u32())
	case opDeref, opDerefSize:
		size := 4
		if op == opDerefSize {
			size = int(m.u8())
		}
		if size < 1 || size > 4 {
			return fmt.Errorf("a location expression reads %d bytes", size)
		}
		var buf [4]byte
		if err := ev.target.ReadMemory(m.pop(), buf[:size]); err != nil {
			return err
		}
		m.push(binary.LittleEndian.Uint32(buf[:]))
	case opConst1u:
		m.push(uint32(m.u8()))
	case 0x09: // const1s
		m.push(uint32(int8(m.u8())))
	case 0x0a: // const2u
		m.push(uint32(m.u16()))
	case 0x0b: // const2s
		m.push(uint32(int16(m.u16())))
	case 0x0c, 0x0d: // const4
		m.push(m.u32())
	case 0x10: // constu
		m.push(uint32(m.uleb()))
	case 0x11: // consts
		m.push(uint32(m.sleb()))
	case opDup:
		v := m.pop()
		m.push(v)
		m.push(v)
	case 0x13: // drop
		m.pop()
	case 0x14, opPick: // over, pick
		n := 1
		if op == opPick {
			n = int(m.u8())
		}
		if n >= len(m.stack) {
			m.bad = true
			return nil
		}
		m.push(m.stack[len(m.stack)-1-n])
	case 0x16: // swap
		a, b := m.pop(), m.pop()
		m.push(a)
		m.push(b)
	case 0x17: // rot
		a, b, c := m.pop(), m.pop(), m.pop()
		m.push(a)
		m.push(c)
		m.push(b)
	case opSkip:
		m.jump(int16(m.u16()))
	case opBregx:
		n := m.uleb()
		v, err := ev.reg(n, m.sleb())
		m.push(v)
		return err
	case opFbreg:
		off := m.sleb()
		v, err := ev.frameBase()
		m.push(v + uint32(off))
		return err
	case opCallCFA:
		v, ok := ev.target.CFA()
		if !ok {
			return errors.New("the frame is unknown")
		}
		m.push(v)
	case opEntryValue, opEntryGNU, 0xa0, 0xf2: // entry values and pointers to what is no longer there
		return ErrOptimizedOut
	default:
		return fmt.Errorf("operation %#02x of a location expression is not supported", op)
	}
	return nil
}

func (ev *evaluator) frameBase() (uint32, error) {
	if ev.nested++; ev.nested > 4 {
		return 0, errors.New("a frame base that refers to itself")
	}
	defer func() { ev.nested-- }()
	expr, err := ev.set.expression(&ev.base, ev.pc)
	if err != nil {
		return 0, err
	}
	return ev.value(expr)
}

func (m *exprMachine) jump(by int16) {
	to := m.off + int(by)
	if to < 0 || to > len(m.data) {
		m.bad = true
		return
	}
	m.off = to
}

func (m *exprMachine) arithmetic(op byte) error {
	if op == opPlusUconst {
		m.push(m.pop() + uint32(m.uleb()))
		return nil
	}
	b := m.pop()
	switch op {
	case opAbs:
		m.push(uint32(max(int32(b), -int32(b))))
		return nil
	case 0x1f:
		m.push(-b)
		return nil
	case 0x20:
		m.push(^b)
		return nil
	case opBra:
		if by := int16(m.u16()); b != 0 {
			m.jump(by)
		}
		return nil
	}
	a := m.pop()
	truth := func(is bool) uint32 {
		if is {
			return 1
		}
		return 0
	}
	switch op {
	case 0x1a:
		m.push(a & b)
	case 0x1b, 0x1d:
		if b == 0 || b == 1<<32-1 && a == 1<<31 {
			return errors.New("a location expression divides by zero")
		}
		if op == 0x1b {
			m.push(uint32(int32(a) / int32(b)))
		} else {
			m.push(a % b)
		}
	case 0x1c:
		m.push(a - b)
	case 0x1e:
		m.push(a * b)
	case 0x21:
		m.push(a | b)
	case 0x22:
		m.push(a + b)
	case 0x24:
		m.push(a << (b & 63))
	case 0x25:
		m.push(a >> (b & 63))
	case 0x26:
		m.push(uint32(int32(a) >> min(b, 31)))
	case 0x27:
		m.push(a ^ b)
	case 0x29:
		m.push(truth(a == b))
	case 0x2a:
		m.push(truth(int32(a) >= int32(b)))
	case 0x2b:
		m.push(truth(int32(a) > int32(b)))
	case 0x2c:
		m.push(truth(int32(a) <= int32(b)))
	case 0x2d:
		m.push(truth(int32(a) < int32(b)))
	case 0x2e:
		m.push(truth(a != b))
	}
	return nil
}
