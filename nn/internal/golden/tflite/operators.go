package tflite

import (
	"slices"

	"arcv2dsp/nn"
)

// Operators lists the operators of TensorFlow Lite.
func Operators() []*nn.Operator {
	return slices.Concat(
		[]*nn.Operator{conv2D, depthwiseConv2D, transposeConv, fullyConnected, batchMatmul},
		[]*nn.Operator{averagePool2D, maxPool2D, mean, sum, argMax, argMin},
		[]*nn.Operator{add, sub, mul, div, maximum, minimum},
		[]*nn.Operator{relu, relu6, leakyRelu, prelu, hardSwish, logistic, tanh, softmax, l2Normalization},
		[]*nn.Operator{quantize, dequantize, cast},
		[]*nn.Operator{reshape, squeeze, expandDims, transpose, gather, concatenation, split, splitV, pack, unpack},
		[]*nn.Operator{pad, padV2, slice, stridedSlice, resizeNearest, resizeBilinear},
		[]*nn.Operator{svdf, LSTM},
		[]*nn.Operator{equal, notEqual, greater, greaterEqual, less, lessEqual, logicalAnd, logicalOr, logicalNot, selectV2},
		[]*nn.Operator{reduceMax, reduceMin, reduceAll, reduceProd},
		[]*nn.Operator{depthToSpace, spaceToDepth, spaceToBatch, batchToSpace, mirrorPad, reverse, tile, broadcastTo, fillOf, broadcastArgs},
		[]*nn.Operator{absolute, negate, square, sqrt, rsqrt, exp, log, sin, cos, ceil, floor, round, elu, gelu, floorDiv, floorMod},
		[]*nn.Operator{addN, cumsum, squaredDifference, l2Pool2D, logSoftmax, gatherND, embeddingLookup, dynamicUpdateSlice},
		[]*nn.Operator{shapeOf, zerosLike, branch, loop, readVariable, assignVariable},
		[]*nn.Operator{signalWindow, signalFftAutoScale, signalRfft, signalEnergy, signalFilterBank,
			signalFilterBankSquareRoot, signalSpectralSubtraction, signalPCAN, signalFilterBankLog, signalDelay, signalFramer, signalStacker, signalOverlapAdd, signalIrfft},
		[]*nn.Operator{circularBuffer, detectionPostprocess, decode},
	)
}

// symmetric is the rule for 16-bit activations: they have no zero point.
func symmetric(tensors ...*nn.Tensor) {
	for _, t := range tensors {
		if t != nil && t.Type == nn.I16 && t.Format.Zero(0) != 0 {
			panic(violation("zero point", "zero point %d of a tensor of i16, it must be 0", t.Format.Zero(0)))
		}
	}
}

// sameQuantization is the rule of operators that copy elements: scale and zero point stay.
func sameQuantization(a, b *nn.Tensor) {
	if a.Format.Kind != nn.Scaled && b.Format.Kind != nn.Scaled {
		return
	}
	if a.Format.Kind != b.Format.Kind || a.Format.Scale(0) != b.Format.Scale(0) || a.Format.Zero(0) != b.Format.Zero(0) {
		panic(violation("quantization", "scale and zero point change from %v, %d to %v, %d",
			a.Format.Scale(0), a.Format.Zero(0), b.Format.Scale(0), b.Format.Zero(0)))
	}
}

// sameShape is the rule of operators that work element by element.
func sameShape(what string, got *nn.Tensor, want []int) {
	refuse(!slices.Equal(got.Shape, want), "shape", "%s is %v, it must be %v", what, got.Shape, want)
}

// rank is the rule for the number of dimensions.
func rank(what string, t *nn.Tensor, want int) {
	refuse(len(t.Shape) != want, "rank", "%s has %d dimensions, it must have %d", what, len(t.Shape), want)
}

// constant is the rule for inputs whose elements decide shapes: they must be known before a run.
func constant(what string, t *nn.Tensor) {
	refuse(!t.Filled(), "constant", "%s must be constant", what)
}
