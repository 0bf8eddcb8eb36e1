; Sum of two tensors: 16-bit.

	.include "fx16.inc"
	.equ	OPERATOR,0
	.text
	.align	4
	.global	mli_krn_eltwise_add_fx16
	.type	mli_krn_eltwise_add_fx16,@function
mli_krn_eltwise_add_fx16:
	.include "eltwise.inc"
	.size	mli_krn_eltwise_add_fx16,.-mli_krn_eltwise_add_fx16
