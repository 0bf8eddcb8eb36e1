package golden

import "arcv2dsp/nn/internal/golden/tflite"

// TFLiteCases says how many calls of each operator of TensorFlow Lite were computed on paper; a test of the golden
// functions runs them.
func TFLiteCases() map[string]int { return tflite.CaseCounts() }
