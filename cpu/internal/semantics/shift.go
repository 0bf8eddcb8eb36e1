package semantics

import "math/bits"

// asl a,b,c: C is the last bit shifted out, 0 for no shift.
func ASL(x, y, fl uint32) (z, f uint32) {
	wide := uint64(x) << (y & 31)
	z = uint32(wide)
	return z, flagsZN(z) | uint32(wide>>32)&1<<1 | fl&flagV
}

// lsr a,b,c
func LSR(x, y, fl uint32) (z, f uint32) {
	wide := uint64(x) << 32 >> (y & 31)
	z = uint32(wide >> 32)
	return z, flagsZN(z) | uint32(wide>>31)&1<<1 | fl&flagV
}

// asr a,b,c
func ASR(x, y, fl uint32) (z, f uint32) {
	wide := int64(uint64(x)<<32) >> (y & 31)
	z = uint32(wide >> 32)
	return z, flagsZN(z) | uint32(wide>>31)&1<<1 | fl&flagV
}

// ror a,b,c
func ROR(x, y, fl uint32) (z, f uint32) {
	wide := uint64(x) << 32 >> (y & 31)
	z = uint32(wide>>32) | uint32(wide)
	return z, flagsZN(z) | uint32(wide>>31)&1<<1 | fl&flagV
}

// asl b,c: V says that the sign changed.
func ASL1(y uint32) (z, f uint32) {
	z = y << 1
	return z, flagsZN(z) | y>>31<<1 | (y^z)>>31
}

// lsr b,c
func LSR1(y, fl uint32) (z, f uint32) {
	z = y >> 1
	return z, flagsZN(z) | y&1<<1 | fl&flagV
}

// asr b,c
func ASR1(y, fl uint32) (z, f uint32) {
	z = uint32(int32(y) >> 1)
	return z, flagsZN(z) | y&1<<1 | fl&flagV
}

// ror b,c
func ROR1(y, fl uint32) (z, f uint32) {
	z = y>>1 | y<<31
	return z, flagsZN(z) | y&1<<1 | fl&flagV
}

// rol b,c
func ROL(y, fl uint32) (z, f uint32) {
	z = y<<1 | y>>31
	return z, flagsZN(z) | y>>31<<1 | fl&flagV
}

// rlc b,c
func RLC(y, fl uint32) (z, f uint32) {
	z = y<<1 | fl>>1&1
	return z, flagsZN(z) | y>>31<<1 | fl&flagV
}

// rrc b,c
func RRC(y, fl uint32) (z, f uint32) {
	z = y>>1 | fl>>1&1<<31
	return z, flagsZN(z) | y&1<<1 | fl&flagV
}

// asr8 b,c
func ASR8(y, fl uint32) (z, f uint32) {
	z = uint32(int32(y) >> 8)
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// asr16 b,c
func ASR16(y, fl uint32) (z, f uint32) {
	z = uint32(int32(y) >> 16)
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// lsl8 b,c
func LSL8(y, fl uint32) (z, f uint32) {
	z = y << 8
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// lsl16 b,c
func LSL16(y, fl uint32) (z, f uint32) {
	z = y << 16
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// lsr8 b,c
func LSR8(y, fl uint32) (z, f uint32) {
	z = y >> 8
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// lsr16 b,c
func LSR16(y, fl uint32) (z, f uint32) {
	z = y >> 16
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// rol8 b,c
func ROL8(y, fl uint32) (z, f uint32) {
	z = bits.RotateLeft32(y, 8)
	return z, flagsZN(z) | fl&(flagC|flagV)
}

// ror8 b,c
func ROR8(y, fl uint32) (z, f uint32) {
	z = bits.RotateLeft32(y, 24)
	return z, flagsZN(z) | fl&(flagC|flagV)
}
