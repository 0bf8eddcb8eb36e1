// Package golden collects the operators of every library, each with its golden function: the
// independent statement of what a kernel must compute. The libraries are packages below this one.
package golden

import (
	"sync"

	"arcv2dsp/nn"
	"arcv2dsp/nn/internal/golden/gemmlowp"
	"arcv2dsp/nn/internal/golden/mli11"
	"arcv2dsp/nn/internal/golden/mli20"
	"arcv2dsp/nn/internal/golden/tflite"
	"arcv2dsp/nn/internal/golden/tosa"
)

// Operators is the registry of all operators.
var Operators = sync.OnceValue(func() *nn.Registry {
	return nn.NewRegistry(
		gemmlowp.Operators(),
		mli11.Operators(),
		mli20.Operators(),
		tflite.Operators(),
		tosa.Operators(),
	)
})
