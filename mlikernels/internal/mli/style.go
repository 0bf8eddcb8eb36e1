package mli

import (
	"fmt"
	"strings"
)

// Style is how the elements of a generated case are distributed.
type Style uint8

// The styles.
const (
	Bell    Style = iota // most values small
	Uniform              // the whole range
	Extreme              // minimum, maximum, zero and one often
	Ties                 // small values and small shifts, so that halves are frequent
	Styles
)

// String is the style as it appears in names of cases.
func (s Style) String() string { return [...]string{"bell", "uniform", "extreme", "ties"}[s] }

// StyleOf takes the styles in turn.
func StyleOf(i int) Style { return Style(i % int(Styles)) }

// Edges are sizes below, at and above multiples of the unrolled 2, 4 and 8, and primes.
var Edges = []int{1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17}

// Join writes a shape as it appears in names of cases: 2x3x4.
func Join(shape []int) string {
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = fmt.Sprint(d)
	}
	return strings.Join(parts, "x")
}
