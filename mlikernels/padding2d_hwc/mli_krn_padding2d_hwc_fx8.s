; Zero padding, HWC maps: 8-bit.

	.include "fx8.inc"
	.equ	CHANNELS_FIRST,0
	.text
	.align	4
	.global	mli_krn_padding2d_hwc_fx8
	.type	mli_krn_padding2d_hwc_fx8,@function
mli_krn_padding2d_hwc_fx8:
	.include "padding2d.inc"
	.size	mli_krn_padding2d_hwc_fx8,.-mli_krn_padding2d_hwc_fx8
