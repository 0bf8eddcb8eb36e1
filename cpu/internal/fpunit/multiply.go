package fpunit

import "math/bits"

// Multiply returns x * y.
func Multiply(x, y uint64, round, p uint32) (z uint64, e uint32) {
	nx, ex, sx, kx := unpack(x, p)
	ny, ey, sy, ky := unpack(y, p)
	e = 0
	if kx|ky >= kindQuiet {
		z, e = propagate(x, y, kx, ky, p)
	} else if (kx|ky)&kindInfinite != 0 {
		z = signed(nx^ny, infinity(p), p)
		if (kx|ky)&kindZero != 0 {
			z = defaultNaN(p)
			e = Invalid
		}
	} else {
		// the product has its leading one in bit 126 or 125
		sig, rest := bits.Mul64(sx<<1, sy)
		exp := ex + ey + 1
		if rest != 0 {
			sig |= 1
		}
		if sig>>62 == 0 {
			sig <<= 1
			exp--
		}
		z, e = pack(nx^ny, exp, sig, round, p)
	}
	return z, e
}

// MultiplyAdd returns x * y + a, rounded once.
//
// DEVIATION(233): infinity times zero plus a quiet NaN is that NaN, without an exception.
func MultiplyAdd(x, y, a uint64, round, p uint32) (z uint64, e uint32) {
	nx, ex, sx, kx := unpack(x, p)
	ny, ey, sy, ky := unpack(y, p)
	na, ea, sa, ka := unpack(a, p)
	np := nx ^ ny
	e = 0
	if kx|ky|ka >= kindQuiet {
		z, _ = propagate(x, y, kx, ky, p)
		if kx|ky < kindQuiet {
			z = a | quietBit(p)
		}
		e = (kx | ky | ka) / kindSignalling * Invalid
	} else if (kx|ky)&kindInfinite != 0 {
		z = signed(np, infinity(p), p)
		if (kx|ky)&kindZero != 0 || ka == kindInfinite && na != np {
			z = defaultNaN(p)
			e = Invalid
		}
	} else if ka == kindInfinite {
		z = a
	} else {
		// both as 128 bits, one being bit 125; the product may reach bit 126
		high, low := bits.Mul64(sx<<1, sy)
		ep := ex + ey
		highA := sa >> 1
		lowA := sa << 63
		exp := max(ep, ea)
		high, low = shiftRight128(high, low, uint32(exp-ep))
		highA, lowA = shiftRight128(highA, lowA, uint32(exp-ea))
		neg := np
		if np == na {
			carry := uint64(0)
			low, carry = bits.Add64(low, lowA, 0)
			high, _ = bits.Add64(high, highA, carry)
		} else {
			borrow := uint64(0)
			low, borrow = bits.Sub64(low, lowA, 0)
			high, borrow = bits.Sub64(high, highA, borrow)
			if borrow != 0 {
				low, borrow = bits.Sub64(0, low, 0)
				high, _ = bits.Sub64(0, high, borrow)
				neg = na
			}
			if high|low == 0 {
				neg = signOfNothing(round)
			}
		}
		exp, sig := normalize128(exp, high, low)
		z, e = pack(neg, exp, sig, round, p)
	}
	return z, e
}

// MultiplySubtract returns a - x * y, rounded once.
func MultiplySubtract(x, y, a uint64, round, p uint32) (z uint64, e uint32) {
	z, e = MultiplyAdd(negated(x, p), y, a, round, p)
	return z, e
}

// shiftRight128 is shiftRight for 128 bits.
func shiftRight128(high, low uint64, n uint32) (h, l uint64) {
	n = min(n, 127)
	h = high >> (n & 63)
	l = low>>(n&63) | high<<1<<((63-n)&63)
	lost := low &^ (^uint64(0) << (n & 63))
	if n > 63 {
		l = h
		h = 0
		lost = low | high&^(^uint64(0)<<(n&63))
	}
	if lost != 0 {
		l |= 1
	}
	return h, l
}

// normalize128 makes a significand of 128 bits of which bit 125 is one.
func normalize128(exp int32, high, low uint64) (exponent int32, sig uint64) {
	sig = 0
	exponent = exponentOfZero
	if high == 0 {
		high = low
		low = 0
		exp -= 64
	}
	if high != 0 {
		lead := uint32(bits.LeadingZeros64(high))
		sig = high<<(lead&63) | low>>1>>((63-lead)&63)
		low <<= lead & 63
		low |= sig & 1
		sig >>= 1
		if low != 0 {
			sig |= 1
		}
		exponent = exp + 2 - int32(lead)
	}
	return exponent, sig
}
