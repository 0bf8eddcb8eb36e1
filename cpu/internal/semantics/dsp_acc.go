package semantics

import "arcv2dsp/dspunit"

// Accumulator control. Bits 9:8 of the control operand select: 0 wide, 1 lo, 2 hi, 3 both lanes.

// SETACC: load accumulators or single accumulator registers from x under control of y; z is x
// (DEVIATION(14)). See dspunit.Load.
func SETACC(x, y uint32, lo, hi, postMask int64) (z uint32, lo2, hi2 int64) {
	lo2, hi2 = dspunit.Load(x, y, lo, hi, postMask)
	return x, lo2, hi2
}

// GETACC: z is a field of 32, 16 or 8 bits of the accumulator * 2^amount, amount being bits 7:0 of y
// signed: the upper bits of the low word of a lane, or of the low 64 bits of wide. Other bits of y
// say whether it is clamped, rounded, signed, doubled when PA = 0, and where it goes; see the
// dspunit.Get constants. With both lanes selected each gives a half of z.
//
// DEVIATION(50): an unsigned field is read from the unsigned accumulator.
// DEVIATION(17): size code 1 is 32 bits; with both lanes, codes 0 and 1 are 16.
func GETACC(y uint32, lo, hi int64, geMask, postMask, signLane, maskLane int64, rndMask, rndEven uint64) (z, q uint32) {
	sel := y >> dspunit.GetSelect & 3
	size := uint32(32) >> (max(y>>dspunit.GetSize&3, 1) - 1)
	n := int32(int8(y)) + int32(y/dspunit.GetDouble&1)&int32(postMask&1)
	sat := y / dspunit.GetSaturate & 1
	sgn := y / dspunit.GetSigned & 1
	round := uint64(y/dspunit.GetRound&1) & rndMask
	left := y/dspunit.GetJustify&1 ^ 1

	unsigned := maskLane | -int64(sgn) // a lane read as unsigned keeps these bits
	value := hi
	if sel == 1 {
		value = lo
	}
	value = dspunit.Lane(value, signLane, maskLane) & unsigned
	if sel == 3 {
		size = min(size, 16)
	}
	drop := 32 - int32(size) - n
	if sel == 0 {
		wide, guard := dspunit.WideOf(lo, hi)
		value, drop = dspunit.Narrow64(wide, guard, drop+32, sat, sgn, geMask)
	}
	r, lost := dspunit.Field(value, drop, size, sat, sgn, round, rndEven)
	if sel == 3 {
		low := dspunit.Lane(lo, signLane, maskLane) & unsigned
		r0, lost0 := dspunit.Field(low, drop, size, sat, sgn, round, rndEven)
		up := (16 - size) * left & 15
		z = dspunit.Pack2(r0<<up, r<<up)
		lost |= lost0
	} else {
		z = uint32(r) << ((32 - size) * left & 31)
	}
	return z, dspunit.Happened(lost)
}

// ASLACC: accumulator * 2^amount, not rounded, wrapping; the amount is bits 7:0 of y signed, for the
// high lane of both lanes bits 23:16. DEVIATION(19): an amount beyond the width shifts all bits out.
func ASLACC(y uint32, lo, hi, geMask, signLane, maskLane int64) (lo2, hi2 int64) {
	sel := y >> 8 & 3
	n := int32(int8(y))
	nHi := n
	if sel == 3 {
		nHi = int32(int8(y >> 16))
	}
	lo2, hi2 = lo, hi
	if sel&1 != 0 {
		lo2 = dspunit.ShiftLane(dspunit.Lane(lo, signLane, maskLane), n, signLane, maskLane)
	}
	if sel&2 != 0 {
		hi2 = dspunit.ShiftLane(dspunit.Lane(hi, signLane, maskLane), nHi, signLane, maskLane)
	}
	if sel == 0 {
		w, g := dspunit.WideOf(lo, hi)
		w, g = dspunit.ShiftWideWrap(w, g, n, geMask)
		lo2, hi2 = dspunit.SetWide(lo, w, g)
	}
	return lo2, hi2
}

// ASLSACC: ASLACC clamped: lanes at 32 bits, or 40 when GE = 1, wide at 64 or 72.
func ASLSACC(y uint32, lo, hi, geMask, limLane, signLane, maskLane int64, limWide uint64, limGuard int32) (q uint32, lo2, hi2 int64) {
	sel := y >> 8 & 3
	n := int32(int8(y))
	nHi := n
	if sel == 3 {
		nHi = int32(int8(y >> 16))
	}
	lo2, hi2 = lo, hi
	var lostLo, lostHi int64
	if sel&1 != 0 {
		lo2, lostLo = dspunit.ShiftLaneClamp(dspunit.Lane(lo, signLane, maskLane), n, geMask, limLane)
	}
	if sel&2 != 0 {
		hi2, lostHi = dspunit.ShiftLaneClamp(dspunit.Lane(hi, signLane, maskLane), nHi, geMask, limLane)
	}
	if sel == 0 {
		w, g := dspunit.WideOf(lo, hi)
		w, g, lostHi = dspunit.ShiftWideClamp(w, g, n, geMask, limWide, limGuard)
		lo2, hi2 = dspunit.SetWide(lo, w, g)
	}
	return dspunit.Events(lostLo, lostHi, 0), lo2, hi2
}

// NORMACC: z.b0 = by how many bits the selected accumulator may be shifted left within 32 bits (wide:
// 64), one less when PA = 0 because read-out doubles; negative when the guard is in use. With both
// lanes, z.b0 is the low one and z.b2 the high one. Other bytes are zero. DEVIATION(21).
func NORMACC(y uint32, lo, hi, geMask, postMask, signLane, maskLane int64) (z uint32) {
	sel := y >> 8 & 3
	nLo := dspunit.Redundant40(dspunit.Lane(lo, signLane, maskLane)) - 8 + int32(postMask)
	n := dspunit.Redundant40(dspunit.Lane(hi, signLane, maskLane)) - 8 + int32(postMask)
	if sel == 0 {
		w, g := dspunit.WideOf(lo, hi)
		n = dspunit.Redundant72(w, dspunit.WideGuard(w, g, geMask)) - 8 + int32(postMask)
	}
	z = uint32(uint8(n))
	if sel == 1 {
		z = uint32(uint8(nLo))
	}
	if sel == 3 {
		z = uint32(uint8(nLo)) | z<<16
	}
	return z
}

// FLAGACC: the flags become those of the selected accumulator: the low lane for 1, the high lane for
// 2 and 3, wide for 0. DEVIATION(51): the selector is in bits 9:8 as for its siblings.
//
//engine:reference
func FLAGACC(y uint32, lo, hi int64, sticky uint32, geMask, signLane, maskLane int64) (f uint32) {
	sel := y >> 8 & 3
	over := sticky / dspunit.StickyHiV & 1
	f = dspunit.LaneFlags(hi, over, signLane, maskLane)
	if sel == 0 {
		w, g := dspunit.WideOf(lo, hi)
		f = dspunit.WideFlags(w, g, over, geMask)
	}
	if sel == 1 {
		f = dspunit.LaneFlags(lo, sticky/dspunit.StickyLoV&1, signLane, maskLane)
	}
	return f
}

// DEVIATION(28): divacc and sqrtacc have no function; no open source says what one execution does.
