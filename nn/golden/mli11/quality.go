package mli11

import (
	"fmt"
	"math"

	"arcv2dsp/nn"
)

// Quality compares a quantized result with the float64 reference.
type Quality struct {
	Elements int
	MaxAbs   float64 // largest difference
	MaxIndex int     // where
	SNR      float64 // signal to noise as a ratio of effective values, +Inf when equal
	SNRdB    float64 // 20 log10 of it
	// QuantShare is the part of the noise that the output format alone makes unavoidable: the
	// noise of the reference rounded to the format over the whole noise.
	QuantShare float64
}

func (q Quality) String() string {
	return fmt.Sprintf("S/N %.1f (%.1f dB), max error %g at %d, quantization share %.0f%%",
		q.SNR, q.SNRdB, q.MaxAbs, q.MaxIndex, 100*q.QuantShare)
}

// Compare reports how far a tensor is from the reference values.
func Compare(reference []float64, got *nn.Tensor) (Quality, error) {
	if len(reference) != len(got.Ints) {
		return Quality{}, fmt.Errorf("%d reference values for %d elements", len(reference), len(got.Ints))
	}
	q := Quality{Elements: len(reference)}
	var signal, noise, quantNoise float64
	for i, want := range reference {
		d := want - got.Value(i)
		if math.Abs(d) > q.MaxAbs {
			q.MaxAbs, q.MaxIndex = math.Abs(d), i
		}
		signal += want * want
		noise += d * d
		e := want - nearest(got, want, i)
		quantNoise += e * e
	}
	q.SNR = math.Inf(1)
	if noise > 0 {
		q.SNR = math.Sqrt(signal / noise)
		q.QuantShare = math.Sqrt(quantNoise / noise)
	}
	q.SNRdB = 20 * math.Log10(q.SNR)
	return q, nil
}

// nearest is the value closest to x that element i of the tensor could have.
func nearest(t *nn.Tensor, x float64, i int) float64 {
	if t.Format.Kind != nn.Mantissa {
		f := Format{Bits: t.Type.Bits(), Frac: t.Format.Frac}
		return f.Value(f.Quantize(x))
	}
	p := 0
	if n := t.Format.Steps(); n > 1 {
		p = i / nn.Count(t.Shape[t.Format.Axis+1:]) % n
	}
	lo, hi := t.Type.Range()
	zero, scale := float64(t.Format.Zero(p)), t.Format.Scale(p)
	v := max(float64(lo), min(float64(hi), math.Round(x/scale)+zero))
	return (v - zero) * scale
}
