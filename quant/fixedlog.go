package quant

import "math/bits"

// The constants of the logarithm with 31 bits below the point; the real number is in the comment.
const (
	logTwo         = 1488522236 // log(2)
	rootHalf       = 1518500250 // 2^(-1/2)
	fourthRootHalf = 1805811301 // 2^(-1/4)
	logCube        = 117049297  // 11/240 2^(1/4), of the cubic term
	logSquare      = 127690142  // 1/20 2^(1/4)
	logOne         = 1057819769 // 2^(3/4) - 2^(1/4)
	logLinear      = 638450708  // 1/4 2^(1/4)
	oneQuarter     = 1 << 29
)

// Log is the natural logarithm of a number of at least 1 with the given integer bits, as TensorFlow Lite's log-softmax takes
// it. The number is brought near 2^(-1/4) by a power of two, or by one and the root of a half, whichever is nearer from
// below; a quotient of polynomials gives the rest.
func (f Fixed[T]) Log(a int32, integer int) int32 {
	sums := Fixed[int32]{f.integer + 1} // one bit more than the result has
	quarter := Fixed[int32]{}.Rescale(oneQuarter, sums)
	power := func(n int) int32 { return SaturatingRoundingMultiplyByPOT(int32(n), sums.Fraction()) }

	zeros := bits.LeadingZeros32(uint32(a))
	first := SaturatingRoundingMultiplyByPOT(mul(SaturatingRoundingMultiplyByPOT(a, zeros-1), rootHalf), 1)
	firstPower := SaturatingAdd(power(integer-zeros), quarter)
	room := bits.LeadingZeros32(uint32(mul(a, rootHalf))) - 1
	second := SaturatingRoundingMultiplyByPOT(a, room)
	secondPower := saturated[int32](int64(power(integer-room)) - int64(quarter))

	r, z := min(first, second), max(firstPower, secondPower)
	p := RoundingHalfSum(r, fourthRootHalf)
	q := 2 * (r - fourthRootHalf)
	square := mul(q, q)
	num := mul(q, r) + mul(mul(q, square), logCube)
	den := mul(p, logOne+q+mul(logSquare, square)) + mul(logLinear, q)
	rest := mul(Fixed[int32]{}.Rescale(num, sums), OneOverOnePlus(den))
	return sums.Rescale(mul(z, logTwo)+rest, Fixed[int32](f))
}
