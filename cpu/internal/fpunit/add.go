package fpunit

import "math/bits"

// Add returns x + y.
func Add(x, y uint64, round, p uint32) (z uint64, e uint32) {
	nx, ex, sx, kx := unpack(x, p)
	ny, ey, sy, ky := unpack(y, p)
	e = 0
	if kx|ky >= kindQuiet {
		z, e = propagate(x, y, kx, ky, p)
	} else if (kx|ky)&kindInfinite != 0 {
		z = x
		if ky == kindInfinite {
			z = y
			if kx == kindInfinite && nx != ny {
				z = defaultNaN(p)
				e = Invalid
			}
		}
	} else {
		neg, exp, sig := sum(nx, ex, sx, ny, ey, sy, round)
		z, e = pack(neg, exp, sig, round, p)
	}
	return z, e
}

// Subtract returns x - y.
func Subtract(x, y uint64, round, p uint32) (z uint64, e uint32) {
	z, e = Add(x, negated(y, p), round, p)
	return z, e
}

// negated changes the sign, but not of a NaN.
func negated(x uint64, p uint32) (z uint64) {
	sign := uint64(1) << (signBit(p) & 63)
	z = x
	if x&(sign-1) <= infinity(p) {
		z ^= sign
	}
	return z
}

// sum adds two finite numbers.
func sum(nx uint32, ex int32, sx uint64, ny uint32, ey int32, sy uint64, round uint32) (neg uint32, exp int32, sig uint64) {
	small := uint64(0)
	if ex > ey || ex == ey && sx >= sy {
		neg = nx
		exp = ex
		sig = sx
		small = shiftRight(sy, uint32(ex-ey))
	} else {
		neg = ny
		exp = ey
		sig = sy
		small = shiftRight(sx, uint32(ey-ex))
	}
	if nx == ny {
		sig += small
		if sig>>63 != 0 {
			sig = sig>>1 | sig&1
			exp++
		}
	} else {
		sig -= small
		if sig == 0 {
			neg = signOfNothing(round)
			exp = exponentOfZero
		} else {
			up := uint32(bits.LeadingZeros64(sig)) - 1
			sig <<= up & 63
			exp -= int32(up)
		}
	}
	return neg, exp, sig
}

// signOfNothing is the sign of an exact zero out of numbers of different sign.
func signOfNothing(round uint32) (neg uint32) {
	neg = 0
	if round == RoundDown {
		neg = 1
	}
	return neg
}
