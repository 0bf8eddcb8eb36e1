; Zero padding, CHW maps: 16-bit.

	.include "fx16.inc"
	.equ	CHANNELS_FIRST,1
	.text
	.align	4
	.global	mli_krn_padding2d_chw_fx16
	.type	mli_krn_padding2d_chw_fx16,@function
mli_krn_padding2d_chw_fx16:
	.include "padding2d.inc"
	.size	mli_krn_padding2d_chw_fx16,.-mli_krn_padding2d_chw_fx16
