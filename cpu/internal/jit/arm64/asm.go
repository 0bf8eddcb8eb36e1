package arm64

import (
	"encoding/binary"
	"math/bits"

	"arcv2dsp/cpu/internal/jit/code"
)

// Reg is a register of the host.
type Reg = code.Reg

// Registers with a use of their own. Those for values are in registers.Pool. R18 belongs to the system, R28 and R29 to Go,
// R30 is the address to return to.
const (
	first  Reg = 19 // addresses of the first three objects
	state  Reg = 20
	third  Reg = 21
	acct   Reg = 22
	tmp    Reg = 27 // for addresses and constants, inside an instruction of this package
	zero   Reg = 31 // reads as 0
	stack  Reg = 31 // the same as the base of an address
	linked Reg = 30
)

// Scratch registers.
const (
	t0 Reg = 16
	t1 Reg = 17
	t2 Reg = 15
)

// asm writes machine code.
type asm struct{ *code.Text }

func (a *asm) word(w uint32) { a.Bytes = binary.LittleEndian.AppendUint32(a.Bytes, w) }

// sf is the bit of operations on 64 bits.
func sf(wide bool) uint32 {
	if wide {
		return 1 << 31
	}
	return 0
}

// Operations with two registers, and of some the ones with a constant.
const (
	opAdd  = 0x0b000000
	opAdds = 0x2b000000
	opSub  = 0x4b000000
	opSubs = 0x6b000000

	opAnd  = 0x0a000000
	opOrr  = 0x2a000000
	opEor  = 0x4a000000
	opAnds = 0x6a000000
	opOrn  = 0x2a200000

	opUdiv  = 0x1ac00800
	opSdiv  = 0x1ac00c00
	opLslv  = 0x1ac02000
	opLsrv  = 0x1ac02400
	opAsrv  = 0x1ac02800
	opMul   = 0x1b007c00
	opUmulh = 0x9bc07c00

	opRbit  = 0x5ac00000
	opRev   = 0x5ac00800
	opRev64 = 0xdac00c00
	opClz   = 0x5ac01000

	opSbfm = 0x13000000
	opUbfm = 0x53000000

	opCsel  = 0x1a800000
	opCsinc = 0x1a800400
)

// op writes rd = rn op rm.
func (a *asm) op(wide bool, op uint32, rd, rn, rm Reg) {
	a.word(sf(wide) | op | uint32(rm)<<16 | uint32(rn)<<5 | uint32(rd))
}

// op1 writes rd = op rn.
func (a *asm) op1(wide bool, op uint32, rd, rn Reg) {
	a.word(sf(wide) | op | uint32(rn)<<5 | uint32(rd))
}

// shifted writes rd = rn op rm<<by.
func (a *asm) shifted(wide bool, op uint32, rd, rn, rm Reg, by uint8) {
	a.op(wide, op|uint32(by)<<10, rd, rn, rm)
}

// mov copies a register; of 32 bits it clears the upper half.
func (a *asm) mov(wide bool, rd, rn Reg) {
	if rd != rn || !wide {
		a.op(wide, opOrr, rd, zero, rn)
	}
}

// bitfield writes rd, bits of rn, by the numbers of an instruction that moves them.
func (a *asm) bitfield(wide bool, op uint32, rd, rn Reg, immr, imms uint32) {
	n := uint32(0)
	if wide {
		n = 1 << 22
	}
	a.word(sf(wide) | op | n | immr<<16 | imms<<10 | uint32(rn)<<5 | uint32(rd))
}

// shiftImm writes rd = rn shifted by a constant: opLslv, opLsrv or opAsrv.
func (a *asm) shiftImm(wide bool, op uint32, rd, rn Reg, by uint32) {
	last := uint32(31)
	if wide {
		last = 63
	}
	by &= last
	switch op {
	case opLslv:
		a.bitfield(wide, opUbfm, rd, rn, -by&last, last-by)
	case opLsrv:
		a.bitfield(wide, opUbfm, rd, rn, by, last)
	default:
		a.bitfield(wide, opSbfm, rd, rn, by, last)
	}
}

// movImm puts a constant into a register and leaves the flags alone.
func (a *asm) movImm(rd Reg, v uint64) {
	if p, ok := pattern(v, true); ok && v&(v-1) != 0 && v>>16 != 0 {
		a.word(sf(true) | immediate(opOrr) | p<<10 | uint32(zero)<<5 | uint32(rd))
		return
	}
	if v>>32 == 0 && uint32(^uint32(v))>>16 == 0 {
		a.word(0x12800000 | uint32(^uint32(v))<<5 | uint32(rd)) // movn of 32 bits
		return
	}
	parts, ones := 0, 0
	for i := range 4 {
		switch uint16(v >> (16 * i)) {
		case 0:
		case 0xffff:
			ones++
			parts++
		default:
			parts++
		}
	}
	if 4-ones < parts && 4-ones <= 2 { // from all ones
		a.movParts(rd, v, 0xffff, 0x92800000)
		return
	}
	if parts > 2 {
		a.literal(rd, v)
		return
	}
	a.movParts(rd, v, 0, 0xd2800000)
}

// movParts writes a constant by its parts of 16 bits, but for those that the first instruction makes.
func (a *asm) movParts(rd Reg, v uint64, rest uint16, op uint32) {
	begun := false
	for i := range uint32(4) {
		part := uint16(v >> (16 * i))
		switch {
		case part == rest:
		case begun:
			a.word(0xf2800000 | i<<21 | uint32(part)<<5 | uint32(rd)) // movk
		default:
			a.word(op | i<<21 | uint32(part^rest)<<5 | uint32(rd))
			begun = true
		}
	}
	if !begun {
		a.word(op | uint32(rd))
	}
}

// literal reads a constant from the pool.
func (a *asm) literal(rd Reg, v uint64) {
	at := len(a.Bytes)
	a.word(0x58000000 | uint32(rd))
	a.Loaded(at, at+4, a.Constant(v))
}

// addImm writes rd = rn + v, or sets the flags for it: op is opAdd or opAdds, of a v below 0 it becomes the opposite. rn is a
// register that is not read as 0.
func (a *asm) addImm(wide bool, op uint32, rd, rn Reg, v int64) {
	u := uint64(v)
	if v < 0 {
		op, u = op^opAdd^opSub, uint64(-v)
	}
	imm := op&^0x1f000000 | 0x11000000
	switch {
	case u>>12 == 0:
		a.word(sf(wide) | imm | uint32(u)<<10 | uint32(rn)<<5 | uint32(rd))
	case u>>24 == 0 && u&0xfff == 0:
		a.word(sf(wide) | imm | 1<<22 | uint32(u>>12)<<10 | uint32(rn)<<5 | uint32(rd))
	default:
		a.movImm(tmp, u)
		a.op(wide, op, rd, rn, tmp)
	}
}

// immediate is an operation of bits with a constant.
func immediate(op uint32) uint32 { return op&^0x1f000000 | 0x12000000 }

// logicImm writes rd = rn op v if there is such an instruction.
func (a *asm) logicImm(wide bool, op uint32, rd, rn Reg, v uint64) bool {
	p, ok := pattern(v, wide)
	if ok {
		a.word(sf(wide) | immediate(op) | p<<10 | uint32(rn)<<5 | uint32(rd))
	}
	return ok
}

// pattern returns a constant as instructions of bits have it: N, immr and imms. Those are runs of ones in parts of 2 to 64
// bits, rotated, all parts the same.
func pattern(v uint64, wide bool) (uint32, bool) {
	if !wide {
		v = v&0xffffffff | v<<32
	}
	if v == 0 || v == 1<<64-1 {
		return 0, false
	}
	size := 64
	for size > 2 {
		half := size / 2
		mask := uint64(1)<<half - 1
		if v&mask != v>>half&mask {
			break
		}
		size = half
	}
	mask := ^uint64(0) >> (64 - size)
	part := v & mask
	turn := bits.TrailingZeros64(part) // right, until the run of ones is at the bottom
	if part&1 != 0 && part>>(size-1) != 0 {
		turn = size - bits.LeadingZeros64(^part<<(64-size)) // the ones at the top belong to it
	}
	run := (part>>turn | part<<(size-turn)) & mask
	if run&(run+1) != 0 {
		return 0, false
	}
	ones := bits.OnesCount64(run)
	n, imms := uint32(0), uint32(-2*size&0x3f)|uint32(ones-1)
	if size == 64 {
		n, imms = 1, uint32(ones-1)
	}
	return n<<12 | uint32((size-turn)%size)<<6 | imms, true
}

// place is an operand in memory: disp behind a register, plus another one scaled.
type place struct {
	base    Reg
	disp    int64
	indexed bool
	index   Reg
	scale   uint8
}

// An access to memory: the logarithm of its size, and what it does.
const (
	accStore  = 0 << 22
	accLoad   = 1 << 22
	accLoadX  = 2 << 22 // sign-extended to 64 bits
	accLoadXW = 3 << 22 // to 32 bits
)

// access loads or stores a register. It may change tmp.
func (a *asm) access(log uint32, how uint32, r Reg, p place) {
	if p.indexed {
		if p.disp == 0 && (p.scale == 0 || uint32(p.scale) == log) {
			s := uint32(0)
			if p.scale != 0 {
				s = 1 << 12
			}
			a.word(log<<30 | 0x38206800 | how | uint32(p.index)<<16 | s | uint32(p.base)<<5 | uint32(r))
			return
		}
		p = a.summed(p)
	}
	size := int64(1) << log
	switch {
	case p.disp >= 0 && p.disp%size == 0 && p.disp>>log < 1<<12:
		a.word(log<<30 | 0x39000000 | how | uint32(p.disp>>log)<<10 | uint32(p.base)<<5 | uint32(r))
	case p.disp >= -256 && p.disp < 256:
		a.word(log<<30 | 0x38000000 | how | uint32(p.disp&0x1ff)<<12 | uint32(p.base)<<5 | uint32(r))
	default:
		low := int64(0)
		if p.disp > 0 && p.disp>>24 == 0 && p.disp%size == 0 {
			low = p.disp & 0xfff
		}
		a.addImm(true, opAdd, tmp, p.base, p.disp-low)
		a.access(log, how, r, place{base: tmp, disp: low})
	}
}

// summed is the same place without an index.
func (a *asm) summed(p place) place {
	if p.disp > -256 && p.disp < 1<<12 {
		a.shifted(true, opAdd, tmp, p.base, p.index, p.scale)
		return place{base: tmp, disp: p.disp}
	}
	a.addImm(true, opAdd, tmp, p.base, p.disp)
	a.shifted(true, opAdd, tmp, tmp, p.index, p.scale)
	return place{base: tmp}
}

// cond is a condition of the flags. The opposite one has the lowest bit inverted.
type cond uint32

const (
	eq cond = iota
	ne
	cs
	cc
	mi
	pl
	vs
	vc
	hi
	ls
	ge
	lt
	gt
	le
)

// choose writes rd = rn if a condition holds, else rm, or rm + 1: opCsel, opCsinc.
func (a *asm) choose(wide bool, op uint32, rd, rn, rm Reg, c cond) {
	a.op(wide, op|uint32(c)<<12, rd, rn, rm)
}

// truth writes rd = 1 if a condition holds, else 0.
func (a *asm) truth(rd Reg, c cond) { a.choose(false, opCsinc, rd, zero, zero, c^1) }

// Kinds of jumps.
const (
	always = iota
	conditional
	ofBit // by a bit of a register; far, its opposite jumps over a jump
)

func (a *asm) jump(l code.Label) {
	a.word(0x14000000)
	a.Jumped(4, always, l)
}

// jumpIf jumps on a condition of the flags.
func (a *asm) jumpIf(c cond, l code.Label) {
	a.word(0x54000000 | uint32(c))
	a.Jumped(4, conditional, l)
}

// jumpZero jumps when a register is 0, or when it is not.
func (a *asm) jumpZero(wide bool, r Reg, is bool, l code.Label) {
	w := sf(wide) | 0x34000000 | uint32(r)
	if !is {
		w |= 1 << 24
	}
	a.word(w)
	a.Jumped(4, conditional, l)
}

// jumpBit jumps when a bit of a register is set, or when it is not.
func (a *asm) jumpBit(r Reg, bit uint32, set bool, l code.Label) {
	w := 0x36000000 | bit>>5<<31 | bit&31<<19 | uint32(r)
	if !set {
		w |= 1 << 24
	}
	a.word(w | 2<<5) // the opposite, over what follows
	a.word(0x14000000)
	a.Jumped(8, ofBit, l)
}

// jumpTo jumps to the address in a register.
func (a *asm) jumpTo(r Reg) {
	a.word(0xd61f0000 | uint32(r)<<5)
	a.End()
}

// distance is how many instructions lie between two places, in a number of bits.
func distance(from, to int, width uint) uint32 { return uint32((to-from)>>2) & (1<<width - 1) }
