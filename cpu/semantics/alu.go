package semantics

// add a,b,c
func ADD(x, y uint32) (z, f uint32) {
	z = x + y
	f = flagsAdd(x, y, z)
	return
}

// adc a,b,c
func ADC(x, y, fl uint32) (z, f uint32) {
	z = x + y + fl>>1&1
	f = flagsAdd(x, y, z)
	return
}

// sub a,b,c
func SUB(x, y uint32) (z, f uint32) {
	z = x - y
	f = flagsSub(x, y, z)
	return
}

// sbc a,b,c
func SBC(x, y, fl uint32) (z, f uint32) {
	z = x - y - fl>>1&1
	f = flagsSub(x, y, z)
	return
}

// rsub a,b,c
func RSUB(x, y uint32) (z, f uint32) {
	z = y - x
	f = flagsSub(y, x, z)
	return
}

// neg a,b
func NEG(y uint32) (z, f uint32) {
	z = -y
	f = flagsSub(0, y, z)
	return
}

// add1 a,b,c
func ADD1(x, y uint32) (z, f uint32) {
	z = x + y<<1
	f = flagsAdd(x, y<<1, z)
	return
}

// add2 a,b,c
func ADD2(x, y uint32) (z, f uint32) {
	z = x + y<<2
	f = flagsAdd(x, y<<2, z)
	return
}

// add3 a,b,c
func ADD3(x, y uint32) (z, f uint32) {
	z = x + y<<3
	f = flagsAdd(x, y<<3, z)
	return
}

// sub1 a,b,c
func SUB1(x, y uint32) (z, f uint32) {
	z = x - y<<1
	f = flagsSub(x, y<<1, z)
	return
}

// sub2 a,b,c
func SUB2(x, y uint32) (z, f uint32) {
	z = x - y<<2
	f = flagsSub(x, y<<2, z)
	return
}

// sub3 a,b,c
func SUB3(x, y uint32) (z, f uint32) {
	z = x - y<<3
	f = flagsSub(x, y<<3, z)
	return
}

// cmp b,c
func CMP(x, y uint32) (f uint32) {
	f = flagsSub(x, y, x-y)
	return
}

// rcmp b,c
func RCMP(x, y uint32) (f uint32) {
	f = flagsSub(y, x, y-x)
	return
}

// tst b,c
func TST(x, y, fl uint32) (f uint32) {
	f = flagsZN(x&y) | fl&(flagC|flagV)
	return
}

// mov b,c
func MOV(y, fl uint32) (z, f uint32) {
	z = y
	f = flagsZN(z) | fl&(flagC|flagV)
	return
}

// and a,b,c
func AND(x, y, fl uint32) (z, f uint32) {
	z = x & y
	f = flagsZN(z) | fl&(flagC|flagV)
	return
}

// or a,b,c
func OR(x, y, fl uint32) (z, f uint32) {
	z = x | y
	f = flagsZN(z) | fl&(flagC|flagV)
	return
}

// xor a,b,c
func XOR(x, y, fl uint32) (z, f uint32) {
	z = x ^ y
	f = flagsZN(z) | fl&(flagC|flagV)
	return
}

// bic a,b,c
func BIC(x, y, fl uint32) (z, f uint32) {
	z = x &^ y
	f = flagsZN(z) | fl&(flagC|flagV)
	return
}

// not b,c
func NOT(y, fl uint32) (z, f uint32) {
	z = ^y
	f = flagsZN(z) | fl&(flagC|flagV)
	return
}

// max a,b,c: the flags are those of b - c, but C says that c was taken.
func MAX(x, y uint32) (z, f uint32) {
	z = uint32(max(int32(x), int32(y)))
	c := isZero(z ^ y)
	f = flagsSub(x, y, x-y)&^flagC | c<<1
	return
}

// min a,b,c: the flags are those of b - c, but C says that c was taken.
func MIN(x, y uint32) (z, f uint32) {
	z = uint32(min(int32(x), int32(y)))
	c := isZero(z ^ y)
	f = flagsSub(x, y, x-y)&^flagC | c<<1
	return
}

// abs b,c: N and V mark the one value without a positive counterpart, C the sign of the source.
func ABS(y uint32) (z, f uint32) {
	sign := uint32(int32(y) >> 31)
	z = (y ^ sign) - sign
	most := isZero(y ^ 0x80000000)
	f = isZero(z)<<3 | most<<2 | y>>31<<1 | most
	return
}

// seteq a,b,c
func SETEQ(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	z = bit(CompareEQ(x, y))
	return
}

// setne a,b,c
func SETNE(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	z = bit(CompareNE(x, y))
	return
}

// setlt a,b,c
func SETLT(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	z = bit(CompareLT(x, y))
	return
}

// setge a,b,c
func SETGE(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	z = bit(CompareGE(x, y))
	return
}

// setlo a,b,c
func SETLO(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	z = bit(CompareLO(x, y))
	return
}

// seths a,b,c
func SETHS(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	z = bit(CompareHS(x, y))
	return
}

// setle a,b,c
func SETLE(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	z = (f>>2 ^ f | f>>3) & 1
	return
}

// setgt a,b,c
func SETGT(x, y uint32) (z, f uint32) {
	f = flagsSub(x, y, x-y)
	z = (f>>2^f|f>>3)&1 ^ 1
	return
}
