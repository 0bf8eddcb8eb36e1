package dspmodel

import "math/big"

// n is an unbounded integer. Operations return new numbers.
type n struct{ v *big.Int }

func num(v int64) n            { return n{big.NewInt(v)} }
func unum(v uint64) n          { return n{new(big.Int).SetUint64(v)} }
func (a n) add(b n) n          { return n{new(big.Int).Add(a.v, b.v)} }
func (a n) sub(b n) n          { return n{new(big.Int).Sub(a.v, b.v)} }
func (a n) mul(b n) n          { return n{new(big.Int).Mul(a.v, b.v)} }
func (a n) neg() n             { return n{new(big.Int).Neg(a.v)} }
func (a n) times2to(k int) n   { return n{new(big.Int).Lsh(a.v, uint(k))} }
func (a n) floorBy2to(k int) n { return n{new(big.Int).Rsh(a.v, uint(k))} }
func (a n) cmp(b n) int        { return a.v.Cmp(b.v) }
func (a n) eq(b n) bool        { return a.cmp(b) == 0 }
func (a n) negative() bool     { return a.v.Sign() < 0 }
func (a n) zero() bool         { return a.v.Sign() == 0 }
func (a n) odd() bool          { return a.v.Bit(0) == 1 }
func pow2(k int) n             { return num(1).times2to(k) }
func maxSigned(width int) n    { return pow2(width - 1).sub(num(1)) }
func minSigned(width int) n    { return pow2(width - 1).neg() }
func (a n) unsigned(width int) n { // the residue in [0, 2^width)
	return n{new(big.Int).And(a.v, pow2(width).sub(num(1)).v)}
}

// signed is the residue in [-2^(width-1), 2^(width-1)).
func (a n) signed(width int) n {
	r := a.unsigned(width)
	if r.cmp(maxSigned(width)) > 0 {
		r = r.sub(pow2(width))
	}
	return r
}

// within is the nearest number in [least, greatest].
func (a n) within(least, greatest n) n {
	switch {
	case a.cmp(least) < 0:
		return least
	case a.cmp(greatest) > 0:
		return greatest
	}
	return a
}

// clamp is the nearest signed number of that width.
func (a n) clamp(width int) n { return a.within(minSigned(width), maxSigned(width)) }

// low returns bits 63:0.
func (a n) low() uint64 { return a.unsigned(64).v.Uint64() }

// int returns a number that is known to fit.
func (a n) int() int64 {
	if !a.v.IsInt64() {
		panic("dspmodel: " + a.v.String() + " does not fit")
	}
	return a.v.Int64()
}

// Rounding modes.
const (
	Truncate = 0
	Up       = 2
	Even     = 3
)

// dividedBy2to is a / 2^k as an integer: the floor; or the nearest integer, a half going up; or the
// nearest integer, a half going to the even one.
func (a n) dividedBy2to(k int, mode int) n {
	if k <= 0 {
		return a.times2to(-k)
	}
	floor := a.floorBy2to(k)
	rest := a.sub(floor.times2to(k)) // in [0, 2^k)
	half := rest.cmp(pow2(k - 1))
	switch {
	case mode == Up && half >= 0, mode == Even && half > 0, mode == Even && half == 0 && floor.odd():
		return floor.add(num(1))
	}
	return floor
}
