package semantics

import "arcv2dsp/dspunit"

// Lanes of a register: h0 is bits 15:0, h1 bits 31:16, b0 to b3 the bytes from the low one up.

func h0(x uint32) (v int64) { return int64(int16(x)) }
func h1(x uint32) (v int64) { return int64(int32(x) >> 16) }
func b0(x uint32) (v int64) { return int64(int8(x)) }
func b1(x uint32) (v int64) { return int64(int8(x >> 8)) }
func b2(x uint32) (v int64) { return int64(int8(x >> 16)) }
func b3(x uint32) (v int64) { return int64(int8(x >> 24)) }

// The same, unsigned.

func u0(x uint32) (v uint64) { return uint64(x & 0xffff) }
func u1(x uint32) (v uint64) { return uint64(x >> 16) }

// Words and quarters of a register pair.

func w0(x uint64) (v int64) { return int64(int32(x)) }
func w1(x uint64) (v int64) { return int64(x) >> 32 }
func q0(x uint64) (v int64) { return int64(int16(x)) }
func q1(x uint64) (v int64) { return int64(int16(x >> 16)) }
func q2(x uint64) (v int64) { return int64(int16(x >> 32)) }
func q3(x uint64) (v int64) { return int64(x) >> 48 }

// The sums of products of the dual operations.

func dotHH(x, y uint32) (s int64)  { return h0(x)*h0(y) + h1(x)*h1(y) }
func dotHBL(x, y uint32) (s int64) { return h0(x)*b0(y) + h1(x)*b1(y) }
func dotHBM(x, y uint32) (s int64) { return h0(x)*b2(y) + h1(x)*b3(y) }

func dotHHU(x, y uint32) (s uint64) { return u0(x)*u0(y) + u1(x)*u1(y) }

// pair joins two words to a register pair, lane 0 in the even register.
func pair(lane0, lane1 int64) (z64 uint64) { return uint64(uint32(lane0)) | uint64(lane1)<<32 }

// flagsClip: Z and N from the result, V whether anything was clamped by the events q, C kept.
// DEVIATION(10) for sath and rndh, DEVIATION(11) for the other saturating operations: V is not sticky
// there.
func flagsClip(z, q, fl uint32) (f uint32) {
	return flagsZN(z) | fl&flagC | q&dspunit.StickySAT
}

// flagsClip64 is flagsClip for a pair.
func flagsClip64(z64 uint64, q, fl uint32) (f uint32) {
	return isZero(uint32(z64)|uint32(z64>>32))<<3 | uint32(z64>>63)<<2 | fl&flagC | q&dspunit.StickySAT
}

// flagsMpy: N the sign of the product or sum, V cleared, Z and C kept.
func flagsMpy(sign int64, fl uint32) (f uint32) {
	return fl&(flagZ|flagC) | uint32(uint64(sign)>>63)<<2
}

// flagsMpyU: V cleared, the rest kept.
func flagsMpyU(fl uint32) (f uint32) { return fl & (flagZ | flagN | flagC) }

// flagsMac: N the sign of the accumulator, V set by overflow and never cleared, Z and C kept.
func flagsMac(guard int32, over, fl uint32) (f uint32) {
	return fl&(flagZ|flagC|flagV) | uint32(guard)>>31<<2 | over
}

// flagsMacU: V set by carry and never cleared, the rest kept.
func flagsMacU(carry, fl uint32) (f uint32) { return fl | carry }
