package fpunit

import "math/bits"

// bias is the exponent bias of a format, its largest exponent too.
func bias(p uint32) (b int32) {
	b = 127
	if p == Double {
		b = 1023
	}
	return b
}

// signBit is the place of the sign.
func signBit(p uint32) (n uint32) {
	n = 31
	if p == Double {
		n = 63
	}
	return n
}

// infinity is the bit pattern of positive infinity.
func infinity(p uint32) (z uint64) {
	z = 0x7f80_0000
	if p == Double {
		z = 0x7ff0_0000_0000_0000
	}
	return z
}

// quietBit is the bit that tells a quiet NaN from a signalling one.
func quietBit(p uint32) (z uint64) {
	z = 1 << (Single - 1)
	if p == Double {
		z = 1 << (Double - 1)
	}
	return z
}

// signed gives a magnitude its sign.
func signed(neg uint32, magnitude uint64, p uint32) (z uint64) {
	z = magnitude | uint64(neg)<<(signBit(p)&63)
	return z
}

// defaultNaN is the result of an invalid operation.
//
// DEVIATION(230): it is the positive quiet NaN without payload, as the soft-float code that C libraries
// use on ARC has it.
func defaultNaN(p uint32) (z uint64) {
	z = infinity(p) | quietBit(p)
	return z
}

// unpack takes a number apart.
func unpack(x uint64, p uint32) (neg uint32, exp int32, sig uint64, kind uint32) {
	top := uint32(bias(p))*2 + 1
	field := uint32(x>>(p&63)) & top
	fraction := x & (1<<(p&63) - 1)
	neg = uint32(x>>(signBit(p)&63)) & 1
	exp = int32(field) - bias(p)
	sig = (fraction | 1<<(p&63)) << ((62 - p) & 63)
	kind = kindFinite
	if field == 0 {
		if fraction == 0 {
			exp = exponentOfZero
			sig = 0
			kind = kindZero
		} else {
			up := uint32(bits.LeadingZeros64(fraction)) - 1
			sig = fraction << (up & 63)
			exp = 63 - int32(p) - int32(up) - bias(p)
		}
	}
	if field == top {
		kind = kindInfinite
		if fraction != 0 {
			kind = kindSignalling
			if fraction&quietBit(p) != 0 {
				kind = kindQuiet
			}
		}
	}
	return neg, exp, sig, kind
}

// shiftRight shifts right by n and keeps the lost bits as a one in bit 0.
func shiftRight(v uint64, n uint32) (z uint64) {
	n = min(n, 63)
	z = v >> (n & 63)
	if z<<(n&63) != v {
		z |= 1
	}
	return z
}

// increment is added to a significand of which the low bits are cut off, so that cutting rounds. A tie
// to nearest takes one bit more, see cut.
func increment(neg, round, low uint32) (z uint64) {
	mask := uint64(1)<<(low&63) - 1
	z = 0
	if round == RoundNearest {
		z = mask>>1 + 1
	} else if round == RoundUp+neg {
		z = mask
	}
	return z
}

// cut rounds off the low bits. The result may have one bit more than sig had left.
func cut(neg uint32, sig uint64, round, low uint32) (z uint64, inexact uint32) {
	mask := uint64(1)<<(low&63) - 1
	rest := sig & mask
	z = (sig + increment(neg, round, low)) >> (low & 63)
	if round == RoundNearest && rest == mask>>1+1 {
		z &^= 1
	}
	inexact = 0
	if rest != 0 {
		inexact = Inexact
	}
	return z, inexact
}

// pack rounds an unpacked number to its format. sig is 0 for zero.
//
// DEVIATION(231): a result is tiny when it still is after rounding, as C libraries state for ARC's
// hardware.
func pack(neg uint32, exp int32, sig uint64, round, p uint32) (z uint64, e uint32) {
	low := 62 - p
	field := exp + bias(p)
	tiny := uint32(0)
	if field < 1 {
		tiny = Underflow
		if field == 0 && (sig+increment(neg, round, low))>>63 != 0 {
			tiny = 0
		}
		sig = shiftRight(sig, uint32(1-max(field, -100)))
		field = 1
	}
	magnitude, inexact := cut(neg, sig, round, low)
	e = inexact
	if inexact != 0 {
		e |= tiny
	}
	// the leading one of a normal number adds one to the exponent field
	magnitude += uint64(uint32(field-1)) << (p & 63)
	if magnitude >= infinity(p) {
		e = Overflow | Inexact
		magnitude = infinity(p)
		if round != RoundNearest && round != RoundUp+neg {
			magnitude--
		}
	}
	z = signed(neg, magnitude, p)
	return z, e
}

// propagate is the result of an operation with at least one NaN among x and y.
//
// DEVIATION(232): the result is the first NaN among the operands, made quiet.
func propagate(x, y uint64, kx, ky, p uint32) (z uint64, e uint32) {
	z = y
	if kx >= kindQuiet {
		z = x
	}
	z |= quietBit(p)
	e = (kx | ky) / kindSignalling * Invalid
	return z, e
}
