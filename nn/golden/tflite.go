package golden

import "arcv2dsp/nn/internal/golden/tflite"

// TFLiteCase is a call of an operator of TensorFlow Lite with the results that it must have, computed on paper.
type TFLiteCase = tflite.Case

// TFLiteCases lists the calls that were computed on paper.
func TFLiteCases() []TFLiteCase { return tflite.Cases() }
