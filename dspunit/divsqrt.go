package dspunit

// DivFrac returns b/c as a Q31 number: (b * 2^31) / c truncated towards zero, clamped to 32 bits;
// and 1 when clamped. c must not be zero: the processor raises its divide-by-zero exception first.
//
// DEVIATION(29): truncation, and clamping where |b| >= |c|.
func DivFrac(b, c int32) (z int32, clip uint32) {
	q := int64(b) << 31 / int64(c)
	r := Clamp32(q)
	return int32(r), Happened(q ^ r)
}

// Sqrt returns the square root of n rounded down. DEVIATION(29): the operand is unsigned.
func Sqrt(n uint64) (root uint32) {
	var r uint64
	for bit := uint64(1) << 31; bit != 0; bit >>= 1 {
		if t := r | bit; t*t <= n {
			r = t
		}
	}
	return uint32(r)
}

// SqrtFrac returns the Q31 square root of the Q31 number c rounded down; and 1 when c is negative,
// which gives 0 (DEVIATION(29)).
func SqrtFrac(c int32) (z uint32, invalid uint32) {
	if c < 0 {
		return 0, 1
	}
	return Sqrt(uint64(c) << 31), 0
}
