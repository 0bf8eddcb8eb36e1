; Convolution, HWC maps and O,Kh,Kw,I weights: 8-bit affine.

	.include "sa8.inc"
	.text
	.align	4
	.global	mli_krn_conv2d_nhwc_sa8_sa8_sa32
	.type	mli_krn_conv2d_nhwc_sa8_sa8_sa32,@function
mli_krn_conv2d_nhwc_sa8_sa8_sa32:
	.include "conv2d_nhwc.inc"
	.size	mli_krn_conv2d_nhwc_sa8_sa8_sa32,.-mli_krn_conv2d_nhwc_sa8_sa8_sa32
	GENERIC	mli_krn_conv2d_nhwc_sa8_sa8_sa32
