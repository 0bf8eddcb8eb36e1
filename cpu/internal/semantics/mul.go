package semantics

// mpy a,b,c: N is the sign of the 64-bit product, V says that it does not fit
func MPY(x, y, fl uint32) (z, f uint32) {
	p := int64(int32(x)) * int64(int32(y))
	z = uint32(p)
	lost := uint32(p>>32) ^ uint32(int32(z)>>31)
	return z, isZero(z)<<3 | uint32(uint64(p)>>63)<<2 | fl&flagC | (isZero(lost) ^ 1)
}

// mpyu a,b,c
func MPYU(x, y, fl uint32) (z, f uint32) {
	p := uint64(x) * uint64(y)
	z = uint32(p)
	return z, isZero(z)<<3 | fl&flagC | (isZero(uint32(p>>32)) ^ 1)
}

// mpym a,b,c: high word
func MPYM(x, y, fl uint32) (z, f uint32) {
	z = uint32(int64(int32(x)) * int64(int32(y)) >> 32)
	return z, flagsZN(z) | fl&flagC
}

// mpymu a,b,c: high word
func MPYMU(x, y, fl uint32) (z, f uint32) {
	z = uint32(uint64(x) * uint64(y) >> 32)
	return z, isZero(z)<<3 | fl&flagC
}

// mpyw a,b,c: low halves
func MPYW(x, y, fl uint32) (z, f uint32) {
	z = uint32(int32(int16(x)) * int32(int16(y)))
	return z, flagsZN(z) | fl&flagC
}

// mpyuw a,b,c: low halves; N is cleared
func MPYUW(x, y, fl uint32) (z, f uint32) {
	z = x & 0xffff * (y & 0xffff)
	return z, isZero(z)<<3 | fl&flagC
}
