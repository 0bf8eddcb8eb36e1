; Minimum of two tensors: 8-bit.

	.include "fx8.inc"
	.equ	OPERATOR,3
	.text
	.align	4
	.global	mli_krn_eltwise_min_fx8
	.type	mli_krn_eltwise_min_fx8,@function
mli_krn_eltwise_min_fx8:
	.include "eltwise.inc"
	.size	mli_krn_eltwise_min_fx8,.-mli_krn_eltwise_min_fx8
