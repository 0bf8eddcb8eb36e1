package quant

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// QFormat is a signed fixed-point format, Qm.n: Bits wide with Frac = n bits below the point and m = Bits-1-n
// above it. Frac may be negative or exceed the width; m then is the width's complement of it.
type QFormat struct {
	Bits int
	Frac int
}

// ParseQ reads Qm.n; the width is 1+m+n.
func ParseQ(s string) (QFormat, error) {
	rest, ok := strings.CutPrefix(strings.ToUpper(s), "Q")
	integer, fraction, dot := strings.Cut(rest, ".")
	m, errM := strconv.ParseInt(integer, 10, 16)
	n, errN := strconv.ParseInt(fraction, 10, 16)
	if !ok || !dot || errM != nil || errN != nil {
		return QFormat{}, fmt.Errorf("format %q is not Qm.n", s)
	}
	f := QFormat{Bits: int(1 + m + n), Frac: int(n)}
	if f.Bits < 2 || f.Bits > 32 {
		return QFormat{}, fmt.Errorf("format %q is %d bits wide (2 to 32)", s, f.Bits)
	}
	return f, nil
}

func (f QFormat) String() string { return fmt.Sprintf("Q%d.%d", f.Bits-1-f.Frac, f.Frac) }

// Params is the format as an affine relation: zero point 0, scale 2^-Frac.
func (f QFormat) Params() Params { return Params{Scale: math.Ldexp(1, -f.Frac)} }

// Type is the format as a quantized type, where MLI has it.
func (f QFormat) Type() (Type, error) { return FX(f.Bits, f.Frac) }

// Convert changes the format of an integer: fewer fraction bits round, the container saturates.
func (f QFormat) Convert(v int64, to QFormat, r Rounding) int64 {
	return Saturate(r.Shift(v, f.Frac-to.Frac), to.Bits)
}
