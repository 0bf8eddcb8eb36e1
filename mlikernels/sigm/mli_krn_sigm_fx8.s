; Sigmoid: 8-bit.

	.include "fx8.inc"
	.equ	TABLE,.Ltable_sigm
	.text
	.align	4
	.global	mli_krn_sigm_fx8
	.type	mli_krn_sigm_fx8,@function
mli_krn_sigm_fx8:
	.include "activation.inc"
	.size	mli_krn_sigm_fx8,.-mli_krn_sigm_fx8
	.include "table_sigm.inc"
