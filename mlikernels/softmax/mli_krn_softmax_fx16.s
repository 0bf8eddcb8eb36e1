; Softmax: 16-bit.

	.include "fx16.inc"
	.text
	.align	4
	.global	mli_krn_softmax_fx16
	.type	mli_krn_softmax_fx16,@function
mli_krn_softmax_fx16:
	.include "softmax.inc"
	.size	mli_krn_softmax_fx16,.-mli_krn_softmax_fx16
	.include "table_expneg.inc"
