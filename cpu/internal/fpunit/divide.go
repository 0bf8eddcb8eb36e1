package fpunit

import (
	"math"
	"math/bits"
)

// Divide returns x / y.
func Divide(x, y uint64, round, p uint32) (z uint64, e uint32) {
	nx, ex, sx, kx := unpack(x, p)
	ny, ey, sy, ky := unpack(y, p)
	neg := nx ^ ny
	switch {
	case kx|ky >= kindQuiet:
		return propagate(x, y, kx, ky, p)
	case kx == ky && kx != kindFinite: // 0/0 and infinity/infinity
		return defaultNaN(p), Invalid
	case kx == kindInfinite:
		return signed(neg, infinity(p), p), 0
	case ky == kindZero:
		return signed(neg, infinity(p), p), DivByZero
	case kx == kindZero || ky == kindInfinite:
		return signed(neg, 0, p), 0
	}
	exp := ex - ey
	if sx < sy {
		sx <<= 1
		exp--
	}
	sig, rest := bits.Div64(sx>>2, sx<<62, sy)
	if rest != 0 {
		sig |= 1
	}
	return pack(neg, exp, sig, round, p)
}

// SquareRoot returns the square root of x.
func SquareRoot(x uint64, round, p uint32) (z uint64, e uint32) {
	neg, exp, sig, kind := unpack(x, p)
	switch {
	case kind >= kindQuiet:
		return propagate(x, x, kind, kind, p)
	case kind == kindZero:
		return x, 0
	case neg != 0:
		return defaultNaN(p), Invalid
	case kind == kindInfinite:
		return x, 0
	}
	sig <<= exp & 1
	root, rest := squareRoot(sig>>2, sig<<62)
	if rest {
		root |= 1
	}
	return pack(0, exp>>1, root, round, p)
}

// squareRoot returns the root of a 128-bit number whose first bits are 01, 10 or 11 from bit 124 on, and
// whether something remains.
func squareRoot(high, low uint64) (root uint64, rest bool) {
	// The host's root is a guess of 52 bits or so; a Newton step doubles them, and the result is off by
	// one at most.
	guess := uint64(math.Sqrt(float64(high)) * (1 << 32))
	quotient, _ := bits.Div64(high, low, guess)
	root = guess>>1 + quotient>>1
	h, l := bits.Mul64(root, root)
	for h > high || h == high && l > low {
		root--
		h, l = bits.Mul64(root, root)
	}
	for {
		h1, l1 := bits.Mul64(root+1, root+1)
		if h1 > high || h1 == high && l1 > low {
			break
		}
		root, h, l = root+1, h1, l1
	}
	return root, h != high || l != low
}
