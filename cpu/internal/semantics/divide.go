package semantics

// Division. Whether there is a quotient is asked first; the functions below presuppose it.
//
// DEVIATION(108): a division without a quotient gives 0, with .f Z = N = 0 and V = 1.

// NoQuotient reports whether the unsigned x / y has none.
func NoQuotient(x, y uint32) (none bool) { return y == 0 }

// NoQuotientSigned reports whether the signed x / y has none that fits.
func NoQuotientSigned(x, y uint32) (none bool) { return y == 0 || x == 1<<31 && y == 1<<32-1 }

// Quotient is divu.
func Quotient(x, y, fl uint32) (z, f uint32) {
	z = x / y
	return z, isZero(z)<<3 | fl&flagC
}

// QuotientSigned is div.
func QuotientSigned(x, y, fl uint32) (z, f uint32) {
	z = uint32(int32(x) / int32(y))
	return z, flagsZN(z) | fl&flagC
}

// Remainder is remu.
func Remainder(x, y, fl uint32) (z, f uint32) {
	z = x % y
	return z, isZero(z)<<3 | fl&flagC
}

// RemainderSigned is rem; the remainder has the sign of x.
func RemainderSigned(x, y, fl uint32) (z, f uint32) {
	z = uint32(int32(x) % int32(y))
	return z, flagsZN(z) | fl&flagC
}

// WithoutQuotient gives the result and the flags of a division that has no quotient.
func WithoutQuotient(fl uint32) (z, f uint32) { return 0, fl&flagC | flagV }
