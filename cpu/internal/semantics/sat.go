package semantics

// Scalar saturating arithmetic. The result is the exact one clamped to 32 bits.
//
// DEVIATION(11): V is set when this instruction clamped; C is left alone.
// DEVIATION(12): every clamp sets DSP_CTRL.SAT.

// saturate32 clamps v; q is 1 when that changed it.
func saturate32(v int64) (z, q uint32) {
	z = uint32(max(min(v, 0x7fffffff), -0x80000000))
	return z, isZero(uint32(v>>32)^uint32(int32(z)>>31))&isZero(uint32(v)^z) ^ 1
}

// adds a,b,c
func ADDS(x, y, fl uint32) (z, f, q uint32) {
	z, q = saturate32(int64(int32(x)) + int64(int32(y)))
	return z, flagsZN(z) | fl&flagC | q, q
}

// subs a,b,c
func SUBS(x, y, fl uint32) (z, f, q uint32) {
	z, q = saturate32(int64(int32(x)) - int64(int32(y)))
	return z, flagsZN(z) | fl&flagC | q, q
}

// adcs a,b,c
func ADCS(x, y, fl uint32) (z, f, q uint32) {
	z, q = saturate32(int64(int32(x)) + int64(int32(y)) + int64(fl>>1&1))
	return z, flagsZN(z) | fl&flagC | q, q
}

// sbcs a,b,c
func SBCS(x, y, fl uint32) (z, f, q uint32) {
	z, q = saturate32(int64(int32(x)) - int64(int32(y)) - int64(fl>>1&1))
	return z, flagsZN(z) | fl&flagC | q, q
}

// abss b,c
func ABSS(y, fl uint32) (z, f, q uint32) {
	v := int64(int32(y))
	z, q = saturate32(max(v, -v))
	return z, flagsZN(z) | fl&flagC | q, q
}

// negs b,c
func NEGS(y, fl uint32) (z, f, q uint32) {
	z, q = saturate32(-int64(int32(y)))
	return z, flagsZN(z) | fl&flagC | q, q
}

// shift64 shifts x left by n, right for negative n, far enough for a clamp to 32 bits.
//
// DEVIATION(101): the amount is the whole signed register; beyond the width a shift is infinite.
func shift64(x uint32, n int64) (v int64) {
	return int64(int32(x)) << (uint32(max(min(n, 32), 0)) & 63) >> (uint32(max(min(-n, 31), 0)) & 63)
}

// asls a,b,c: left for c >= 0, right for c < 0
func ASLS(x, y, fl uint32) (z, f, q uint32) {
	z, q = saturate32(shift64(x, int64(int32(y))))
	return z, flagsZN(z) | fl&flagC | q, q
}

// asrs a,b,c: right for c >= 0, left for c < 0
func ASRS(x, y, fl uint32) (z, f, q uint32) {
	z, q = saturate32(shift64(x, -int64(int32(y))))
	return z, flagsZN(z) | fl&flagC | q, q
}
