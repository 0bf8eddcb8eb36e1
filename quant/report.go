package quant

import (
	"fmt"
	"math"
)

// ErrorReport compares values with the ones they should be.
type ErrorReport struct {
	Elements  int
	MaxError  float64 // greatest absolute difference
	MaxIndex  int     // where it is
	MeanError float64 // mean absolute difference
	RMSE      float64 // root of the mean squared difference
	SQNR      float64 // power of the reference by power of the difference in dB, +Inf when equal
	Cosine    float64 // of the angle between both, 1 when both are zero everywhere
	Step      float64 // one step of the quantized values; 0 when none was given
	Saturated int     // values at an end of the container; -1 when no container was given
}

// IdealNoise is the effective error of rounding to nearest, in steps: one step divided by the root
// of 12.
const IdealNoise = 0.28867513459481287

// Comparison compares values one by one, so that those of many tensors need not be kept. The zero Comparison has seen nothing.
type Comparison struct {
	report                             ErrorReport // elements and the greatest error
	signal, other, product, noise, sum float64
}

// Add compares one value. NaN on both sides is no difference, on one side it is an infinite one.
func (c *Comparison) Add(want, got float64) {
	d := math.Abs(want - got)
	switch {
	case want == got || math.IsNaN(want) && math.IsNaN(got):
		d = 0
	case math.IsNaN(d):
		d = math.Inf(1)
	}
	if d > c.report.MaxError {
		c.report.MaxError, c.report.MaxIndex = d, c.report.Elements
	}
	c.report.Elements++
	c.sum += d
	c.noise += d * d
	c.signal += want * want
	c.other += got * got
	c.product += want * got
}

// Report is the comparison so far. step is the distance of two neighbours in the values that were compared, or 0 when
// they have none.
func (c *Comparison) Report(step float64) (ErrorReport, error) {
	if c.report.Elements == 0 {
		return ErrorReport{}, fmt.Errorf("nothing to compare: no values")
	}
	r := c.report
	r.Step, r.Saturated = step, -1
	n := float64(r.Elements)
	r.MeanError, r.RMSE = c.sum/n, math.Sqrt(c.noise/n)
	r.SQNR = math.Inf(1)
	if c.noise > 0 {
		r.SQNR = 10 * math.Log10(c.signal/c.noise)
	}
	r.Cosine = 1
	if c.signal > 0 || c.other > 0 {
		r.Cosine = 0
		if c.signal > 0 && c.other > 0 {
			r.Cosine = c.product / math.Sqrt(c.signal) / math.Sqrt(c.other)
		}
	}
	return r, nil
}

// CompareReals reports how far got is from the reference. step is the distance of two neighbours in got,
// or 0 when it has none. NaN on both sides is no difference, on one side it is an infinite one.
func CompareReals(reference, got []float64, step float64) (ErrorReport, error) {
	if len(reference) != len(got) {
		return ErrorReport{}, fmt.Errorf("%d values for %d of the reference", len(got), len(reference))
	}
	var c Comparison
	for i, want := range reference {
		c.Add(want, got[i])
	}
	return c.Report(step)
}

// Compare reports how far quantized values are from the reals they stand for.
func Compare(reference []float64, q []int64, p Params, s Storage) (ErrorReport, error) {
	got := make([]float64, len(q))
	saturated := 0
	for i, v := range q {
		got[i] = p.Dequantize(v)
		if v <= s.Min || v >= s.Max {
			saturated++
		}
	}
	r, err := CompareReals(reference, got, p.Scale)
	r.Saturated = saturated
	return r, err
}

// MaxSteps is the greatest difference in steps.
func (r ErrorReport) MaxSteps() float64 { return r.MaxError / r.Step }

// MeanSteps is the mean absolute difference in steps.
func (r ErrorReport) MeanSteps() float64 { return r.MeanError / r.Step }

// NoiseRatio is the effective error divided by that of rounding to nearest: 1 means that the format
// is the only cause.
func (r ErrorReport) NoiseRatio() float64 { return r.RMSE / r.Step / IdealNoise }

func (r ErrorReport) String() string {
	s := fmt.Sprintf("%d values, SQNR %.1f dB, cosine %.6f, max error %.4g at %d, mean %.4g",
		r.Elements, r.SQNR, r.Cosine, r.MaxError, r.MaxIndex, r.MeanError)
	if r.Step > 0 {
		s += fmt.Sprintf("; in lsb: max %.2f, mean %.3f, noise %.2f of ideal rounding",
			r.MaxSteps(), r.MeanSteps(), r.NoiseRatio())
	}
	if r.Saturated >= 0 {
		s += fmt.Sprintf("; %d saturated", r.Saturated)
	}
	return s
}

// CompareType reports how far the integers of a tensor are from the reals they stand for. Errors count in
// steps where the type has one scale.
func CompareType(reference []float64, q []int64, t Type, shape []int) (ErrorReport, error) {
	of, err := t.Of(shape)
	if err != nil {
		return ErrorReport{}, err
	}
	if len(q) != len(reference) || count(shape) != len(q) {
		return ErrorReport{}, fmt.Errorf("%d integers for %d of the reference", len(q), len(reference))
	}
	got := make([]float64, len(q))
	saturated := 0
	for i, v := range q {
		got[i] = of(i).Dequantize(v)
		if v <= t.Storage.Min || v >= t.Storage.Max {
			saturated++
		}
	}
	step := 0.0
	if t.Form == PerLayer {
		step = t.Params[0].Scale
	}
	r, err := CompareReals(reference, got, step)
	r.Saturated = saturated
	return r, err
}
