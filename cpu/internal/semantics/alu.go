package semantics

// add a,b,c
func ADD(x, y uint32) (z, f uint32) {
	z = x + y
	return z, flagsAdd(x, y, z)
}

// adc a,b,c
func ADC(x, y, fl uint32) (z, f uint32) {
	z = x + y + fl>>1&1
	return z, flagsAdd(x, y, z)
}

// sub a,b,c
func SUB(x, y uint32) (z, f uint32) {
	z = x - y
	return z, flagsSub(x, y, z)
}

// sbc a,b,c
func SBC(x, y, fl uint32) (z, f uint32) {
	z = x - y - fl>>1&1
	return z, flagsSub(x, y, z)
}

// rsub a,b,c
func RSUB(x, y uint32) (z, f uint32) {
	z = y - x
	return z, flagsSub(y, x, z)
}

// neg a,b
func NEG(y uint32) (z, f uint32) {
	z = -y
	return z, flagsSub(0, y, z)
}

// add1 a,b,c
func ADD1(x, y uint32) (z, f uint32) {
	z = x + y<<1
	return z, flagsAdd(x, y<<1, z)
}

// add2 a,b,c
func ADD2(x, y uint32) (z, f uint32) {
	z = x + y<<2
	return z, flagsAdd(x, y<<2, z)
}

// add3 a,b,c
func ADD3(x, y uint32) (z, f uint32) {
	z = x + y<<3
	return z, flagsAdd(x, y<<3, z)
}

// sub1 a,b,c
func SUB1(x, y uint32) (z, f uint32) {
	z = x - y<<1
	return z, flagsSub(x, y<<1, z)
}

// sub2 a,b,c
func SUB2(x, y uint32) (z, f uint32) {
	z = x - y<<2
	return z, flagsSub(x, y<<2, z)
}

// sub3 a,b,c
func SUB3(x, y uint32) (z, f uint32) {
	z = x - y<<3
	return z, flagsSub(x, y<<3, z)
}

// cmp b,c
func CMP(x, y uint32) (f uint32) {
	return flagsSub(x, y, x-y)
}

// rcmp b,c
func RCMP(x, y uint32) (f uint32) {
	return flagsSub(y, x, y-x)
}

// tst b,c
func TST(x, y, fl uint32) (f uint32) {
	return flagsZN(x&y) | fl&(flagC|flagV)
}

// mov b,c
func MOV(y, fl uint32) (z, f uint32) {
	z = y
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// and a,b,c
func AND(x, y, fl uint32) (z, f uint32) {
	z = x & y
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// or a,b,c
func OR(x, y, fl uint32) (z, f uint32) {
	z = x | y
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// xor a,b,c
func XOR(x, y, fl uint32) (z, f uint32) {
	z = x ^ y
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// bic a,b,c
func BIC(x, y, fl uint32) (z, f uint32) {
	z = x &^ y
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// not b,c
func NOT(y, fl uint32) (z, f uint32) {
	z = ^y
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// max a,b,c: the flags are those of b - c, but C is set when c was taken.
func MAX(x, y uint32) (z, f uint32) {
	z = uint32(max(int32(x), int32(y)))
	c := isZero(z ^ y)
	return z, flagsSub(x, y, x-y)&^flagC | c<<1
}

// min a,b,c: the flags are those of b - c, but C is set when c was taken.
func MIN(x, y uint32) (z, f uint32) {
	z = uint32(min(int32(x), int32(y)))
	c := isZero(z ^ y)
	return z, flagsSub(x, y, x-y)&^flagC | c<<1
}

// abs b,c: N and V mark the one value without a positive counterpart, C the sign of the source.
func ABS(y uint32) (z, f uint32) {
	sign := uint32(int32(y) >> 31)
	z = (y ^ sign) - sign
	most := isZero(y ^ 0x80000000)
	return z, isZero(z)<<3 | most<<2 | y>>31<<1 | most
}

// seteq a,b,c
func SETEQ(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	return bit(CompareEQ(x, y)), f
}

// setne a,b,c
func SETNE(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	return bit(CompareNE(x, y)), f
}

// setlt a,b,c
func SETLT(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	return bit(CompareLT(x, y)), f
}

// setge a,b,c
func SETGE(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	return bit(CompareGE(x, y)), f
}

// setlo a,b,c
func SETLO(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	return bit(CompareLO(x, y)), f
}

// seths a,b,c
func SETHS(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	return bit(CompareHS(x, y)), f
}

// setle a,b,c
func SETLE(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	return (f>>2 ^ f | f>>3) & 1, f
}

// setgt a,b,c
func SETGT(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	return (f>>2^f|f>>3)&1 ^ 1, f
}
