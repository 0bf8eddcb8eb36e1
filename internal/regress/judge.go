package regress

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"arcv2dsp/mlikernels"
	"arcv2dsp/mlikernels/golden"
)

// Mismatch is the first element of an output that differs, and what is around it.
type Mismatch struct {
	Output        string // role of the tensor
	Index         int    // in the order of the data
	At            []int  // the same by dimensions
	Want, Got     int32
	Differ, Of    int // elements that differ, and all
	Neighbourhood string
}

// judge compares what a kernel did with what it had to do. runErr is what the machine had to say.
func judge(rep *mlikernels.Report, runErr error, want golden.Result) *Failure {
	if runErr != nil {
		return &Failure{Kind: KindFault, Message: runErr.Error()}
	}
	if rep.Status != mlikernels.StatusOK {
		return &Failure{Kind: KindStatus, Message: fmt.Sprintf("status is %v, expected OK", rep.Status)}
	}
	for _, role := range slices.Sorted(maps.Keys(want.Outputs)) {
		got := rep.Outputs[role]
		if got == nil {
			return &Failure{Kind: KindMismatch, Message: fmt.Sprintf("no output %q", role)}
		}
		if f := differ(role, got, want.Outputs[role]); f != nil {
			return f
		}
	}
	return nil
}

// differ compares one output.
func differ(role string, got, want *golden.Tensor) *Failure {
	err := mlikernels.Difference(got, want)
	if err == nil {
		return nil
	}
	var first *mlikernels.Mismatch
	if !errors.As(err, &first) {
		return &Failure{Kind: KindMismatch, Message: fmt.Sprintf("%s: %v", role, err)}
	}
	m := &Mismatch{Output: role, Index: first.Index, At: first.At(),
		Want: first.Want, Got: first.Got, Of: len(want.Data)}
	for i := range want.Data {
		if got.Data[i] != want.Data[i] {
			m.Differ++
		}
	}
	m.Neighbourhood = neighbourhood(got, want, m.At)
	return &Failure{Kind: KindMismatch, Mismatch: m,
		Message: fmt.Sprintf("%s%v, element %d, is %d, expected %d; %d of %d elements differ",
			role, m.At, m.Index, m.Got, m.Want, m.Differ, m.Of)}
}

// Elements shown around a mismatch, in the last two dimensions.
const (
	rowsAround = 2
	colsAround = 3
)

// neighbourhood shows expected and got side by side around an element; what differs has a star.
func neighbourhood(got, want *golden.Tensor, at []int) string {
	shape := want.Shape
	if len(shape) == 1 {
		shape, at = []int{1, shape[0]}, []int{0, at[0]}
	}
	rows, cols := shape[len(shape)-2], shape[len(shape)-1]
	y, x := at[len(at)-2], at[len(at)-1]
	plane := 0
	for d := range len(shape) - 2 {
		plane = plane*shape[d] + at[d]
	}
	plane *= rows * cols
	y0, y1 := max(0, y-rowsAround), min(rows, y+rowsAround+1)
	x0, x1 := max(0, x-colsAround), min(cols, x+colsAround+1)

	const cell = 8 // sign, five digits, star, space
	width := max(cell*(x1-x0), len(" expected"))
	var b strings.Builder
	fmt.Fprintf(&b, "%8s%*s   %*s\n", "", width, "expected", width, "got")
	for r := y0; r < y1; r++ {
		fmt.Fprintf(&b, "%7d:", r)
		var left, right strings.Builder
		for c := x0; c < x1; c++ {
			i := plane + r*cols + c
			star := " "
			if got.Data[i] != want.Data[i] {
				star = "*"
			}
			fmt.Fprintf(&left, "%7d ", want.Data[i])
			fmt.Fprintf(&right, "%7d%s", got.Data[i], star)
		}
		fmt.Fprintf(&b, "%-*s   %s\n", width, left.String(), strings.TrimRight(right.String(), " "))
	}
	fmt.Fprintf(&b, "%8s", "")
	for c := x0; c < x1; c++ {
		fmt.Fprintf(&b, "%7s ", fmt.Sprintf("[%d]", c))
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}
