package quant

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
)

// Rounding says which integer stands for a value between two integers.
type Rounding uint8

const (
	NearestEven Rounding = iota // nearest, ties to the even neighbour: "convergent"
	HalfAway                    // nearest, ties away from zero
	HalfUp                      // nearest, ties towards plus infinity
	TowardZero                  // the fraction is dropped
	Floor                       // towards minus infinity, as an arithmetic shift does
)

var roundingNames = [...]string{
	NearestEven: "nearest-even",
	HalfAway:    "half-away",
	HalfUp:      "half-up",
	TowardZero:  "truncate",
	Floor:       "floor",
}

// Roundings lists every rounding.
func Roundings() []Rounding { return []Rounding{NearestEven, HalfAway, HalfUp, TowardZero, Floor} }

func (r Rounding) String() string {
	if int(r) < len(roundingNames) {
		return roundingNames[r]
	}
	return fmt.Sprintf("rounding(%d)", uint8(r))
}

// ParseRounding reads the name that String prints.
func ParseRounding(s string) (Rounding, error) {
	for r, name := range roundingNames {
		if s == name {
			return Rounding(r), nil
		}
	}
	return 0, fmt.Errorf("unknown rounding %q (nearest-even, half-away, half-up, truncate, floor)", s)
}

// up says whether floor+1 is the answer, given the sign of the value, how its fraction compares with
// one half (-1, 0, +1) and whether the fraction is zero.
func (r Rounding) up(negative, oddFloor bool, half int, exact bool) bool {
	switch {
	case exact || r == Floor:
		return false
	case r == TowardZero:
		return negative
	case half != 0:
		return half > 0
	case r == HalfAway:
		return !negative
	case r == NearestEven:
		return oddFloor
	}
	return true
}

// Shift returns x / 2^n rounded, for every n. A negative n multiplies by 2^-n and saturates at 64
// bits, which every narrower saturation that follows turns into its own limit.
func (r Rounding) Shift(x int64, n int) int64 {
	switch {
	case n <= 0:
		return shiftLeft(x, -n)
	case n > 64: // |x| is at most a quarter of the last kept bit; at 64 the least x is a tie
		if r == Floor && x < 0 {
			return -1
		}
		return 0
	}
	floor := x >> min(n, 63)
	fraction := uint64(x) << (64 - n) // in units of 2^-64
	half := cmp.Compare(fraction, 1<<63)
	if r.up(x < 0, floor&1 != 0, half, fraction == 0) {
		return floor + 1
	}
	return floor
}

// Div returns x / d rounded. Division by zero gives zero: callers check their counts.
func (r Rounding) Div(x, d int64) int64 {
	if d == 0 {
		return 0
	}
	if d == -1 {
		if x == math.MinInt64 {
			return math.MaxInt64
		}
		return -x
	}
	floor, rest := x/d, x%d
	if rest != 0 && (rest < 0) != (d < 0) {
		floor--
		rest += d
	}
	// rest/d is in [0,1) now: it is compared with one half as rest with d-rest.
	part, whole := magnitude(rest), magnitude(d)
	half := cmp.Compare(part, whole-part)
	if r.up((x < 0) != (d < 0), floor&1 != 0, half, rest == 0) {
		return floor + 1
	}
	return floor
}

// Real returns x rounded to an integer that is still a float. NaN and infinities stay.
func (r Rounding) Real(x float64) float64 {
	switch r {
	case NearestEven:
		return math.RoundToEven(x)
	case HalfAway:
		return math.Round(x)
	case HalfUp:
		if f := math.Floor(x); x-f >= 0.5 {
			return f + 1
		}
		return math.Floor(x)
	case TowardZero:
		return math.Trunc(x)
	}
	return math.Floor(x)
}

// magnitude is |x|, also for the most negative number.
func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// shiftLeft is x * 2^n, saturated at 64 bits. n is not negative.
func shiftLeft(x int64, n int) int64 {
	if x == 0 || n == 0 {
		return x
	}
	if n >= bits.LeadingZeros64(magnitude(x)) {
		if x < 0 {
			return math.MinInt64
		}
		return math.MaxInt64
	}
	return x << n
}

// Saturate clamps x to a signed container of the given width, 1 to 64 bits.
func Saturate(x int64, width int) int64 {
	return max(math.MinInt64>>(64-width), min(x, math.MaxInt64>>(64-width)))
}
