// Package arm64 writes machine code for 64-bit ARM hosts.
package arm64

import (
	"encoding/binary"

	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/ir"
)

// emitter writes instructions. The scratch registers hold nothing from one node to the next.
type emitter struct {
	asm
	unit          *code.Unit
	*code.Emitter // of a block, nil outside
}

// New returns what writes instructions of ARM hosts.
func New() code.Target { return &emitter{} }

var registers = code.Registers{
	Bases: [3]Reg{first, state, third}, Acct: acct, Stack: stack, Scratch: t0,
	Pool: []Reg{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 23, 24, 25, 26}, Pins: 10, LoopPins: 13,
	Jumps: []code.Jump{always: {}, conditional: {}, ofBit: {Saved: 4, Least: -1<<15 - 4, Most: 1<<15 - 8}},
}

// Registers says what registers are for.
func (e *emitter) Registers() *code.Registers { return &registers }

// Begin begins a block, or what is none.
func (e *emitter) Begin(u *code.Unit, b *code.Emitter) { e.asm.Text, e.unit, e.Emitter = u.Text, u, b }

// FlagTable returns the tables from N Z C V to Z N C V: one for sums, and one for differences, where the host has C as
// the opposite.
func (e *emitter) FlagTable() (t [256]uint8) {
	for i := range 16 {
		flags := i>>2&1<<3 | i>>3&1<<2 | i&3
		t[i], t[i+differences] = uint8(flags), uint8(flags^2)
	}
	return t
}

// differences is where the second one begins.
const differences = 16

// WriteJump appends a jump.
func (e *emitter) WriteJump(out, long []byte, short bool, to int) []byte {
	w, at := binary.LittleEndian.Uint32(long), len(out)
	switch {
	case short:
		w = w&^(0x3fff<<5) ^ 1<<24 | distance(at, to, 14)<<5
	case len(long) == 8:
		out = binary.LittleEndian.AppendUint32(out, w)
		w = 0x14000000 | distance(at+4, to, 26)
	case w>>26 == 0x14000000>>26:
		w |= distance(at, to, 26)
	default:
		w |= distance(at, to, 19) << 5
	}
	return binary.LittleEndian.AppendUint32(out, w)
}

// FillIn writes the distance of a constant.
func (e *emitter) FillIn(out []byte, at, _, constant int) {
	w := binary.LittleEndian.Uint32(out[at:])
	binary.LittleEndian.PutUint32(out[at:], w|distance(at, constant, 19)<<5)
}

// in is a place in memory.
func in(p code.Place) place { return place{base: p.Reg, disp: int64(p.Disp)} }

// logs are the logarithms of sizes.
var logs = [...]uint32{1: 0, 2: 1, 4: 2, 8: 3}

// Load reads a register from memory.
func (e *emitter) Load(size int, r Reg, from code.Place) { e.access(logs[size], accLoad, r, in(from)) }

// Store writes a register to memory.
func (e *emitter) Store(size int, to code.Place, r Reg) { e.access(logs[size], accStore, r, in(to)) }

// constant is the value of a node that is a number known now.
func (e *emitter) constant(n int32) (uint64, bool) {
	switch x := &e.B.Nodes[n]; {
	case x.Op == ir.Const:
		return x.Imm, true
	case x.Op == ir.Base && x.Imm >= uint64(len(registers.Bases)):
		_, changing := e.From(2, e.Bases[x.Imm])
		return e.Bases[x.Imm], !changing
	}
	return 0, false
}

// reg is the register that a node is in, or is brought to. It leaves the flags alone.
func (e *emitter) reg(n int32, scratch Reg) Reg {
	if v, ok := e.constant(n); ok {
		if v == 0 {
			return zero
		}
		e.movImm(scratch, v)
		return scratch
	}
	if x := &e.B.Nodes[n]; x.Op == ir.Base {
		if x.Imm < uint64(len(registers.Bases)) {
			return registers.Bases[x.Imm]
		}
		d, _ := e.From(2, e.Bases[x.Imm])
		e.addImm(true, opAdd, scratch, registers.Bases[2], d)
		return scratch
	}
	w := e.Where[n]
	if !w.Mem {
		return w.Reg
	}
	size := 4
	if e.Wide(n) {
		size = 8
	}
	e.Load(size, scratch, w)
	return scratch
}

// real is reg for an instruction that does not read a register as 0.
func (e *emitter) real(n int32, scratch Reg) Reg {
	r := e.reg(n, scratch)
	if r == zero {
		e.movImm(scratch, 0)
		return scratch
	}
	return r
}

// to moves a value into a register.
func (e *emitter) to(dst Reg, n int32) {
	if v, ok := e.constant(n); ok {
		e.movImm(dst, v)
		return
	}
	if r := e.reg(n, dst); r != dst {
		e.mov(true, dst, r)
	}
}

// absolute is the operand for an address: from an object that is near, or in a register.
func (e *emitter) absolute(addr uint64) place {
	for i, r := range registers.Bases {
		if d, ok := e.From(i, addr); ok && d > -1<<12 && d < 1<<24 {
			return place{base: r, disp: d}
		}
	}
	e.movImm(tmp, addr)
	return place{base: tmp}
}
