package semantics

import "math/bits"

// bset a,b,c
func BSET(x, y, fl uint32) (z, f uint32) {
	z = x | 1<<(y&31)
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// bclr a,b,c
func BCLR(x, y, fl uint32) (z, f uint32) {
	z = x &^ (1 << (y & 31))
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// bxor a,b,c
func BXOR(x, y, fl uint32) (z, f uint32) {
	z = x ^ 1<<(y&31)
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// btst b,c
func BTST(x, y, fl uint32) (f uint32) {
	return flagsZN(x&(1<<(y&31))) | fl&(flagC|flagV)
}

// bmsk a,b,c: the c+1 lowest bits of b
func BMSK(x, y, fl uint32) (z, f uint32) {
	z = x & (0xffffffff >> (^y & 31))
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// bmskn a,b,c: b without its c+1 lowest bits
func BMSKN(x, y, fl uint32) (z, f uint32) {
	z = x &^ (0xffffffff >> (^y & 31))
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// xbfu a,b,c: c[9:5]+1 bits of b from bit c[4:0]; .f sets Z alone
func XBFU(x, y, fl uint32) (z, f uint32) {
	z = x >> (y & 31) & (0xffffffff >> (^(y >> 5) & 31))
	return z, isZero(z)<<3 | fl&(flagN|flagC|flagV)
}

// sexb b,c
func SEXB(y, fl uint32) (z, f uint32) {
	z = uint32(int32(int8(y)))
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// sexh b,c
func SEXH(y, fl uint32) (z, f uint32) {
	z = uint32(int32(int16(y)))
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// extb b,c
func EXTB(y, fl uint32) (z, f uint32) {
	z = y & 0xff
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// exth b,c
func EXTH(y, fl uint32) (z, f uint32) {
	z = y & 0xffff
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// norm b,c: redundant sign bits; the flags are those of the source
func NORM(y, fl uint32) (z, f uint32) {
	z = uint32(bits.LeadingZeros32(y^uint32(int32(y)>>31))) - 1
	return z, flagsZN(y) | fl&(flagC|flagV)
}

// normh b,c: redundant sign bits of the low half; the flags are those of the low half
func NORMH(y, fl uint32) (z, f uint32) {
	h := uint32(int32(int16(y)))
	z = uint32(bits.LeadingZeros32(h^uint32(int32(h)>>31))) - 17
	return z, flagsZN(h) | fl&(flagC|flagV)
}

// ffs b,c: number of the lowest set bit, 31 when there is none; the flags are those of the source
func FFS(y, fl uint32) (z, f uint32) {
	z = uint32(min(bits.TrailingZeros32(y), 31))
	return z, flagsZN(y) | fl&(flagC|flagV)
}

// fls b,c: number of the highest set bit, 0 when there is none; the flags are those of the source
func FLS(y, fl uint32) (z, f uint32) {
	z = 31 - uint32(min(bits.LeadingZeros32(y), 31))
	return z, flagsZN(y) | fl&(flagC|flagV)
}

// swap b,c
func SWAP(y, fl uint32) (z, f uint32) {
	z = y>>16 | y<<16
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// swape b,c
func SWAPE(y, fl uint32) (z, f uint32) {
	z = bits.ReverseBytes32(y)
	return z, flagsZN(z) | fl&(flagC|flagV)
}
