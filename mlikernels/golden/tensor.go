package golden

import "fmt"

// Type is the element type of a tensor.
type Type uint8

const (
	FX8  Type = iota // 8-bit fixed point, value = data / 2^Frac
	FX16             // 16-bit fixed point
	SA8              // 8-bit affine: value = (data - zero point) * scale / 2^ScaleFrac
	SA32             // 32-bit affine, biases only
)

var typeNames = [...]string{FX8: "fx8", FX16: "fx16", SA8: "sa8", SA32: "sa32"}

func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("type(%d)", uint8(t))
}

// ParseType reads the name that String prints.
func ParseType(s string) (Type, error) {
	for t, name := range typeNames {
		if s == name {
			return Type(t), nil
		}
	}
	return 0, fmt.Errorf("unknown element type %q (fx8, fx16, sa8, sa32)", s)
}

// Bits is the width of one element.
func (t Type) Bits() int {
	switch t {
	case FX16:
		return 16
	case SA32:
		return 32
	default:
		return 8
	}
}

// Affine reports whether the type carries scale and zero point instead of fractional bits.
func (t Type) Affine() bool { return t == SA8 || t == SA32 }

// Tensor is a shape, the elements in order (last dimension fastest) and the format that gives them
// a value. An output tensor whose Data is nil only says which format is wanted.
type Tensor struct {
	Type  Type
	Shape []int
	Data  []int32

	Frac int // FX: number of fractional bits, may exceed the container

	Dim       int     // affine: the axis the scales run along, -1 = one scale for the tensor
	Scale     []int32 // affine: mantissas
	ScaleFrac int     // affine: fractional bits of the mantissas
	Zero      []int32 // affine: zero points
}

// Len is the number of elements the shape holds.
func (t *Tensor) Len() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// like returns an empty tensor of the same type and format with another shape.
func (t *Tensor) like(shape ...int) *Tensor {
	c := *t
	c.Shape = shape
	c.Data = make([]int32, c.Len())
	return &c
}

// scale and zero return the affine parameters of position i along the tensor's axis.
func (t *Tensor) scale(i int) int64 {
	if t.Dim < 0 || len(t.Scale) == 1 {
		i = 0
	}
	return int64(t.Scale[i])
}

func (t *Tensor) zero(i int) int64 {
	if t.Dim < 0 || len(t.Zero) == 1 {
		i = 0
	}
	return int64(t.Zero[i])
}

// maxElements bounds a tensor: far above any case a 32-bit machine could hold, far below overflow.
const maxElements = 1 << 26

// maxFrac bounds the fractional bits: the interfaces keep them in one byte.
const maxFrac = 255

// Check says what is wrong with the tensor itself; the kernels check how tensors fit together.
func (t *Tensor) Check() error {
	n := 1
	for i, d := range t.Shape {
		if d <= 0 {
			return fmt.Errorf("dimension %d is %d", i, d)
		}
		if n *= d; n > maxElements {
			return fmt.Errorf("shape %v has more than %d elements", t.Shape, maxElements)
		}
	}
	if t.Data != nil && len(t.Data) != n {
		return fmt.Errorf("shape %v needs %d elements, data has %d", t.Shape, n, len(t.Data))
	}
	if f := t.Frac; f < -maxFrac || f > maxFrac || t.ScaleFrac < -maxFrac || t.ScaleFrac > maxFrac {
		return fmt.Errorf("more than %d fractional bits", maxFrac)
	}
	if b := t.Type.Bits(); b < 32 {
		for i, v := range t.Data {
			if int64(v) != saturate(int64(v), b) {
				return fmt.Errorf("element %d is %d, outside %s", i, v, t.Type)
			}
		}
	}
	if t.Type.Affine() {
		return t.checkAffine()
	}
	return nil
}

func (t *Tensor) checkAffine() error {
	want := 1
	if t.Dim >= 0 {
		if t.Dim >= len(t.Shape) {
			return fmt.Errorf("scale axis %d of a tensor with %d dimensions", t.Dim, len(t.Shape))
		}
		want = t.Shape[t.Dim]
	}
	for _, p := range []struct {
		name string
		vals []int32
	}{{"scales", t.Scale}, {"zero points", t.Zero}} {
		if len(p.vals) != want && len(p.vals) != 1 {
			return fmt.Errorf("%d %s for %d positions", len(p.vals), p.name, want)
		}
	}
	for _, s := range t.Scale {
		if s <= 0 {
			return fmt.Errorf("scale %d is not positive", s)
		}
	}
	return nil
}

// Value is element i as a real number.
func (t *Tensor) Value(i int) float64 {
	if !t.Type.Affine() {
		return ldexp(float64(t.Data[i]), -t.Frac)
	}
	p := t.position(i)
	return ldexp(float64(int64(t.Data[i])-t.zero(p))*float64(t.scale(p)), -t.ScaleFrac)
}

// position finds where element i sits along the scale axis.
func (t *Tensor) position(i int) int {
	if t.Dim < 0 {
		return 0
	}
	inner := 1
	for _, d := range t.Shape[t.Dim+1:] {
		inner *= d
	}
	return i / inner % t.Shape[t.Dim]
}

// Values is the whole tensor as real numbers.
func (t *Tensor) Values() []float64 {
	v := make([]float64, len(t.Data))
	for i := range v {
		v[i] = t.Value(i)
	}
	return v
}
