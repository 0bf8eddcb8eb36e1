package quant

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"
)

// MLIR prints a number with six digits behind the point where that reads back as the same number. Where it
// does not, 17 digits; where those show no point, the bits in hexadecimal. Its six digits come of a
// conversion that cuts before it rounds, so that some numbers that six digits could tell get 17: the
// conversion is restated here, because the text is part of the format.

const (
	shortDigits = 6
	longDigits  = 17 // 2 + 53 bits * log10(2)
	// longPadding is the number of zeros in front of digits that the long form takes before it
	// turns to an exponent.
	longPadding = 3
)

// FormatReal is MLIR's text of a number.
func FormatReal(x float64) string {
	if !math.IsInf(x, 0) && !math.IsNaN(x) {
		short := shortText(x)
		if back, ok := parseReal(short); ok && math.Float64bits(back) == math.Float64bits(x) {
			return short
		}
		if long := longText(x); strings.Contains(long, ".") {
			return long
		}
	}
	return fmt.Sprintf("0x%016X", math.Float64bits(x))
}

// decimal is a number in digits, the most significant first; the last one counts 10^exponent.
type decimal struct {
	digits   []byte
	exponent int
}

// cutBits is the number of bits that n decimal digits need, a little more than n*log2(10).
func cutBits(n int) int { return (n*196 + 58) / 59 }

// toDecimal converts |x|, x not zero, to n digits: cut to about that many, then rounded half up.
func toDecimal(x float64, n int) decimal {
	fraction, exponent := math.Frexp(math.Abs(x))
	mantissa := uint64(math.Ldexp(fraction, 53))
	exponent -= 53
	zeros := bits.TrailingZeros64(mantissa)
	whole := new(big.Int).SetUint64(mantissa >> zeros)
	exponent += zeros
	ten := 0
	if exponent > 0 {
		whole.Lsh(whole, uint(exponent))
	} else {
		ten = exponent
		whole.Mul(whole, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(-exponent)), nil))
	}
	if have := whole.BitLen(); have > cutBits(n) {
		cut := (have - cutBits(n)) * 59 / 196
		whole.Quo(whole, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(cut)), nil))
		ten += cut
	}
	d := decimal{digits: []byte(whole.String()), exponent: ten}
	d.round(n)
	d.trim()
	return d
}

// round keeps n digits, half up.
func (d *decimal) round(n int) {
	if len(d.digits) <= n {
		return
	}
	up := d.digits[n] >= '5'
	d.exponent += len(d.digits) - n
	d.digits = d.digits[:n]
	if !up {
		return
	}
	for i := n - 1; i >= 0; i-- {
		if d.digits[i] != '9' {
			d.digits[i]++
			return
		}
		d.digits[i] = '0'
	}
	d.digits = append([]byte{'1'}, d.digits...)
}

// trim drops trailing zeros.
func (d *decimal) trim() {
	for len(d.digits) > 1 && d.digits[len(d.digits)-1] == '0' {
		d.digits = d.digits[:len(d.digits)-1]
		d.exponent++
	}
}

func sign(x float64) string {
	if math.Signbit(x) {
		return "-"
	}
	return ""
}

// shortText has one digit before the point, six behind it and an exponent of two digits or more.
func shortText(x float64) string {
	if x == 0 {
		return sign(x) + "0." + strings.Repeat("0", shortDigits) + "e+00"
	}
	d := toDecimal(x, shortDigits)
	rest := string(d.digits[1:])
	return fmt.Sprintf("%s%c.%s%se%+03d", sign(x), d.digits[0], rest,
		strings.Repeat("0", shortDigits-len(rest)), d.exponent+len(rest))
}

// longText has as many digits as matter and an exponent only where zeros would pile up.
func longText(x float64) string {
	if x == 0 {
		return sign(x) + "0"
	}
	d := toDecimal(x, longDigits)
	n := len(d.digits)
	lead := d.exponent + n - 1 // power of ten of the first digit
	switch {
	case d.exponent >= 0 && (d.exponent > longPadding || n+d.exponent > longDigits), lead < -longPadding:
		rest := string(d.digits[1:])
		if rest == "" {
			rest = "0"
		}
		return fmt.Sprintf("%s%c.%sE%+d", sign(x), d.digits[0], rest, lead)
	case d.exponent >= 0:
		return sign(x) + string(d.digits) + strings.Repeat("0", d.exponent)
	case lead >= 0:
		return sign(x) + string(d.digits[:lead+1]) + "." + string(d.digits[lead+1:])
	}
	return sign(x) + "0." + strings.Repeat("0", -lead-1) + string(d.digits)
}
