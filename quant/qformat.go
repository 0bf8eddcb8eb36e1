package quant

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// QFormat is a signed fixed-point format, Qm.n: Bits wide with Frac = n bits below the point and m = Bits-1-n
// above it. Frac may be negative or exceed the width; m then is the width's complement of it. A format that only
// describes the result of an operation may be of any width.
type QFormat struct {
	Bits int
	Frac int
}

// greatestQ bounds the bits on either side of the point.
const greatestQ = 64

// ParseQ reads Qm.n, whose width is 1+m+n, and Q.n, which has n bits below the point and lies in the
// smallest container that has them beside the sign: of 8, 16, 32 or 64 bits. Either number may be negative.
func ParseQ(s string) (QFormat, error) {
	rest, ok := strings.CutPrefix(strings.ToUpper(s), "Q")
	integer, fraction, dot := strings.Cut(rest, ".")
	n, errN := strconv.ParseInt(fraction, 10, 16)
	f := QFormat{Frac: int(n)}
	if !ok || !dot || errN != nil {
		return QFormat{}, fmt.Errorf("format %q is not Qm.n or Q.n", s)
	}
	if integer == "" {
		f.Bits = 8
		for f.Bits <= f.Frac && f.Bits < greatestQ {
			f.Bits *= 2
		}
		if f.Bits <= f.Frac || f.Frac < -greatestQ {
			return QFormat{}, fmt.Errorf("format %q: no container of %d bits has %d bits below the point", s, greatestQ, n)
		}
		return f, nil
	}
	m, errM := strconv.ParseInt(integer, 10, 16)
	f.Bits = int(1 + m + n)
	switch {
	case errM != nil:
		return QFormat{}, fmt.Errorf("format %q is not Qm.n or Q.n", s)
	case f.Bits < 1 || f.Bits > greatestQ || max(m, -m, n, -n) > greatestQ:
		return QFormat{}, fmt.Errorf("format %q is %d bits wide (1 to %d)", s, f.Bits, greatestQ)
	}
	return f, nil
}

// Whole is the number of bits above the point, beside the sign.
func (f QFormat) Whole() int { return f.Bits - 1 - f.Frac }

func (f QFormat) String() string { return fmt.Sprintf("Q%d.%d", f.Whole(), f.Frac) }

// In is the same point in a container of another width.
func (f QFormat) In(bits int) QFormat { return QFormat{Bits: bits, Frac: f.Frac} }

// Container is the width of the smallest container of 8, 16, 32 or 64 bits that holds the format, 0 if there is none.
func (f QFormat) Container() int {
	for bits := 8; bits <= greatestQ; bits *= 2 {
		if f.Bits <= bits {
			return bits
		}
	}
	return 0
}

// Params is the format as an affine relation: zero point 0, scale 2^-Frac.
func (f QFormat) Params() Params { return Params{Scale: math.Ldexp(1, -f.Frac)} }

// Type is the format as a quantized type, where MLI has it.
func (f QFormat) Type() (Type, error) { return FX(f.Bits, f.Frac) }

// Range is the least and the greatest value.
func (f QFormat) Range() (lo, hi float64) {
	return f.Real(-1 << (f.Bits - 1)), f.Real(1<<(f.Bits-1) - 1)
}

// Real is the value an integer stands for.
func (f QFormat) Real(v int64) float64 { return math.Ldexp(float64(v), -f.Frac) }

// Holds reports whether the container has the integer.
func (f QFormat) Holds(v int64) bool { return Saturate(v, f.Bits) == v }

// Quantize makes an integer of a real; the container saturates.
func (f QFormat) Quantize(x float64, r Rounding) int64 {
	scaled := r.Real(math.Ldexp(x, f.Frac))
	switch limit := math.Ldexp(1, f.Bits-1); {
	case math.IsNaN(scaled):
		return 0
	case scaled < -limit:
		return -1 << (f.Bits - 1)
	case scaled >= limit:
		return 1<<(f.Bits-1) - 1
	}
	return int64(scaled)
}

// Convert changes the format of an integer: fewer fraction bits round, the container saturates.
func (f QFormat) Convert(v int64, to QFormat, r Rounding) int64 {
	return Saturate(r.Shift(v, f.Frac-to.Frac), to.Bits)
}

// Common is the format that has every bit of both.
func (f QFormat) Common(g QFormat) QFormat {
	frac := max(f.Frac, g.Frac)
	return QFormat{Bits: 1 + max(f.Whole(), g.Whole()) + frac, Frac: frac}
}

// Mul is the format of a product: the bits above the points add, and so do those below. It holds every product
// but that of the two least values, which is one step above its greatest.
func (f QFormat) Mul(g QFormat) QFormat {
	return QFormat{Bits: f.Bits + g.Bits - 1, Frac: f.Frac + g.Frac}
}

// Div is the format of a quotient of the integers: the bits above the points are subtracted, and so are those below.
func (f QFormat) Div(g QFormat) QFormat {
	return QFormat{Bits: f.Bits - g.Bits + 1, Frac: f.Frac - g.Frac}
}

// Sum is the format of a sum of n values, with the bits above the point that keep it from overflowing.
func (f QFormat) Sum(n int) QFormat {
	return QFormat{Bits: f.Bits + ExtraBits(n), Frac: f.Frac}
}

// ExtraBits is the number of bits by which a sum of n values is wider than one: the logarithm of n to the
// base 2, rounded up.
func ExtraBits(n int) int {
	if n < 2 {
		return 0
	}
	return bits.Len(uint(n - 1))
}
