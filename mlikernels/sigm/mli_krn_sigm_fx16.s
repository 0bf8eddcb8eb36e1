; Sigmoid: 16-bit.

	.include "fx16.inc"
	.equ	TABLE,.Ltable_sigm
	.text
	.align	4
	.global	mli_krn_sigm_fx16
	.type	mli_krn_sigm_fx16,@function
mli_krn_sigm_fx16:
	.include "activation.inc"
	.size	mli_krn_sigm_fx16,.-mli_krn_sigm_fx16
	.include "table_sigm.inc"
