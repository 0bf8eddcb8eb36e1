package regress

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"arcv2dsp/mlikernels"
	"arcv2dsp/nn"
)

// Mismatch is the first element of an output that differs, and what is around it.
type Mismatch struct {
	Output        string      `json:"output"` // name of the result
	Index         int         `json:"index"`  // in the order of the data
	At            []int       `json:"at"`     // the same by dimensions
	Want          json.Number `json:"expected"`
	Got           json.Number `json:"got"`
	Differ        int         `json:"differ"` // elements
	Of            int         `json:"of"`     // all of them
	Neighbourhood string      `json:"context"`
}

// judge compares what a kernel did with what it had to do. runErr is the error of the machine.
func judge(rep *mlikernels.Report, runErr error, want map[string]*nn.Tensor) *Failure {
	if runErr != nil {
		return &Failure{Kind: KindFault, Message: runErr.Error()}
	}
	if !rep.OK() {
		return &Failure{Kind: KindStatus, Message: fmt.Sprintf("status is %s, expected OK", rep.Status)}
	}
	for _, role := range slices.Sorted(maps.Keys(want)) {
		got := rep.Results[role]
		if got == nil {
			return &Failure{Kind: KindMismatch, Message: fmt.Sprintf("no output %q", role)}
		}
		if f := differ(role, got, want[role]); f != nil {
			return f
		}
	}
	return nil
}

// differ compares one output.
func differ(role string, got, want *nn.Tensor) *Failure {
	return mismatch(role, got, want, mlikernels.Difference(got, want))
}

// mismatch is the failure that a difference of an output is, nil for none.
func mismatch(role string, got, want *nn.Tensor, err error) *Failure {
	if err == nil {
		return nil
	}
	var first *nn.Mismatch
	if !errors.As(err, &first) {
		return &Failure{Kind: KindMismatch, Message: fmt.Sprintf("%s: %v", role, err)}
	}
	m := &Mismatch{Output: role, Index: first.Index, At: nn.Coordinates(first.Index, first.Shape),
		Want: json.Number(first.Want), Got: json.Number(first.Got), Differ: first.Count, Of: want.Len()}
	m.Neighbourhood = neighbourhood(got, want, m.At)
	return &Failure{Kind: KindMismatch, Mismatch: m,
		Message: fmt.Sprintf("%s%v, element %d, is %s, expected %s; %d of %d elements differ",
			role, m.At, m.Index, m.Got, m.Want, m.Differ, m.Of)}
}

// Elements shown around a mismatch, in the last two dimensions.
const (
	rowsAround = 2
	colsAround = 3
)

// element is an element of a tensor for people.
func element(t *nn.Tensor, i int) string {
	if t.Type.Float() {
		return fmt.Sprint(t.Floats[i])
	}
	return fmt.Sprint(t.Ints[i])
}

// neighbourhood shows expected and got side by side around an element; a difference has a star.
func neighbourhood(got, want *nn.Tensor, at []int) string {
	shape := want.Shape
	for len(shape) < 2 {
		shape, at = append([]int{1}, shape...), append([]int{0}, at...)
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
			if element(got, i) != element(want, i) {
				star = "*"
			}
			fmt.Fprintf(&left, "%7s ", element(want, i))
			fmt.Fprintf(&right, "%7s%s", element(got, i), star)
		}
		fmt.Fprintf(&b, "%-*s   %s\n", width, left.String(), strings.TrimRight(right.String(), " "))
	}
	fmt.Fprintf(&b, "%8s", "")
	for c := x0; c < x1; c++ {
		fmt.Fprintf(&b, "%7s ", fmt.Sprintf("[%d]", c))
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}
