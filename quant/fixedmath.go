package quant

import (
	"math"
	"math/bits"
)

// The functions of gemmlowp's fixed-point layer. Sums of 32 bits wrap and products round as
// SaturatingRoundingDoublingHighMul does, so results are exact to the bit, and wrong in the same way:
// the most negative argument of Tanh and Logistic has no absolute value and gives nonsense.

// mul is the product of two raw values.
func mul[T Raw](a, b T) T { return SaturatingRoundingDoublingHighMul(a, b) }

// The constants are real numbers with 31 bits below the point, in the comment; those of the division
// have 29.
const (
	expNegEighth = 1895147668 // exp(-1/8)
	oneThird     = 715827883
	oneHalf      = 1 << 30
	fortyEight17 = 1515870810  // 48/17
	negThirty217 = -1010580540 // -32/17
)

// expPowers are exp(-2^k) with 31 bits below the point, by k.
var expPowers = [...]struct {
	exponent int
	value    int32
}{
	{exponent: -2, value: 1672461947},
	{exponent: -1, value: 1302514674},
	{exponent: 0, value: 790015084},
	{exponent: 1, value: 290630308},
	{exponent: 2, value: 39332535},
	{exponent: 3, value: 720401},
	{exponent: 4, value: 242},
}

// expUnderflow: formats that reach below -2^expUnderflow answer 0 there. exp(-32) is below 2^-31.
const expUnderflow = 5

// ExpOnQuarter is exp(a) for a in [-1/4, 0); argument and result have no integer bits. It is the
// Taylor series about -1/8 to the fourth power.
func ExpOnQuarter[T Raw](a T) T {
	x := a + 1<<(width[T]()-4) // a + 1/8
	x2 := mul(x, x)
	x3 := mul(x2, x)
	x4 := mul(x2, x2)
	tail := mul(RoundingDivideByPOT(x4, 2)+x3, constant[T](oneThird)) + x2
	c := constant[T](expNegEighth)
	series := mul(c, x+RoundingDivideByPOT(tail, 1))
	if width[T]() == 16 {
		return SaturatingAdd(c, series)
	}
	return c + series
}

// ExpNegative is exp(a) for a <= 0, without integer bits.
func (f Fixed[T]) ExpNegative(a T) T {
	quarter := T(1) << (f.Fraction() - 2)
	rest := a&(quarter-1) - quarter
	result := ExpOnQuarter(f.Rescale(rest, Fixed[T]{}))
	remainder := rest - a
	for _, p := range expPowers {
		if f.integer > p.exponent && remainder>>(f.Fraction()+p.exponent)&1 != 0 {
			result = mul(result, constant[T](p.value))
		}
	}
	switch {
	case a == 0:
		return Fixed[T]{}.One()
	case f.integer > expUnderflow && a < -1<<(f.Fraction()+expUnderflow):
		return 0
	}
	return result
}

// newton divides: the inverse of (a+1)/2 with two integer bits, for a in (0, 1) without any. Three
// steps from 48/17 - 32/17 d give all bits.
func newton[T Raw](a T) T {
	two := Fixed[T]{2}
	denominator := RoundingHalfSum(a, Fixed[T]{}.One())
	x := constant[T](fortyEight17) + mul(denominator, constant[T](negThirty217))
	for range 3 {
		short := two.One() - mul(denominator, x)
		x += Fixed[T]{4}.Rescale(mul(x, short), two)
	}
	return x
}

// OneOverOnePlus is 1/(1+a) for a in (0, 1); argument and result have no integer bits.
func OneOverOnePlus[T Raw](a T) T { return Fixed[T]{1}.Rescale(newton(a), Fixed[T]{}) }

// OneMinusOverOnePlus is (1-a)/(1+a) for a in (0, 1); argument and result have no integer bits.
func OneMinusOverOnePlus[T Raw](a T) T {
	two := Fixed[T]{2}
	return two.Rescale(newton(a)-two.One(), Fixed[T]{})
}

// Logistic is 1/(1+exp(-a)), without integer bits.
func (f Fixed[T]) Logistic(a T) T {
	switch {
	case a == 0:
		return constant[T](oneHalf)
	case a > 0:
		return OneOverOnePlus(f.ExpNegative(-a))
	}
	return Fixed[T]{}.One() - OneOverOnePlus(f.ExpNegative(a))
}

// Tanh is the hyperbolic tangent, without integer bits. Doubling the argument is a format of one
// more integer bit.
func (f Fixed[T]) Tanh(a T) T {
	double := Fixed[T]{f.integer + 1}
	switch {
	case a == 0:
		return 0
	case a > 0:
		return OneMinusOverOnePlus(double.ExpNegative(-a))
	}
	return -OneMinusOverOnePlus(double.ExpNegative(a))
}

// Reciprocal is 1/x for a sum x > 0 with the given integer bits, as TensorFlow Lite's softmax takes
// it: a mantissa without integer bits, and the number of bits by which 1/x is greater or smaller,
// 1/x = mantissa * 2^-(bits). Zero and negative sums have none and give the greatest mantissa.
func Reciprocal(x int32, integer int) (mantissa int32, shift int) {
	if x <= 0 {
		return math.MaxInt32, 0
	}
	over := bits.LeadingZeros32(uint32(x))
	shifted := int32(uint32(x)<<over - 1<<31)
	return OneOverOnePlus(shifted), integer - over
}
