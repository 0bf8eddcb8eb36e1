// Package lower turns networks of TensorFlow Lite into TOSA and back, as far as both have the
// operators.
//
// ToTOSA replaces an operator by operators of TOSA that give the same integers: a convolution
// becomes CONV2D, RESCALE with the multipliers of the requantization, and CLAMP for a fused
// function. Where a window leaves a rest of the input, which TOSA does not allow, SLICE cuts the
// rest off first. SOFTMAX becomes the fixed-point arithmetic that defines it.
//
// Fuse recognizes operators with weights, pools and sums in a TOSA graph and puts those of TensorFlow
// Lite in their place.
//
// Start with ToTOSA (totosa.go).
package lower
