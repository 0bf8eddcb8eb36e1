package semantics

import "arcv2dsp/dspunit"

// Vector addition and subtraction on register pairs of the HS family: two words or four halves.
// Forms with s clamp each lane and set DSP_CTRL.SAT when one does (DEVIATION(12)).

// pack4 joins four 16-bit lanes.
func pack4(v0, v1, v2, v3 int64) (z64 uint64) {
	return uint64(uint16(v0)) | uint64(uint16(v1))<<16 | uint64(uint16(v2))<<32 | uint64(v3)<<48
}

// clamp2 clamps two words and joins them.
func clamp2(v0, v1 int64) (z64 uint64, q uint32) {
	r0, r1 := dspunit.Clamp32(v0), dspunit.Clamp32(v1)
	return pair(r0, r1), dspunit.Happened((v0 ^ r0) | (v1 ^ r1))
}

// clamp4 clamps four halves and joins them.
func clamp4(v0, v1, v2, v3 int64) (z64 uint64, q uint32) {
	r0, r1 := dspunit.Clamp16(v0), dspunit.Clamp16(v1)
	r2, r3 := dspunit.Clamp16(v2), dspunit.Clamp16(v3)
	return pack4(r0, r1, r2, r3), dspunit.Happened((v0 ^ r0) | (v1 ^ r1) | (v2 ^ r2) | (v3 ^ r3))
}

// VADD2: words x + y, wrapping.
func VADD2(x64, y64 uint64) (z64 uint64) {
	return pair(w0(x64)+w0(y64), w1(x64)+w1(y64))
}

// VSUB2: words x - y, wrapping.
func VSUB2(x64, y64 uint64) (z64 uint64) {
	return pair(w0(x64)-w0(y64), w1(x64)-w1(y64))
}

// VADDSUB: w0 = x.w0 + y.w0, w1 = x.w1 - y.w1, wrapping.
func VADDSUB(x64, y64 uint64) (z64 uint64) {
	return pair(w0(x64)+w0(y64), w1(x64)-w1(y64))
}

// VSUBADD: w0 = x.w0 - y.w0, w1 = x.w1 + y.w1, wrapping.
func VSUBADD(x64, y64 uint64) (z64 uint64) {
	return pair(w0(x64)-w0(y64), w1(x64)+w1(y64))
}

// VADDS2: words x + y, clamped to 32 bits.
func VADDS2(x64, y64 uint64) (z64 uint64, q uint32) {
	return clamp2(w0(x64)+w0(y64), w1(x64)+w1(y64))
}

// VSUBS2: words x - y, clamped to 32 bits.
func VSUBS2(x64, y64 uint64) (z64 uint64, q uint32) {
	return clamp2(w0(x64)-w0(y64), w1(x64)-w1(y64))
}

// VADDSUBS: w0 = x.w0 + y.w0, w1 = x.w1 - y.w1, clamped to 32 bits.
func VADDSUBS(x64, y64 uint64) (z64 uint64, q uint32) {
	return clamp2(w0(x64)+w0(y64), w1(x64)-w1(y64))
}

// VSUBADDS: w0 = x.w0 - y.w0, w1 = x.w1 + y.w1, clamped to 32 bits.
func VSUBADDS(x64, y64 uint64) (z64 uint64, q uint32) {
	return clamp2(w0(x64)-w0(y64), w1(x64)+w1(y64))
}

// VADD4H: halves x + y, wrapping.
func VADD4H(x64, y64 uint64) (z64 uint64) {
	return pack4(q0(x64)+q0(y64), q1(x64)+q1(y64), q2(x64)+q2(y64), q3(x64)+q3(y64))
}

// VSUB4H: halves x - y, wrapping.
func VSUB4H(x64, y64 uint64) (z64 uint64) {
	return pack4(q0(x64)-q0(y64), q1(x64)-q1(y64), q2(x64)-q2(y64), q3(x64)-q3(y64))
}

// VADDSUB4H: h0 and h2 are x + y, h1 and h3 are x - y, wrapping.
func VADDSUB4H(x64, y64 uint64) (z64 uint64) {
	return pack4(q0(x64)+q0(y64), q1(x64)-q1(y64), q2(x64)+q2(y64), q3(x64)-q3(y64))
}

// VSUBADD4H: h0 and h2 are x - y, h1 and h3 are x + y, wrapping.
func VSUBADD4H(x64, y64 uint64) (z64 uint64) {
	return pack4(q0(x64)-q0(y64), q1(x64)+q1(y64), q2(x64)-q2(y64), q3(x64)+q3(y64))
}

// VADDS4H: halves x + y, clamped to 16 bits.
func VADDS4H(x64, y64 uint64) (z64 uint64, q uint32) {
	return clamp4(q0(x64)+q0(y64), q1(x64)+q1(y64), q2(x64)+q2(y64), q3(x64)+q3(y64))
}

// VSUBS4H: halves x - y, clamped to 16 bits.
func VSUBS4H(x64, y64 uint64) (z64 uint64, q uint32) {
	return clamp4(q0(x64)-q0(y64), q1(x64)-q1(y64), q2(x64)-q2(y64), q3(x64)-q3(y64))
}

// VADDSUBS4H: h0 and h2 are x + y, h1 and h3 are x - y, clamped to 16 bits.
func VADDSUBS4H(x64, y64 uint64) (z64 uint64, q uint32) {
	return clamp4(q0(x64)+q0(y64), q1(x64)-q1(y64), q2(x64)+q2(y64), q3(x64)-q3(y64))
}

// VSUBADDS4H: h0 and h2 are x - y, h1 and h3 are x + y, clamped to 16 bits.
func VSUBADDS4H(x64, y64 uint64) (z64 uint64, q uint32) {
	return clamp4(q0(x64)-q0(y64), q1(x64)+q1(y64), q2(x64)-q2(y64), q3(x64)+q3(y64))
}
