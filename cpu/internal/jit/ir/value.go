package ir

import (
	"math"
	"math/bits"
)

// Value computes a primitive that depends on its operands alone. 32-bit values are zero-extended.
func Value(op Op, wide bool, a, b, c uint64) uint64 {
	v := value(op, wide, a, b, c)
	if !wide && op != SextW && op != ZextW && op != MulHi {
		v = uint64(uint32(v))
	}
	return v
}

// plain compute the primitives whose value, cut to its width, does not depend on the width.
var plain = [...]func(a, b, c uint64) uint64{
	Add:    func(a, b, _ uint64) uint64 { return a + b },
	Sub:    func(a, b, _ uint64) uint64 { return a - b },
	Mul:    func(a, b, _ uint64) uint64 { return a * b },
	And:    func(a, b, _ uint64) uint64 { return a & b },
	Or:     func(a, b, _ uint64) uint64 { return a | b },
	Xor:    func(a, b, _ uint64) uint64 { return a ^ b },
	MulHi:  func(a, b, _ uint64) uint64 { hi, _ := bits.Mul64(a, b); return hi },
	Neg:    func(a, _, _ uint64) uint64 { return -a },
	Not:    func(a, _, _ uint64) uint64 { return ^a },
	Sext8:  func(a, _, _ uint64) uint64 { return uint64(int8(a)) },
	Sext16: func(a, _, _ uint64) uint64 { return uint64(int16(a)) },
	SextW:  func(a, _, _ uint64) uint64 { return uint64(int32(a)) },
	ZextW:  func(a, _, _ uint64) uint64 { return uint64(uint32(a)) },
	Trunc:  func(a, _, _ uint64) uint64 { return uint64(uint32(a)) },
	Eq:     func(a, b, _ uint64) uint64 { return truth(a == b) },
	Ne:     func(a, b, _ uint64) uint64 { return truth(a != b) },
	LtU:    func(a, b, _ uint64) uint64 { return truth(a < b) },
	LeU:    func(a, b, _ uint64) uint64 { return truth(a <= b) },
	Select: func(a, b, c uint64) uint64 {
		if a != 0 {
			return b
		}
		return c
	},
	FlagsZN:  zn,
	FlagsAdd: func(a, b, c uint64) uint64 { return zn(c, 0, 0) | (a&b|(a|b)&^c)>>31&1<<1 | (a^c)&(b^c)>>31&1 },
	FlagsSub: func(a, b, c uint64) uint64 { return zn(c, 0, 0) | (^a&b|(^a|b)&c)>>31&1<<1 | (a^b)&(a^c)>>31&1 },
}

// zn are the flags Z and N of a word.
func zn(a, _, _ uint64) uint64 { return truth(uint32(a) == 0)<<3 | a>>31&1<<2 }

func value(op Op, wide bool, a, b, c uint64) uint64 {
	if int(op) < len(plain) && plain[op] != nil {
		return plain[op](a, b, c)
	}
	signed := func(v uint64) int64 { return int64(int32(v)) }
	size, least := 32, int64(math.MinInt32)
	if wide {
		signed = func(v uint64) int64 { return int64(v) }
		size, least = 64, math.MinInt64
	}
	bit := b & uint64(size-1)
	x, y := signed(a), signed(b)
	divided := y != 0 && (y != -1 || x != least)
	switch {
	case op == Shl:
		return a << bit
	case op == Shr:
		return a >> bit
	case op == Sar:
		return uint64(x >> bit)
	case op == Clz:
		return uint64(bits.LeadingZeros64(a<<(64-size) | 1<<(64-size)>>1))
	case op == Ctz:
		return uint64(min(bits.TrailingZeros64(a), size))
	case op == Swap:
		return bits.ReverseBytes64(a) >> (64 - size)
	case op == LtS:
		return truth(x < y)
	case op == LeS:
		return truth(x <= y)
	case op == DivU && y != 0:
		return a / b
	case op == RemU && y != 0:
		return a % b
	case op == DivS && divided:
		return uint64(x / y)
	case op == RemS && divided:
		return uint64(x % y)
	case op == DivU, op == RemU, op == DivS, op == RemS:
		return 0
	}
	panic("ir: not a value: " + op.String())
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
