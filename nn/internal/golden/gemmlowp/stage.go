package gemmlowp

import (
	"cmp"
	"fmt"

	"arcv2dsp/nn"
	"arcv2dsp/quant"
)

// Stage is one step of an output pipeline: an int32 in, an int32 out. A cast is the last stage; without
// one the result is int32.
type Stage interface {
	// Name is the stage's name in gemmlowp, without OutputStage.
	Name() string
	check(rows, cols int) error
	apply(x int32, r, c int) int32
}

// Shape says by what a vector of parameters is indexed. gemmlowp calls a vector that runs along a row
// row-shaped: its index is the column.
type Shape string

const (
	Row Shape = "row" // one value for each column
	Col Shape = "col" // one value for each row
)

func (s Shape) pick(v []int32, r, c int) int32 {
	if s == Row {
		return v[c]
	}
	return v[r]
}

func (s Shape) check(what string, v []int32, rows, cols int) error {
	want := map[Shape]int{Row: cols, Col: rows}[s]
	switch {
	case want == 0:
		return fmt.Errorf("shape %q is neither row nor col", s)
	case len(v) != want:
		return fmt.Errorf("%d values of %s, shape %s has %d", len(v), what, s, want)
	}
	return nil
}

// QuantizeDown is the oldest stage: (x + Offset) * Multiplier in 32 bits, then a shift to the right whose
// ties go away from zero.
type QuantizeDown struct {
	Offset     int32 `json:"result_offset"`
	Multiplier int32 `json:"result_mult_int"`
	Shift      int   `json:"result_shift"`
}

// Name is the stage's name.
func (QuantizeDown) Name() string { return "QuantizeDownInt32ToUint8Scale" }

func (s QuantizeDown) check(int, int) error { return checkShift(s.Shift) }

func (s QuantizeDown) apply(x int32, _, _ int) int32 {
	return quant.ScaleLegacy.Apply(x+s.Offset, quant.Legacy(s.Multiplier, s.Shift))
}

// QuantizeDownPC is QuantizeDown with an offset and a multiplier for each row or column.
type QuantizeDownPC struct {
	Shape      Shape   `json:"shape"`
	Offset     []int32 `json:"result_offset"`
	Multiplier []int32 `json:"result_mult_int"`
	Shift      int     `json:"result_shift"`
}

// Name is the stage's name.
func (QuantizeDownPC) Name() string { return "QuantizeDownInt32ToUint8ScalePC" }

func (s QuantizeDownPC) check(rows, cols int) error {
	return cmp.Or(s.Shape.check("result_offset", s.Offset, rows, cols), s.Shape.check("result_mult_int", s.Multiplier, rows, cols),
		checkShift(s.Shift))
}

func (s QuantizeDownPC) apply(x int32, r, c int) int32 {
	one := QuantizeDown{Offset: s.Shape.pick(s.Offset, r, c), Multiplier: s.Shape.pick(s.Multiplier, r, c), Shift: s.Shift}
	return one.apply(x, r, c)
}

// QuantizeDownByFixedPoint multiplies by a fixed-point number below 1, shifts right and adds.
type QuantizeDownByFixedPoint struct {
	Multiplier int32 `json:"result_fixedpoint_multiplier"`
	Shift      int   `json:"result_shift"`
	Offset     int32 `json:"result_offset_after_shift"`
}

// Name is the stage's name.
func (QuantizeDownByFixedPoint) Name() string { return "QuantizeDownInt32ByFixedPoint" }

func (s QuantizeDownByFixedPoint) check(int, int) error { return checkShift(s.Shift) }

func (s QuantizeDownByFixedPoint) apply(x int32, _, _ int) int32 {
	return quant.ScaleGemmlowp.Apply(x, quant.Multiplier{Value: s.Multiplier, Shift: -s.Shift}) + s.Offset
}

// ScaleByExponent multiplies by a fixed-point number and a power of two; to the left it saturates.
type ScaleByExponent struct {
	Multiplier int32 `json:"result_fixedpoint_multiplier"`
	Exponent   int   `json:"result_exponent"`
	Offset     int32 `json:"result_offset_after_shift"`
}

// Name is the stage's name.
func (ScaleByExponent) Name() string { return "ScaleInt32ByFixedPointAndExponent" }

func (s ScaleByExponent) check(int, int) error { return checkExponent(s.Exponent) }

func (s ScaleByExponent) apply(x int32, _, _ int) int32 {
	return quant.ScaleGemmlowp.Apply(x, quant.Multiplier{Value: s.Multiplier, Shift: s.Exponent}) + s.Offset
}

// ScaleByExponentPC is ScaleByExponent with a multiplier and an exponent for each row or column.
type ScaleByExponentPC struct {
	Shape      Shape   `json:"shape"`
	Multiplier []int32 `json:"result_fixedpoint_multiplier"`
	Exponent   []int32 `json:"result_exponent"`
	Offset     int32   `json:"result_offset_after_shift"`
}

// Name is the stage's name.
func (ScaleByExponentPC) Name() string { return "ScaleInt32ByFixedPointAndExponentPC" }

func (s ScaleByExponentPC) check(rows, cols int) error {
	err := cmp.Or(s.Shape.check("result_fixedpoint_multiplier", s.Multiplier, rows, cols), s.Shape.check("result_exponent", s.Exponent, rows, cols))
	for _, e := range s.Exponent {
		err = cmp.Or(err, checkExponent(int(e)))
	}
	return err
}

func (s ScaleByExponentPC) apply(x int32, r, c int) int32 {
	one := ScaleByExponent{
		Multiplier: s.Shape.pick(s.Multiplier, r, c),
		Exponent:   int(s.Shape.pick(s.Exponent, r, c)),
		Offset:     s.Offset,
	}
	return one.apply(x, r, c)
}

// BiasAddition adds a value for each row or column; the sum wraps.
type BiasAddition struct {
	Shape Shape   `json:"shape"`
	Bias  []int32 `json:"bias"`
}

// Name is the stage's name.
func (BiasAddition) Name() string { return "BiasAddition" }

func (s BiasAddition) check(rows, cols int) error { return s.Shape.check("bias", s.Bias, rows, cols) }

func (s BiasAddition) apply(x int32, r, c int) int32 { return x + s.Shape.pick(s.Bias, r, c) }

// Clamp keeps values in Min to Max; where Min exceeds Max every value becomes Max.
type Clamp struct {
	Min int32 `json:"min"`
	Max int32 `json:"max"`
}

// Name is the stage's name.
func (Clamp) Name() string { return "Clamp" }

func (Clamp) check(int, int) error { return nil }

func (s Clamp) apply(x int32, _, _ int) int32 { return min(max(x, s.Min), s.Max) }

// Cast narrows to a type: saturated, or by dropping bits.
type Cast struct {
	To       nn.Type
	Truncate bool
}

// casts are the casts gemmlowp has.
var casts = map[Cast]string{
	{To: nn.U8}:                 "SaturatingCastToUint8",
	{To: nn.I8}:                 "SaturatingCastToInt8",
	{To: nn.I16}:                "SaturatingCastToInt16",
	{To: nn.U8, Truncate: true}: "TruncatingCastToUint8",
}

// Name is the stage's name.
func (s Cast) Name() string { return casts[s] }

func (s Cast) check(int, int) error {
	if s.Name() == "" {
		return fmt.Errorf("no cast to %s, truncating %t", s.To, s.Truncate)
	}
	return nil
}

func (s Cast) apply(x int32, _, _ int) int32 {
	if s.Truncate {
		return int32(s.To.Wrap(int64(x)))
	}
	return int32(s.To.Clamp(int64(x)))
}

func checkShift(n int) error {
	if n < 0 || n > 31 {
		return fmt.Errorf("a shift of %d (0 to 31)", n)
	}
	return nil
}

func checkExponent(n int) error {
	if n < -31 || n > 31 {
		return fmt.Errorf("an exponent of %d (-31 to 31)", n)
	}
	return nil
}

func checkStages(stages []Stage, rows, cols int) error {
	for i, s := range stages {
		if err := s.check(rows, cols); err != nil {
			return fmt.Errorf("stage %d, %s: %w", i+1, s.Name(), err)
		}
		if _, cast := s.(Cast); cast && i != len(stages)-1 {
			return fmt.Errorf("stage %d, %s: a cast is the last stage", i+1, s.Name())
		}
	}
	return nil
}

func resultType(stages []Stage) nn.Type {
	if len(stages) > 0 {
		if cast, ok := stages[len(stages)-1].(Cast); ok {
			return cast.To
		}
	}
	return nn.I32
}

// Legacy is the pipeline of the oldest entries: down to bytes.
func Legacy(offset, multiplier int32, shift int) []Stage {
	return []Stage{QuantizeDown{Offset: offset, Multiplier: multiplier, Shift: shift}, Cast{To: nn.U8}}
}
