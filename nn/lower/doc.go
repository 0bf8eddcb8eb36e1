// Package lower turns networks of TensorFlow Lite into TOSA and back, for what both have.
//
// ToTOSA replaces an operator by operators of TOSA that give the same integers: a convolution becomes CONV2D,
// RESCALE with the multipliers of the requantization, and CLAMP for a fused function. Cases that a TOSA operator
// cannot take, a window that leaves a rest of the input, is cut off by SLICE before. SOFTMAX becomes the
// fixed-point arithmetic it is defined by.
//
// FromTOSA recognizes what ToTOSA makes of operators with weights, of pools and of RESHAPE. Values keep their
// scales in both directions, so that multipliers need not be guessed.
//
// Start with ToTOSA (totosa.go).
package lower
