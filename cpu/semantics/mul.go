package semantics

// mpy a,b,c: N is the sign of the 64-bit product, V says that it does not fit
func MPY(x, y, fl uint32) (z, f uint32) {
	p := int64(int32(x)) * int64(int32(y))
	z = uint32(p)
	lost := uint32(p>>32) ^ uint32(int32(z)>>31)
	f = isZero(z)<<3 | uint32(uint64(p)>>63)<<2 | fl&flagC | (isZero(lost) ^ 1)
	return
}

// mpyu a,b,c
func MPYU(x, y, fl uint32) (z, f uint32) {
	p := uint64(x) * uint64(y)
	z = uint32(p)
	f = isZero(z)<<3 | fl&flagC | (isZero(uint32(p>>32)) ^ 1)
	return
}

// mpym a,b,c: high word
func MPYM(x, y, fl uint32) (z, f uint32) {
	z = uint32(int64(int32(x)) * int64(int32(y)) >> 32)
	f = flagsZN(z) | fl&flagC
	return
}

// mpymu a,b,c: high word
func MPYMU(x, y, fl uint32) (z, f uint32) {
	z = uint32(uint64(x) * uint64(y) >> 32)
	f = isZero(z)<<3 | fl&flagC
	return
}

// mpyw a,b,c: low halves
func MPYW(x, y, fl uint32) (z, f uint32) {
	z = uint32(int32(int16(x)) * int32(int16(y)))
	f = flagsZN(z) | fl&flagC
	return
}

// mpyuw a,b,c: low halves; N is cleared
func MPYUW(x, y, fl uint32) (z, f uint32) {
	z = x & 0xffff * (y & 0xffff)
	f = isZero(z)<<3 | fl&flagC
	return
}
