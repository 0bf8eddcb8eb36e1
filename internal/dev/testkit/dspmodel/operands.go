package dspmodel

import "math/rand/v2"

// Operands draws inputs that reach the corners: half of them are edge values of their width, values
// next to one, or rounding ties; the others have random length.
type Operands struct{ *rand.Rand }

// NewOperands returns a reproducible source.
func NewOperands(seed uint64) Operands { return Operands{rand.New(rand.NewPCG(seed, 0xa2c))} }

var edges16 = []uint16{0, 1, 2, 0xffff, 0xfffe, 0x7fff, 0x7ffe, 0x8000, 0x8001, 0x4000, 0xc000, 0x5a82, 0x00ff, 0xff80, 0x0080}

// Half returns a 16-bit operand.
func (o Operands) Half() uint32 {
	if o.IntN(2) == 0 {
		return uint32(edges16[o.IntN(len(edges16))])
	}
	return uint32(uint16(int16(o.Uint32()) >> o.IntN(16)))
}

// Word returns a 32-bit operand: two halves, or a number.
func (o Operands) Word() uint32 {
	switch o.IntN(4) {
	case 0:
		edges := []uint32{0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x80000001, 0x40000000, 0xc0000000, 0x00008000, 0x00018000, 0x7fff8000, 0xffff8000, 0x12345678}
		return edges[o.IntN(len(edges))]
	case 1:
		return uint32(int32(o.Uint32()) >> o.IntN(32))
	}
	return o.Half()<<16 | o.Half()
}

// Lane returns a stored lane, any 40 bits.
func (o Operands) Lane() int64 {
	edges := []int64{0, 1, -1, 1<<31 - 1, -1 << 31, 1 << 31, -1<<31 - 1, 1<<39 - 1, -1 << 39, 1<<38 - 1, -1 << 38, 0x7fff8000, 0x8000, 0x18000, -0x8000, 0x4000, 0xc000, 0x3fffc000}
	switch o.IntN(3) {
	case 0:
		return edges[o.IntN(len(edges))]
	case 1:
		return num(edges[o.IntN(len(edges))] + int64(o.Word())>>o.IntN(32)).signed(40).int()
	}
	return int64(o.Uint64()) >> (24 + o.IntN(40))
}

// Lanes returns both stored lanes, drawn one by one or as a wide accumulator near its limits.
func (o Operands) Lanes() (lo, hi int64) {
	lo, hi = o.Lane(), o.Lane()
	switch o.IntN(4) {
	case 0: // 64 bits, sign-extended, perhaps near a limit of 64 bits
		v := int64(o.Uint64()) >> o.IntN(64)
		if o.IntN(3) == 0 {
			v = 1<<63 - 1 - int64(o.Word())>>o.IntN(31)
		}
		if o.IntN(2) == 0 {
			v = ^v
		}
		lo, hi = lo&^0xffffffff|v&0xffffffff, v>>32
	case 1: // near a limit of 72 bits
		v := int64(o.Word()) >> o.IntN(31)
		lo, hi = lo&^0xffffffff|(0xffffffff-v)&0xffffffff, 1<<39-1
		if o.IntN(2) == 0 {
			lo, hi = lo&^0xffffffff|v&0xffffffff, -1<<39
		}
	}
	return lo, hi
}

// Control returns a control operand for an accumulator instruction.
func (o Operands) Control(name string) uint32 {
	switch name {
	case "setacc":
		return o.Uint32N(2) | o.Uint32N(16)<<8
	case "getacc":
		amount := uint32(uint8(o.IntN(97) - 48))
		if o.IntN(4) == 0 {
			amount = o.Uint32() & 0xff
		}
		return amount | o.Uint32N(512)<<8
	case "aslacc", "aslsacc":
		amount := func() uint32 {
			if o.IntN(3) == 0 {
				return o.Uint32() & 0xff
			}
			return uint32(uint8(o.IntN(49) - 24))
		}
		return amount() | o.Uint32N(4)<<8 | amount()<<16
	}
	return o.Uint32N(4) << 8
}

// In returns inputs for the named instruction in a random mode; wide sources fill the 64 bits of
// register pairs.
func (o Operands) In(name string, wide bool) In {
	in := In{
		Mode: Mode{RM: o.IntN(4), GE: o.IntN(2), PA: o.IntN(2)},
		X:    uint64(o.Word()), Y: uint64(o.Word()),
		Flags: o.Uint32N(16), Sticky: o.Uint32N(8),
	}
	if wide {
		in.X |= uint64(o.Word()) << 32
		in.Y |= uint64(o.Word()) << 32
	}
	in.Lo, in.Hi = o.Lanes()
	switch name {
	case "setacc", "getacc", "aslacc", "aslsacc", "normacc", "flagacc":
		in.Y = uint64(o.Control(name))
	case "asrsr":
		if o.IntN(8) != 0 {
			in.Y = uint64(uint32(o.IntN(80) - 40))
		}
	case "vasl2h", "vasls2h", "vasr2h", "vasrs2h", "vasrsr2h", "vlsr2h":
		if o.IntN(4) != 0 {
			in.Y = uint64(uint16(o.IntN(40)-20)) | uint64(uint16(o.IntN(40)-20))<<16
		}
	case "divf", "div", "divu", "rem", "remu":
		if in.Y&0xffffffff == 0 {
			in.Y |= 3
		}
	}
	return in
}
