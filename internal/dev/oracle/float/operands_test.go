package float

import "math/rand/v2"

// drawer draws operands that meet each other's edges.
type drawer struct{ *rand.Rand }

func newDrawer(seed uint64) drawer { return drawer{rand.New(rand.NewPCG(11, seed))} }

func pick[T any](d drawer, of ...T) T { return of[d.IntN(len(of))] }

// number draws a floating-point number of a format given by the widths of its fields: any number, edges of
// the fields, and such as lie near 1 so that sums cancel and products tie.
func (d drawer) number(exponent, fraction uint) uint64 {
	top := uint64(1)<<exponent - 1
	bias := top >> 1
	e := d.Uint64N(top + 1)
	switch d.IntN(4) {
	case 0:
		e = pick(d, 0, 1, 2, uint64(fraction), top-2, top-1, top, top)
	case 1, 2:
		e = bias - 4 + d.Uint64N(8)
	}
	f := d.Uint64() & (1<<fraction - 1)
	switch d.IntN(3) {
	case 0:
		f = pick[uint64](d, 0, 0, 1, 1<<fraction-1, 1<<(fraction-1), 1<<(fraction-1)-1, 1<<(fraction-1)+1)
	case 1:
		f &= ^uint64(0) << (fraction - uint(d.IntN(int(fraction)))) // few digits: exact results and ties
	}
	return d.Uint64N(2)<<(exponent+fraction) | e<<fraction | f
}

func (d drawer) single() uint64 { return d.number(8, 23) }
func (d drawer) double() uint64 { return d.number(11, 52) }

// nearInteger draws a number whose conversion to an integer is worth a look: with few digits behind the
// point, or near the bounds of the types.
func (d drawer) nearInteger(exponent, fraction uint) uint64 {
	bias := uint64(1)<<(exponent-1) - 1
	if d.IntN(5) == 0 {
		return d.number(exponent, fraction)
	}
	e := bias - 2 + d.Uint64N(12)
	if d.IntN(3) == 0 {
		e = bias + pick(d, uint64(30), 31, 32, 52, 62, 63, 64)
	}
	f := d.Uint64() & (1<<fraction - 1) & (^uint64(0) << (fraction - min(fraction, uint(e-bias+3)&15)))
	if d.IntN(3) == 0 {
		f = pick[uint64](d, 0, 1<<fraction-1)
	}
	return d.Uint64N(2)<<(exponent+fraction) | e<<fraction | f
}

// whole draws an integer.
func (d drawer) whole() uint64 {
	if d.IntN(3) == 0 {
		return pick(d, 0, 1, ^uint64(0), 1<<31-1, 1<<31, 1<<32-1, 1<<63-1, 1<<63, 1<<24+1, 3<<23+1, 1<<53+1, 3<<52+1)
	}
	return d.Uint64() >> d.IntN(64)
}
