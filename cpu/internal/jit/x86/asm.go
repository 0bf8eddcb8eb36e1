package x86

import (
	"encoding/binary"

	"arcv2dsp/cpu/internal/jit/code"
)

// Reg is a register of the host.
type Reg = code.Reg

// The registers, by their numbers in instructions.
const (
	AX Reg = iota
	CX
	DX
	BX
	SP
	BP
	SI
	DI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
)

// rm is an operand that may be in memory: a register, or what lies at disp of a register, plus another one
// scaled.
type rm struct {
	mem     bool
	reg     Reg // the register, or the base
	indexed bool
	index   Reg
	scale   uint8
	disp    int32
	pool    bool // at disp from the start of the code
}

func inReg(r Reg) rm             { return rm{reg: r} }
func at(base Reg, disp int32) rm { return rm{mem: true, reg: base, disp: disp} }

// operand is a place as an operand.
func operand(p code.Place) rm { return rm{mem: p.Mem, reg: p.Reg, disp: p.Disp} }

// bias is how far BX is behind the beginning of object 0: an offset of one byte then reaches all 64 registers of the guest.
const bias = 128

// asm writes machine code.
type asm struct{ *code.Text }

func (a *asm) bytes(b ...byte) { a.Bytes = append(a.Bytes, b...) }
func (a *asm) long(v uint32)   { a.Bytes = binary.LittleEndian.AppendUint32(a.Bytes, v) }

// modrm writes the operand bytes; more is how many bytes of immediate follow.
func (a *asm) modrm(reg Reg, x rm, more int) {
	r := byte(reg&7) << 3
	switch {
	case !x.mem:
		a.bytes(0xc0 | r | byte(x.reg&7))
		return
	case x.pool:
		a.bytes(r | 5)
		a.Loaded(len(a.Bytes), len(a.Bytes)+4+more, int(x.disp))
		a.long(0)
		return
	}
	if x.reg == BX {
		x.disp -= bias
	}
	mod := byte(0x80)
	switch {
	case x.disp == 0 && x.reg&7 != BP:
		mod = 0
	case x.disp >= -128 && x.disp < 128:
		mod = 0x40
	}
	switch {
	case x.indexed:
		a.bytes(mod|r|4, x.scale<<6|byte(x.index&7)<<3|byte(x.reg&7))
	case x.reg&7 == SP:
		a.bytes(mod|r|4, 4<<3|byte(x.reg&7))
	default:
		a.bytes(mod | r | byte(x.reg&7))
	}
	switch mod {
	case 0x40:
		a.bytes(byte(x.disp))
	case 0x80:
		a.long(uint32(x.disp))
	}
}

// rex writes the prefix for the operands if one is needed.
func (a *asm) rex(wide bool, reg Reg, x rm, always bool) {
	p := byte(0x40)
	if wide {
		p |= 8
	}
	p |= byte(reg>>3) << 2
	if !x.pool {
		p |= byte(x.reg >> 3)
	}
	if x.indexed {
		p |= byte(x.index>>3) << 1
	}
	if p != 0x40 || always {
		a.bytes(p)
	}
}

// op writes an instruction of one opcode byte.
func (a *asm) op(wide bool, code byte, reg Reg, x rm) {
	a.rex(wide, reg, x, false)
	a.bytes(code)
	a.modrm(reg, x, 0)
}

// op2 writes an instruction of the opcode bytes 0f and code.
func (a *asm) op2(wide bool, code byte, reg Reg, x rm, byteReg bool) {
	a.rex(wide, reg, x, byteReg && !x.mem && wideOnly(x.reg))
	a.bytes(0x0f, code)
	a.modrm(reg, x, 0)
}

// wideOnly reports whether the low byte of a register can be named only with a prefix.
func wideOnly(r Reg) bool { return r >= SP && r <= DI }

// Arithmetic with two operands, by the place of the operation in the opcode.
const (
	aluAdd = 0
	aluOr  = 1
	aluAdc = 2
	aluAnd = 4
	aluSub = 5
	aluXor = 6
	aluCmp = 7
)

// alu writes reg = reg op x.
func (a *asm) alu(wide bool, op byte, reg Reg, x rm) { a.op(wide, op<<3|3, reg, x) }

// aluImm writes x = x op imm.
func (a *asm) aluImm(wide bool, op byte, x rm, imm int32) {
	if imm >= -128 && imm < 128 {
		a.rex(wide, 0, x, false)
		a.bytes(0x83)
		a.modrm(Reg(op), x, 1)
		a.bytes(byte(imm))
		return
	}
	a.rex(wide, 0, x, false)
	a.bytes(0x81)
	a.modrm(Reg(op), x, 4)
	a.long(uint32(imm))
}

func (a *asm) mov(wide bool, reg Reg, x rm) {
	if !x.mem && x.reg == reg {
		return
	}
	a.op(wide, 0x8b, reg, x)
}

// clear32 copies a 32-bit value, which also clears the upper half when the registers are the same.
func (a *asm) clear32(reg Reg, x rm) { a.op(false, 0x8b, reg, x) }

// movImm puts a constant into a register and leaves the flags alone.
func (a *asm) movImm(reg Reg, v uint64) {
	switch {
	case v>>32 == 0:
		a.rex(false, 0, inReg(reg), false)
		a.bytes(0xb8 | byte(reg&7))
		a.long(uint32(v))
	case int64(v) == int64(int32(v)):
		a.rex(true, 0, inReg(reg), false)
		a.bytes(0xc7)
		a.modrm(0, inReg(reg), 4)
		a.long(uint32(v))
	default:
		a.rex(true, 0, inReg(reg), false)
		a.bytes(0xb8 | byte(reg&7))
		a.Bytes = binary.LittleEndian.AppendUint64(a.Bytes, v)
	}
}

// store writes size bytes of a register to memory.
func (a *asm) store(size int, x rm, reg Reg) {
	switch size {
	case 1:
		a.rex(false, reg, x, wideOnly(reg))
		a.bytes(0x88)
		a.modrm(reg, x, 0)
	case 2:
		a.bytes(0x66)
		a.op(false, 0x89, reg, x)
	default:
		a.op(size == 8, 0x89, reg, x)
	}
}

// storeImm writes a constant of 32 bits, sign-extended to size bytes, to memory.
func (a *asm) storeImm(size int, x rm, v int32) {
	if size == 2 {
		a.bytes(0x66)
	}
	a.rex(size == 8, 0, x, false)
	more := min(size, 4)
	code := byte(0xc7)
	if size == 1 {
		code = 0xc6
	}
	a.bytes(code)
	a.modrm(0, x, more)
	a.long(uint32(v))
	a.Bytes = a.Bytes[:len(a.Bytes)-4+more]
}

func (a *asm) lea(wide bool, reg Reg, x rm) { a.op(wide, 0x8d, reg, x) }

// shiftImm writes x = x shifted; op is 4 for left, 5 for right, 7 for right with the sign.
func (a *asm) shiftImm(wide bool, op byte, x rm, n uint8) {
	a.rex(wide, 0, x, false)
	a.bytes(0xc1)
	a.modrm(Reg(op), x, 1)
	a.bytes(n)
}

// vex writes an instruction of BMI with an opcode of the map 0f 38.
func (a *asm) vex(wide bool, prefix, code byte, reg, second Reg, x rm) {
	b1 := byte(0xe2)
	if reg>>3 != 0 {
		b1 &^= 0x80
	}
	if x.indexed && x.index>>3 != 0 {
		b1 &^= 0x40
	}
	if !x.pool && x.reg>>3 != 0 {
		b1 &^= 0x20
	}
	b2 := ^byte(second)&15<<3 | prefix
	if wide {
		b2 |= 0x80
	}
	a.bytes(0xc4, b1, b2, code)
	a.modrm(reg, x, 0)
}

// Prefixes of vex.
const (
	vexNone = 0
	vex66   = 1
	vexF3   = 2
	vexF2   = 3
)

// shift writes reg = x shifted by the low bits of count.
func (a *asm) shift(wide bool, op byte, reg Reg, x rm, count Reg) {
	prefix := [...]byte{4: vex66, 5: vexF2, 7: vexF3}[op]
	a.vex(wide, prefix, 0xf7, reg, count, x)
}

func (a *asm) jump(l code.Label) {
	a.bytes(0xe9, 0, 0, 0, 0)
	a.Jumped(5, always, l)
}

// jumpIf jumps on a condition of the flags.
func (a *asm) jumpIf(cond byte, l code.Label) {
	a.bytes(0x0f, 0x80|cond, 0, 0, 0, 0)
	a.Jumped(6, conditional, l)
}

// jumpTo jumps to the address in a register.
func (a *asm) jumpTo(r Reg) {
	a.op(false, 0xff, 4, inReg(r))
	a.End()
}

// constant is a number in the pool.
func (a *asm) constant(v uint64) rm {
	return rm{mem: true, pool: true, disp: int32(a.Constant(v))}
}
