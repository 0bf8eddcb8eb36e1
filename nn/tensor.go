package nn

import (
	"fmt"
	"slices"
)

// Tensor is a shape, the elements in order (last dimension fastest) and the format that gives them a
// value. A tensor without elements says which type, shape and format is wanted.
type Tensor struct {
	Type   Type
	Shape  []int // empty for a scalar
	Format Format

	Ints   []int64   // the elements of every type of integers
	Floats []float32 // the elements of every floating-point type
}

// New makes a tensor of zeros.
func New(t Type, shape ...int) *Tensor {
	x := &Tensor{Type: t, Shape: slices.Clone(shape)}
	x.Alloc()
	return x
}

// FromInts makes a tensor of the given elements.
func FromInts(t Type, shape []int, v []int64) *Tensor {
	return &Tensor{Type: t, Shape: slices.Clone(shape), Ints: v}
}

// Len is the number of elements the shape holds.
func (t *Tensor) Len() int { return Count(t.Shape) }

// Bytes is the room the elements take in simulated memory.
func (t *Tensor) Bytes() int { return t.Len() * t.Type.Bytes() }

// Filled reports whether the tensor has elements.
func (t *Tensor) Filled() bool { return t.Ints != nil || t.Floats != nil }

// Alloc gives the tensor fresh elements, all zero.
func (t *Tensor) Alloc() {
	t.Ints, t.Floats = nil, nil
	if t.Type.Float() {
		t.Floats = make([]float32, t.Len())
	} else {
		t.Ints = make([]int64, t.Len())
	}
}

// Clone copies the tensor with its elements.
func (t *Tensor) Clone() *Tensor {
	c := *t
	c.Shape, c.Ints, c.Floats = slices.Clone(t.Shape), slices.Clone(t.Ints), slices.Clone(t.Floats)
	return &c
}

// Copy takes n elements of another tensor of the type, from place i on, and puts them at a place.
func (t *Tensor) Copy(at int, from *Tensor, i, n int) {
	if t.Type.Float() {
		copy(t.Floats[at:at+n], from.Floats[i:i+n])
	} else {
		copy(t.Ints[at:at+n], from.Ints[i:i+n])
	}
}

// Dim is the size of a dimension; a negative index counts from the last.
func (t *Tensor) Dim(i int) int {
	if i < 0 {
		i += len(t.Shape)
	}
	return t.Shape[i]
}

// Value is element i as a real number.
func (t *Tensor) Value(i int) float64 {
	if t.Type.Float() {
		return float64(t.Floats[i])
	}
	p := t.step(i)
	return float64(t.Ints[i]-t.Format.Zero(p)) * t.Format.Scale(p)
}

// step finds the scale that element i has.
func (t *Tensor) step(i int) int {
	if t.Format.Steps() <= 1 && len(t.Format.Zeros) <= 1 {
		return 0
	}
	return i / Count(t.Shape[t.Format.Axis+1:]) % t.Shape[t.Format.Axis]
}

// Values is the whole tensor as real numbers.
func (t *Tensor) Values() []float64 {
	v := make([]float64, t.Len())
	for i := range v {
		v[i] = t.Value(i)
	}
	return v
}

// MaxElements bounds a tensor: far above any tensor that a 32-bit core could hold, far below
// overflow.
const MaxElements = 1 << 28

// CheckShape fails for a shape with a dimension that is not positive or with too many elements.
func CheckShape(shape []int) error {
	n := 1
	for i, d := range shape {
		if d <= 0 {
			return fmt.Errorf("dimension %d is %d, it must be positive", i, d)
		}
		if d > MaxElements/n {
			return fmt.Errorf("shape %v has more than %d elements", shape, MaxElements)
		}
		n *= d
	}
	return nil
}

// Check returns the first fault of the tensor itself: in its shape, its format, or an element
// outside its type.
func (t *Tensor) Check() error {
	if t.Type == NoType || int(t.Type) >= len(types) {
		return fmt.Errorf("no element type")
	}
	if err := CheckShape(t.Shape); err != nil {
		return err
	}
	if err := t.Format.check(t.Shape); err != nil {
		return err
	}
	if n := len(t.Ints) + len(t.Floats); t.Filled() && n != t.Len() {
		return fmt.Errorf("shape %v needs %d elements, there are %d", t.Shape, t.Len(), n)
	}
	for i, v := range t.Ints {
		if !t.Type.Holds(v) {
			return fmt.Errorf("element %d is %d, outside %s", i, v, t.Type)
		}
	}
	if t.Type == F32 {
		return nil
	}
	for i, v := range t.Floats {
		if t.Type.Round(float64(v)) != float64(v) && v == v {
			return fmt.Errorf("element %d is %g, which %s does not have", i, v, t.Type)
		}
	}
	return nil
}

// Count is the product of the dimensions: 1 for a scalar.
func Count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// Coordinates splits an element index by the shape.
func Coordinates(i int, shape []int) []int {
	at := make([]int, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		at[d] = i % shape[d]
		i /= shape[d]
	}
	return at
}

// Index is the element index of coordinates in the shape.
func Index(at, shape []int) int {
	i := 0
	for d, n := range shape {
		i = i*n + at[d]
	}
	return i
}
