package dspunit

// The control operand of GETACC.
const (
	GetShift    = 0xff    // signed shift amount, positive to the left
	GetSelect   = 8       // two bits: 0 wide, 1 lo, 2 hi, 3 both lanes
	GetSaturate = 1 << 10 // clamp to the field instead of dropping upper bits
	GetSigned   = 1 << 11 // the accumulator and the field are signed
	GetRound    = 1 << 12 // round at the lowest bit of the field by RM
	GetJustify  = 1 << 13 // field in the low bits, extended; otherwise in the high bits
	GetSize     = 14      // two bits: 0 and 1 for 32 bits, 2 for 16, 3 for 8
	GetDouble   = 1 << 16 // one more shift to the left when PA = 0
)

// Field returns v / 2^drop, rounded down, or by the mode when round is all ones, as a number of
// size bits: clamped when sat is 1, else reduced. Clamping to signed numbers is to
// [-2^(size-1), 2^(size-1)-1], to unsigned ones to [0, 2^size-1]; clip is 1 when it happened. The
// result is sign or zero extended from size bits.
//
// drop may be negative (a shift to the left). Every dropped bit counts for rounding.
func Field(v int64, drop int32, size, sat, sgn uint32, round, rndMask, rndEven uint64) (r int64, clip uint32) {
	if drop > 63 { // at most one half is left: rounded 0, not rounded the sign
		drop = 63
		v = v >> 63 &^ int64(round&rndMask)
	}
	right := uint32(max(drop, 0))
	left := uint32(min(max(-drop, 0), 63))

	kept := v >> (right & 63)
	dropped := uint64(v) << 1 << (63 - right&63) // from bit 63 downwards
	rest := dropped << 1                         // what is dropped besides a half
	notTie := (rest|-rest)>>63 | uint64(kept) | (1 ^ rndEven)
	kept += int64(dropped >> 63 & notTie & round & rndMask)

	shifted := kept << (left & 63)
	if sat != 0 {
		exact := shifted
		if shifted>>(left&63) != kept {
			exact = kept>>63 ^ (1<<63 - 1)
		}
		greatest := int64(1)<<((size-sgn)&63) - 1
		least := ^greatest & -int64(sgn)
		r = max(min(exact, greatest), least)
		clip = Differs(exact, r)
	} else {
		sign := int64(sgn) << ((size - 1) & 63)
		r = shifted&(int64(1)<<(size&63)-1) ^ sign - sign
	}
	return r, clip
}

// Narrow64 returns a 64-bit number v and a shift drop2 that give the same Field as the accumulator
// wide with drop, size at most 32. An accumulator within 64 bits is v itself. Of a larger one,
// either so much is dropped that its last bits count only as being zero or not, or so little that
// it saturates anyway, or its guard bits are not looked at.
func Narrow64(wide uint64, guard, drop int32, sat, sgn uint32, geMask int64) (v int64, drop2 int32) {
	g := guard & 0xff & int32(geMask)
	if sgn != 0 {
		g = WideGuard(wide, guard, geMask)
	}
	v, drop2 = int64(wide), drop
	if g != int32(v>>63) {
		if drop >= 11 {
			low := wide & 0x1ff
			v = int64(g)<<55 | int64(wide>>9) | int64((low+0x1ff)>>9)
			drop2 = drop - 9
		} else if sat != 0 {
			v = int64(g>>31) ^ (1<<63 - 1)
		}
	}
	return v, drop2
}
