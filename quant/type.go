package quant

import (
	"fmt"
	"math"
)

// Form is the kind of a quantized type.
type Form uint8

// The forms.
const (
	AnyType    Form = iota // a container, with no relation to reals
	PerLayer               // one scale
	PerAxis                // a scale for each index of one axis
	SubChannel             // a scale for each block of several axes
	Calibrated             // a range of reals, before a container is chosen
	Quantile               // a container whose values are numbers of a table
)

// Type is a quantized type of MLIR's quant dialect: which integers stand for which reals.
type Type struct {
	Form      Form
	Storage   Storage
	Expressed Float
	// Params are the relations: one for PerLayer, one for each index of Axis, or one for each block, the
	// last dimension of Grid fastest.
	Params []Params
	Axis   int     // of PerAxis
	Blocks []Block // of SubChannel
	Grid   []int   // of SubChannel: the number of blocks along every axis of the tensor
	Lo, Hi float64 // of Calibrated
	Table  *Table  // of Quantile; of the others where the stored integers are indexes
}

// Block is the length of a sub-channel block along an axis. An axis without one has a single block.
type Block struct{ Axis, Size int }

// Table gives each stored integer a number. Its container may be a part of a byte, its numbers those of a
// small floating-point type.
type Table struct {
	Storage Storage
	Of      Float
	Values  []float64
	// Narrowed says that the container's range was given.
	Narrowed bool
}

// Uniform is a type with one scale.
func Uniform(s Storage, expressed Float, p Params) Type {
	return Type{Form: PerLayer, Storage: s, Expressed: expressed, Params: []Params{p}}
}

// UniformAxis is a type with a scale for each index of an axis.
func UniformAxis(s Storage, expressed Float, axis int, p []Params) Type {
	return Type{Form: PerAxis, Storage: s, Expressed: expressed, Axis: axis, Params: p}
}

// Uniformly reports whether the type has scales.
func (t Type) Uniformly() bool {
	return t.Form == PerLayer || t.Form == PerAxis || t.Form == SubChannel
}

// FixedPoint reports whether the type is signed and zero is zero everywhere, as MLI's fx formats are.
func (t Type) FixedPoint() bool {
	for _, p := range t.Params {
		if p.ZeroPoint != 0 {
			return false
		}
	}
	return t.Uniformly() && t.Storage.Signed
}

// valid holds what every release of MLIR demands. Check adds what newer ones do.
func (t Type) valid() error {
	if t.Form == Calibrated {
		if !(t.Lo < t.Hi) {
			return fmt.Errorf("range %s to %s is empty", FormatReal(t.Lo), FormatReal(t.Hi))
		}
		return nil
	}
	if t.Table != nil {
		if err := t.Table.check(); err != nil {
			return err
		}
	}
	if t.Form == Quantile {
		return nil
	}
	if err := t.Storage.Check(); err != nil {
		return err
	}
	for _, p := range t.Params {
		if err := p.Check(); err != nil {
			return err
		}
	}
	if t.Form == SubChannel {
		return t.checkBlocks()
	}
	return nil
}

func (t Type) checkBlocks() error {
	seen := map[int]bool{}
	for _, b := range t.Blocks {
		switch {
		case b.Size < 1:
			return fmt.Errorf("block of %d elements along axis %d", b.Size, b.Axis)
		case b.Axis < 0 || b.Axis >= len(t.Grid):
			return fmt.Errorf("block along axis %d, the scales have %d dimensions", b.Axis, len(t.Grid))
		case seen[b.Axis]:
			return fmt.Errorf("two blocks along axis %d", b.Axis)
		}
		seen[b.Axis] = true
	}
	for axis, n := range t.Grid {
		if !seen[axis] && n != 1 {
			return fmt.Errorf("%d scales along axis %d, which has no blocks", n, axis)
		}
	}
	return nil
}

func (tb Table) check() error {
	if err := tb.Storage.Check(); err != nil {
		return err
	}
	want := tb.Storage.Levels() + 1
	if int64(len(tb.Values)) != want {
		return fmt.Errorf("table of %d numbers, storage %s has %d values", len(tb.Values), tb.Storage, want)
	}
	for _, v := range tb.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("table with %g", v)
		}
	}
	return nil
}

// Check applies the demands of MLIR's newest release on a type: those of the parser, scales that
// the expressed type can have, and an axis that exists.
func (t Type) Check() error {
	if err := t.valid(); err != nil {
		return err
	}
	if t.Form == PerAxis && t.Axis < 0 {
		return fmt.Errorf("axis %d is negative", t.Axis)
	}
	limits := floats[t.Expressed]
	for _, p := range t.Params {
		if p.Scale < limits.smallest || p.Scale > limits.largest {
			return fmt.Errorf("scale %s is outside %s, %s to %s", FormatReal(p.Scale), t.Expressed,
				FormatReal(limits.smallest), FormatReal(limits.largest))
		}
	}
	return nil
}

// Of finds the relation of each element of a tensor of the given shape, by element index. A negative
// dimension is unknown and fits everything; then only the check counts, the function must not be used.
func (t Type) Of(shape []int) (func(element int) Params, error) {
	switch t.Form {
	case PerLayer:
		return func(int) Params { return t.Params[0] }, nil
	case PerAxis:
		if t.Axis < 0 || t.Axis >= len(shape) {
			return nil, fmt.Errorf("scales along axis %d of a tensor with %d dimensions", t.Axis, len(shape))
		}
		if d := shape[t.Axis]; d >= 0 && d != len(t.Params) {
			return nil, fmt.Errorf("%d scales along axis %d of size %d", len(t.Params), t.Axis, d)
		}
		inner := count(shape[t.Axis+1:])
		return func(i int) Params { return t.Params[i/inner%len(t.Params)] }, nil
	case SubChannel:
		return t.blockwise(shape)
	}
	return nil, fmt.Errorf("%s has no scale", t)
}

func (t Type) blockwise(shape []int) (func(int) Params, error) {
	if len(shape) != len(t.Grid) {
		return nil, fmt.Errorf("scales of %d dimensions for a tensor of %d", len(t.Grid), len(shape))
	}
	size := make([]int, len(shape))
	for i, d := range shape {
		size[i] = max(d, 1) // one block for the whole axis
	}
	for _, b := range t.Blocks {
		d := shape[b.Axis]
		switch {
		case d >= 0 && d%b.Size != 0:
			return nil, fmt.Errorf("blocks of %d do not divide axis %d of size %d", b.Size, b.Axis, d)
		case d >= 0 && d/b.Size != t.Grid[b.Axis]:
			return nil, fmt.Errorf("%d scales for %d blocks along axis %d", t.Grid[b.Axis], d/b.Size, b.Axis)
		}
		size[b.Axis] = b.Size
	}
	return func(i int) Params {
		index, step := 0, 1
		for axis := len(shape) - 1; axis >= 0; axis-- {
			index += i % shape[axis] / size[axis] * step
			step *= t.Grid[axis]
			i /= shape[axis]
		}
		return t.Params[index]
	}, nil
}

// count is the product of the known dimensions.
func count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= max(d, 1)
	}
	return n
}

// Normalized is the simplest form of the same type: one scale instead of blocks with a single one, an
// axis instead of blocks that vary along one axis only, element by element.
func (t Type) Normalized() Type {
	if t.Form != SubChannel {
		return t
	}
	varies := -1
	for axis, n := range t.Grid {
		switch {
		case n > 1 && varies >= 0:
			return t
		case n > 1:
			varies = axis
		}
	}
	if varies < 0 {
		return Type{Form: PerLayer, Storage: t.Storage, Expressed: t.Expressed, Params: t.Params, Table: t.Table}
	}
	for _, b := range t.Blocks {
		if b.Axis == varies && b.Size != 1 {
			return t
		}
	}
	return Type{Form: PerAxis, Storage: t.Storage, Expressed: t.Expressed, Params: t.Params, Axis: varies, Table: t.Table}
}
