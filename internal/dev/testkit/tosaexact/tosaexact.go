// Package tosaexact states TOSA's integer operators a second time: element by element from coordinates, in
// exact rational arithmetic, and where there is a choice in another form than the golden functions have
// (transposed convolutions scatter, double rounding is two roundings, means are quotients). It shares no code
// with them. It takes legal calls of small size and says what they compute, or that they are
// unpredictable.
package tosaexact

import (
	"fmt"
	"math/big"

	"arcv2dsp/nn"
)

// element computes one element of the output of a call from its coordinates; ok is false for a call that
// is unpredictable.
type element func(c *nn.Call, at []int) (v *big.Int, ok bool)

// Output computes the output of a legal call. ok is false when the call is unpredictable.
func Output(c *nn.Call) (out *nn.Tensor, ok bool) {
	shape := c.Out[0]
	out = nn.New(shape.Type, shape.Shape...)
	if f, whole := wholes[c.Op.Name]; whole {
		values, ok := f(c)
		if !ok {
			return nil, false
		}
		for i, v := range values {
			if out.Ints[i], ok = fits(v, shape.Type); !ok {
				return nil, false
			}
		}
		return out, true
	}
	f := elements[c.Op.Name]
	if f == nil {
		panic("tosaexact: no statement of " + c.Op.Name)
	}
	for i := range out.Ints {
		v, ok := f(c, nn.Coordinates(i, shape.Shape))
		if !ok {
			return nil, false
		}
		if out.Ints[i], ok = fits(v, shape.Type); !ok {
			return nil, false
		}
	}
	return out, true
}

// Has reports whether an operator is stated.
func Has(op string) bool { return elements[op] != nil || wholes[op] != nil }

// fits is v as an element of a type, if it is one.
func fits(v *big.Int, t nn.Type) (int64, bool) {
	lo, hi := t.Range()
	return v.Int64(), v.IsInt64() && v.Int64() >= lo && v.Int64() <= hi
}

func num(v int64) *big.Int { return big.NewInt(v) }

func ratio(a, b *big.Int) *big.Rat { return new(big.Rat).SetFrac(a, b) }

// power is 2^n.
func power(n int64) *big.Int { return new(big.Int).Lsh(num(1), uint(n)) }

// floor is the greatest integer that is not greater.
func floor(r *big.Rat) *big.Int {
	return new(big.Int).Div(r.Num(), r.Denom()) // Euclidean: the denominator is positive
}

var half = big.NewRat(1, 2)

// nearestUp rounds to the nearest integer, ties up.
func nearestUp(r *big.Rat) *big.Int { return floor(new(big.Rat).Add(r, half)) }

// nearestAway rounds to the nearest integer, ties away from zero.
func nearestAway(r *big.Rat) *big.Int {
	if r.Sign() < 0 {
		return new(big.Int).Neg(nearestUp(new(big.Rat).Neg(r)))
	}
	return nearestUp(r)
}

// clamped brings v into a range.
func clamped(v *big.Int, lo, hi int64) *big.Int {
	switch {
	case v.Cmp(num(lo)) < 0:
		return num(lo)
	case v.Cmp(num(hi)) > 0:
		return num(hi)
	}
	return v
}

// in reads an input element at coordinates.
func in(t *nn.Tensor, at ...int) int64 {
	i := 0
	for d, n := range t.Shape {
		if at[d] < 0 || at[d] >= n {
			panic(fmt.Sprintf("tosaexact: %v is outside %v", at, t.Shape))
		}
		i = i*n + at[d]
	}
	return t.Ints[i]
}

// broadcast reads an input that is repeated along its dimensions of extent 1.
func broadcast(t *nn.Tensor, at []int) int64 {
	place := make([]int, len(t.Shape))
	for d, n := range t.Shape {
		if n > 1 {
			place[d] = at[d]
		}
	}
	return in(t, place...)
}

// isI32 reports whether a number fits 32 bits.
func isI32(v *big.Int) bool {
	_, ok := fits(v, nn.I32)
	return ok
}
