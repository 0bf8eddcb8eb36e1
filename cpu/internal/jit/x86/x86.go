// Package x86 writes machine code for x86-64 hosts with BMI, BMI2 and LZCNT.
package x86

import (
	"encoding/binary"

	"arcv2dsp/cpu/internal/jit/code"
	"arcv2dsp/cpu/internal/jit/ir"
	"arcv2dsp/cpu/internal/jit/ssa"
)

// emitter writes instructions. AX and CX hold nothing from one node to the next.
type emitter struct {
	asm
	unit          *code.Unit
	*code.Emitter // of a block, nil outside

	sum    *ssa.Node // the last sum whose flags are those of its value, and where its code ends
	summed int
}

// New returns what writes instructions of x86-64.
func New() code.Target { return &emitter{} }

// state is the register of object 1. It needs no byte more in front of an offset, as R12 does.
const state = R13

// Kinds of jumps.
const (
	always = iota
	conditional
)

var registers = code.Registers{
	Bases: [3]Reg{BX, state, R12}, Acct: R15, Stack: SP, Scratch: AX,
	Pool: []Reg{DX, SI, DI, R8, R9, R10, R11, R14, BP}, Pins: 6, LoopPins: 8,
	Jumps: []code.Jump{always: {Saved: 3, Least: -1 << 7, Most: 1<<7 - 1}, conditional: {Saved: 4, Least: -1 << 7, Most: 1<<7 - 1}},
	Fill:  0xcc, // int3
}

// Registers says what registers are for.
func (e *emitter) Registers() *code.Registers { return &registers }

// Begin begins a block, or what is none.
func (e *emitter) Begin(u *code.Unit, b *code.Emitter) {
	e.asm.Text, e.unit, e.Emitter, e.sum = u.Text, u, b, nil
}

// FlagTable returns the table from flags as lahf has them to Z N C V without V.
func (e *emitter) FlagTable() (t [256]uint8) {
	for i := range t {
		t[i] = uint8(i>>6&1<<3 | i>>7&1<<2 | i&1<<1)
	}
	return t
}

// Load reads a register from memory.
func (e *emitter) Load(size int, r Reg, from code.Place) { e.mov(size == 8, r, operand(from)) }

// Store writes a register to memory.
func (e *emitter) Store(size int, to code.Place, r Reg) { e.store(size, operand(to), r) }

// WriteJump appends a jump. The short one has a byte of opcode and one of distance.
func (e *emitter) WriteJump(out, long []byte, short bool, to int) []byte {
	if !short {
		out = append(out, long[:len(long)-4]...)
		return binary.LittleEndian.AppendUint32(out, uint32(to-len(out)-4))
	}
	opcode := byte(0xeb)
	if long[0] == 0x0f {
		opcode = long[1] - 0x10 // 0f 8x becomes 7x
	}
	return append(out, opcode, byte(to-len(out)-2))
}

// FillIn writes the distance of a constant.
func (e *emitter) FillIn(out []byte, at, end, constant int) {
	binary.LittleEndian.PutUint32(out[at:], uint32(constant-end))
}

// value is the operand of an instruction that a node is, a constant in scratch.
func (e *emitter) value(n int32, scratch Reg) rm {
	x := &e.B.Nodes[n]
	switch x.Op {
	case ir.Const:
		if x.Imm>>32 != 0 && int64(x.Imm) != int64(int32(x.Imm)) {
			return e.constant(x.Imm)
		}
		e.movImm(scratch, x.Imm)
		return inReg(scratch)
	case ir.Base:
		switch {
		case x.Imm == 0: // BX is behind it
			e.lea(true, scratch, at(BX, 0))
			return inReg(scratch)
		case x.Imm < uint64(len(registers.Bases)):
			return inReg(registers.Bases[x.Imm])
		}
		if d, ok := e.From(2, e.Bases[x.Imm]); ok {
			e.lea(true, scratch, at(registers.Bases[2], int32(d)))
			return inReg(scratch)
		}
		e.movImm(scratch, e.Bases[x.Imm])
		return inReg(scratch)
	}
	return operand(e.Where[n])
}

// reg is the register that a node is in, or is brought to.
func (e *emitter) reg(n int32, scratch Reg) Reg {
	v := e.value(n, scratch)
	if v.mem {
		e.mov(e.Wide(n), scratch, v)
		return scratch
	}
	return v.reg
}

// read is the value of a node for an operation on 64 bits, or on 32: of a value with 32 bits in memory, the wide one
// must not read more.
func (e *emitter) read(n int32, wide bool, scratch Reg) rm {
	v := e.value(n, scratch)
	if v.mem && wide && !e.Wide(n) {
		e.mov(false, scratch, v)
		return inReg(scratch)
	}
	return v
}

// to moves a value into a register.
func (e *emitter) to(dst Reg, n int32) {
	v := e.value(n, dst)
	wide := e.Wide(n)
	if !v.mem {
		wide = e.B.Nodes[n].Long()
	}
	e.mov(wide, dst, v)
}

// absolute is the operand for an address: from an object that is near, or in a register.
func (e *emitter) absolute(addr uint64, scratch Reg) rm {
	for i, r := range registers.Bases {
		if d, ok := e.From(i, addr); ok && d > -1<<30 && d < 1<<30 {
			return at(r, int32(d))
		}
	}
	e.movImm(scratch, addr)
	return at(scratch, 0)
}
