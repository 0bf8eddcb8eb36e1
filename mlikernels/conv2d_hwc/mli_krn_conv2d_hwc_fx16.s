; Convolution, HWC maps and O,Kh,Kw,I weights: 16-bit data, weights and bias.

	.include "fx16.inc"
	.text
	.align	4
	.global	mli_krn_conv2d_hwc_fx16
	.type	mli_krn_conv2d_hwc_fx16,@function
mli_krn_conv2d_hwc_fx16:
	.include "conv2d_hwc.inc"
	.size	mli_krn_conv2d_hwc_fx16,.-mli_krn_conv2d_hwc_fx16
	GENERIC	mli_krn_conv2d_hwc_fx16
