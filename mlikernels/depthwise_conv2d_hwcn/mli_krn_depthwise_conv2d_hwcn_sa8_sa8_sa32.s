; Depthwise convolution, HWC maps and 1,Kh,Kw,C weights: 8-bit affine.

	.include "sa8.inc"
	.text
	.align	4
	.global	mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32
	.type	mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32,@function
mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32:
	.include "depthwise_conv2d_hwcn.inc"
	.size	mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32,.-mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32
	GENERIC	mli_krn_depthwise_conv2d_hwcn_sa8_sa8_sa32
