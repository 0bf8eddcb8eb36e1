package quant

import "math"

// Solution is the answer of the historic solver for a range: scale and zero point, the range they
// represent, and whether there is one. The represented range covers the wanted one and has zero on its
// grid, up to the last step of the search.
type Solution struct {
	Params
	Lo, Hi    float64
	Satisfied bool
	Steps     int
}

const (
	solverSteps = 60    // bounds the search
	solverStep  = 1e-15 // a scale that moves by less is found
)

// Solve searches the scale with which levels steps from storageMin cover [lo, hi] and a grid point lies
// on zero. The first guess is the width of the range by the levels; two steps more than the range has
// surely suffice. In between it bisects.
func Solve(lo, hi float64, levels, storageMin int64) (Solution, error) {
	if err := checkRange(lo, hi); err != nil {
		return Solution{}, err
	}
	lo, hi = min(lo, 0), max(hi, 0)
	n := float64(levels)
	cover := func(scale float64) (float64, float64) {
		bottom := scale * math.Floor(lo/scale)
		return bottom, bottom + n*scale
	}
	// overshoot is negative where an end is not covered, else the greater excess of both ends.
	overshoot := func(scale float64) float64 {
		bottom, top := cover(scale)
		if top < hi {
			return top - hi
		}
		if lo < bottom {
			return lo - bottom
		}
		return max(top-hi, lo-bottom)
	}
	short := (hi - lo) / n
	long := (n*short + 2*short) / n
	found, before, steps := 0.0, 0.0, 0
	for ; steps < solverSteps; steps++ {
		found = (short + long) / 2
		excess := overshoot(found)
		if excess == 0 || excess > 0 && math.Abs(found-before) < solverStep {
			break
		}
		if excess > 0 == (overshoot(short) > 0) {
			short = found
		} else {
			long = found
		}
		before = found
	}
	s := Solution{Params: Params{Scale: found}, Steps: steps}
	s.Lo, s.Hi = cover(found)
	if s.Satisfied = found > 0; s.Satisfied {
		s.ZeroPoint = int64(math.Round(float64(storageMin) - s.Lo/found))
	}
	return s, nil
}
