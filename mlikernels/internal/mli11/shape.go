package mli11

import (
	"fmt"
	"slices"

	"arcv2dsp/mlikernels/internal/kernel"
	"arcv2dsp/mlikernels/internal/mli"
)

// notation is how the shapes of some operators are written, and the call that the numbers of a shape stand for.
type notation struct {
	mli.Notation
	shapes func(n []int) (shapes, error)
}

// The notations: the calls of referenceTable are of these forms.
var (
	convNotation      = &notation{mli.Convolution, func(n []int) (shapes, error) { return convShape(mli.NewConvolution(n)) }}
	depthwiseNotation = &notation{mli.Depthwise, func(n []int) (shapes, error) { return convShape(mli.NewDepthwise(n)) }}
	poolNotation      = &notation{mli.Pooling, func(n []int) (shapes, error) { return poolShape(mli.NewPooling(n)) }}
	denseNotation     = &notation{mli.Dense, func(n []int) (shapes, error) { return denseShape(n[0], n[1]), nil }}
	flatNotation      = &notation{mli.Flat, func(n []int) (shapes, error) { return flatShape(n[0]), nil }}
	cellNotation      = &notation{mli.Cells, func(n []int) (shapes, error) { return cellShape(mli.NewCell(n)) }}
)

// parse makes a call of a shape: a known one, or one of which nobody has counted the cost.
func (f *function) parse(shape string) (kernel.Case, error) {
	numbers, err := f.notation.Numbers(f.Family, shape)
	if err != nil {
		return kernel.Case{}, err
	}
	s, err := f.notation.shapes(numbers)
	if err != nil {
		return kernel.Case{}, fmt.Errorf("shape %q: %w", shape, err)
	}
	_, tensors := s(f)
	if err := mli.CheckTensors(shape, tensors); err != nil {
		return kernel.Case{}, err
	}
	i := slices.IndexFunc(f.kernel.Layers, func(c kernel.Case) bool { return c.Name == shape })
	if i >= 0 {
		return f.kernel.Layers[i], nil
	}
	return f.layer(shape, s), nil
}
