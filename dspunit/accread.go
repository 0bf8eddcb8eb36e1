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

// Field returns v / 2^drop, rounded down, or by the mode when round is not zero, as a number of size
// bits: clamped when sat is 1, else reduced. Clamping to signed numbers is to
// [-2^(size-1), 2^(size-1)-1], to unsigned ones to [0, 2^size-1]. The result is sign or zero extended
// from size bits.
//
// drop may be negative (a shift to the left). Every dropped bit counts for rounding: the dropped bits
// and the addend are added apart from the kept ones, where they cannot overflow.
func Field(v int64, drop int32, size, sat, sgn uint32, round, rndEven uint64) (r, lost int64) {
	if drop > 0 {
		if drop > 63 { // at most one half is left: rounded 0, not rounded the sign
			drop = 63
			v >>= 63
			if round != 0 {
				v = 0
			}
		}
		by := uint32(drop) & 63
		r = v >> by
		if round != 0 {
			unit := uint64(1) << by
			r += int64((uint64(v)&(unit-1) + unit>>1 - rndEven + uint64(r)&rndEven) >> by)
		}
	} else {
		by := uint32(min(-drop, 63)) & 63
		r = v << by
		if sat != 0 && r>>by != v {
			r = v>>63 ^ (1<<63 - 1)
		}
	}
	exact, up := r, (64-size)&63
	if sgn != 0 {
		r = exact << up >> up
	} else {
		r = int64(uint64(exact) << up >> up)
	}
	if sat != 0 && r != exact {
		lost = 1
		if sgn != 0 {
			r = exact>>63 ^ (int64(1)<<((size-1)&63) - 1)
		} else {
			r = ^(exact >> 63) & (int64(1)<<(size&63) - 1)
		}
	}
	return r, lost
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
