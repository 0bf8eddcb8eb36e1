; Convolution, CHW maps and O,I,Kh,Kw weights: 16-bit data, 8-bit weights and bias.

	.include "fx8w16d.inc"
	.equ	DEPTHWISE,0
	.text
	.align	4
	.global	mli_krn_conv2d_chw_fx8w16d
	.type	mli_krn_conv2d_chw_fx8w16d,@function
mli_krn_conv2d_chw_fx8w16d:
	.include "conv_chw.inc"
	.size	mli_krn_conv2d_chw_fx8w16d,.-mli_krn_conv2d_chw_fx8w16d
	GENERIC	mli_krn_conv2d_chw_fx8w16d
