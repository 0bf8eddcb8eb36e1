package nn

import (
	"fmt"
	"math"
	"slices"
)

// Mismatch is the first element of a tensor that is not what it must be.
type Mismatch struct {
	Index     int
	Shape     []int
	Got, Want string
	Count     int // elements that differ
}

func (m *Mismatch) Error() string {
	return fmt.Sprintf("element %d %v is %s, want %s; %d of %d differ", m.Index, Coordinates(m.Index, m.Shape), m.Got,
		m.Want, m.Count, Count(m.Shape))
}

// Difference says how the type, shape or elements of two tensors differ, or returns nil. Floats must have the
// same bits, except that one NaN equals another.
func Difference(got, want *Tensor) error {
	switch {
	case got.Type != want.Type:
		return fmt.Errorf("type is %s, want %s", got.Type, want.Type)
	case !slices.Equal(got.Shape, want.Shape):
		return fmt.Errorf("shape is %v, want %v", got.Shape, want.Shape)
	case len(got.Ints) != len(want.Ints) || len(got.Floats) != len(want.Floats):
		return fmt.Errorf("%d elements, want %d", len(got.Ints)+len(got.Floats), len(want.Ints)+len(want.Floats))
	}
	var m *Mismatch
	note := func(i int, g, w any) {
		if m == nil {
			m = &Mismatch{Index: i, Shape: want.Shape, Got: fmt.Sprint(g), Want: fmt.Sprint(w)}
		}
		m.Count++
	}
	for i, w := range want.Ints {
		if got.Ints[i] != w {
			note(i, got.Ints[i], w)
		}
	}
	for i, w := range want.Floats {
		g := got.Floats[i]
		if math.Float32bits(g) != math.Float32bits(w) && (g == g || w == w) {
			note(i, g, w)
		}
	}
	if m == nil {
		return nil // a nil *Mismatch would be an error that is not nil
	}
	return m
}
