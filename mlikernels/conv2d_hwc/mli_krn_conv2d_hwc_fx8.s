; Convolution, HWC maps and O,Kh,Kw,I weights: 8-bit data, weights and bias.

	.include "fx8.inc"
	.text
	.align	4
	.global	mli_krn_conv2d_hwc_fx8
	.type	mli_krn_conv2d_hwc_fx8,@function
mli_krn_conv2d_hwc_fx8:
	.include "conv2d_hwc.inc"
	.size	mli_krn_conv2d_hwc_fx8,.-mli_krn_conv2d_hwc_fx8
	GENERIC	mli_krn_conv2d_hwc_fx8
