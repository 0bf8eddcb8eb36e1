package mli11

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"arcv2dsp/nn"
)

// Format is a signed fixed-point format: Bits wide with Frac bits below the point, Qm.n with
// n = Frac and m = Bits-1-Frac integer bits. Frac may be negative or exceed the width.
type Format struct {
	Bits int
	Frac int
}

// Integer is m of Qm.n; the sign bit does not count.
func (f Format) Integer() int { return f.Bits - 1 - f.Frac }

func (f Format) String() string { return fmt.Sprintf("Q%d.%d", f.Integer(), f.Frac) }

// ParseFormat reads "Q3.4" (eight bits, from 1+3+4) or "Q.4" with the width given by the caller.
func ParseFormat(s string, bits int) (Format, error) {
	rest, ok := strings.CutPrefix(strings.ToUpper(s), "Q")
	integer, fraction, dot := strings.Cut(rest, ".")
	n, err := strconv.Atoi(fraction)
	if !ok || !dot || err != nil {
		return Format{}, fmt.Errorf("format %q is not Qm.n", s)
	}
	f := Format{Bits: bits, Frac: n}
	if integer != "" {
		m, err := strconv.Atoi(integer)
		if err != nil {
			return Format{}, fmt.Errorf("format %q is not Qm.n", s)
		}
		f.Bits = 1 + m + n
	}
	if f.Bits < 2 || f.Bits > 63 {
		return Format{}, fmt.Errorf("format %q is %d bits wide", s, f.Bits)
	}
	return f, nil
}

// Quantize is the element nearest to x, halves away from zero, saturated to the container. NaN
// gives zero.
func (f Format) Quantize(x float64) int64 {
	scaled := math.Round(math.Ldexp(x, f.Frac))
	switch {
	case scaled != scaled:
		return 0
	case scaled >= math.Ldexp(1, f.Bits-1):
		return 1<<(f.Bits-1) - 1
	case scaled < -math.Ldexp(1, f.Bits-1):
		return -1 << (f.Bits - 1)
	}
	return int64(scaled)
}

// Value is the real number an element stands for.
func (f Format) Value(v int64) float64 { return math.Ldexp(float64(v), -f.Frac) }

// Convert changes the format of an element: fewer fractional bits round, the container saturates.
func (f Format) Convert(v int64, to Format, r nn.Rounding) int64 {
	return saturate(Shift(r, v, f.Frac-to.Frac), to.Bits)
}

// Product is the format of f*g that loses nothing; both widths add up.
func (f Format) Product(g Format) Format {
	return Format{Bits: f.Bits + g.Bits, Frac: f.Frac + g.Frac}
}

// Quotient is the format of the integer quotient of two elements: the fractional bits of the
// divisor are lost from those of the dividend, and the largest quotient, by one bit of the
// divisor, still fits.
func (f Format) Quotient(g Format) Format {
	return Format{Bits: f.Bits + 1, Frac: f.Frac - g.Frac}
}
