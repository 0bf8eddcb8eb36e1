; Depthwise convolution, CHW maps and C,1,Kh,Kw weights: 8-bit data, weights and bias.

	.include "fx8.inc"
	.equ	DEPTHWISE,1
	.text
	.align	4
	.global	mli_krn_depthwise_conv2d_chw_fx8
	.type	mli_krn_depthwise_conv2d_chw_fx8,@function
mli_krn_depthwise_conv2d_chw_fx8:
	.include "conv_chw.inc"
	.size	mli_krn_depthwise_conv2d_chw_fx8,.-mli_krn_depthwise_conv2d_chw_fx8
	GENERIC	mli_krn_depthwise_conv2d_chw_fx8
