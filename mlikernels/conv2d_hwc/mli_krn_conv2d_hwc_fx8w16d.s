; Convolution, HWC maps and O,Kh,Kw,I weights: 16-bit data, 8-bit weights and bias.

	.include "fx8w16d.inc"
	.text
	.align	4
	.global	mli_krn_conv2d_hwc_fx8w16d
	.type	mli_krn_conv2d_hwc_fx8w16d,@function
mli_krn_conv2d_hwc_fx8w16d:
	.include "conv2d_hwc.inc"
	.size	mli_krn_conv2d_hwc_fx8w16d,.-mli_krn_conv2d_hwc_fx8w16d
	GENERIC	mli_krn_conv2d_hwc_fx8w16d
