package basemodel

// Flags as vectors write them.
const (
	V = 1
	C = 2
	N = 4
	Z = 8
)

const two32 = int64(1) << 32

// signed is the two's complement value of a 32-bit number.
func signed(x int64) int64 {
	if x >= two32/2 {
		return x - two32
	}
	return x
}

// word reduces an exact result to 32 bits.
func word(v int64) int64 {
	v %= two32
	if v < 0 {
		v += two32
	}
	return v
}

// fits reports whether a signed value has a 32-bit representation.
func fits(v int64) bool { return v >= -two32/2 && v < two32/2 }

func flag(f int, on bool) int {
	if on {
		return f
	}
	return 0
}

// zn are the flags of a 32-bit result.
func zn(z int64) int { return flag(Z, z == 0) | flag(N, z >= two32/2) }

// Binary is an operation on two 32-bit numbers, given as integers from 0 to 2^32-1.
type Binary func(x, y int64, fl int) (z int64, f int)

// Unary is an operation on one.
type Unary func(y int64, fl int) (z int64, f int)

// carry is the C flag as a number.
func carry(fl int) int64 {
	if fl&C != 0 {
		return 1
	}
	return 0
}

// sum is x + y + c with its four flags.
func sum(x, y, c int64) (z int64, f int) {
	z = word(x + y + c)
	return z, zn(z) | flag(C, x+y+c >= two32) | flag(V, !fits(signed(x)+signed(y)+c))
}

// difference is x - y - b with its four flags; C is a borrow.
func difference(x, y, b int64) (z int64, f int) {
	z = word(x - y - b)
	return z, zn(z) | flag(C, x < y+b) | flag(V, !fits(signed(x)-signed(y)-b))
}

// logic makes an operation of a rule for single bits, applied at every position.
func logic(rule func(a, b bool) bool) Binary {
	return func(x, y int64, fl int) (z int64, f int) {
		for i := int64(1); i < two32; i *= 2 {
			if rule(x/i%2 == 1, y/i%2 == 1) {
				z += i
			}
		}
		return z, zn(z) | fl&(C|V)
	}
}

// scaled applies op to y times a power of two, whose upper bits are lost.
func scaled(op func(x, y, c int64) (int64, int), factor int64) Binary {
	return func(x, y int64, _ int) (int64, int) { return op(x, word(y*factor), 0) }
}

// bit applies rule to b and the single bit or mask that c names.
func bit(mask func(n int64) int64, rule func(a, b bool) bool) Binary {
	op := logic(rule)
	return func(x, y int64, fl int) (int64, int) { return op(x, mask(y%32), fl) }
}

func pow2(n int64) int64 {
	v := int64(1)
	for range n {
		v *= 2
	}
	return v
}

func single(n int64) int64 { return pow2(n) }
func below(n int64) int64  { return pow2(n+1) - 1 }

func and(a, b bool) bool    { return a && b }
func or(a, b bool) bool     { return a || b }
func xor(a, b bool) bool    { return a != b }
func andNot(a, b bool) bool { return a && !b }

// repeat makes a shift by c[4:0] positions from steps of one; C is the bit that the last step pushed out, 0 when
// there was none.
func repeat(step func(v int64) (next, out int64)) Binary {
	return func(x, y int64, fl int) (z int64, f int) {
		z = x
		var out int64
		for range y % 32 {
			z, out = step(z)
		}
		return z, zn(z) | flag(C, out == 1) | fl&V
	}
}

func left(v int64) (int64, int64)  { return word(v * 2), v / (two32 / 2) }
func right(v int64) (int64, int64) { return v / 2, v % 2 }
func arith(v int64) (int64, int64) { return v/2 + v/(two32/2)*(two32/2), v % 2 }
func rotate(v int64) (int64, int64) {
	return v/2 + v%2*(two32/2), v % 2
}

// compare is set<cc>: the truth of a relation, with the flags of b - c.
func compare(holds func(x, y int64) bool) Binary {
	return func(x, y int64, _ int) (int64, int) {
		_, f := difference(x, y, 0)
		if holds(x, y) {
			return 1, f
		}
		return 0, f
	}
}

// extreme is max and min: C says that c was taken, the other flags are those of b - c.
func extreme(takeC func(x, y int64) bool) Binary {
	return func(x, y int64, _ int) (int64, int) {
		_, f := difference(x, y, 0)
		f &^= C
		if takeC(signed(x), signed(y)) {
			return y, f | C
		}
		return x, f
	}
}

// saturate clamps an exact value; V says that it did.
func saturate(v int64, fl int) (z int64, f int) {
	c := min(max(v, -two32/2), two32/2-1)
	z = word(c)
	return z, zn(z) | fl&C | flag(V, c != v)
}

// shiftLeft is x * 2^n without losing bits, as far as a clamp to 32 bits can tell; for negative n
// it rounds down.
func shiftLeft(x, n int64) int64 {
	for ; n > 0 && x != 0 && x > -two32 && x < two32; n-- {
		x *= 2
	}
	for ; n < 0 && x != 0 && x != -1; n++ {
		x = (x - word(x)%2) / 2
	}
	return x
}

// Binaries are the operations on two sources with a destination.
var Binaries = map[string]Binary{
	"add":  func(x, y int64, _ int) (int64, int) { return sum(x, y, 0) },
	"adc":  func(x, y int64, fl int) (int64, int) { return sum(x, y, carry(fl)) },
	"sub":  func(x, y int64, _ int) (int64, int) { return difference(x, y, 0) },
	"sbc":  func(x, y int64, fl int) (int64, int) { return difference(x, y, carry(fl)) },
	"rsub": func(x, y int64, _ int) (int64, int) { return difference(y, x, 0) },
	"add1": scaled(sum, 2), "add2": scaled(sum, 4), "add3": scaled(sum, 8),
	"sub1": scaled(difference, 2), "sub2": scaled(difference, 4), "sub3": scaled(difference, 8),
	"and": logic(and), "or": logic(or), "xor": logic(xor), "bic": logic(andNot),
	"bset": bit(single, or), "bclr": bit(single, andNot), "bxor": bit(single, xor),
	"bmsk": bit(below, and), "bmskn": bit(below, andNot),
	"asl": repeat(left), "lsr": repeat(right), "asr": repeat(arith), "ror": repeat(rotate),
	"max":   extreme(func(b, c int64) bool { return c >= b }),
	"min":   extreme(func(b, c int64) bool { return c <= b }),
	"seteq": compare(func(x, y int64) bool { return x == y }),
	"setne": compare(func(x, y int64) bool { return x != y }),
	"setlt": compare(func(x, y int64) bool { return signed(x) < signed(y) }),
	"setge": compare(func(x, y int64) bool { return signed(x) >= signed(y) }),
	"setle": compare(func(x, y int64) bool { return signed(x) <= signed(y) }),
	"setgt": compare(func(x, y int64) bool { return signed(x) > signed(y) }),
	"setlo": compare(func(x, y int64) bool { return x < y }),
	"seths": compare(func(x, y int64) bool { return x >= y }),
	"xbfu": func(x, y int64, fl int) (int64, int) {
		z := x / pow2(y%32) % pow2(y/32%32+1)
		return z, flag(Z, z == 0) | fl&(N|C|V)
	},
	"adds": func(x, y int64, fl int) (int64, int) { return saturate(signed(x)+signed(y), fl) },
	"subs": func(x, y int64, fl int) (int64, int) { return saturate(signed(x)-signed(y), fl) },
	"adcs": func(x, y int64, fl int) (int64, int) { return saturate(signed(x)+signed(y)+carry(fl), fl) },
	"sbcs": func(x, y int64, fl int) (int64, int) { return saturate(signed(x)-signed(y)-carry(fl), fl) },
	"asls": func(x, y int64, fl int) (int64, int) { return saturate(shiftLeft(signed(x), signed(y)), fl) },
	"asrs": func(x, y int64, fl int) (int64, int) { return saturate(shiftLeft(signed(x), -signed(y)), fl) },
}

// Compares are the operations on two sources that give flags only.
var Compares = map[string]Binary{
	"cmp":  Binaries["sub"],
	"rcmp": Binaries["rsub"],
	"tst":  logic(and),
	"btst": bit(single, and),
}

// keep gives a result the Z and N flags and leaves C and V.
func keep(z int64, fl int) (int64, int) { return z, zn(z) | fl&(C|V) }

// ofSource gives a result, and the Z and N flags of the number it was found in.
func ofSource(z, source int64, fl int) (int64, int) { return z, zn(source) | fl&(C|V) }

// stepped makes an operation from a single step of a shift.
func stepped(step func(v int64) (next, out int64)) Unary {
	return func(y int64, fl int) (int64, int) {
		z, out := step(y)
		return z, zn(z) | flag(C, out == 1) | fl&V
	}
}

// times repeats a step; only Z and N follow from it.
func times(n int, step func(v int64) (next, out int64)) Unary {
	return func(y int64, fl int) (int64, int) {
		for range n {
			y, _ = step(y)
		}
		return keep(y, fl)
	}
}

func rotateLeft(v int64) (int64, int64) { return word(v*2) + v/(two32/2), v / (two32 / 2) }

// redundant counts the bits below the sign of a width-bit number that equal it.
func redundant(v, width int64) (n int64) {
	for v >= 0 && v < pow2(width-2-n) || v < 0 && v >= -pow2(width-2-n) {
		if n++; n == width-1 {
			break
		}
	}
	return n
}

// Unaries are the operations on one source. Those whose mnemonic also names an operation on two
// are listed with a 1.
var Unaries = map[string]Unary{
	"mov":  keep,
	"not":  func(y int64, fl int) (int64, int) { return keep(two32-1-y, fl) },
	"neg":  func(y int64, _ int) (int64, int) { return difference(0, y, 0) },
	"sexb": func(y int64, fl int) (int64, int) { return keep(word((y%256+128)%256-128), fl) },
	"sexh": func(y int64, fl int) (int64, int) { return keep(word((y%65536+32768)%65536-32768), fl) },
	"extb": func(y int64, fl int) (int64, int) { return keep(y%256, fl) },
	"exth": func(y int64, fl int) (int64, int) { return keep(y%65536, fl) },
	"abs": func(y int64, _ int) (int64, int) {
		z := word(max(signed(y), -signed(y)))
		least := y == two32/2
		return z, flag(Z, z == 0) | flag(N|V, least) | flag(C, signed(y) < 0)
	},
	"asl1": func(y int64, _ int) (int64, int) {
		z, out := left(y)
		return z, zn(z) | flag(C, out == 1) | flag(V, !fits(2*signed(y)))
	},
	"lsr1": stepped(right), "asr1": stepped(arith), "ror1": stepped(rotate), "rol": stepped(rotateLeft),
	"rlc": func(y int64, fl int) (int64, int) {
		z := word(y*2) + carry(fl)
		return z, zn(z) | flag(C, y >= two32/2) | fl&V
	},
	"rrc": func(y int64, fl int) (int64, int) {
		z := y/2 + carry(fl)*(two32/2)
		return z, zn(z) | flag(C, y%2 == 1) | fl&V
	},
	"asr8": times(8, arith), "asr16": times(16, arith), "lsl8": times(8, left), "lsl16": times(16, left),
	"lsr8": times(8, right), "lsr16": times(16, right), "rol8": times(8, rotateLeft), "ror8": times(8, rotate),
	"swap": times(16, rotate),
	"swape": func(y int64, fl int) (int64, int) {
		return keep(y%256*pow2(24)+y/256%256*pow2(16)+y/pow2(16)%256*256+y/pow2(24), fl)
	},
	"norm": func(y int64, fl int) (int64, int) { return ofSource(redundant(signed(y), 32), y, fl) },
	"normh": func(y int64, fl int) (int64, int) {
		h := (y%65536+32768)%65536 - 32768
		return ofSource(redundant(h, 16), word(h), fl)
	},
	"ffs": func(y int64, fl int) (int64, int) {
		n := int64(0)
		for ; n < 31 && y/pow2(n)%2 == 0; n++ {
		}
		return ofSource(n, y, fl)
	},
	"fls": func(y int64, fl int) (int64, int) {
		n := int64(31)
		for ; n > 0 && y/pow2(n)%2 == 0; n-- {
		}
		return ofSource(n, y, fl)
	},
	"abss": func(y int64, fl int) (int64, int) { return saturate(max(signed(y), -signed(y)), fl) },
	"negs": func(y int64, fl int) (int64, int) { return saturate(-signed(y), fl) },
}

// Holds says whether a condition is true under flags.
func Holds(cond string, f int) bool {
	z, n, c, v := f&Z != 0, f&N != 0, f&C != 0, f&V != 0
	return map[string]bool{
		"al": true, "eq": z, "ne": !z, "p": !n, "n": n, "c": c, "nc": !c, "v": v, "nv": !v,
		"gt": n == v && !z, "ge": n == v, "lt": n != v, "le": z || n != v, "hi": !c && !z, "ls": c || z,
		"pnz": !n && !z,
	}[cond]
}
