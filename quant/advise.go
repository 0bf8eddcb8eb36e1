package quant

import (
	"fmt"
	"math/bits"
)

// Advice says whether a chain of multiply-accumulates fits its accumulator in the worst case, and
// which operand formats make it fit: the rule of MLI's documentation, which counts products and does not look at
// weights. ProveHeadroom does.
type Advice struct {
	Accumulations int
	ExtraBits     int // bits the sum may grow beyond one product
	SpareBits     int // bits the accumulator has beyond one product
	Short         int // ExtraBits - SpareBits, 0 when it fits
	A, B          QFormat
}

func (a Advice) String() string {
	if a.Short == 0 {
		return fmt.Sprintf("%d accumulations need %d extra bits, the accumulator has %d",
			a.Accumulations, a.ExtraBits, a.SpareBits)
	}
	return fmt.Sprintf("%d accumulations need %d extra bits, %d more than the accumulator has: use Q.%d and Q.%d",
		a.Accumulations, a.ExtraBits, a.Short, a.A.Frac, a.B.Frac)
}

// AdviseAccumulator answers for n products of formats a and b summed in accBits bits. Missing bits
// are taken from the fractional bits of both operands, an odd one from the operand with more.
func AdviseAccumulator(n int, a, b QFormat, accBits int) Advice {
	adv := Advice{Accumulations: n, A: a, B: b}
	if n > 1 {
		adv.ExtraBits = bits.Len(uint(n - 1))
	}
	product := a.Bits + b.Bits - 1 // two's complement: one of the two sign bits is redundant
	adv.SpareBits = max(0, accBits-product)
	adv.Short = max(0, adv.ExtraBits-adv.SpareBits)
	fromA, fromB := adv.Short/2, adv.Short/2
	if adv.Short%2 != 0 {
		if a.Frac >= b.Frac {
			fromA++
		} else {
			fromB++
		}
	}
	adv.A.Frac -= fromA
	adv.B.Frac -= fromB
	return adv
}
