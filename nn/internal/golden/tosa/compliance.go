package tosa

import (
	"cmp"
	"fmt"
	"math"

	"arcv2dsp/nn"
)

// Mode is a way to compare an output with its reference.
type Mode string

// The modes.
const (
	Exact         Mode = "EXACT"
	DotProduct    Mode = "DOT_PRODUCT"
	Ulps          Mode = "ULP"
	FPSpecial     Mode = "FP_SPECIAL"
	ReduceProduct Mode = "REDUCE_PRODUCT"
	AbsError      Mode = "ABS_ERROR"
	Relative      Mode = "RELATIVE"
)

// Compliance says how near an output of floating-point numbers must come to its reference: the mode and the
// mode's parameters.
type Compliance struct {
	Mode Mode
	// Ulp is the distance that mode ULP allows, and RELATIVE at least, in units of the last place.
	Ulp float64
	// Set is the number of the test's data set and KS the number of products in each sum, of DOT_PRODUCT.
	Set, KS int
	// N is the number of factors of REDUCE_PRODUCT.
	N int
	// Greatest is the greatest magnitude among the inputs of RELATIVE, Scale the share of it that is allowed.
	Greatest, Scale float64
	// LowerBound, Divisor, MaxCompare and BoundAsMagnitude shape the bound of ABS_ERROR.
	LowerBound, Divisor, MaxCompare float64
	BoundAsMagnitude                bool
}

// Reference is what an output of floating-point numbers is compared with: the values in double precision and, for
// the modes that need them, the bounds.
type Reference struct {
	Compliance
	Shape          []int
	Values, Bounds []float64
}

// DEVIATION(298): bounds are those of the verifier that made the published tests, January 2025. The text of 1.0
// states wider ones for sums of products.

// varianceFactor times KS is the greatest mean square of the errors of sums of products.
const varianceFactor = 0.4

// Data sets of sums that are not biased: their errors must cancel out.
const (
	firstUnbiased = 3
	lastUnbiased  = 5
)

// Check says which element of an output lies outside the bounds, or in which way all of them do.
func (r *Reference) Check(got *nn.Tensor) error {
	switch {
	case len(got.Floats) != len(r.Values):
		return fmt.Errorf("%d elements, want %d", len(got.Floats), len(r.Values))
	case r.needsBounds() && len(r.Bounds) != len(r.Values):
		return fmt.Errorf("%d bounds for %d elements of mode %s", len(r.Bounds), len(r.Values), r.Mode)
	}
	if r.Mode == DotProduct {
		return r.checkSums(got)
	}
	misses := 0
	var first error
	for i, v := range got.Floats {
		if !r.holds(got.Type, i, float64(v)) {
			misses++
			first = cmp.Or(first, r.miss(got.Type, i, float64(v)))
		}
	}
	if first != nil {
		return fmt.Errorf("%w; %d of %d do", first, misses, len(r.Values))
	}
	return nil
}

func (r *Reference) needsBounds() bool {
	return r.Mode == DotProduct || r.Mode == AbsError || r.Mode == FPSpecial
}

// miss describes an element outside its bounds.
func (r *Reference) miss(t nn.Type, i int, v float64) error {
	bound := ""
	if r.Mode != FPSpecial {
		bound = fmt.Sprintf(" within %g", r.margin(t, i))
	}
	return fmt.Errorf("element %d %v is %g, want %g%s: it breaks %s", i, nn.Coordinates(i, r.Shape), v, r.Values[i], bound, r.Mode)
}

// holds judges one element of the modes that know no sums.
func (r *Reference) holds(t nn.Type, i int, v float64) bool {
	if r.Mode == FPSpecial {
		return special(t, v, r.Values[i], r.Bounds[i])
	}
	small := t.Bits() == 8
	if r.Mode == Exact && small {
		want := r.Values[i]
		return math.IsNaN(want) && math.IsNaN(v) || want == v
	}
	return within(t, v, r.Values[i], r.margin(t, i))
}

// margin is the error that element i may have.
func (r *Reference) margin(t nn.Type, i int) float64 {
	ref := r.Values[i]
	half := math.Ldexp(1, -t.Fraction()-1)
	switch r.Mode {
	case Ulps:
		return r.Ulp * ulp(t, ref)
	case ReduceProduct:
		return max(math.Abs(ref), t.LeastNormal()) * (math.Pow(1+half, float64(r.N)) - 1)
	case Relative:
		return max(r.Greatest*r.Scale, r.Ulp*ulp(t, ref))
	case AbsError:
		return r.absolute(t, ref, r.Bounds[i])
	}
	return 0
}

// ulp is the unit of the last place of a value in a type, zero for zero and for what is not finite.
func ulp(t nn.Type, v float64) float64 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0
	}
	return max(math.Ldexp(1, math.Ilogb(v)), t.LeastNormal()) * math.Ldexp(1, -t.Fraction())
}

// absolute is the margin of ABS_ERROR: bound times the last place of the magnitude.
func (r *Reference) absolute(t nn.Type, ref, bound float64) float64 {
	magnitude := ref
	if r.BoundAsMagnitude {
		magnitude, bound = bound, 1
	}
	var margin float64
	if finite(bound) || magnitude != 0 { // else it were infinity times zero
		v := max(math.Abs(magnitude), t.LeastNormal())
		if r.LowerBound > 0 {
			v = max(r.LowerBound/bound, v)
		}
		margin = math.Ldexp(1, -int(float64(t.Fraction())/cmp.Or(r.Divisor, 1))) * v * bound
	}
	return max(margin, r.MaxCompare)
}

func finite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

// within reports whether v is ref up to a margin. Where the margin reaches beyond the type's numbers, infinity will
// do, and NaN where the type has none; numbers too small for all their bits may be zero.
func within(t nn.Type, v, ref, margin float64) bool {
	switch {
	case math.IsNaN(ref):
		return math.IsNaN(v)
	case !finite(margin):
		return true
	}
	if ref < 0 {
		ref, v = -ref, -v
	}
	lo, hi := ref-margin, ref+margin
	if hi > t.Largest() {
		hi = math.Inf(1)
	}
	if lo > t.Largest() {
		lo = math.Inf(1)
	} else if lo < -t.Largest() {
		lo = math.Inf(-1)
	}
	switch {
	case t.Bits() > 8 && v == 0 && lo < t.LeastNormal():
		return true
	case math.IsNaN(v):
		return t == nn.F8E4M3 && math.IsInf(hi, 1)
	}
	return lo <= v && v <= hi
}

// special judges an output of inputs that are infinite or NaN: its kind and sign count, not its value.
func special(t nn.Type, v, ref, bound float64) bool {
	switch {
	case ref == 0 && v == 0:
		return true
	case math.IsNaN(v) && (math.IsNaN(ref) || math.IsNaN(bound)):
		return true
	case t == nn.F16 && !math.IsNaN(ref) && math.IsNaN(bound):
		return true
	}
	return math.IsNaN(v) == math.IsNaN(ref) && finite(v) == finite(ref) && math.Signbit(v) == math.Signbit(ref)
}

// checkSums judges sums of products: each error by the magnitude of its products, and all errors together by
// their mean square and, where the data have no bias, by their sum.
func (r *Reference) checkSums(got *nn.Tensor) error {
	t, ks := got.Type, float64(r.KS)
	half := math.Ldexp(1, -t.Fraction()-1)
	var sum, squares float64
	for i, x := range got.Floats {
		v, ref, bound := float64(x), r.Values[i], r.Bounds[i]
		at := nn.Coordinates(i, r.Shape)
		switch {
		case math.IsNaN(ref):
			if !math.IsNaN(v) {
				return fmt.Errorf("element %d %v is %g, want NaN", i, at, v)
			}
			continue
		case math.IsNaN(bound), bound*(1+ks*half) > t.Largest() && !finite(t.Round(bound*(1+ks*half))):
			continue
		case bound == 0:
			if ref != 0 || v != 0 {
				return fmt.Errorf("element %d %v is %g, want %g: all products are zero", i, at, v, ref)
			}
			continue
		}
		err := (v - ref) / max(bound*half, t.LeastNormal())
		if !(math.Abs(err) <= ks) {
			return fmt.Errorf("element %d %v is %g, want %g: the error is %g times the last half place of the products, at most %g", i, at, v, ref, err, ks)
		}
		sum, squares = sum+err, squares+err*err
	}
	n := float64(len(got.Floats))
	if squares > varianceFactor*ks*n {
		return fmt.Errorf("the mean square of the errors is %g, at most %g", squares/n, varianceFactor*ks)
	}
	if most := 2 * math.Sqrt(ks*n); r.Set >= firstUnbiased && r.Set <= lastUnbiased && math.Abs(sum) > most {
		return fmt.Errorf("the errors sum up to %g, at most %g: the results are biased", sum, most)
	}
	return nil
}
