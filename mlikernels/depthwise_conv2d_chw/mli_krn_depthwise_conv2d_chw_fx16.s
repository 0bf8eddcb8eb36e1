; Depthwise convolution, CHW maps and C,1,Kh,Kw weights: 16-bit data, weights and bias.

	.include "fx16.inc"
	.equ	DEPTHWISE,1
	.text
	.align	4
	.global	mli_krn_depthwise_conv2d_chw_fx16
	.type	mli_krn_depthwise_conv2d_chw_fx16,@function
mli_krn_depthwise_conv2d_chw_fx16:
	.include "conv_chw.inc"
	.size	mli_krn_depthwise_conv2d_chw_fx16,.-mli_krn_depthwise_conv2d_chw_fx16
	GENERIC	mli_krn_depthwise_conv2d_chw_fx16
