package quant

import (
	"fmt"
	"math/big"
)

// Advice says whether a chain of additions or multiply-accumulates fits its accumulator in the worst case, and
// which operand formats make it fit: the rule of MLI's documentation, which counts terms and does not look at
// weights. ProveHeadroom does.
type Advice struct {
	Accumulations int
	Accumulator   int     // its bits
	Term          QFormat // of one term of the sum: a value, or a product
	Result        QFormat // of the whole sum
	ExtraBits     int     // bits the sum may grow beyond one term
	SpareBits     int     // bits the accumulator has beyond one term
	Short         int     // ExtraBits - SpareBits, 0 when it fits
	A, B          QFormat // the operands with which it fits; B is empty in a sum of values
}

func (a Advice) String() string {
	if a.Short == 0 {
		return fmt.Sprintf("%d accumulations need %d extra bits, the accumulator has %d",
			a.Accumulations, a.ExtraBits, a.SpareBits)
	}
	text := fmt.Sprintf("%d accumulations need %d extra bits, %d more than the accumulator has: use Q.%d",
		a.Accumulations, a.ExtraBits, a.Short, a.A.Frac)
	if a.Products() {
		text += fmt.Sprintf(" and Q.%d", a.B.Frac)
	}
	return text
}

// AdviseAccumulator answers for n products of formats a and b summed in accBits bits. Missing bits
// are taken from the fractional bits of both operands, an odd one from the operand with more.
func AdviseAccumulator(n int, a, b QFormat, accBits int) Advice {
	adv := advise(n, a.Mul(b), accBits)
	fromA, fromB := adv.Short/2, adv.Short/2
	if adv.Short%2 != 0 {
		if a.Frac >= b.Frac {
			fromA++
		} else {
			fromB++
		}
	}
	a.Frac -= fromA
	b.Frac -= fromB
	adv.A, adv.B = a, b
	return adv
}

// AdviseSum answers for n values of one format.
func AdviseSum(n int, a QFormat, accBits int) Advice {
	adv := advise(n, a, accBits)
	a.Frac -= adv.Short
	adv.A = a
	return adv
}

func advise(n int, term QFormat, accBits int) Advice {
	adv := Advice{Accumulations: n, Accumulator: accBits, Term: term, Result: term.Sum(n), ExtraBits: ExtraBits(n)}
	adv.SpareBits = max(0, accBits-term.Bits)
	adv.Short = max(0, adv.ExtraBits-adv.SpareBits)
	return adv
}

// Products reports whether the terms are products, not values.
func (a Advice) Products() bool { return a.B != (QFormat{}) }

// Depth is the number of terms that the rule lets into the accumulator: a power of two.
func (a Advice) Depth() *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(a.SpareBits)) }

// Certain is the number of terms that fit whatever their values. A product of the two least values is one step
// above the greatest that the format of products has, so the last term of Depth may overflow: it does where every
// product is (-1)(-1). A sum of values has no such case, since its worst sum is the least value of the accumulator.
func (a Advice) Certain() *big.Int {
	n := a.Depth()
	if a.Products() {
		n.Sub(n, big.NewInt(1))
	}
	return n
}
