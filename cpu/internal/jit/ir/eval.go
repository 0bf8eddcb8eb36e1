package ir

import (
	"math"
	"math/bits"
)

// Machine is the memory and the surroundings of a program.
type Machine interface {
	Offset(n uint64) uint64 // the number that Offset n stands for
	Base(n uint64) uint64
	Way(n uint64) uint64 // the address of a way out
	Load(addr uint64, size int) uint64
	Store(addr uint64, size int, v uint64)
}

// Outcome says how a program ended.
type Outcome struct {
	Kind Op     // Exit, Leave, LeaveTo or SkipIf; End when it ran to its end
	Why  uint64 // of an Exit
	Way  uint64 // of Exit, Leave and LeaveTo; None when an exit names none
	To   uint64 // of LeaveTo
}

// None is the way of an exit without one.
const None = 1<<64 - 1

// Eval executes the program of a micro-operation.
func Eval(p Prog, u *Uop, m Machine) Outcome {
	v := make([]uint64, len(p))
	at := func(n int32) uint64 {
		if n < 0 {
			return None
		}
		return v[n]
	}
	for i := 0; i < len(p); i++ {
		in := &p[i]
		a, b, c := at(in.A), at(in.B), at(in.C)
		switch in.Op {
		case Const:
			v[i] = in.Imm
		case Field:
			v[i] = uint64(u.Field(in.Imm))
		case Offset:
			v[i] = m.Offset(in.Imm)
		case Base:
			v[i] = m.Base(in.Imm)
		case Way:
			v[i] = m.Way(a)
		case Load8, Load16, Load32, Load64:
			v[i] = m.Load(a, 1<<(in.Op-Load8))
		case Store8, Store16, Store32, Store64:
			m.Store(a, 1<<(in.Op-Store8), b)
		case If:
			if a == 0 {
				i = p.after(i, Else)
			}
		case Else:
			i = p.after(i, End)
		case End:
		case Guard:
			if a != 0 {
				return Outcome{Kind: Exit, Why: in.Imm, Way: None}
			}
		case Exit:
			return Outcome{Kind: Exit, Why: in.Imm, Way: b}
		case Leave:
			return Outcome{Kind: Leave, Way: a}
		case LeaveTo:
			return Outcome{Kind: LeaveTo, Way: a, To: b}
		case SkipIf:
			if a != 0 {
				return Outcome{Kind: SkipIf}
			}
		default:
			v[i] = Value(in.Op, in.Wide, a, b, c)
		}
	}
	return Outcome{Kind: End}
}

// after returns the place of the Else or End that belongs to the If or Else at i.
func (p Prog) after(i int, want Op) int {
	for depth := 0; ; {
		i++
		switch p[i].Op {
		case If:
			depth++
		case want:
			if depth == 0 {
				return i
			}
		}
		if p[i].Op == End {
			depth--
		}
	}
}

// Value computes a primitive that depends on its operands alone. 32-bit values are zero-extended.
func Value(op Op, wide bool, a, b, c uint64) uint64 {
	v := value(op, wide, a, b, c)
	if !wide && op != SextW && op != ZextW && op != MulHi && !(op == Select && wide) {
		v = uint64(uint32(v))
	}
	return v
}

func value(op Op, wide bool, a, b, c uint64) uint64 {
	signed := func(v uint64) int64 {
		if wide {
			return int64(v)
		}
		return int64(int32(v))
	}
	last := uint64(31) // bit
	if wide {
		last = 63
	}
	switch op {
	case Add:
		return a + b
	case Sub:
		return a - b
	case Mul:
		return a * b
	case And:
		return a & b
	case Or:
		return a | b
	case Xor:
		return a ^ b
	case Shl:
		return a << (b & last)
	case Shr:
		return a >> (b & last)
	case Sar:
		return uint64(signed(a) >> (b & last))
	case MulHi:
		hi, _ := bits.Mul64(a, b)
		return hi
	case Neg:
		return -a
	case Not:
		return ^a
	case Sext8:
		return uint64(int8(a))
	case Sext16:
		return uint64(int16(a))
	case SextW:
		return uint64(int32(a))
	case ZextW, Trunc:
		return uint64(uint32(a))
	case Clz:
		if wide {
			return uint64(bits.LeadingZeros64(a))
		}
		return uint64(bits.LeadingZeros32(uint32(a)))
	case Ctz:
		if wide {
			return uint64(bits.TrailingZeros64(a))
		}
		return uint64(bits.TrailingZeros32(uint32(a)))
	case Swap:
		if wide {
			return bits.ReverseBytes64(a)
		}
		return uint64(bits.ReverseBytes32(uint32(a)))
	case Eq:
		return truth(a == b)
	case Ne:
		return truth(a != b)
	case LtS:
		return truth(signed(a) < signed(b))
	case LeS:
		return truth(signed(a) <= signed(b))
	case LtU:
		return truth(a < b)
	case LeU:
		return truth(a <= b)
	case Select:
		if a != 0 {
			return b
		}
		return c
	case FlagsZN:
		return truth(uint32(a) == 0)<<3 | a>>31&1<<2
	case FlagsAdd:
		return value(FlagsZN, false, c, 0, 0) | (a&b|(a|b)&^c)>>31&1<<1 | (a^c)&(b^c)>>31&1
	case FlagsSub:
		return value(FlagsZN, false, c, 0, 0) | (^a&b|(^a|b)&c)>>31&1<<1 | (a^b)&(a^c)>>31&1
	case DivU, DivS, RemU, RemS:
		x, y := signed(a), signed(b)
		least := int64(math.MinInt32)
		if wide {
			least = math.MinInt64
		}
		switch {
		case y == 0, (op == DivS || op == RemS) && y == -1 && x == least:
			return 0
		case op == DivU:
			return a / b
		case op == RemU:
			return a % b
		case op == DivS:
			return uint64(x / y)
		}
		return uint64(x % y)
	}
	panic("ir: not a value: " + op.String())
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
