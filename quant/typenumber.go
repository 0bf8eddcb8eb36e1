package quant

// The numbers in the text of a type, by the rules of MLIR's lexer.

import (
	"math"
	"strconv"
)

// integer reads a decimal or hexadecimal number.
func (p *typeParser) integer() int64 {
	p.skip()
	start := p.at
	text := ""
	if p.take("-") {
		text = "-"
	}
	p.skip()
	digits, base := p.digits()
	p.refuse(digits == "", start, "expected an integer")
	n, err := strconv.ParseInt(text+digits, base, 64)
	if err != nil || n <= -math.MaxInt64 { // the lexer takes no negative number beyond
		panic(p.fail(start, "integer %s%s is too large", text, digits))
	}
	return n
}

// digits consumes the longest number there is, without a sign.
func (p *typeParser) digits() (string, int) {
	base, start := 10, p.at
	hex := func(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f' }
	if len(p.text) > p.at+2 && p.text[p.at:p.at+2] == "0x" && hex(p.text[p.at+2]) {
		base, start = 16, p.at+2
		for p.at = start; p.at < len(p.text) && hex(p.text[p.at]); p.at++ {
		}
	} else {
		p.decimals()
	}
	return p.text[start:p.at], base
}

// real reads a number with a point, or the bits of one in hexadecimal.
func (p *typeParser) real() float64 {
	p.skip()
	start := p.at
	negative := p.take("-")
	p.skip()
	digits, base := p.digits()
	switch {
	case digits == "":
		panic(p.fail(start, "expected a number with a point"))
	case base == 16:
		bits, err := strconv.ParseUint(digits, 16, 64)
		if err != nil || negative {
			panic(p.fail(start, "0x%s are not the bits of a number", digits))
		}
		return math.Float64frombits(bits)
	case p.at >= len(p.text) || p.text[p.at] != '.':
		panic(p.fail(start, "%s is an integer, expected a number with a point", digits))
	}
	p.at++
	fraction := p.decimals()
	exponent := ""
	if rest := p.text[p.at:]; rest != "" && rest[0]|0x20 == 'e' {
		after := 1
		if len(rest) > 1 && (rest[1] == '-' || rest[1] == '+') {
			after = 2
		}
		if len(rest) > after && rest[after] >= '0' && rest[after] <= '9' {
			p.at += after
			exponent = rest[:after] + p.decimals()
		}
	}
	x, ok := parseReal(digits + "." + fraction + exponent)
	if !ok {
		panic(p.fail(start, "%s is no number", p.text[start:p.at]))
	}
	if negative {
		x = -x
	}
	return x
}

// decimals consumes decimal digits.
func (p *typeParser) decimals() string {
	start := p.at
	for p.at < len(p.text) && p.text[p.at] >= '0' && p.text[p.at] <= '9' {
		p.at++
	}
	return p.text[start:p.at]
}

// parseReal reads decimal text. A number that is too large becomes infinite, as in MLIR, and fails later.
func parseReal(s string) (float64, bool) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(x, 0) {
		return 0, false
	}
	return x, true
}
