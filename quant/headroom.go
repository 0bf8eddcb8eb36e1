package quant

import (
	"fmt"
	"math/big"
)

// Headroom is the range that a sum of products can reach for any inputs of their container: a proof, not a
// measurement.
type Headroom struct {
	Lo, Hi *big.Int
	Bits   int // of a signed accumulator that holds every sum, partial ones in any order included
}

// ProveHeadroom bounds the sum of weight times (input + offset) over the weights, plus bias, for every
// input of the container. Partial sums lie between the sum of the negative terms and the sum of the
// positive ones, with the bias on either side of them, so the order of the products does not matter.
func ProveHeadroom(weights []int64, offset, bias int64, inputs Storage) Headroom {
	lo, hi := big.NewInt(min(bias, 0)), big.NewInt(max(bias, 0))
	small, large := big.NewInt(inputs.Min), big.NewInt(inputs.Max)
	for _, end := range []*big.Int{small, large} {
		end.Add(end, big.NewInt(offset))
	}
	for _, w := range weights {
		a := new(big.Int).Mul(big.NewInt(w), small)
		b := new(big.Int).Mul(big.NewInt(w), large)
		if a.Cmp(b) > 0 {
			a, b = b, a
		}
		if a.Sign() < 0 {
			lo.Add(lo, a)
		}
		if b.Sign() > 0 {
			hi.Add(hi, b)
		}
	}
	magnitude := hi.BitLen()
	if lo.Sign() < 0 { // -2^(n-1) fits n bits: the bits of the complement count
		magnitude = max(magnitude, new(big.Int).Not(lo).BitLen())
	}
	return Headroom{Lo: lo, Hi: hi, Bits: 1 + magnitude}
}

// Fits reports whether an accumulator of the given width holds every sum.
func (h Headroom) Fits(width int) bool { return h.Bits <= width }

func (h Headroom) String() string {
	return fmt.Sprintf("sums of %s to %s, %d bits", h.Lo, h.Hi, h.Bits)
}
