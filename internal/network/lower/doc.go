// Package lower turns networks of TensorFlow Lite into TOSA and back, as far as both have the
// operators.
//
// ToTOSA replaces an operator by operators of TOSA that give the same integers: a convolution
// becomes CONV2D, RESCALE with the multipliers of the requantization, and CLAMP for a fused
// function. Where a window leaves a rest of the input, which TOSA does not allow, SLICE cuts the
// rest off first. SOFTMAX becomes the fixed-point arithmetic that defines it.
//
// FromTOSA recognizes the results of ToTOSA for operators with weights, for pools and for RESHAPE.
// Values keep their scales in both directions, so multipliers need not be guessed.
//
// Start with ToTOSA (totosa.go).
package lower
