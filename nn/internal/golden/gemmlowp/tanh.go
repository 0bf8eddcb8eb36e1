package gemmlowp

import (
	"fmt"
	"math"

	"arcv2dsp/quant"
)

// Tanh is the hyperbolic tangent of (x - Zero) / Amplitude, times Amplitude, plus Zero. Beyond eight
// amplitudes the result is its limit.
type Tanh struct {
	Zero      int32 `json:"real_zero_as_int32"`
	Amplitude int32 `json:"real_amplitude_as_int32"`
}

const (
	tanhInteger  = 3 // integer bits of the argument: eight amplitudes
	tanhFraction = 28
	maxAmplitude = 1<<tanhFraction - 1 // eight amplitudes fit 32 bits
)

var (
	tanhArgument, _ = quant.NewFixed[int32](tanhInteger)
	tanhFactor      quant.Fixed[int32] // no integer bits
)

// Name is the stage's name.
func (Tanh) Name() string { return "Tanh" }

func (s Tanh) check(int, int) error {
	if s.Amplitude < 1 || s.Amplitude > maxAmplitude {
		return fmt.Errorf("an amplitude of %d (1 to %d)", s.Amplitude, maxAmplitude)
	}
	return nil
}

// apply rounds the argument as a product and drops the bits below the result: gemmlowp shifts its last
// product without rounding.
func (s Tanh) apply(x int32, _, _ int) int32 {
	switch {
	case x <= s.Zero-8*s.Amplitude:
		return s.Zero - s.Amplitude
	case x >= s.Zero+8*s.Amplitude:
		return s.Zero + s.Amplitude
	}
	inverse, down := math.Frexp(1 / float64(s.Amplitude))
	if s.Amplitude == 1 {
		inverse, down = 1, 0 // gemmlowp doubles only what is below one half
	}
	amplitude, up := math.Frexp(float64(s.Amplitude))
	argument := quant.SaturatingRoundingDoublingHighMul(x-s.Zero, tanhFactor.FromReal(inverse))
	argument = quant.SaturatingShiftLeft(argument, tanhFraction+down)
	result := quant.SaturatingRoundingDoublingHighMul(tanhArgument.Tanh(argument), tanhFactor.FromReal(amplitude))
	return s.Zero + result>>(31-up)
}
