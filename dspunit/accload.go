package dspunit

// The control operand of SETACC; with SetWhole clear, bits 9:8 name one register instead: ACC0_LO,
// ACC0_HI, the guard of ACC0_GLO, the guard of ACC0_GHI.
const (
	SetWhole    = 1 << 0  // write accumulator and guard
	SetSelect   = 8       // two bits: 0 wide, 1 lo, 2 hi, 3 both lanes
	SetFraction = 1 << 10 // the value is a fraction: upper word of wide, and as PA keeps products
	SetUnsigned = 1 << 11 // zero into the guard, not the sign; no effect on fractions
)

// Load returns the lanes after SETACC with value x and control c.
//
// DEVIATION(15): a fraction is x in a lane and x * 2^32 in wide, halved when PA = 0.
// DEVIATION(16): integers are sign or zero extended into the guard.
// DEVIATION(49): both type bits set are a fraction, bits above the type have no meaning.
func Load(x, c uint32, lo, hi, postMask int64) (lo2, hi2 int64) {
	sel := c >> SetSelect & 3
	fraction := c & SetFraction
	v := int64(int32(x))
	if c&(SetFraction|SetUnsigned) == SetUnsigned {
		v = int64(x)
	}
	wide := v
	if fraction != 0 {
		wide = v << 32 >> (uint32(postMask) & 1)
		v >>= uint32(postMask) & 1
	}
	lo2, hi2 = lo, hi
	if c&SetWhole != 0 {
		if sel == 0 {
			lo2, hi2 = SetWide(lo, uint64(wide), int32(wide>>63))
		}
		if sel&1 != 0 {
			lo2 = v
		}
		if sel&2 != 0 {
			hi2 = v
		}
	} else {
		if sel == 0 {
			lo2 = lo&^0xffffffff | int64(x)
		}
		if sel == 1 {
			hi2 = hi&^0xffffffff | int64(x)
		}
		if sel == 2 {
			lo2 = int64(int8(x))<<32 | int64(uint32(lo))
		}
		if sel == 3 {
			hi2 = int64(int8(x))<<32 | int64(uint32(hi))
		}
	}
	return lo2, hi2
}
