package quant

import (
	"fmt"
	"math"
)

// FakeQuant rounds reals to the grid that quantization would leave; the results are reals. Networks
// are trained with it. It computes in float32 as TensorFlow's kernels do, without fused operations.
type FakeQuant struct {
	Lo, Hi    float32 // the range, moved so that zero is on the grid
	Scale     float32
	ZeroPoint int // the level of zero
	QMin      int // the lowest level
	QMax      int
	inverse   float32 // levels by width, not 1/Scale
	zero      float32 // steps from Lo to zero
}

// FakeFormula is a generation of the kernel.
type FakeFormula uint8

const (
	FakeCurrent FakeFormula = iota // since 2021: zero stays exactly zero
	FakeOld                        // before: times the inverse of the scale, from the lower end
	FakeOldVars                    // before, where the range is a variable: by the scale
	FakeTFLite                     // TensorFlow Lite: as FakeOld, ties away from zero
)

// The widths TensorFlow takes.
const minFakeBits, maxFakeBits = 2, 16

// NewFakeQuant moves a range so that zero falls on the grid of 2^bits levels, or one fewer when narrow.
// The range of zero alone makes everything zero.
func NewFakeQuant(lo, hi float32, bits int, narrow bool) (FakeQuant, error) {
	if bits < minFakeBits || bits > maxFakeBits {
		return FakeQuant{}, fmt.Errorf("fake quantization to %d bits (%d to %d)", bits, minFakeBits, maxFakeBits)
	}
	f := FakeQuant{QMax: 1<<bits - 1}
	if narrow {
		f.QMin = 1
	}
	if err := checkRange(float64(lo), float64(hi)); err != nil {
		return f, err
	}
	if lo == 0 && hi == 0 {
		return f, nil
	}
	if f.Scale = (hi - lo) / float32(f.QMax-f.QMin); !(f.Scale > 0) || math.IsInf(float64(f.Scale), 0) {
		return f, fmt.Errorf("range %g to %g has no scale in float32", lo, hi)
	}
	switch zero := float32(f.QMin) - float32(lo/f.Scale); {
	case zero < float32(f.QMin):
		f.ZeroPoint = f.QMin
	case zero > float32(f.QMax):
		f.ZeroPoint = f.QMax
	default:
		f.ZeroPoint = int(math.Round(float64(zero)))
	}
	f.Lo = float32(f.QMin-f.ZeroPoint) * f.Scale
	f.Hi = float32(f.QMax-f.ZeroPoint) * f.Scale
	f.inverse = float32(f.QMax-f.QMin) / (hi - lo)
	f.zero = floor32(float32(-f.Lo*f.inverse) + 0.5)
	return f, nil
}

func floor32(x float32) float32 { return float32(math.Floor(float64(x))) }

// above is how far x lies above the lower end, clamped to the range.
func (f FakeQuant) above(x float32) float32 { return min(f.Hi, max(f.Lo, x)) - f.Lo }

// steps is the number of steps from zero to x on the grid. NaN gives NaN.
func (f FakeQuant) steps(x float32) float32 {
	return floor32(float32(float32(f.above(x)*f.inverse)-f.zero) + 0.5)
}

// Level is the integer that x would be quantized to; that of zero for NaN.
func (f FakeQuant) Level(x float32) int {
	if f.Scale == 0 || x != x {
		return f.ZeroPoint
	}
	return int(f.steps(x)) + f.ZeroPoint
}

// Forward is x on the grid.
func (f FakeQuant) Forward(x float32, formula FakeFormula) float32 {
	if f.Scale == 0 {
		return 0
	}
	var steps float32
	switch above := f.above(x); formula {
	case FakeOld:
		steps = floor32(float32(above*(1/f.Scale)) + 0.5)
	case FakeOldVars:
		steps = floor32(float32(above/f.Scale) + 0.5)
	case FakeTFLite:
		steps = float32(math.Round(float64(above * (1 / f.Scale))))
	default:
		return f.steps(x) * f.Scale
	}
	return float32(steps*f.Scale) + f.Lo
}

// Backward splits a gradient: to x inside the range, to the end of the range beyond it.
func (f FakeQuant) Backward(x, gradient float32) (toX, toLo, toHi float32) {
	switch {
	case f.Scale == 0 || x >= f.Lo && x <= f.Hi:
		return gradient, 0, 0
	case x < f.Lo:
		return 0, gradient, 0
	case x > f.Hi:
		return 0, 0, gradient
	}
	return 0, 0, 0
}
